import { readFileSync } from 'node:fs';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { RecordSearch } from '../src/api/directory/found-records.ts';
import type { SearchRequest } from '../src/api/directory/search/request.ts';
import type { Form } from '../src/api/directory/resource-queries.ts';

/** A search, and in which form its records are read. */
export interface AskedOnce {
  readonly request: SearchRequest;
  readonly form: Form;
}

/** What a search cost its process. */
export interface Spent {
  /** Milliseconds of CPU of all threads. */
  readonly cpu: number;
  /** Of the thread that asked: no work on it can have taken longer. */
  readonly main: number;
  readonly wall: number;
  readonly hits: number;
}

/**
 * A process that asks each search of its standard input once, in their order, and prints what each has cost. Nothing is
 * cached but what the engine itself keeps, and the first searches, which are for warming up, are not counted.
 */
const [, , directory = '', warmUp = '0'] = process.argv;
const asked = JSON.parse(readFileSync(0, 'utf8')) as AskedOnce[];
const system = await openSystem(readConfig({ DATA_DIR: directory }));
const records = new RecordSearch(system);
const spent: Spent[] = [];
for (const { request, form } of asked) {
  const [cpu, main, began] = [process.cpuUsage(), mainThreadMs(), performance.now()];
  const page = await records.read(request, form);
  const wall = performance.now() - began;
  const { user, system: kernel } = process.cpuUsage(cpu);
  spent.push({ cpu: (user + kernel) / 1_000, main: mainThreadMs() - main, wall, hits: page.records.length });
}
console.log(JSON.stringify({ spent: spent.slice(Number(warmUp)), memory: process.memoryUsage().rss / 1e6 }));
await system.close();

/** Nanoseconds on a core come first (Documentation/scheduler/sched-stats in Linux). */
function mainThreadMs(): number {
  const stat = readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8');
  return Number(stat.split(' ')[0]) / 1e6;
}
