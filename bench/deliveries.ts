import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { setTimeout as sleep } from 'node:timers/promises';
import { Pool } from 'undici';
import { commandResource, submitResource } from '../src/commands/directory/resource.ts';
import { createSubscription } from '../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { newSigningSecret } from '../src/dispatch/signature.ts';
import { deliveries } from '../src/projections/webhooks/deliveries.ts';
import { projections } from '../src/projections/all.ts';
import { nameOf } from '../src/projections/engine/read-model.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { startThread } from '../src/runtime/threads/thread.ts';
import type { EventStore } from '../src/stores/event-store/port.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { bullMqDeliveries, missingForBullMq } from './bullmq.ts';
import { alternate, median, perSecond, rounds, spreadOf, type Row } from './measure.ts';

const subscribers = 5;
/** Of the smaller count most is sent while code is still being compiled, as after a start. */
const counts: readonly number[] = [2_000, 10_000];

/** Deliveries a second, from a backlog of approvals to the last outcome in the log, against a bare POST loop. */
export async function deliveryRows(): Promise<Row[]> {
  return [
    ...(await backlogRows(counts)),
    { what: 'event → receiver, one at a time, p50 (ms)', ours: await eventToReceiver(), aim: '≤ 10' },
  ];
}

/** Backlogs of so many deliveries each. */
export async function backlogRows(counts: readonly number[]): Promise<Row[]> {
  const receiver = spawn(process.execPath, [new URL('./receiver.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
  const origin = `http://127.0.0.1:${line.toString().trim()}`;
  try {
    const rows: Row[] = [];
    for (const count of counts) rows.push(...(await rowsOf(origin, count)));
    return rows;
  } finally {
    receiver.kill();
    await once(receiver, 'exit');
  }
}

async function rowsOf(origin: string, count: number): Promise<Row[]> {
  const cpu = { ours: [] as number[], bullMq: [] as number[] };
  const hasBullMq = missingForBullMq() === undefined;
  const of = await alternate(
    rounds,
    async () => {
      if (hasBullMq) cpu.bullMq.push((await bullMqDeliveries(origin, count, subscribers)).cpu);
      return barePosts(origin, count);
    },
    async () => {
      const measured = await ours(origin, count);
      cpu.ours.push(measured.cpu);
      return measured.rate;
    },
  );
  const so = `${count} to ${subscribers} subscribers`;
  const ofOne = median(cpu.ours);
  return [
    { what: `deliveries/s, ${so} ÷ bare undici POSTs, ${10 * subscribers} under way`, ...of, aim: '≥ 0.3' },
    { what: `CPU of one delivery, ${so}, all threads (µs)`, ours: ofOne, aim: '≤ 350' },
    ...(hasBullMq
      ? [
          {
            what: `CPU of one delivery, ${so}, ÷ BullMQ + Redis with appendfsync always (µs)`,
            baseline: median(cpu.bullMq),
            ours: ofOne,
            spread: spreadOf(cpu.ours, cpu.bullMq),
            aim: '≤ 0.8',
          },
        ]
      : []),
  ];
}

async function barePosts(origin: string, count: number): Promise<number> {
  const pool = new Pool(origin, { connections: 10 * subscribers, pipelining: 1 });
  const body = JSON.stringify({ event: 'resource.approved', data: { name: 'x'.repeat(200) } });
  const headers = { 'content-type': 'application/json' };
  let left = count;
  const worker = async () => {
    while (left-- > 0) {
      const response = await pool.request({ path: '/', method: 'POST', headers, body });
      await response.body.text();
    }
  };
  const rate = await perSecond(count, () => Promise.all(Array.from({ length: 10 * subscribers }, worker)));
  await pool.close();
  return rate;
}

async function ours(origin: string, count: number): Promise<Measured> {
  const { folder, config, system } = await openWithSubscribers(origin, subscribers);
  const { store } = system;
  await Promise.all(
    Array.from({ length: count / subscribers }, async (_, n) => {
      await approve(system, n);
    }),
  );
  const projector = startThread('projector', { config, writer: system.shareWriter() }, console.error);
  // Showing the approved records is no part of sending.
  await visible(system.documents, projections.map(nameOf), await store.head(), 60_000);
  const dispatcher = startThread('dispatcher', { config, writer: system.shareWriter() }, console.error);
  const measured = await outcomesPerSecond(store, count);
  await dispatcher.stop();
  await visible(system.documents, [deliveries.collection.name], await store.head(), 60_000);
  await projector.stop();
  const pending = await system.documents
    .collection(deliveries.collection)
    .count({ where: { status: 'pending' } });
  if (pending > 0) throw new Error(`${pending} deliveries are pending after all were sent.`);
  await system.close();
  folder.remove();
  return measured;
}

/** Follows the log, which costs next to nothing, until every delivery has succeeded. */
async function outcomesPerSecond(store: EventStore, count: number): Promise<Measured> {
  const done = new AbortController();
  const filter = { types: ['DeliverySucceeded'] };
  // The clock starts with the first outcomes: starting threads is no part of sending.
  let began: { at: number; already: number; cpu: NodeJS.CpuUsage } | undefined;
  let seen = 0;
  for await (const { events } of store.subscribe({ after: -1n, filter, signal: done.signal })) {
    seen += events.length;
    if (seen > 0) began ??= { at: performance.now(), already: seen, cpu: process.cpuUsage() };
    if (seen >= count) break;
  }
  if (!began) throw new Error('Nothing was delivered.');
  const { at, already } = began;
  const { user, system } = process.cpuUsage(began.cpu);
  return {
    rate: ((count - already) / (performance.now() - at)) * 1_000,
    cpu: (user + system) / (count - already),
  };
}

interface Measured {
  /** Deliveries a second. */
  readonly rate: number;
  /** Microseconds a delivery. */
  readonly cpu: number;
}

const context = () => ({
  actor: { kind: 'system', id: 'bench' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

type Bench = Awaited<ReturnType<typeof openSystem>>;

async function openWithSubscribers(origin: string, count: number) {
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path, ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const system = await openSystem(config);
  await commandTeam(system.store, { kind: 'create', team: 'commons', name: 'Commons' }, context());
  for (let n = 0; n < count; n++) {
    const wish = { team: 'commons', url: `${origin}/${n}`, events: ['resource.approved'] as const };
    await createSubscription(system, wish, newSigningSecret(randomBytes), context());
  }
  return { folder, config, system };
}

async function approve(system: Bench, n: number): Promise<void> {
  const fields = { name: `Resource ${n}`, category: 'food' } as const;
  const { state } = await submitResource(system, { team: 'commons', fields }, context());
  await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, context());
}

/** The time from the call that approves a resource to the arrival of its webhook, with nothing else under way. */
async function eventToReceiver(): Promise<number> {
  let arrived = Promise.withResolvers<number>();
  const receiver = createServer((request, response) => {
    arrived.resolve(performance.now());
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const { folder, config, system } = await openWithSubscribers(origin, 1);
  const projector = startThread('projector', { config, writer: system.shareWriter() }, console.error);
  const dispatcher = startThread('dispatcher', { config, writer: system.shareWriter() }, console.error);
  const times: number[] = [];
  for (let n = 0; n < 120; n++) {
    arrived = Promise.withResolvers();
    const { state } = await submitResource(
      system,
      { team: 'commons', fields: { name: `Resource ${n}`, category: 'food' } },
      context(),
    );
    await sleep(30);
    const began = performance.now();
    await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, context());
    const at = await arrived.promise;
    // The first ones pay for starting.
    if (n >= 20) times.push(at - began);
  }
  await dispatcher.stop();
  await projector.stop();
  await system.close();
  folder.remove();
  receiver.close();
  return median(times);
}
