import { randomBytes } from 'node:crypto';
import { setTimeout as sleep } from 'node:timers/promises';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { createApiKey } from '../src/commands/keys.ts';
import { projections } from '../src/projections/all.ts';
import { modelOf } from '../src/projections/engine/read-model.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { checkouts, serveCheckout } from './checkouts.ts';
import { inWords, type Row } from './measure.ts';
import { eventsAPerson, seedMixedLog } from './mixed-log.ts';
import { untilIdle, untilReady, type ServerProcess } from './process.ts';
import { rebuilt } from './rebuild.ts';

/** Requests begin this far apart, whether or not the one before has been answered. */
const everyMs = 20;
const calmMs = 10_000;

/**
 * The 99th percentile of the time of a v1 list while all read models are rebuilt, against the same before, in one run.
 * Requests come at a fixed rate, so a slow answer does not make the load lighter.
 */
export async function rebuildServingRows(size: number): Promise<Row[]> {
  const folder = temporaryFolder();
  const settings = { DATA_DIR: folder.path, RATE_LIMIT_PER_MINUTE: '1000000' };
  const system = await openSystem(readConfig(settings));
  const people = Math.ceil(size / eventsAPerson);
  await seedMixedLog(system.store, people);
  const context = {
    actor: { kind: 'system', id: 'bench' } as const,
    commandId: crypto.randomUUID(),
    at: new Date(),
  };
  const wish = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
  const { key = '' } = await createApiKey(system, wish, randomBytes(32), context);
  const [ours] = checkouts(undefined);
  if (!ours) throw new Error('There is nothing to measure.');
  const server = await serveCheckout(ours, settings);
  await untilReady(server);
  await untilIdle(server);
  const before = await listTimes(server, key, sleep(calmMs));
  const during = await listTimes(server, key, rebuilt(system.store, projections.map(modelOf)));
  await server.stop();
  await system.close();
  folder.remove();
  return [
    {
      what: `v1 list, p99 in µs during a rebuild of ${inWords(people * eventsAPerson)} events ÷ before`,
      baseline: percentile(before, 0.99) * 1_000,
      ours: percentile(during, 0.99) * 1_000,
      aim: '≤ 1.2',
    },
  ];
}

/** Milliseconds of each request until the work is done. */
async function listTimes(server: ServerProcess, key: string, work: Promise<unknown>): Promise<number[]> {
  const times: number[] = [];
  const asking: Promise<void>[] = [];
  const over = new AbortController();
  const ended = work.finally(() => over.abort());
  const ask = async () => {
    const began = performance.now();
    const headers = { authorization: `Bearer ${key}` };
    const response = await fetch(`${server.origin}/dash/api/v1/resources?limit=20`, { headers });
    await response.arrayBuffer();
    if (!response.ok) throw new Error(`The list answered ${response.status}.`);
    times.push(performance.now() - began);
  };
  while (!over.signal.aborted) {
    asking.push(ask());
    await sleep(everyMs);
  }
  await ended;
  await Promise.all(asking);
  return times;
}

function percentile(times: readonly number[], part: number): number {
  const sorted = times.toSorted((one, other) => one - other);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * part))] ?? 0;
}
