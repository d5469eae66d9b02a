import type { FreshDelivery } from '../context.ts';
import type { AttemptResult } from '../attempts/attempt-outcome.ts';
import { beginning, type Position } from '../../stores/event-store/port.ts';
import { backOff } from '../../ground/back-off.ts';
import { ownFaultRetry, triesUntilParked } from '../delivery-policy.ts';
import type { AttemptSlots } from './attempt-slots.ts';
import type { DuePage, PageRequest } from './due-reader.ts';
import { Lane, laneBuffer, placesOfOne, type DueEvent, type Entry } from './lane.ts';
import type { LookAt } from './first-look.ts';
import { ShardTimer, type SetTimer } from './shard-timer.ts';

/** Pages that are read at the same time: a start with many subscriptions does not flood the read model. */
const concurrentPages = 16;

export interface LaneOptions {
  readonly attempt: (of: AttemptInLane) => Promise<AttemptResult>;
  readonly readPage: (request: PageRequest) => Promise<DuePage>;
  /** Sets a delivery aside that fails again and again for our own reasons. */
  readonly park: (deliveryId: string, tries: number, error: unknown) => Promise<void>;
  /** Whether an error says something of a store, and nothing of the delivery. */
  readonly isTransient: (error: unknown) => boolean;
  readonly onFault: (what: string, error: unknown) => void;
  readonly slots: AttemptSlots;
  /** Places that all lanes share. */
  readonly places?: number;
  readonly now: () => Date;
  readonly setTimer?: SetTimer | undefined;
}

export interface AttemptInLane {
  readonly subscription: string;
  readonly delivery: string;
  readonly scheduled?: FreshDelivery | undefined;
  readonly test?: true | undefined;
  /** See `AttemptOf.waits`. */
  readonly waits: (isWaiting: boolean) => void;
}

/**
 * The lanes of a shard, one per subscription with something to do, so that a dead receiver does not delay others.
 * Memory is bounded by the number of these subscriptions, not by what is pending (see `Lane`).
 */
export class Lanes {
  readonly #options: LaneOptions;
  readonly #lanes = new Map<string, Lane>();
  readonly #takers = new Map<Lane, { team: string; startOne: () => { started: boolean; more: boolean } }>();
  readonly #wanting = new Set<Lane>();
  readonly #timer: ShardTimer<Lane>;
  /** Only events after this one may be attempted without a look at their streams. */
  #freshAfter: Position;
  #pages = 0;
  #closed = false;
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(options: LaneOptions, freshAfter: Position = beginning) {
    this.#options = options;
    this.#freshAfter = freshAfter;
    this.#timer = new ShardTimer((lane) => this.#look(lane), options);
  }

  /** How many subscriptions have something in memory. */
  get size(): number {
    return this.#lanes.size;
  }

  /** What was scheduled up to this position may have been attempted by an earlier owner of the shard. */
  startsAt(head: Position): void {
    if (head > this.#freshAfter) this.#freshAfter = head;
  }

  add(event: DueEvent): void {
    if (this.#closed) return;
    const lane = this.#laneOf(event.subscription, event.team);
    const { delivery, position, scheduled, test } = event;
    lane.hear(position);
    const isFresh = position > this.#freshAfter && position > lane.shownTo;
    const entry: Entry = {
      delivery,
      dueAt: event.dueAt.getTime(),
      scheduled: isFresh ? scheduled : undefined,
      tries: 0,
      test,
    };
    lane.add(entry, this.#now());
    this.#look(lane);
  }

  /** Nothing more is to be sent of it. */
  remove(subscription: string, delivery: string, position: Position): void {
    const lane = this.#lanes.get(subscription);
    if (!lane) return;
    lane.hear(position);
    lane.remove(delivery);
    this.#look(lane);
  }

  /** The subscription may have something pending. */
  lookAt({ subscription, team, position }: LookAt): void {
    if (this.#closed) return;
    const lane = this.#laneOf(subscription, team);
    lane.hear(position);
    lane.nextDue = 0;
    this.#look(lane);
  }

  /** Looks for what is pending anew: the subscription is active again (`gently`) or deleted. */
  wake(subscription: string, team: string | undefined, position: Position, gently = false): void {
    if (this.#closed) return;
    const lane = this.#laneOf(subscription, team);
    lane.hear(position);
    lane.wake(gently);
    this.#look(lane);
  }

  /** The team is open again: looks anew for what is pending of its subscriptions. */
  wakeTeam(team: string, position: Position): void {
    for (const lane of [...this.#lanes.values()])
      if (lane.team === team) this.wake(lane.subscription, team, position, true);
  }
  /** The subscription is paused: nothing of it is kept or read. */
  sleep(subscription: string): void {
    const lane = this.#lanes.get(subscription);
    if (!lane) return;
    lane.sleep();
    this.#look(lane);
  }

  /** Starts no more attempts, and resolves when those under way have ended. */
  async close(): Promise<void> {
    this.#closed = true;
    this.#timer.close();
    this.#wanting.clear();
    for (const lane of this.#lanes.values()) this.#forget(lane);
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #now(): number {
    return this.#options.now().getTime();
  }

  #laneOf(subscription: string, team: string | undefined): Lane {
    const existing = this.#lanes.get(subscription);
    if (existing) {
      // A lane asks for slots under the name that it has; it changes when it does not wait for one.
      if (team !== undefined && existing.team !== team) this.#rename(existing, team);
      return existing;
    }
    const lane = new Lane(subscription, team ?? subscription, () =>
      placesOfOne(this.#lanes.size, this.#options.places),
    );
    this.#lanes.set(subscription, lane);
    this.#takers.set(lane, { team: lane.team, startOne: () => this.#startOne(lane) });
    return lane;
  }

  #rename(lane: Lane, team: string): void {
    const taker = this.#takers.get(lane);
    if (!taker) return;
    this.#options.slots.withdraw(taker);
    lane.team = team;
    taker.team = team;
  }

  /** Does what the lane wants now. Called after each change. */
  #look(lane: Lane): void {
    if (this.#closed || this.#lanes.get(lane.subscription) !== lane) return;
    const now = this.#now();
    lane.advance(now);
    const taker = this.#takers.get(lane);
    if (taker) {
      if (lane.canStart(now)) this.#options.slots.ask(taker);
      else this.#options.slots.withdraw(taker);
    }
    if (lane.wantsPage(now)) {
      this.#wanting.add(lane);
      this.#readPages();
    }
    if (lane.isEmpty) this.#forget(lane);
    else this.#timer.set(lane, lane.wakeAt(now), now);
  }

  #forget(lane: Lane): void {
    const taker = this.#takers.get(lane);
    if (taker) this.#options.slots.withdraw(taker);
    this.#takers.delete(lane);
    this.#lanes.delete(lane.subscription);
    this.#timer.delete(lane);
    this.startsAt(lane.shownTo);
  }

  #startOne(lane: Lane): { started: boolean; more: boolean } {
    const now = this.#now();
    const entry = !this.#closed && lane.canStart(now) ? lane.take() : undefined;
    if (!entry) return { started: false, more: false };
    this.#running += 1;
    void this.#attempt(lane, entry, lane.team);
    return { started: true, more: lane.canStart(now) };
  }

  async #attempt(lane: Lane, entry: Entry, team: string): Promise<void> {
    const { subscription, wakes } = lane;
    const { delivery, scheduled, test } = entry;
    const waits = (isWaiting: boolean) => this.#options.slots.waits(team, isWaiting);
    try {
      const result = await this.#options.attempt({ subscription, delivery, scheduled, test, waits });
      const overtaken = lane.underWay.get(delivery)?.overtaken === true;
      lane.underWay.delete(delivery);
      this.#apply(lane, entry, result, { wakes, overtaken });
    } catch (error) {
      await this.#failed(lane, entry, error);
      lane.underWay.delete(delivery);
    } finally {
      this.#running -= 1;
      this.#options.slots.ended(team);
      this.#look(lane);
      if (this.#running === 0) for (const tell of this.#idle.splice(0)) tell();
    }
  }

  #apply(
    lane: Lane,
    { delivery, test }: Entry,
    result: AttemptResult,
    { wakes, overtaken }: { readonly wakes: number; readonly overtaken: boolean },
  ): void {
    if (result.kind === 'lost') return;
    lane.faults = 0;
    const now = this.#now();
    if (result.kind === 'settled' || result.kind === 'due') {
      lane.adjustPace(result.receiver);
      if (result.position !== undefined) lane.hear(result.position);
    }
    if (result.kind === 'held' && lane.wakes === wakes) lane.sleep();
    else if (result.kind === 'due') {
      lane.add({ delivery, dueAt: result.at.getTime(), tries: 0, test }, now);
    } else if (overtaken || result.kind === 'held') lane.add({ delivery, dueAt: now, tries: 0, test }, now);
  }

  /** Nothing was recorded. A store that is down holds up the lane; a delivery that fails by itself is parked in the end. */
  async #failed(lane: Lane, entry: Entry, error: unknown): Promise<void> {
    const { onFault, isTransient, park } = this.#options;
    onFault(`delivery ${entry.delivery}`, error);
    if (isTransient(error)) {
      lane.backOffUntil = this.#now() + backOff(++lane.faults, ownFaultRetry);
      lane.again({ ...entry, dueAt: 0 }, this.#now());
      return;
    }
    const tries = entry.tries + 1;
    if (tries >= triesUntilParked) {
      try {
        await park(entry.delivery, tries, error);
        return;
      } catch (failure) {
        onFault(`parking delivery ${entry.delivery}`, failure);
      }
    }
    lane.again({ ...entry, tries, dueAt: this.#now() + backOff(tries, ownFaultRetry) }, this.#now());
  }

  #readPages(): void {
    for (const lane of this.#wanting) {
      if (this.#pages >= concurrentPages) return;
      this.#wanting.delete(lane);
      if (lane.wantsPage(this.#now())) void this.#readPage(lane);
    }
  }

  async #readPage(lane: Lane): Promise<void> {
    const { wakes, subscription } = lane;
    this.#pages += 1;
    lane.reading = true;
    if (!lane.place) {
      // From here on the scan stands for what is due.
      lane.scanTo = lane.heard;
      lane.nextDue = Infinity;
    }
    try {
      const { place, scanTo: upTo, room } = lane;
      const request = { subscription, place, upTo, limit: Math.min(room, laneBuffer) };
      const page = await this.#options.readPage(request);
      if (lane.wakes === wakes) lane.addPage(page, this.#now());
    } catch (error) {
      if (!this.#closed) this.#options.onFault(`due deliveries of subscription ${subscription}`, error);
      if (lane.wakes === wakes) {
        lane.place = undefined;
        lane.nextDue = 0;
        lane.backOffUntil = this.#now() + backOff(++lane.faults, ownFaultRetry);
      }
    } finally {
      this.#pages -= 1;
      if (lane.wakes === wakes) lane.reading = false;
      this.#look(lane);
      this.#readPages();
    }
  }
}
