import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { commandResource, submitResource } from '../src/commands/directory/resource.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { commandSubscription, createSubscription } from '../src/commands/webhooks/subscription.ts';
import { readConfig } from '../src/config.ts';
import { openSystem } from '../src/container.ts';
import { newSigningSecret } from '../src/dispatch/signature.ts';
import { newEvent } from '../src/events/new-event.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import { deliveries } from '../src/projections/webhooks/deliveries.ts';
import { startThread } from '../src/runtime/threads/thread.ts';
import { temporaryFolder } from '../test/support/folder.ts';
import { inWords, type Row } from './measure.ts';

const context = () => ({
  actor: { kind: 'system', id: 'bench' } as const,
  commandId: crypto.randomUUID(),
  at: new Date(),
});

/** What deliveries cost that are held for a paused subscription: the memory of the dispatcher, and its start. */
export async function heldRows(held: number): Promise<Row[]> {
  const arrived = Promise.withResolvers<number>();
  const receiver = createServer((request, response) => {
    arrived.resolve(performance.now());
    request.resume();
    response.end();
  }).listen(0, '127.0.0.1');
  await once(receiver, 'listening');
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;
  const folder = temporaryFolder();
  const config = readConfig({ DATA_DIR: folder.path, ALLOW_PRIVATE_WEBHOOKS: 'true' });
  const system = await openSystem(config);
  for (const team of ['paused', 'active'])
    await commandTeam(system.store, { kind: 'create', team, name: team }, context());
  const subscribe = (team: string) =>
    createSubscription(
      system,
      { team, url: origin, events: ['resource.approved'] },
      newSigningSecret(randomBytes),
      context(),
    );
  const { subscriptionId } = await subscribe('paused');
  await subscribe('active');
  await commandSubscription(system, subscriptionId, { kind: 'pause' }, context());
  await schedule(system, subscriptionId, held);
  const projector = startThread('projector', { config, writer: system.shareWriter() }, console.error);
  await visible(system.documents, [deliveries.collection.name], await system.store.head(), 3_600_000);

  const { state } = await submitResource(
    system,
    { team: 'active', fields: { name: 'Pantry', category: 'food' } },
    context(),
  );
  await commandResource(system, state?.svc_id ?? '', { kind: 'approve' }, context());
  const before = process.memoryUsage().rss;
  const began = performance.now();
  const dispatcher = startThread('dispatcher', { config, writer: system.shareWriter() }, console.error);
  const start = (await arrived.promise) - began;
  const memory = process.memoryUsage().rss - before;
  await dispatcher.stop();
  await projector.stop();
  await system.close();
  folder.remove();
  receiver.close();
  return [
    {
      what: `${inWords(held)} deliveries held: memory of the dispatcher (MB)`,
      ours: memory / 1e6,
      aim: '≤ 300',
    },
    {
      what: `${inWords(held)} deliveries held: start to the first webhook (ms)`,
      ours: start,
      aim: '≤ 5,000',
    },
  ];
}

/** Appends what the fan-out appends, without its sources. */
async function schedule(
  { store }: Awaited<ReturnType<typeof openSystem>>,
  subscription: string,
  count: number,
): Promise<void> {
  const atOnce = 5_000;
  for (let done = 0; done < count; done += atOnce) {
    await Promise.all(
      Array.from({ length: Math.min(atOnce, count - done) }, async () => {
        const delivery = crypto.randomUUID();
        const stream = `webhook-delivery-${delivery}`;
        const data = {
          delivery,
          subscription,
          team: 'paused',
          event: 'resource.approved',
          source: { stream: 'resource-none', revision: 1, event_id: crypto.randomUUID() },
          occurred_at: new Date().toISOString(),
          payload_version: 1,
          body_sha256: '0'.repeat(64),
        } as const;
        const event = newEvent(stream, { type: 'DeliveryScheduled', data }, 0, context());
        await store.append(stream, [event], 'no_stream');
      }),
    );
  }
}
