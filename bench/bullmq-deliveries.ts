import { randomBytes, randomUUID } from 'node:crypto';
import { Pool } from 'undici';
import { newSigningSecret, signHeaders } from '../src/dispatch/signature.ts';
import { uuidOf } from '../src/events/ids.ts';
import { cpuOf } from './process.ts';

/** What a run has spent, from the first outcome to the last. */
export interface BullMqSpent {
  /** Microseconds of this process and of Redis for one delivery. */
  readonly cpu: number;
  /** Deliveries a second. */
  readonly rate: number;
}

/** What is used of it: it is installed in bench/ alone. */
interface BullMq {
  readonly Queue: new (name: string, options: object) => Queue;
  readonly Worker: new (name: string, work: (job: Job) => Promise<unknown>, options: object) => Worker;
}
interface Job {
  readonly id: string;
  readonly data: unknown;
}
interface Queue {
  addBulk(jobs: readonly { name: string; data: object; opts?: object }[]): Promise<unknown>;
  close(): Promise<void>;
}
interface Worker {
  on(event: 'completed' | 'failed', listener: () => void): void;
  close(): Promise<void>;
}

/** Not a name that the type check looks up: elsewhere it is not installed. */
const installedHere: string = 'bullmq';
const { Queue, Worker } = (await import(installedHere)) as BullMq;

/**
 * Webhooks as one builds them on BullMQ: a job for each event makes a job for each subscriber, under an id by which it is
 * made once, and that one signs, POSTs, and keeps what was sent and answered. The backlog of events is there before.
 * Arguments: port and process of Redis, the receiver, and how many deliveries to how many subscribers.
 */
const [port = 0, redis = 0, , count = 0, subscribers = 0] = process.argv.slice(2).map(Number);
const origin = process.argv[4] ?? '';
const connection = { host: '127.0.0.1', port };
const name = 'resource.approved';

interface Event {
  readonly event_id: string;
  readonly occurred_at: string;
  readonly data: object;
}
interface Delivery extends Event {
  readonly subscriber: number;
}

const secrets = Array.from({ length: subscribers }, () => newSigningSecret(randomBytes));
const events = new Queue('events', { connection });
const deliveries = new Queue('deliveries', {
  connection,
  defaultJobOptions: { attempts: 12, backoff: { type: 'exponential', delay: 5_000 } },
});
await events.addBulk(
  Array.from({ length: count / subscribers }, (_, n) => ({
    name,
    data: {
      event_id: randomUUID(),
      occurred_at: new Date().toISOString(),
      data: { id: n + 1, name: `Resource ${n}`, category: 'food', svc_id: 'r_0123456789abcdef' },
    } satisfies Event,
  })),
);

const pool = new Pool(origin, { connections: 10 * subscribers, pipelining: 1 });

async function send(job: Job) {
  const { id } = job;
  const data = job.data as Delivery;
  const secret = secrets[data.subscriber] as string;
  const at = new Date();
  const body = JSON.stringify({
    event: name,
    delivery_id: id,
    occurred_at: data.occurred_at,
    data: data.data,
  });
  const headers = signHeaders({ secret, deliveryId: id, event: name, body, at });
  const response = await pool.request({ path: `/${data.subscriber}`, method: 'POST', headers, body });
  const text = await response.body.text();
  if (response.statusCode < 200 || response.statusCode > 299)
    throw new Error(`The receiver answered ${response.statusCode}.`);
  return {
    started_at: at.toISOString(),
    duration_ms: Date.now() - at.getTime(),
    request_headers: headers,
    response: { status: response.statusCode, headers: response.headers, text },
  };
}

const cpu = () => {
  const { user, system } = process.cpuUsage();
  return user + system + cpuOf(`/proc/${redis}/stat`);
};
const done = Promise.withResolvers<BullMqSpent>();
let began: { readonly at: number; readonly cpu: number } | undefined;
let completed = 0;

async function schedule(job: Job) {
  const data = job.data as Event;
  await deliveries.addBulk(
    secrets.map((_, subscriber) => ({
      name,
      data: { ...data, subscriber } satisfies Delivery,
      opts: { jobId: uuidOf('delivery', data.event_id, String(subscriber)) },
    })),
  );
}

const fanOut = new Worker('events', schedule, { connection, concurrency: 10 });
const sending = new Worker('deliveries', send, { connection, concurrency: 10 * subscribers });
sending.on('failed', () => done.reject(new Error('A delivery has failed.')));
sending.on('completed', () => {
  completed += 1;
  began ??= { at: performance.now(), cpu: cpu() };
  if (completed < count) return;
  const others = count - 1;
  done.resolve({
    cpu: (cpu() - began.cpu) / others,
    rate: (others / (performance.now() - began.at)) * 1_000,
  });
});
const spent = await done.promise;
await Promise.all([fanOut.close(), sending.close(), events.close(), deliveries.close(), pool.close()]);
console.log(JSON.stringify(spent));
