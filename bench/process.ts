import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { readFileSync } from 'node:fs';
import { createInterface } from 'node:readline';

/** A server in a process of its own, so that its CPU time can be told from the load generator's. */
export interface ServerProcess {
  readonly origin: string;
  /** CPU time of all its threads so far, in microseconds. */
  cpu(): number;
  /** CPU time of its main thread alone, in microseconds. */
  mainThread(): number;
  /** Resident memory in bytes. */
  memory(): number;
  stop(): Promise<void>;
}

/** Linux counts CPU time in ticks of 10 ms (proc_pid_stat(5)); runs are long enough for that. */
const microsecondsPerTick = 10_000;

/** A row runs on the servers that it names, not on those that happen to be set. */
const withoutServers = Object.fromEntries(
  Object.entries(process.env).filter(([name]) => !/^(EVENTSTORE|MONGODB)_/.test(name)),
);

/** Starts a script that prints a line with the port, or the origin, it listens on. */
export async function startServer(
  script: string,
  args: readonly string[],
  env: Readonly<Record<string, string>>,
): Promise<ServerProcess> {
  const child = spawn(process.execPath, [new URL(script, import.meta.url).pathname, ...args], {
    stdio: ['ignore', 'pipe', 'inherit'],
    env: { ...withoutServers, ...env },
  });
  const origin = await announced(child);
  return {
    origin,
    cpu: () => cpuOf(`/proc/${child.pid ?? 0}/stat`),
    mainThread: () => cpuOf(`/proc/${child.pid ?? 0}/task/${child.pid ?? 0}/stat`),
    memory() {
      const status = readFileSync(`/proc/${child.pid ?? 0}/status`, 'utf8');
      return Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1_024;
    },
    async stop() {
      child.kill('SIGTERM');
      if (child.exitCode === null) await once(child, 'exit');
    },
  };
}

function cpuOf(stat: string): number {
  const fields = readFileSync(stat, 'utf8').split(') ')[1]?.split(' ') ?? [];
  return (Number(fields[11]) + Number(fields[12])) * microsecondsPerTick;
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
