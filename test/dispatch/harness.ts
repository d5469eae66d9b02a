import { randomBytes, randomUUID } from 'node:crypto';
import type { ServerResponse } from 'node:http';
import { commandResource, submitResource } from '../../src/commands/directory/resource.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { commandTeam } from '../../src/commands/teams/team.ts';
import { attemptJournal, type AttemptEntry } from '../../src/dispatch/attempts/attempt-journal.ts';
import { emptyCaches, type DispatchContext } from '../../src/dispatch/context.ts';
import { pauseRule } from '../../src/dispatch/delivery-policy.ts';
import { dispatch } from '../../src/dispatch/dispatcher.ts';
import { createSender } from '../../src/dispatch/attempts/sender.ts';
import { journalGroupsOf } from '../../src/dispatch/lanes/shards.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { beginning, type RecordedEvent } from '../../src/stores/event-store/port.ts';
import type { Lease, Leases } from '../../src/stores/leases/port.ts';
import type { SideJournal, SideStore } from '../../src/stores/side/port.ts';
import { altered } from '../support/altered.ts';
import { startProjector } from '../support/projector.ts';
import { dataFolder, type Stores } from '../support/stores.ts';
import { until } from '../support/until.ts';
import { receiver, type Received } from './receivers.ts';

export const operator = () => ({
  actor: { kind: 'system', id: 'cli' } as const,
  commandId: randomUUID(),
  at: new Date(),
});

/** The attempts that are under way, or were interrupted and are not settled. */
export const openAttempts = (side: SideStore) => attemptJournal(side).listOpen(journalGroupsOf(0, 1));

/** The side store, with another journal of attempts. */
export const withAttemptJournal = (side: SideStore, replacement: SideJournal<AttemptEntry>): SideStore =>
  altered<SideStore>(side, {
    journal: <Value>(name: string) =>
      name === 'webhook-attempts'
        ? (replacement as unknown as SideJournal<Value>)
        : side.journal<Value>(name),
  });

/** What a part of the dispatcher tells of itself when it is run by itself. */
export const unsupervised = { succeeded: () => undefined, failed: () => undefined };

export interface Subscriber {
  readonly id: string;
  /** Its own path at the receiver. */
  readonly path: string;
}

/** A team whose resources are approved, on real files, with a projector at work; dispatchers come and go. */
export async function openScene() {
  const folder = dataFolder();
  const stores = folder.open();
  const projector = startProjector(stores);
  const ending: (() => Promise<unknown>)[] = [() => folder.dispose(), () => projector.stop()];
  for (const [team, name] of [
    ['harbour', 'Harbour'],
    ['uphill', 'Uphill'],
  ] as const) {
    await commandTeam(stores.store, { kind: 'create', team, name }, operator());
  }

  const logged = async (...types: readonly string[]): Promise<readonly RecordedEvent[]> => {
    const { events } = await stores.store.readAll({ after: beginning, filter: { types }, limit: 100_000 });
    return events;
  };
  return {
    stores,
    projector,
    logged,
    open: () => folder.open(),
    /** Ends something when the test ends, before what was there earlier. */
    atEnd: (end: () => Promise<unknown>) => ending.push(end),
    async dispose() {
      for (const end of ending.reverse()) await end();
    },
    async subscribe(base: string, count: number, team = 'harbour'): Promise<Subscriber[]> {
      const subscribers: Subscriber[] = [];
      for (let n = 0; n < count; n++) {
        const path = `/${n}`;
        const wish = { team, url: base + path, events: ['resource.approved'] } as const;
        const made = await createSubscription(stores, wish, newSigningSecret(randomBytes), operator());
        subscribers.push({ id: made.subscriptionId, path });
      }
      return subscribers;
    },
    approve: (count = 1, team = 'harbour') =>
      Promise.all(
        Array.from({ length: count }, async () => {
          const fields = { name: 'Pantry', category: 'food' } as const;
          const { state } = await submitResource(stores, { team, fields }, operator());
          await commandResource(stores, state?.svc_id ?? '', { kind: 'approve' }, operator());
        }),
      ),
    happened: (type: string, count = 1) =>
      until(async () => {
        const events = await logged(type);
        return events.length >= count && events;
      }),
  };
}

export type Scene = Awaited<ReturnType<typeof openScene>>;

/** A receiver that counts what it gets for each delivery, and answers as told. */
export async function startReceiver(
  scene: Scene,
  answer: (response: ServerResponse, times: number, request: Received) => void = (response) =>
    response.writeHead(204).end(),
) {
  const times = new Map<string, number>();
  const to = await receiver((response, request) => {
    const delivery = String(request.headers['x-service-delivery']);
    const before = times.get(delivery) ?? 0;
    times.set(delivery, before + 1);
    answer(response, before, request);
  });
  scene.atEnd(() => to[Symbol.asyncDispose]() as Promise<void>);
  return { base: to.url.replace('/hook', ''), times };
}

export interface Dispatcher {
  /** The names of the leases of shards that it holds. */
  readonly held: ReadonlySet<string>;
  /** The path of every request that it has made. */
  readonly sent: readonly string[];
  /** What went wrong on our own side. */
  readonly faults: readonly string[];
  readonly ended: Promise<void>;
  stop(): Promise<void>;
}

/** A dispatcher that shares the work with others like it, on stores that it has opened for itself. */
export function startDispatcher(
  scene: Scene,
  options: Partial<DispatchContext> = {},
  of: Stores = scene.open(),
  /** Where it may be killed: the dead are not waited for. */
  died: Promise<unknown> = new Promise(() => undefined),
): Dispatcher {
  const held = new Set<string>();
  const sent: string[] = [];
  const faults: string[] = [];
  const { store, documents, side, vault, personal, leases } = of;
  const sender = options.sender ?? createSender({ policy: { allowPrivate: true, ownHosts: [] } });
  const abort = new AbortController();
  const ended = dispatch(
    {
      store,
      documents,
      side,
      vault,
      personal,
      shards: 8,
      delays: Array.from({ length: 12 }, () => 1),
      pauseRule,
      caches: emptyCaches(),
      now: () => new Date(),
      random: Math.random,
      onRepaired: () => undefined,
      onFault: (what) => (error) => faults.push(`${what}: ${String(error)}`),
      ...options,
      leases: watched(options.leases ?? leases, held),
      sender: {
        send: (sending) => {
          sent.push(new URL(sending.url).pathname);
          return sender.send(sending);
        },
        close: () => sender.close(),
      },
    },
    abort.signal,
  );
  ended.catch(() => undefined);
  const stop = async () => {
    abort.abort();
    await ended;
  };
  scene.atEnd(() => Promise.race([stop().catch(() => undefined), died]));
  return { held, sent, faults, ended, stop };
}

function watched(leases: Leases, held: Set<string>): Leases {
  const watch = (lease: Lease | undefined): Lease | undefined => {
    // The job that ends held deliveries has a lease too.
    if (!lease?.name.startsWith('dispatch-shard-')) return lease;
    held.add(lease.name);
    return altered<Lease>(lease, {
      release: async () => {
        held.delete(lease.name);
        await lease.release();
      },
    });
  };
  return altered<Leases>(leases, {
    tryAcquire: async (name) => watch(await leases.tryAcquire(name)),
    acquire: async (name, signal) => watch(await leases.acquire(name, signal)),
  });
}
