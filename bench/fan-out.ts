import { spawn } from 'node:child_process';
import { randomBytes, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { commandResource, submitResource } from '../src/commands/directory/resource.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { createSubscription } from '../src/commands/webhooks/subscription.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { newSigningSecret } from '../src/dispatch/signature.ts';
import { streamName } from '../src/events/define.ts';
import { newEvent } from '../src/events/new-event.ts';
import { subscriptionStream } from '../src/events/webhooks/webhook.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { subscriptions } from '../src/projections/webhooks/subscriptions.ts';
import { startThread } from '../src/runtime/threads/thread.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { median, percentile, type Row } from './measure.ts';

const subscribers = 10_000;
/** How often the other team has an event. */
const everyMs = 40;
const quietEvents = 50;

/**
 * One event for many subscriptions of one team, until all deliveries are scheduled, and the way of another team's
 * events to its receiver before and meanwhile. The many are paused, so that the fan-out is measured and not their
 * receivers.
 */
export async function fanOutRows(): Promise<Row[]> {
  const receiver = spawn(process.execPath, [new URL('./receiver.ts', import.meta.url).pathname], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const [line] = (await once(receiver.stdout, 'data')) as [Buffer];
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path, ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const system = await openSystem(config);
  const threads = ['projector', 'dispatcher'].map((name) =>
    startThread(name as 'projector', { config, writer: system.shareWriter() }, console.error),
  );
  try {
    for (const team of ['many', 'other'])
      await commandTeam(system.store, { kind: 'create', team, name: team }, context());
    await subscribeMany(system);
    const url = `http://127.0.0.1:${line.toString().trim()}/`;
    const wish = { team: 'other', url, events: ['resource.approved'] as const };
    await createSubscription(system, wish, newSigningSecret(randomBytes), context());
    await visible(system.documents, [subscriptions.collection.name], await system.store.head(), 60_000);

    const quiet = await waysOf(system, async () => sleep(quietEvents * everyMs));
    let seconds = Number.NaN;
    let cpuMicros = Number.NaN;
    const meanwhile = await waysOf(system, async () => {
      const scheduled = allScheduled(system);
      const [began, cpu] = [performance.now(), process.cpuUsage()];
      await approve(system, 'many');
      await scheduled;
      const { user, system: kernel } = process.cpuUsage(cpu);
      cpuMicros = (user + kernel) / subscribers;
      seconds = (performance.now() - began) / 1_000;
    });
    const row = (what: string, of: (values: readonly number[]) => number, aim: string): Row => ({
      what: `an event of another team, until it is delivered, ${what}, ms, beside that ÷ before it`,
      baseline: of(quiet),
      ours: of(meanwhile),
      aim,
    });
    return [
      { what: `one event for ${subscribers} subscriptions, all scheduled, s`, ours: seconds, aim: '≤ 3' },
      {
        what: 'CPU of all threads for each of them, with the read models, µs',
        ours: cpuMicros,
        aim: '≤ 600, two cores for 3 s',
      },
      row('p50', median, '+ ≤ 50 ms'),
      row('p99', (values) => percentile(values, 0.99), '+ ≤ 250 ms'),
    ];
  } finally {
    for (const thread of threads.reverse()) await thread.stop();
    await system.close();
    receiver.kill();
    await once(receiver, 'exit');
    folder.remove();
  }
}

export const context = () => ({
  actor: { kind: 'system', id: 'bench' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

/** Appended as events: commands would make a secret for each. */
async function subscribeMany({ store }: System): Promise<void> {
  for (let n = 0; n < subscribers; n += 500) {
    await Promise.all(
      Array.from({ length: 500 }, async () => {
        const subscription = randomUUID();
        const stream = streamName(subscriptionStream, subscription);
        const data = {
          subscription,
          team: 'many',
          status: 'paused',
          origin: 'https://example.org',
          url_sealed: 'c2VhbGVk',
          events: ['resource.approved'],
          secret_version: 1,
          secret_id: randomUUID(),
        } as const;
        await store.append(
          stream,
          [
            newEvent(
              stream,
              { type: 'SubscriptionCreated', data: { ...data, events: [...data.events] } },
              0,
              context(),
            ),
          ],
          'no_stream',
        );
      }),
    );
  }
}

export async function approve(system: System, team: string): Promise<string> {
  const fields = { name: 'Pantry', category: 'food' } as const;
  const { state } = await submitResource(system, { team, fields }, context());
  await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, context());
  return state?.svc_id ?? '';
}

/** Resolves when so many deliveries have been scheduled for the large team. */
async function allScheduled({ store }: System): Promise<void> {
  const filter = { types: ['DeliveryScheduled'] };
  const after = await store.head();
  let seen = 0;
  for await (const { events } of store.subscribe({ after, filter, signal: new AbortController().signal })) {
    seen += events.filter(({ data }) => (data as { team: string }).team === 'many').length;
    if (seen >= subscribers) return;
  }
}

/** How long each event of the other team took from its approval to the outcome of its delivery, in ms, during some work. The team is called `other`. */
export async function waysOf(system: System, work: () => Promise<void>): Promise<number[]> {
  const { store } = system;
  const stop = new AbortController();
  const began = new Map<string, number>();
  const ways: number[] = [];
  const following = (async () => {
    const byDelivery = new Map<string, string>();
    const filter = { types: ['DeliveryScheduled', 'DeliverySucceeded'] };
    for await (const { events } of store.subscribe({
      after: await store.head(),
      filter,
      signal: stop.signal,
    })) {
      for (const { type, stream, metadata } of events) {
        if (type === 'DeliveryScheduled') byDelivery.set(stream, String(metadata['correlation_id']));
        const start = began.get(byDelivery.get(stream) ?? '');
        if (type !== 'DeliverySucceeded' || start === undefined) continue;
        ways.push(performance.now() - start);
      }
    }
  })();
  const working = new AbortController();
  const appending = (async () => {
    while (!working.signal.aborted) {
      const of = context();
      const fields = { name: 'Pantry', category: 'food' } as const;
      const { state } = await submitResource(system, { team: 'other', fields }, context());
      began.set(of.commandId, performance.now());
      await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, of);
      await sleep(everyMs);
    }
  })();
  await work();
  working.abort();
  await appending;
  while (ways.length < began.size) await sleep(5);
  stop.abort();
  await following;
  return ways;
}
