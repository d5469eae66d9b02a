import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readdirSync, readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own, so that its CPU time can be told from the load generator's. */
export interface ServerProcess {
  readonly origin: string;
  /** CPU time of all its threads so far, in microseconds. */
  cpu(): number;
  /** CPU time of its main thread alone, in microseconds. */
  mainThread(): number;
  /** CPU time of the worker thread of that name, in microseconds. */
  thread(name: string): number;
  /** Resident memory in bytes. */
  memory(): number;
  stop(): Promise<void>;
}

/** Linux counts the CPU time of a process in ticks of 10 ms (proc_pid_stat(5)); runs are long enough for that. */
const microsecondsPerTick = 10_000;

/** A row runs on the servers that it names, not on those that happen to be set. */
const withoutServers = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(EVENTSTORE|MONGODB)_/.test(name)),
);

/** Those that were not stopped. */
const running = new Set<ServerProcess>();

/** Stops what a suite that failed has left running, which would disturb the next. */
export async function stopServers(): Promise<void> {
  await Promise.all([...running].map((server) => server.stop()));
}

/** Starts a script that prints a line with the port, or the origin, it listens on. */
export async function startServer(
  script: string | URL,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
  nodeOptions: readonly string[] = [],
): Promise<ServerProcess> {
  const child = spawn(
    process.execPath,
    [...nodeOptions, new URL(script, import.meta.url).pathname, ...args],
    {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...withoutServers, ...env },
    },
  );
  // A row that fails ends the run; its servers must not go on without it.
  const end = () => child.kill();
  process.once('exit', end);
  const origin = await announced(child);
  const folder = `/proc/${child.pid ?? 0}`;
  const server: ServerProcess = {
    origin,
    cpu: () => cpuOf(`${folder}/stat`),
    mainThread: () => threadCpuOf(`${folder}/task/${child.pid ?? 0}`),
    thread(name) {
      const ids = readdirSync(`${folder}/task`);
      const id = ids.find((each) => readFileSync(`${folder}/task/${each}/comm`, 'utf8').trim() === name);
      if (id === undefined) throw new Error(`The server has no thread ${name}.`);
      return threadCpuOf(`${folder}/task/${id}`);
    },
    memory() {
      const status = readFileSync(`${folder}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
    },
    async stop() {
      running.delete(server);
      process.off('exit', end);
      child.kill('SIGTERM');
      if (child.exitCode === null && child.signalCode === null) await once(child, 'exit');
    },
  };
  running.add(server);
  return server;
}

/** One that waits for its stores and read models listens before it can serve. */
export async function untilReady({ origin }: ServerProcess): Promise<void> {
  while (!(await fetch(`${origin}/readyz`)).ok) await new Promise((resolve) => setTimeout(resolve, 100));
}

/** Until a server does next to nothing: start-up, projections and what a new consumer group reads are over. */
export async function untilIdle(server: ServerProcess): Promise<void> {
  const look = { gapMs: 250, busy: 0.08, most: 240 };
  for (let sample = 0; sample < look.most; sample++) {
    const before = server.cpu();
    await new Promise((resolve) => setTimeout(resolve, look.gapMs));
    if (server.cpu() - before <= look.gapMs * 1_000 * look.busy) return;
  }
}

/** CPU time of a process so far in microseconds, by its `/proc/<pid>/stat`. */
export function cpuOf(stat: string): number {
  const fields = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
}

/** Nanoseconds on a core come first (Documentation/scheduler/sched-stats in Linux). */
function threadCpuOf(task: string): number {
  return Number(readFileSync(`${task}/schedstat`, 'utf8').split(' ')[0]) / 1_000;
}

async function announced(child: ChildProcess): Promise<string> {
  if (!child.stdout) throw new Error('The server says nothing.');
  for await (const line of createInterface(child.stdout)) {
    child.stdout.resume();
    if (/^\d+$/.test(line)) return `http://127.0.0.1:${line}`;
    if (line.startsWith('{')) return (JSON.parse(line) as { listening: string }).listening;
  }
  throw new Error('The server ended before it listened.');
}
