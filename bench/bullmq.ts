import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { createInterface } from 'node:readline';
import { promisify } from 'node:util';
import { temporaryFolder } from '../test/support/folder.ts';
import { freePort } from '../test/support/free-port.ts';
import type { BullMqSpent } from './bullmq-deliveries.ts';
import { missingPeer } from './missing-peer.ts';

/** What is missing to measure BullMQ on Redis. Undefined: nothing. */
export function missingForBullMq(): string | undefined {
  if (spawnSync('redis-server', ['--version']).error) return 'redis-server is not installed';
  return missingPeer('bullmq');
}

/** The same deliveries made by BullMQ in a process of its own, on a Redis that has every write on the disk. */
export async function bullMqDeliveries(
  origin: string,
  count: number,
  subscribers: number,
): Promise<BullMqSpent> {
  const folder = temporaryFolder();
  const port = await freePort();
  const durable = ['--appendonly', 'yes', '--appendfsync', 'always', '--save', ''];
  const redis = spawn(
    'redis-server',
    ['--bind', '127.0.0.1', '--port', String(port), '--dir', folder.path, ...durable],
    { stdio: ['ignore', 'pipe', 'inherit'] },
  );
  const end = () => redis.kill();
  process.once('exit', end);
  try {
    for await (const line of createInterface(redis.stdout)) if (/Ready to accept/.test(line)) break;
    redis.stdout.resume();
    const script = new URL('./bullmq-deliveries.ts', import.meta.url).pathname;
    const args = [port, redis.pid, origin, count, subscribers].map(String);
    const { stdout } = await promisify(execFile)(process.execPath, [script, ...args]);
    return JSON.parse(stdout) as BullMqSpent;
  } finally {
    process.off('exit', end);
    redis.kill();
    if (redis.exitCode === null) await once(redis, 'exit');
    folder.remove();
  }
}
