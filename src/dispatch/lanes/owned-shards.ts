import { commandDelivery } from '../../commands/webhooks/delivery.ts';
import { ConcurrencyConflict } from '../../ground/refusals.ts';
import { upcast } from '../../events/catalogue.ts';
import { streamId, streamName } from '../../events/define.ts';
import { uuidOf } from '../../events/ids.ts';
import {
  deliveryStream,
  subscriptionStream,
  type DeliveryEvent,
  type SubscriptionEvent,
} from '../../events/webhooks/webhook.ts';
import type { TeamEvent } from '../../events/teams.ts';
import { isFenced, isReplaced } from '../../ground/retry.ts';
import { StoreError } from '../../stores/errors.ts';
import { beginning, type Position, type RecordedEvent } from '../../stores/event-store/port.ts';
import type { Lease } from '../../stores/leases/port.ts';
import { attempt } from '../attempts/attempt.ts';
import { recoverAttempts } from '../attempts/settle-attempt.ts';
import {
  becauseOf,
  becauseOfDelivery,
  dispatcherContext,
  type DispatchContext,
  type FreshDelivery,
  type HeldShard,
} from '../context.ts';
import { AttemptSlots } from './attempt-slots.ts';
import { DueReader, dueAfter } from './due-reader.ts';
import { firstLook } from './first-look.ts';
import type { DueEvent } from './lane.ts';
import type { AttemptInLane, LaneOptions, Lanes } from './lanes.ts';
import { waitingTests } from './waiting-tests.ts';
import type { LogFollower } from '../log-follower.ts';
import { attemptsAtWork, attemptsUnderWay } from '../delivery-policy.ts';
import { Shard } from './shard.ts';
import { journalGroupOf, shardOf } from './shards.ts';
import { messageOf } from '../../ground/store-error.ts';

/**
 * The shards that this dispatcher holds. For a new shard it first settles the previous owner's journal entries,
 * then follows the log, then looks at each subscription that may have something due. Releasing a shard waits for its
 * attempts; losing it aborts them.
 */
export class OwnedShards {
  readonly #dispatching: DispatchContext;
  readonly #log: LogFollower;
  readonly #fail: (error: unknown) => void;
  readonly #held = new Map<number, Shard>();
  /** Held shards whose journal entries are settled: they make attempts. */
  readonly #sending = new Map<number, Lanes>();
  readonly #leaving = new Map<number, Promise<void>>();
  readonly #beginnings = new Set<Promise<void>>();
  readonly #closing = new AbortController();
  /** The lanes that got a delivery when it was scheduled here, by the position of its event: the follower is yet to bring it. */
  readonly #gotBefore = new Map<Position, Lanes>();
  readonly #slots: AttemptSlots;
  readonly #reader: DueReader;

  /** `fail` is called with errors that must end all sending: a failed recovery would leave deliveries out. */
  constructor(dispatching: DispatchContext, log: LogFollower, fail: (error: unknown) => void) {
    this.#dispatching = dispatching;
    this.#log = log;
    this.#fail = fail;
    this.#slots = new AttemptSlots(dispatching.attemptsUnderWay ?? attemptsUnderWay, attemptsAtWork);
    this.#reader = new DueReader(dispatching);
  }

  get count(): number {
    return this.#held.size;
  }

  /** Whether a shard is neither held nor being released: its lease may be requested. */
  isFree(number: number): boolean {
    return !this.#held.has(number) && !this.#leaving.has(number);
  }

  /** Starts shards whose leases have just been taken. Shards taken together share one recovery. */
  gain(leases: ReadonlyMap<number, Lease>): void {
    const gained = [...leases].map(([number, lease]) => this.#hold(number, lease));
    const beginning = this.#begin(gained).catch(this.#fail);
    this.#beginnings.add(beginning);
    void beginning.then(() => this.#beginnings.delete(beginning));
  }

  /** Releases this many shards, newest first, when their attempts under way have ended. */
  giveBack(count: number): void {
    for (const shard of [...this.#held.values()].slice(-count)) void this.#leave(shard);
  }

  /** Resolves when a lost or released shard has ended. */
  async left(number: number): Promise<void> {
    await this.#leaving.get(number);
  }

  /** Passes an event to the lanes of its subscription. */
  route(recorded: RecordedEvent): void {
    const event = upcast(recorded) as DeliveryEvent | SubscriptionEvent | TeamEvent;
    if (isOfTeam(event)) {
      for (const lanes of this.#sending.values()) lanes.wakeTeam(event.data.team, recorded.position);
      return;
    }
    const { subscription } = event.data;
    const lanes = this.#lanesOf(subscription);
    const gotBefore = this.#gotBefore.get(recorded.position);
    if (gotBefore) this.#gotBefore.delete(recorded.position);
    if (lanes && lanes !== gotBefore) applyEvent(lanes, subscription, recorded, event);
  }

  /** Passes on a delivery whose event this process has just appended. */
  scheduledHere(scheduled: FreshDelivery, position: Position): void {
    const lanes = this.#lanesOf(scheduled.subscription);
    if (!lanes || position <= this.#log.position) return;
    this.#gotBefore.set(position, lanes);
    lanes.add(dueOf(scheduled, position));
  }

  /** Releases all shards, and resolves when their attempts have ended. */
  async close(): Promise<void> {
    this.#closing.abort();
    for (const shard of this.#held.values()) void this.#leave(shard);
    await Promise.all([...this.#leaving.values(), ...this.#beginnings]);
  }

  #lanesOf(subscriptionId: string): Lanes | undefined {
    return this.#sending.get(shardOf(subscriptionId, this.#dispatching.shards));
  }

  #hold(number: number, lease: Lease): Shard {
    const lanes = (shard: HeldShard) => this.#laneOptions(shard);
    const shard = new Shard({ number, lease, lanes });
    this.#held.set(number, shard);
    const lose = () => void this.#leave(shard);
    if (lease.lost.aborted) lose();
    else lease.lost.addEventListener('abort', lose, { once: true });
    return shard;
  }

  async #begin(gained: readonly Shard[]): Promise<void> {
    const { shards } = this.#dispatching;
    const among = new Map(gained.map((shard) => [shard.number, shard]));
    const settled = recoverAttempts(this.#dispatching, among, (subscription) =>
      shardOf(subscription, shards),
    );
    // The lease is released only after this recovery has ended, so that the next owner does not run it at the same
    // time.
    for (const shard of gained) shard.trailing(settled);
    await settled;
    // The leases are held, so nobody else attempts what is scheduled after this.
    const head = await this.#dispatching.store.head();
    const begun = gained.filter((shard) => this.#isHeld(shard));
    for (const { number, lanes } of begun) {
      lanes.startsAt(head);
      this.#sending.set(number, lanes);
    }
    // Read in the same tick in which the lanes start to get events, so that no event is missed in between.
    const missed = this.#log.position;
    for (const { id: delivery, value } of await waitingTests(this.#dispatching.side).list()) {
      const due = { delivery, dueAt: new Date(0), position: beginning, test: true } as const;
      among.get(shardOf(value.subscription, shards))?.lanes.add({ ...value, ...due });
    }
    for await (const each of firstLook(this.#dispatching, missed)) {
      if (this.#closing.signal.aborted) return;
      // The lanes of a shard that was released meanwhile are closed and ignore this.
      among.get(shardOf(each.subscription, shards))?.lanes.lookAt(each);
    }
  }

  #laneOptions(shard: HeldShard): LaneOptions {
    const dispatching = this.#dispatching;
    return {
      attempt: async ({ subscription, delivery, scheduled, test, waits }: AttemptInLane) => {
        const of = { delivery, group: journalGroupOf(subscription), scheduled, waits };
        const result = await attempt(dispatching, of, shard);
        if (test && (result.kind === 'settled' || result.kind === 'gone'))
          shard.trailing(
            waitingTests(dispatching.side).delete(delivery).catch(dispatching.onFault('waiting tests')),
          );
        return result;
      },
      readPage: (request) => this.#reader.page(request),
      park: (delivery, tries, error) => park(dispatching, delivery, tries, error),
      isTransient: (error) =>
        error instanceof ConcurrencyConflict ||
        (error instanceof StoreError && ['unavailable', 'full', 'replaced', 'fenced'].includes(error.code)),
      onFault: (what, error) => this.#onFault(what, error),
      slots: this.#slots,
      now: dispatching.now,
      setTimer: dispatching.setTimer,
    };
  }

  #isHeld(shard: Shard): boolean {
    return this.#held.get(shard.number) === shard;
  }

  #leave(shard: Shard): Promise<void> {
    const { number } = shard;
    if (!this.#isHeld(shard)) return this.left(number);
    this.#held.delete(number);
    this.#sending.delete(number);
    const left = shard
      .leave()
      .catch((error: unknown) => this.#onFault(`giving back shard ${number}`, error))
      .finally(() => this.#leaving.delete(number));
    this.#leaving.set(number, left);
    return left;
  }

  #onFault(what: string, error: unknown): void {
    if (isReplaced(error)) this.#fail(error);
    else if (!isFenced(error)) this.#dispatching.onFault(what)(error);
  }
}

/** Of those of teams, that a team is open again alone is followed. */
const isOfTeam = (event: DeliveryEvent | SubscriptionEvent | TeamEvent): event is TeamEvent =>
  event.type === 'TeamReopened';

/** The reason is shown to people, in one line. */
const longestReason = 500;

async function park(
  { store, now }: DispatchContext,
  deliveryId: string,
  tries: number,
  error: unknown,
): Promise<void> {
  const message = messageOf(error);
  const reason = message.replace(/\s+/g, ' ').trim().slice(0, longestReason) || 'It has no message.';
  const at = now();
  const because = becauseOfDelivery(await store.readStream(streamName(deliveryStream, deliveryId)));
  const context = dispatcherContext(uuidOf('park', deliveryId, at.toISOString()), at, because);
  await commandDelivery(store, deliveryId, { kind: 'park', tries, reason }, context);
}

/** A delivery that has just been scheduled is due at once. */
const dueOf = (scheduled: FreshDelivery, position: Position): DueEvent => ({
  subscription: scheduled.subscription,
  delivery: scheduled.delivery,
  dueAt: new Date(0),
  position,
  team: scheduled.team,
  scheduled,
  test: scheduled.test,
});

function applyEvent(
  lanes: Lanes,
  subscription: string,
  recorded: RecordedEvent,
  event: DeliveryEvent | SubscriptionEvent,
): void {
  const { position } = recorded;
  switch (event.type) {
    case 'DeliveryScheduled':
      lanes.add(dueOf({ ...event.data, because: becauseOf(recorded) }, position));
      break;
    case 'DeliveryResent':
    case 'DeliveryAttemptFailed':
    case 'DeliverySucceeded':
    case 'DeliveryFailed':
    case 'DeliveryDiscarded':
    case 'DeliveryParked':
    case 'DeliveryExpired':
    case 'DeliveryReversed': {
      const dueAt = dueAfter(event);
      const delivery = streamId(recorded, deliveryStream);
      if (dueAt) lanes.add({ subscription, delivery, dueAt, position });
      else lanes.remove(subscription, delivery, position);
      break;
    }
    case 'SubscriptionResumed':
    case 'SubscriptionHealthConfirmed':
    case 'SubscriptionDeleted': {
      const isGentle = event.type !== 'SubscriptionDeleted';
      lanes.wake(streamId(recorded, subscriptionStream), event.data.team, position, isGentle);
      break;
    }
    case 'SubscriptionPaused':
    case 'SubscriptionAutoPaused':
      lanes.sleep(subscription);
      break;
    // The log follower does not subscribe to these: they make no delivery due.
    case 'SubscriptionCreated':
    case 'SubscriptionEventsChosen':
    case 'SubscriptionUrlChanged':
    case 'SubscriptionNamed':
    case 'SubscriptionSecretRotated':
    case 'SubscriptionSecretPrepared':
    case 'SubscriptionSecretActivated':
      break;
  }
}
