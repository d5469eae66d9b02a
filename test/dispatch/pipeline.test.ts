import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { join } from 'node:path';
import { Webhook } from 'standardwebhooks';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { commandDelivery } from '../../src/commands/webhooks/delivery.ts';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import {
  commandSubscription,
  createSubscription,
  rotateSecret,
} from '../../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { dispatcherContext, emptyCaches, type DispatchContext } from '../../src/dispatch/context.ts';
import { dispatch } from '../../src/dispatch/dispatcher.ts';
import { fanOut } from '../../src/dispatch/fan-out.ts';
import {
  attemptJournal,
  readAttempts,
  type AttemptEntry,
} from '../../src/dispatch/attempts/attempt-journal.ts';
import { pauseRule } from '../../src/dispatch/delivery-policy.ts';
import { journalGroupOf } from '../../src/dispatch/lanes/shards.ts';
import { createSender, type Sender, type SenderOptions } from '../../src/dispatch/attempts/sender.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import type { WebhookEvent } from '../../src/events/webhooks/webhook-events.ts';
import { subscriptionHealth } from '../../src/projections/webhooks/subscription-health.ts';
import { subscriptions } from '../../src/projections/webhooks/subscriptions.ts';
import { StoreError } from '../../src/stores/errors.ts';
import { beginning, type EventStore, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import type { SideJournal } from '../../src/stores/side/port.ts';
import type { Vault } from '../../src/stores/vault/port.ts';
import { altered } from '../support/altered.ts';
import { caughtUp, startProjector } from '../support/projector.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { rawReceiver, receiver, type Received, type Receiver } from './receivers.ts';
import { openAttempts, unsupervised, withAttemptJournal } from './harness.ts';

/** As a person on the command line: a new command each time, now. */
const operator = () => ({
  actor: { kind: 'system', id: 'cli' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

const development = { allowPrivate: true, ownHosts: [] };
/** Twelve attempts as usual, but at once one after another. */
const impatient = Array.from({ length: 12 }, () => 1);
const announcing = ['resource.approved', 'resource.rejected'] as const;

let folder: DataFolder;
let stores: Stores;
let projector: ReturnType<typeof startProjector>;
let ending: (() => Promise<void>)[];

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  projector = startProjector(stores);
  ending = [];
  for (const [team, name] of [
    ['harbour', 'Harbour'],
    ['uphill', 'Uphill'],
  ] as const) {
    await commandTeam(stores.store, { kind: 'create', team, name }, operator());
  }
});

afterEach(async () => {
  for (const end of ending.reverse()) await end();
  await projector.stop();
  await folder.dispose();
});

type Options = Partial<DispatchContext> & { readonly sending?: Partial<SenderOptions> };

function dispatching(of: Stores, { sending, ...rest }: Options = {}): DispatchContext {
  const { store, documents, side, vault, personal, leases } = of;
  return {
    store,
    documents,
    side,
    vault,
    personal,
    leases,
    shards: 1,
    sender: createSender({ policy: development, ...sending }),
    delays: impatient,
    pauseRule,
    caches: emptyCaches(),
    now: () => new Date(),
    random: () => 0.5,
    onRepaired: () => undefined,
    onFault: (what) => (error) => faults.push(`${what}: ${String(error)}`),
    ...rest,
  };
}

/** What went wrong on our own side; nothing should, unless a test makes it. */
let faults: string[];
beforeEach(() => {
  faults = [];
});

/** A dispatcher at work until it is stopped, at the latest when the test ends. */
function startDispatcher(options: Options = {}, of = stores) {
  const abort = new AbortController();
  const ended = dispatch(dispatching(of, options), abort.signal);
  const stop = async () => {
    abort.abort();
    await ended;
  };
  ending.push(stop);
  return { stop };
}

async function subscribe(
  to: Pick<Receiver, 'url'>,
  events: readonly WebhookEvent[] = announcing,
  team = 'harbour',
): Promise<{ id: string; secret: string }> {
  const made = await createSubscription(
    stores,
    { team, url: to.url, events },
    newSigningSecret(randomBytes),
    operator(),
  );
  return { id: made.subscriptionId, secret: made.secret ?? '' };
}

const change = (id: string, kind: 'pause' | 'resume' | 'delete') =>
  commandSubscription(stores, id, { kind }, operator());

let submitted = 0;
async function submit(team = 'harbour'): Promise<{ svcId: string; id: number; name: string }> {
  const name = `Pantry № ${++submitted}`;
  const fields = { name, category: 'food' } as const;
  const { state } = await submitResource(stores, { team, fields }, operator());
  return { svcId: state?.svc_id ?? '', id: state?.id ?? 0, name };
}

async function approve(team = 'harbour') {
  const resource = await submit(team);
  await commandResource(stores, resource.svcId, { kind: 'approve' }, operator());
  return resource;
}

const approveMany = (count: number, team = 'harbour') =>
  Promise.all(Array.from({ length: count }, () => approve(team)));

async function logged(...types: readonly string[]): Promise<readonly RecordedEvent[]> {
  const { events } = await stores.store.readAll({ after: beginning, filter: { types }, limit: 100_000 });
  return events;
}

const streamOf = (deliveryId: string) => stores.store.readStream(`webhook-delivery-${deliveryId}`);
const typesOf = (events: readonly RecordedEvent[]) => events.map(({ type }) => type);
const typesIn = async (deliveryId: string) => typesOf(await streamOf(deliveryId));

/** Resolves when so many events of a type are in the log, with all of them. */
const happened = (type: string, count = 1) =>
  until(async () => {
    const events = await logged(type);
    return events.length >= count && events;
  });

/** A receiver that remembers, and answers as told by how often it has seen this delivery before. */
async function inbox(
  answer: (response: ServerResponse, times: number, request: Received) => void = (response) =>
    response.writeHead(204).end(),
) {
  const arrived: Received[] = [];
  const times = new Map<string, number>();
  const to = await receiver((response, request) => {
    const id = deliveryOf(request);
    const before = times.get(id) ?? 0;
    times.set(id, before + 1);
    arrived.push(request);
    answer(response, before, request);
  });
  ending.unshift(() => to[Symbol.asyncDispose]() as Promise<void>);
  return {
    url: to.url,
    arrived,
    times,
    has: (count: number) => until(() => arrived.length >= count && arrived),
    names: () => arrived.map((request) => bodyOf(request).data.name),
  };
}

const header = (request: Received, name: string): string => String(request.headers[name]);
const deliveryOf = (request: Received): string => header(request, 'x-service-delivery');
const bodyOf = (request: Received) =>
  JSON.parse(request.body.toString()) as { data: { name: string; reason?: string } } & Record<
    string,
    unknown
  >;
const sentAt = (request: Received): number => Date.parse(header(request, 'x-service-timestamp'));
const verifies = (request: Received, secret: string): boolean =>
  header(request, 'x-service-signature') ===
  `sha256=${createHmac('sha256', secret).update(request.body).digest('hex')}`;

const failWith = (status: number) => (response: ServerResponse) => response.writeHead(status).end();

describe('an approved resource', () => {
  test('is told of, and an event of another product that bears the same name is not', async () => {
    const to = await inbox();
    await subscribe(to);
    startDispatcher();
    for (const [type, n] of [
      ['ResourceApproved', 1],
      ['DeliveryScheduled', 2],
    ] as const) {
      const foreign = { id: randomUUID(), type, data: { team: 'harbour' }, metadata: { theirs: n } };
      await stores.store.append(`foreign-${n}`, [foreign], 'no_stream');
    }
    const { name } = await approve();
    await to.has(1);
    await happened('DeliverySucceeded');
    expect(to.names()).toEqual([name]);
    expect(await stores.store.parked('webhook-fan-out')).toEqual([]);
    expect(faults).toEqual([]);
  });

  test('reaches its subscriber with every header of the interface, verifiable in both ways', async () => {
    const to = await inbox();
    const { secret } = await subscribe(to);
    startDispatcher();
    const before = Date.now();

    const { svcId, id, name } = await approve();

    const [request] = await to.has(1);
    if (!request) throw new Error('Nothing arrived.');
    const [approved] = await logged('ResourceApproved');
    const body = bodyOf(request);
    expect(request.method).toBe('POST');
    expect(body).toStrictEqual({
      event: 'resource.approved',
      delivery_id: deliveryOf(request),
      occurred_at: approved?.metadata['at'],
      data: { id, name, category: 'food', svc_id: svcId },
    });
    expect(Number.isSafeInteger(id)).toBe(true);
    expect(request.headers).toMatchObject({
      'content-type': 'application/json',
      'x-service-event': 'resource.approved',
      'x-service-delivery': expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      'x-service-timestamp': expect.stringMatching(/^\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d\.\d{3}Z$/) as string,
    });
    expect(sentAt(request)).toBeGreaterThanOrEqual(before);
    expect(verifies(request, secret)).toBe(true);
    expect(new Webhook(secret).verify(request.body, request.headers as Record<string, string>)).toEqual(body);
  });

  test('is told again with the same bytes and the same delivery id until it is acknowledged', async () => {
    const to = await inbox((response, times) => response.writeHead(times < 2 ? 500 : 200).end());
    const { secret } = await subscribe(to);
    // A few milliseconds apart, so that fresh time stamps can be told from repeated ones.
    startDispatcher({ delays: [0, 5, 5] });
    await approve();
    await happened('DeliverySucceeded');

    expect(to.arrived).toHaveLength(3);
    const [first] = to.arrived;
    const deliveryId = first ? deliveryOf(first) : '';
    for (const request of to.arrived) {
      expect(request.body.equals(first?.body ?? Buffer.alloc(0))).toBe(true);
      expect(deliveryOf(request)).toBe(deliveryId);
      expect(verifies(request, secret)).toBe(true);
      const received = request.headers as Record<string, string>;
      expect(new Webhook(secret).verify(request.body, received)).toBeTruthy();
    }
    const times = to.arrived.map(sentAt);
    expect(new Set(times).size).toBe(3);
    expect(times).toEqual([...times].sort((a, b) => a - b));
    const events = await streamOf(deliveryId);
    expect(typesOf(events)).toEqual([
      'DeliveryScheduled',
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliverySucceeded',
    ]);
    expect(events.slice(1).map(({ data }) => data)).toMatchObject([
      { attempt: 1, status: 500, error: 'The receiver answered 500.' },
      { attempt: 2, status: 500 },
      { attempt: 3, status: 200 },
    ]);
    expect(faults).toEqual([]);
  });

  test('is told in the order of interest: a rejected one with its reason, under its own event name', async () => {
    const to = await inbox();
    await subscribe(to);
    startDispatcher();
    const { svcId, id, name } = await submit();
    await commandResource(stores, svcId, { kind: 'reject', reason: 'It has closed.' }, operator());

    const [request] = await to.has(1);
    if (!request) throw new Error('Nothing arrived.');
    expect(header(request, 'x-service-event')).toBe('resource.rejected');
    expect(bodyOf(request)).toMatchObject({
      event: 'resource.rejected',
      data: { id, name, category: 'food', svc_id: svcId, reason: 'It has closed.' },
    });
  });
});

describe('who is told', () => {
  test('is each subscription of the team that had chosen the event when it happened and still exists', async () => {
    const to = await inbox();
    const witness = await subscribe(to);
    const lateToChoose = await subscribe(to, ['resource.rejected']);
    const givenUp = await subscribe(to, ['resource.approved']);
    const deleted = await subscribe(to);
    await subscribe(to, announcing, 'uphill');
    await subscribe(to, ['member.joined']);

    await approve();
    const created = await subscribe(to);
    const choose = (id: string, events: readonly WebhookEvent[]) =>
      commandSubscription(stores, id, { kind: 'choose-events', events }, operator());
    await choose(lateToChoose.id, ['resource.rejected', 'resource.approved']);
    await choose(givenUp.id, ['resource.rejected']);
    await change(deleted.id, 'delete');
    // By now all this is in the read model that the fan-out looks at.
    await caughtUp(stores, [subscriptions as never]);
    startDispatcher();
    await happened('DeliverySucceeded', 2);
    await approve();
    await happened('DeliverySucceeded', 5);

    const told = await logged('DeliveryScheduled');
    const subscription = (event: RecordedEvent) => (event.data as { subscription: string }).subscription;
    const [first, second] = await logged('ResourceApproved');
    const toldOf = (source: RecordedEvent | undefined) =>
      told
        .filter((event) => (event.data as { source: { event_id: string } }).source.event_id === source?.id)
        .map(subscription)
        .sort();
    expect(toldOf(first)).toEqual([witness.id, givenUp.id].sort());
    expect(toldOf(second)).toEqual([witness.id, lateToChoose.id, created.id].sort());
    expect(told).toHaveLength(5);
    expect(to.arrived).toHaveLength(5);
  });

  test('is everybody once, none left out, when the fan-out breaks off in the middle of a batch', async () => {
    const to = await inbox();
    for (let n = 0; n < 3; n++) await subscribe(to);
    const approved = await approveMany(20);
    let appends = 0;
    const breaking = altered<EventStore>(stores.store, {
      append: (stream, events, expected) => {
        appends += 1;
        // Now and then before it is written, now and then after: nobody knows which.
        if (appends % 7 === 0) return Promise.reject(new StoreError('unavailable', 'Lost before.'));
        const appended = stores.store.append(stream, events, expected);
        if (appends % 11 !== 0) return appended;
        return appended.then(() => Promise.reject(new StoreError('unavailable', 'Lost after.')));
      },
    });
    const abort = new AbortController();
    const broken = fanOut(dispatching(stores, { store: breaking }), abort.signal, unsupervised);
    await until(() => appends >= 22);
    abort.abort();
    await broken;
    const scheduledBefore = (await logged('DeliveryScheduled')).length;
    expect(scheduledBefore).toBeGreaterThan(0);

    startDispatcher();
    await happened('DeliverySucceeded', 60);

    const scheduled = await logged('DeliveryScheduled');
    const pairs = scheduled.map(({ data }) => {
      const { source, subscription } = data as { source: { event_id: string }; subscription: string };
      return `${source.event_id} ${subscription}`;
    });
    expect(pairs).toHaveLength(60);
    expect(new Set(pairs).size).toBe(60);
    expect([...to.names()].sort()).toEqual(approved.flatMap(({ name }) => [name, name, name]).sort());
  });
});

describe('a paused subscription', () => {
  test('has its deliveries scheduled and held, and gets them when it is resumed', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    await change(id, 'pause');
    const witness = await inbox();
    await subscribe(witness);
    startDispatcher();
    const resources = await approveMany(12);
    await happened('DeliveryScheduled', 24);
    await witness.has(12);
    // Every one of them was looked at and put aside: nothing is noted as under way any more.
    await until(async () => (await openAttempts(stores.side)).length === 0);
    expect(to.arrived).toEqual([]);

    await change(id, 'resume');

    await to.has(12);
    await happened('DeliverySucceeded', 24);
    expect([...to.names()].sort()).toEqual(resources.map(({ name }) => name).sort());
    expect(await logged('DeliveryAttemptFailed')).toEqual([]);
  });

  test('gets no attempt that began after the pause was answered', async () => {
    const to = await inbox((response, times) => response.writeHead(times < 1 ? 500 : 200).end());
    const { id } = await subscribe(to);
    startDispatcher();
    for (let round = 1; round <= 15; round++) {
      const approving = approveMany(6);
      await to.has(to.arrived.length + 1);
      await change(id, 'pause');
      const answered = Date.now();
      await approving;
      await happened('DeliveryScheduled', 6 * round);
      await until(async () => (await openAttempts(stores.side)).length === 0);
      expect(to.arrived.filter((request) => sentAt(request) > answered)).toEqual([]);
      await change(id, 'resume');
      await happened('DeliverySucceeded', 6 * round);
    }
    expect(to.times.size).toBe(90);
  });

  test('forgets nothing when it is resumed at the moment in which an attempt has just seen the pause', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    await change(id, 'pause');
    const noted = attemptJournal(stores.side);
    const witness = await inbox();
    let isFirst = true;
    const resuming: SideJournal<AttemptEntry> = altered(noted, {
      // While the delivery is put aside, the subscription is resumed, and the dispatcher has heard of it: what
      // happened after that has reached the witness.
      withdraw: async (group, entry) => {
        if (isFirst) {
          isFirst = false;
          await change(id, 'resume');
          await subscribe(witness);
          await approve();
          await witness.has(1);
        }
        return noted.withdraw(group, entry);
      },
    });
    startDispatcher({ side: withAttemptJournal(stores.side, resuming) });
    await approve();

    await to.has(2);
    expect(to.times.size).toBe(2);
  });
});

describe('a rotated secret', () => {
  test('is met also by an attempt that had read the subscription before, and not the secret', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    let rotated: string | undefined;
    const rotating = altered<Vault>(stores.vault, {
      get: async (name) => {
        rotated ??= (await rotateSecret(stores, id, newSigningSecret(randomBytes), operator())).secret ?? '';
        return stores.vault.get(name);
      },
    });
    startDispatcher({ vault: rotating });
    await approve();
    const [request] = await to.has(1);
    expect(request && verifies(request, rotated ?? '')).toBe(true);
    expect(faults).toEqual([]);
  });

  test('signs every attempt that begins once the rotation is answered, also while deliveries are under way', async () => {
    const to = await inbox((response, times) => response.writeHead(times < 1 ? 503 : 200).end());
    const { id, secret } = await subscribe(to);
    const secrets = [{ secret, since: 0 }];
    startDispatcher();
    const approving: Promise<unknown>[] = [];
    for (let round = 0; round < 50; round++) {
      const arrived = to.arrived.length;
      approving.push(approveMany(3));
      await to.has(arrived + 1);
      const rotated = await rotateSecret(stores, id, newSigningSecret(randomBytes), operator());
      secrets.push({ secret: rotated.secret ?? '', since: Date.now() });
    }
    await Promise.all(approving);
    await happened('DeliverySucceeded', 150);

    expect(to.arrived).toHaveLength(300);
    const used = to.arrived.map((request) => {
      const index = secrets.findIndex((each) => verifies(request, each.secret));
      const due = secrets.findLastIndex(({ since }) => since < sentAt(request));
      return { index, due };
    });
    expect(used.filter(({ index }) => index === -1)).toEqual([]);
    expect(used.filter(({ index, due }) => index < due)).toEqual([]);
    expect(new Set(used.map(({ index }) => index)).size).toBeGreaterThan(25);
    // A rotation between the two looks of an attempt is no fault: the attempt looks again.
    expect(faults).toEqual([]);
  });
});

describe('a delivery', () => {
  test('is discarded when its subscription is deleted while it is pending', async () => {
    const to = await inbox(failWith(500));
    const retried = await subscribe(to);
    const held = await subscribe(to);
    await change(held.id, 'pause');
    startDispatcher({ delays: Array.from({ length: 10_000 }, () => 20) });
    await approve();
    await happened('DeliveryScheduled', 2);
    await to.has(2);

    await change(retried.id, 'delete');
    const deleted = Date.now();
    await change(held.id, 'delete');

    const discarded = await happened('DeliveryDiscarded', 2);
    const of = discarded.map(({ data }) => (data as { subscription: string }).subscription);
    expect(of.sort()).toEqual([retried.id, held.id].sort());
    expect(to.arrived.filter((request) => sentAt(request) > deleted)).toEqual([]);
    expect(to.times.size).toBe(1);
  });

  test('has failed after the last attempt of its schedule, and is revived under the same id when asked for', async () => {
    let answer = 500;
    const to = await inbox((response) => response.writeHead(answer).end());
    await subscribe(to);
    startDispatcher({ delays: [0, 1, 1] });
    await approve();
    const [failed] = await happened('DeliveryFailed');
    expect(failed?.data).toMatchObject({ attempt: 3, status: 500 });
    expect(to.arrived).toHaveLength(3);
    const [first] = to.arrived;
    const deliveryId = first ? deliveryOf(first) : '';

    answer = 200;
    await commandDelivery(stores.store, deliveryId, { kind: 'resend', requestedBy: 'resend' }, operator());
    const [succeeded] = await happened('DeliverySucceeded');

    expect(succeeded?.data).toMatchObject({ attempt: 4, status: 200 });
    expect(to.arrived).toHaveLength(4);
    expect(to.times.get(deliveryId)).toBe(4);
    expect(new Set(to.arrived.map(({ body }) => body.toString())).size).toBe(1);
    expect(await typesIn(deliveryId)).toEqual([
      'DeliveryScheduled',
      'DeliveryAttemptFailed',
      'DeliveryAttemptFailed',
      'DeliveryFailed',
      'DeliveryResent',
      'DeliverySucceeded',
    ]);
  });

  test('is sent again also when that is asked for in the very moment in which it ends', async () => {
    const to = await inbox();
    await subscribe(to);
    startDispatcher();
    for (let round = 1; round <= 30; round++) {
      await approve();
      const outcomes = await happened('DeliverySucceeded', 2 * round - 1);
      const deliveryId = outcomes.at(-1)?.stream.replace('webhook-delivery-', '') ?? '';
      await commandDelivery(stores.store, deliveryId, { kind: 'resend', requestedBy: 'resend' }, operator());
      await happened('DeliverySucceeded', 2 * round);
      expect(to.times.get(deliveryId)).toBe(2);
    }
  });

  test('waits as long as the receiver asks, within twice its place in the schedule', async () => {
    const asked = new Map([
      ['/soon', '1'],
      ['/later', '15'],
      ['/next-year', '31536000'],
    ]);
    const to = await inbox((response, _times, request) =>
      response.writeHead(503, { 'Retry-After': asked.get(request.path ?? '') ?? '' }).end(),
    );
    const base = to.url.replace('/hook', '');
    for (const path of asked.keys()) await subscribe({ url: base + path });
    startDispatcher({ delays: [0, 10_000], random: () => 0 });
    await approve();
    const failures = await happened('DeliveryAttemptFailed', 3);

    const waits = new Map(
      failures.map((event) => {
        const { next_attempt_at } = event.data as { next_attempt_at: string };
        const request = to.arrived.find((each) => event.stream.endsWith(deliveryOf(each)));
        return [request?.path, Date.parse(next_attempt_at) - Date.parse(String(event.metadata['at']))];
      }),
    );
    // The time of the outcome is taken a moment before that of its event.
    for (const [path, wait] of [
      ['/soon', 10_000],
      ['/later', 15_000],
      ['/next-year', 20_000],
    ] as const) {
      expect(waits.get(path)).toBeGreaterThan(wait - 500);
      expect(waits.get(path)).toBeLessThanOrEqual(wait + 500);
    }
  });
});

describe('a receiver that keeps failing', () => {
  const status = async (id: string) => {
    const events = await stores.store.readStream(`webhook-subscription-${id}`);
    return events.at(-1)?.data as { status: string; paused_because?: string };
  };

  test('pauses its subscription at once when it says that it is gone', async () => {
    const to = await inbox(failWith(410));
    const { id } = await subscribe(to);
    startDispatcher();
    await approve();
    const [paused] = await happened('SubscriptionAutoPaused');
    expect(paused?.data).toMatchObject({
      subscription: id,
      status: 'paused',
      paused_because: 'The receiver answered 410 Gone.',
    });
    await approve();
    await happened('DeliveryScheduled', 2);
    await until(async () => (await openAttempts(stores.side)).length === 0);
    expect(to.arrived).toHaveLength(1);
  });

  test('is paused once every attempt has failed for long enough, on enough deliveries', async () => {
    const to = await inbox(failWith(500));
    const { id } = await subscribe(to);
    let ahead = 0;
    startDispatcher({
      pauseRule: { afterMs: 3_600_000, deliveries: 3 },
      delays: Array.from({ length: 100_000 }, () => 20),
      now: () => new Date(Date.now() + ahead),
    });
    const health = () => stores.documents.collection(subscriptionHealth.collection).get(id);
    await approveMany(2);
    await until(async () => (await health())?.failing.length === 2);
    ahead = 3_700_000;
    await happened('DeliveryAttemptFailed', (await logged('DeliveryAttemptFailed')).length + 6);
    expect(await status(id)).toMatchObject({ status: 'active' });

    await approve();

    await happened('SubscriptionAutoPaused');
    const { failing_since } = (await health()) ?? {};
    expect(await status(id)).toMatchObject({
      status: 'paused',
      paused_because: `Every attempt has failed since ${failing_since ?? ''}.`,
    });
  });

  test('is not paused when enough have failed but not for long enough', async () => {
    const to = await inbox(failWith(500));
    const { id } = await subscribe(to);
    startDispatcher({ pauseRule: { afterMs: 3_600_000, deliveries: 3 }, delays: [0, 5, 5] });
    await approveMany(6);
    await happened('DeliveryFailed', 6);
    expect(await status(id)).toMatchObject({ status: 'active' });
  });

  test('begins anew with every success', async () => {
    let answer = 500;
    const to = await inbox((response) => response.writeHead(answer).end());
    const { id } = await subscribe(to);
    const rule = { afterMs: 0, deliveries: 3 };
    startDispatcher({ pauseRule: rule, delays: [0] });
    const health = () => stores.documents.collection(subscriptionHealth.collection).get(id);
    for (let n = 1; n <= 2; n++) {
      await approve();
      await until(async () => (await health())?.failing.length === n);
    }
    answer = 200;
    await approve();
    await until(async () => (await health())?.failing.length === 0);
    answer = 500;
    for (let n = 1; n <= 2; n++) {
      await approve();
      await until(async () => (await health())?.failing.length === n);
    }
    expect(await status(id)).toMatchObject({ status: 'active' });
    // And the rule itself is at work: one more, and another that is sure to see it.
    await approve();
    await happened('DeliveryFailed', 5);
    await caughtUp(stores);
    await approve();
    await happened('SubscriptionAutoPaused');
  });
});

describe('what a crash leaves behind', () => {
  /** Deliveries are scheduled, and the process ends before any is attempted. */
  async function scheduleOnly(count: number): Promise<string[]> {
    const abort = new AbortController();
    const fanning = fanOut(dispatching(stores), abort.signal, unsupervised);
    await approveMany(count);
    const scheduled = await happened('DeliveryScheduled', count);
    abort.abort();
    await fanning;
    await caughtUp(stores);
    return scheduled.map(({ stream }) => stream.replace('webhook-delivery-', ''));
  }

  const openAttempt = (deliveryId: string, subscription: string, more: Partial<AttemptEntry> = {}) =>
    attemptJournal(stores.side).open(journalGroupOf(subscription), `${deliveryId}/1`, {
      attempt: 1,
      subscription,
      started_at: new Date().toISOString(),
      trigger: 'schedule',
      ...more,
    });

  test('an attempt without outcome counts as interrupted, once, and the delivery still arrives', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    const [deliveryId = ''] = await scheduleOnly(1);
    const startedAt = new Date().toISOString();
    await openAttempt(deliveryId, id, { started_at: startedAt });

    const first = startDispatcher();
    await happened('DeliverySucceeded');
    await first.stop();

    const events = await streamOf(deliveryId);
    expect(typesOf(events)).toEqual(['DeliveryScheduled', 'DeliveryAttemptFailed', 'DeliverySucceeded']);
    expect(events[1]?.data).toMatchObject({
      attempt: 1,
      started_at: startedAt,
      error: expect.stringMatching(/^Interrupted/) as string,
    });
    expect(events[2]?.data).toMatchObject({ attempt: 2 });
    expect(await openAttempts(stores.side)).toEqual([]);
    expect(await readAttempts(stores.side, deliveryId)).toMatchObject([
      { attempt: 1, trigger: 'schedule', interrupted: true, open: false },
      { attempt: 2, trigger: 'retry', outcome: { response: { status: 204 } }, open: false },
    ]);

    startDispatcher();
    await approve();
    await happened('DeliverySucceeded', 2);
    expect(await typesIn(deliveryId)).toHaveLength(3);
    expect(to.arrived).toHaveLength(2);
  });

  test('an attempt that has an outcome and no event gets its event, and is not called interrupted', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    const [delivered = '', refused = ''] = await scheduleOnly(2);
    const outcome = (status: number) => ({
      ended_at: new Date().toISOString(),
      duration_ms: 12,
      request_headers: {},
      response: { status, headers: {}, text: '', truncated: false },
    });
    await openAttempt(delivered, id, { outcome: outcome(200) });
    await openAttempt(refused, id, { outcome: outcome(503) });

    startDispatcher();
    await happened('DeliverySucceeded', 2);

    expect(await typesIn(delivered)).toEqual(['DeliveryScheduled', 'DeliverySucceeded']);
    const [, failed, succeeded] = await streamOf(refused);
    expect(failed).toMatchObject({ type: 'DeliveryAttemptFailed', data: { attempt: 1, status: 503 } });
    expect(succeeded).toMatchObject({ type: 'DeliverySucceeded', data: { attempt: 2 } });
    expect([...to.times]).toEqual([[refused, 1]]);
    await until(async () => (await openAttempts(stores.side)).length === 0);
  });

  test('an open attempt whose outcome is in the log already changes nothing', async () => {
    const to = await inbox();
    const { id } = await subscribe(to);
    const first = startDispatcher();
    await approve();
    const [succeeded] = await happened('DeliverySucceeded');
    await first.stop();
    const deliveryId = succeeded?.stream.replace('webhook-delivery-', '') ?? '';
    await openAttempt(deliveryId, id);

    startDispatcher();
    await approve();
    await happened('DeliverySucceeded', 2);

    expect(await typesIn(deliveryId)).toEqual(['DeliveryScheduled', 'DeliverySucceeded']);
    await until(async () => (await openAttempts(stores.side)).length === 0);
    expect(to.times.get(deliveryId)).toBe(1);
  });

  test('deliveries that were scheduled but never attempted are taken up by the next dispatcher', async () => {
    const to = await inbox();
    await subscribe(to);
    const deliveryIds = await scheduleOnly(25);
    expect(to.arrived).toEqual([]);
    startDispatcher();
    await happened('DeliverySucceeded', 25);
    expect(to.arrived.map(deliveryOf).sort()).toEqual(deliveryIds.sort());
  });

  test('an attempt whose outcome could not be recorded is recorded later, with that outcome', async () => {
    const to = await inbox();
    await subscribe(to);
    let refused = 0;
    const failing = altered<EventStore>(stores.store, {
      append: (stream, events, expected) => {
        if (events[0]?.type !== 'DeliverySucceeded' || refused++ > 0) {
          return stores.store.append(stream, events, expected);
        }
        return Promise.reject(new StoreError('full', 'No room left on the device.'));
      },
    });
    startDispatcher({ store: failing });
    await approve();
    const [succeeded] = await happened('DeliverySucceeded');
    // The receiver had acknowledged it: that is recorded, and nothing is sent again.
    expect(to.arrived).toHaveLength(1);
    expect(succeeded?.data).toMatchObject({ attempt: 1, status: 204 });
    expect(typesOf(await stores.store.readStream(succeeded?.stream ?? ''))).toEqual([
      'DeliveryScheduled',
      'DeliverySucceeded',
    ]);
    await until(async () => (await openAttempts(stores.side)).length === 0);
    expect(faults).toHaveLength(1);
  });
});

describe('one receiver', () => {
  test('that never answers delays nobody else, and has no more than ten attempts under way', async () => {
    let open = 0;
    await using dead = await rawReceiver(() => {
      open += 1;
    });
    const alive = await inbox();
    await subscribe(dead);
    await subscribe(alive);
    const { stop } = startDispatcher({ sending: { timeoutMs: 4_000 } });
    await approveMany(40);

    await alive.has(40);
    await until(() => open >= 10);

    // Nothing has timed out yet: those that arrived did not wait for it.
    expect(await logged('DeliveryAttemptFailed')).toEqual([]);
    expect(open).toBe(10);
    expect(alive.times.size).toBe(40);
    await stop();
    expect(await logged('DeliveryAttemptFailed')).toHaveLength(10);
  });
});

describe('of two dispatchers on the same files', () => {
  test('only the one that holds the lease sends; the other takes over when it is released', async () => {
    const to = await inbox();
    await subscribe(to);
    const other = folder.open();
    const sent: string[] = [];
    const counting = (name: string): Sender => {
      const sender = createSender({ policy: development });
      return {
        send: (sending) => {
          sent.push(name);
          return sender.send(sending);
        },
        close: () => sender.close(),
      };
    };
    const one = startDispatcher({ sender: counting('one') });
    await approve();
    await to.has(1);
    startDispatcher({ sender: counting('other') }, other);
    await approveMany(20);
    await happened('DeliverySucceeded', 21);
    expect(new Set(sent)).toEqual(new Set(['one']));

    const approving = approveMany(40);
    await one.stop();
    await approving;
    await happened('DeliverySucceeded', 61);

    expect(sent.slice(-1)).toEqual(['other']);
    expect(sent).toHaveLength(61);
    expect(to.arrived).toHaveLength(61);
    expect(to.times.size).toBe(61);
    expect(sent.lastIndexOf('one')).toBeLessThan(sent.indexOf('other'));
    expect(await logged('DeliveryScheduled')).toHaveLength(61);
  });
});

describe('the data folder', () => {
  test('holds no signing secret in clear, neither the current one nor one before it', async () => {
    const to = await inbox();
    const { id, secret } = await subscribe(to);
    const { stop } = startDispatcher();
    await approve();
    await to.has(1);
    const rotated = await rotateSecret(stores, id, newSigningSecret(randomBytes), operator());
    await approve();
    await happened('DeliverySucceeded', 2);
    await stop();
    await projector.stop();
    // Closed first: a process must not read its open database files past SQLite.
    await stores.close();

    const files = readdirSync(folder.path, { withFileTypes: true }).filter((each) => each.isFile());
    const contents = files.map(({ name }) => [name, readFileSync(join(folder.path, name))] as const);
    const holding = (text: string | Buffer) =>
      contents.filter(([, bytes]) => bytes.includes(text)).map(([name]) => name);
    expect(holding(id)).toContainEqual(expect.stringMatching(/^events\.db/));
    for (const each of [secret, rotated.secret ?? '']) {
      const bare = each.replace('whsec_', '');
      expect(holding(bare)).toEqual([]);
      expect(holding(Buffer.from(bare, 'base64'))).toEqual([]);
    }
  });

  test('names the dispatcher as the one who acts, because of the event it tells of', async () => {
    const to = await inbox();
    await subscribe(to);
    startDispatcher();
    await approve();
    await happened('DeliverySucceeded');
    const [approved] = await logged('ResourceApproved');
    const [scheduled] = await logged('DeliveryScheduled');
    expect(scheduled?.metadata).toMatchObject({
      actor: dispatcherContext('', new Date(), {}).actor,
      causation_id: approved?.id,
      correlation_id: approved?.metadata['correlation_id'],
    });
  });
});
