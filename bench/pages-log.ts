import { randomBytes } from 'node:crypto';
import { ensureLogKey, logNameOf } from '../src/audit/proof-log/format/log-key.ts';
import { Signer } from '../src/audit/proof-log/signer.ts';
import { createSubscription } from '../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../src/commands/teams/team.ts';
import { readConfig } from '../src/config.ts';
import { openSystem, type System } from '../src/container.ts';
import { newSigningSecret } from '../src/dispatch/signature.ts';
import { integerId, svcIdOf, uuidOf } from '../src/events/ids.ts';
import { memberRoles, teamStream, type TeamEvent } from '../src/events/teams.ts';
import { newEvent } from '../src/events/new-event.ts';
import { streamName } from '../src/events/define.ts';
import { deliveryStream, type DeliveryEvent } from '../src/events/webhooks/webhook.ts';
import { projections } from '../src/projections/all.ts';
import { project } from '../src/projections/engine/projector.ts';
import { visible } from '../src/projections/engine/read-your-writes.ts';
import type { EventStore } from '../src/stores/event-store/port.ts';
import { seedResource, seedResources } from './seed.ts';

/** The team that has nearly everything. */
export const team = 'large';
/** Records of the team that wait for a reviewer. */
const waiting = 200;
/** People who joined it. */
const members = 1_000;
/** Its webhooks without deliveries, beside the one with all of them. */
const webhooks = 100;
/** Streams appended at a time. */
const concurrency = 2_000;
/** The number of a record of the team, by its place in the log. */
export const svcIdAt = (index: number): string => svcIdOf(integerId('bench', team, String(index)));
/** The id of a delivery, by its place in the log. */
export const deliveryOf = (index: number): string => uuidOf('bench', 'pages', 'delivery', String(index));

const context = (id: string, at: Date) => ({
  actor: { kind: 'system', id: 'bench' } as const,
  commandId: uuidOf('bench', 'pages', id),
  at,
});

/**
 * Fills an empty folder, its log and its read models: a team with members, public records, records that wait, and a
 * webhook with ten deliveries for each record. Answers the webhook.
 */
export async function seedPages(folder: string, records: number): Promise<string> {
  const system = await openSystem(readConfig({ DATA_DIR: folder }));
  try {
    const { store } = system;
    const now = new Date();
    await commandTeam(store, { kind: 'create', team, name: 'Large' }, context('team', now));
    const wish = { team, url: 'https://receiver.example/', events: ['resource.approved'] } as const;
    const secret = newSigningSecret(randomBytes);
    const { subscriptionId } = await createSubscription(system, wish, secret, context('webhook', now));
    for (let other = 0; other < webhooks; other++)
      await createSubscription(system, wish, secret, context(`webhook ${other}`, now));
    await seedMembers(store);
    await seedResources(store, team, records);
    for (let index = records; index < records + waiting; index++)
      await seedResource(store, team, index, 'submitted');
    await seedDeliveries(store, subscriptionId, 10 * records);
    await signed(system);
    await readModelsBuilt(system);
    return subscriptionId;
  } finally {
    await system.close();
  }
}

/** Signs the log, as a server does all the time: events that are not signed are counted on a page. */
async function signed({ store, proofLog, vault, config, installation }: System): Promise<void> {
  const name = logNameOf(config.baseUrl, await installation.ensureId());
  const key = await ensureLogKey(vault, name, proofLog);
  const now = () => new Date();
  const signer = await Signer.open({ store, proofLog, key, epoch: 0 });
  await signer.grow(now);
  await signer.sign(now());
}

/** Until every read model shows the log. A server that starts beside that would have no time for its start. */
async function readModelsBuilt({ store, documents, side, leases }: System): Promise<void> {
  const stopping = new AbortController();
  const ended = project({ store, documents, side, leases, projections, signal: stopping.signal });
  const names = projections.map(({ collection }) => collection.name);
  await visible(documents, names, await store.head(), 7_200_000);
  stopping.abort();
  await ended;
}

/** Nobody can sign in as one of them: they have no account. */
async function seedMembers(store: EventStore): Promise<void> {
  const stream = streamName(teamStream, team);
  const events = Array.from({ length: members }, (_, index): TeamEvent => {
    const role = memberRoles[index % memberRoles.length] ?? 'member';
    const user = uuidOf('bench', 'member', String(index));
    return { type: 'MemberJoined', data: { team, user, role, person: 'c2VhbGVk'.repeat(12) } };
  });
  const made = events.map((event, place) => newEvent(stream, event, place, context('members', new Date())));
  await store.append(stream, made, 'any');
}

/** Deliveries of the last days: of ten, one was accepted, of a hundred one failed for good, and the others wait. */
async function seedDeliveries(store: EventStore, subscription: string, count: number): Promise<void> {
  const end = Date.now();
  let next = 0;
  const worker = async () => {
    while (next < count) {
      const index = next++;
      const at = new Date(end - (count - index) * 200);
      const delivery = deliveryOf(index);
      const stream = streamName(deliveryStream, delivery);
      const events = deliveryEvents(delivery, subscription, index, at).map((event, place) =>
        newEvent(stream, event, place, context(`${delivery} ${place}`, at)),
      );
      await store.append(stream, events, 'no_stream');
    }
  };
  await Promise.all(Array.from({ length: concurrency }, worker));
}

function deliveryEvents(delivery: string, subscription: string, index: number, at: Date): DeliveryEvent[] {
  const scheduled: DeliveryEvent = {
    type: 'DeliveryScheduled',
    data: {
      delivery,
      subscription,
      team,
      event: 'resource.approved',
      source: { stream: 'resource-none', revision: 1, event_id: uuidOf('bench', 'pages', delivery) },
      occurred_at: at.toISOString(),
      payload_version: 1,
      body_sha256: '0'.repeat(64),
    },
  };
  const attempt = { subscription, attempt: 1, started_at: at.toISOString(), duration_ms: 40 };
  if (index % 100 === 0) {
    const data = { ...attempt, status: 500, error: 'The receiver answered 500.' };
    return [scheduled, { type: 'DeliveryFailed', data }];
  }
  return index % 10 === 5
    ? [scheduled, { type: 'DeliverySucceeded', data: { ...attempt, status: 200 } }]
    : [scheduled];
}
