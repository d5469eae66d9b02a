import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { connect } from 'node:net';
import { setTimeout as pause } from 'node:timers/promises';
import { freePort } from './free-port.ts';
import { until } from './until.ts';

/** Starts an EventStoreDB in the foreground when it is given a port and a data folder; empty: there is none. */
export const eventStoreCommand = process.env['EVENTSTORE_COMMAND'] ?? '';

/** An EventStoreDB of the test's own, which it may kill and start again over the same data. */
export interface EventStoreServer {
  readonly port: number;
  readonly url: string;
  /** Resolves when its port is open. */
  start(): Promise<void>;
  signal(signal: NodeJS.Signals): void;
  /** As a power cut does it: nothing is flushed and nobody is told. */
  kill(): Promise<void>;
  /** As an operator does it. */
  stop(): Promise<void>;
}

export async function eventStoreIn(folder: string): Promise<EventStoreServer> {
  const port = await freePort();
  let node: ChildProcess | undefined;
  const end = async (signal: NodeJS.Signals) => {
    if (!node || node.exitCode !== null || node.signalCode !== null) return;
    const gone = once(node, 'exit');
    node.kill(signal);
    await gone;
  };
  return {
    port,
    url: `esdb://127.0.0.1:${port}?tls=false`,
    async start() {
      node = spawn(eventStoreCommand, [String(port), folder], { stdio: 'ignore', env: withoutOurs() });
      await until(async () => (await isOpen(port)) || pause(20).then(() => false));
    },
    signal: (signal) => node?.kill(signal),
    kill: () => end('SIGKILL'),
    stop: () => end('SIGTERM'),
  };
}

/** A node takes every variable of this prefix for an option of its own, and does not start with one it does not know. */
const withoutOurs = () =>
  Object.fromEntries(Object.entries(process.env).filter(([name]) => !name.startsWith('EVENTSTORE_')));

const isOpen = (port: number) =>
  new Promise<boolean>((resolve) => {
    const socket = connect(port, '127.0.0.1')
      .once('connect', () => {
        socket.destroy();
        resolve(true);
      })
      .once('error', () => resolve(false));
  });
