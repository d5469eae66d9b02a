import type { FreshDelivery } from '../context.ts';
import { beginning, type Position } from '../../stores/event-store/port.ts';
import { laneConcurrency, slowStart } from '../delivery-policy.ts';
import type { DuePage, ScanPlace } from './due-reader.ts';
import { nextPace, type ReceiverState } from './pace.ts';

/** Every lane can keep so many deliveries. The others are read when it has room. */
export const laneBuffer = 100;
/**
 * While few subscriptions have something to do, their lanes share more places: what a lane keeps since it was scheduled is
 * sent without a look at read model, stream and journal.
 */
const sharedPlaces = 5_000;

/** The most deliveries that one of so many lanes keeps. */
export const placesOfOne = (lanes: number, shared = sharedPlaces): number =>
  Math.max(laneBuffer, Math.floor(shared / lanes));

/** With fewer due ones than this, a lane reads more. */
const lowMark = 25;
/**
 * The most deliveries of a lane that fail for our own reasons and wait for their next try. They are kept beside the
 * others, which go on. With as many, what is wrong concerns them all, and the lane reads no more until some are parked.
 */
export const mostFailing = 1_000;

/** An event that made a delivery due. */
export interface DueEvent {
  readonly subscription: string;
  readonly delivery: string;
  readonly dueAt: Date;
  readonly position: Position;
  /** Absent when it is not known: the subscription then counts as a team of its own. */
  readonly team?: string | undefined;
  /** Of the event that scheduled it, when the follower brought it. */
  readonly scheduled?: FreshDelivery | undefined;
  readonly test?: true | undefined;
}

/** A delivery that a lane keeps. */
export interface Entry {
  readonly delivery: string;
  readonly dueAt: number;
  /** See `AttemptOf.scheduled`. */
  readonly scheduled?: FreshDelivery | undefined;
  /** How often an attempt failed for our own reasons. */
  readonly tries: number;
  /** A test delivery: it is sent also while the lane is asleep. */
  readonly test?: true | undefined;
}

/**
 * The deliveries of one subscription: a few that are kept, and when to read more. Only decides; `Lanes` acts.
 *
 * No delivery is forgotten, because at any moment each pending one of a lane that is awake is either
 * (a) kept: waiting for its turn or its time, or under way;
 * (b) ahead of the scan that is in progress; or
 * (c) found by the next scan: it is due at `nextDue` or later, and its newest event is at `heard` or before it, which a
 *     scan waits for (or reads the log to).
 *
 * The races, and why they keep this true:
 * - A new delivery comes while a scan is in progress: it is not kept, and `nextDue` is set. When the scan ends, another
 *   begins, up to the newer `heard`. A scan that begins takes over what `nextDue` stood for, one that fails gives it back.
 * - A page shows a delivery that the follower brings later: its event is at `shownTo` or before it, so its attempt reads
 *   the stream. Only an event after `shownTo`, and after everything that an earlier owner of the shard can have
 *   attempted, may be attempted without a look at the stream (`scheduled`).
 * - A page shows a delivery that is kept or under way: it is left out. One that has been settled since: its attempt
 *   reads the stream and does nothing. The scan goes on behind its last row, so those at the front do not fill it.
 * - An event makes a delivery due while it is under way (somebody asks for it again): `overtaken`, so it is attempted
 *   once more afterwards.
 * - An attempt sees a pause, and meanwhile the follower brings the resumption: `wakes` has changed, and the lane does
 *   not fall asleep. If the resumption comes later, it wakes the lane, and a scan begins anew.
 * - A page comes back after the lane fell asleep, or woke again: it belongs to an earlier `wakes` and is dropped.
 * - A restart keeps nothing of a lane. The first look at each subscription begins a scan.
 */
export class Lane {
  readonly subscription: string;
  team: string;
  /** Due, in the order of their turns. */
  readonly due = new Map<string, Entry>();
  /** Due later. */
  readonly waiting = new Map<string, Entry>();
  /** Failed for our own reasons, and due for another try later. */
  readonly failing = new Map<string, Entry>();
  readonly underWay = new Map<string, { overtaken: boolean; readonly entry: Entry }>();
  /** When a scan has to begin. */
  nextDue = Infinity;
  /** The newest event of the lane that the follower brought. */
  heard: Position = beginning;
  shownTo: Position = beginning;
  place: ScanPlace | undefined;
  /** The scan in progress shows everything up to this position. */
  scanTo: Position = beginning;
  reading = false;
  asleep = false;
  wakes = 0;
  /** Nothing is started before this time: a store is down. */
  backOffUntil = 0;
  faults = 0;
  #pace: number = laneConcurrency;
  readonly #keepsAtMost: () => number;

  /** `keepsAtMost`: the most deliveries that it keeps at present. */
  constructor(subscription: string, team: string, keepsAtMost: () => number = () => laneBuffer) {
    this.subscription = subscription;
    this.team = team;
    this.#keepsAtMost = keepsAtMost;
  }

  get isEmpty(): boolean {
    return (
      !this.asleep &&
      !this.reading &&
      this.due.size + this.waiting.size + this.failing.size + this.underWay.size === 0 &&
      this.nextDue === Infinity &&
      this.place === undefined
    );
  }

  get kept(): number {
    return this.due.size + this.waiting.size;
  }

  /** How many more due deliveries can be kept. */
  get room(): number {
    return this.failing.size < mostFailing ? this.#keepsAtMost() - this.due.size : 0;
  }

  /** A page has come. What is kept or under way is left out. */
  addPage(page: DuePage, now: number): void {
    if (page.shownTo > this.shownTo) this.shownTo = page.shownTo;
    this.place = page.next;
    this.nextDue = Math.min(this.nextDue, page.nextDue);
    for (const delivery of page.due) {
      if (this.#has(delivery)) continue;
      if (this.#hasRoomFor(now, now)) this.due.set(delivery, { delivery, dueAt: now, tries: 0 });
      else this.nextDue = 0;
    }
  }

  hear(position: Position): void {
    if (position > this.heard) this.heard = position;
  }

  /** A delivery has become due, now or later. Keeps it when there is room and nothing else is due before it. */
  add(entry: Entry, now: number): void {
    const { delivery, dueAt, test = false } = entry;
    const running = this.underWay.get(delivery);
    if (running) {
      running.overtaken = true;
      return;
    }
    if (this.asleep && !test) return;
    if (this.due.has(delivery)) {
      // Something has happened to it: its attempt reads the stream.
      this.due.set(delivery, { ...entry, scheduled: undefined });
      return;
    }
    this.waiting.delete(delivery);
    this.failing.delete(delivery);
    const behind = dueAt <= now && this.#isBehind(now);
    if (!test && (behind || !this.#hasRoomFor(dueAt, now))) this.nextDue = Math.min(this.nextDue, dueAt);
    else (dueAt <= now ? this.due : this.waiting).set(delivery, entry);
  }

  /** After an attempt that failed for our own reasons: kept also when there is no room. */
  again(entry: Entry, now: number): void {
    if (this.asleep && !entry.test) return;
    const kept = entry.dueAt <= now ? this.due : this.failing;
    kept.set(entry.delivery, { ...entry, scheduled: undefined });
  }

  #has(delivery: string): boolean {
    return [this.due, this.waiting, this.failing, this.underWay].some((kept) => kept.has(delivery));
  }

  #isBehind(now: number): boolean {
    return this.reading || this.place !== undefined || this.nextDue <= now;
  }

  /** Makes room by giving up the one that is due last, when that is later. */
  #hasRoomFor(dueAt: number, now: number): boolean {
    // What is due later is looked through with every attempt, so of that only a few are kept.
    if (this.kept < (dueAt <= now ? this.#keepsAtMost() : laneBuffer)) return true;
    let last: Entry | undefined;
    for (const each of this.waiting.values()) if (each.dueAt > (last?.dueAt ?? dueAt)) last = each;
    if (!last) return false;
    this.waiting.delete(last.delivery);
    this.nextDue = Math.min(this.nextDue, last.dueAt);
    return true;
  }

  /** Nothing more is to be sent. One under way is removed by its own result. */
  remove(delivery: string): void {
    this.due.delete(delivery);
    this.waiting.delete(delivery);
    this.failing.delete(delivery);
  }

  /** Nothing is kept but tests. */
  sleep(): void {
    this.asleep = true;
    for (const kept of [this.due, this.waiting, this.failing])
      for (const { delivery, test } of kept.values()) if (!test) kept.delete(delivery);
    this.nextDue = Infinity;
    this.place = undefined;
    this.reading = false;
    this.wakes += 1;
  }

  /** Everything pending is looked at anew, gently. */
  wake(gently: boolean): void {
    this.asleep = false;
    this.wakes += 1;
    this.place = undefined;
    this.reading = false;
    this.nextDue = 0;
    if (gently) this.#pace = slowStart.concurrency;
  }

  adjustPace(receiver: ReceiverState): void {
    this.#pace = nextPace(this.#pace, receiver);
  }

  /** Moves what has become due. */
  advance(now: number): void {
    for (const later of [this.waiting, this.failing])
      for (const entry of later.values()) {
        if (entry.dueAt > now) continue;
        later.delete(entry.delivery);
        this.due.set(entry.delivery, entry);
      }
  }

  canStart(now: number): boolean {
    return this.due.size > 0 && this.underWay.size < this.#pace && now >= this.backOffUntil;
  }

  take(): Entry | undefined {
    const [entry] = this.due.values();
    if (!entry) return undefined;
    this.due.delete(entry.delivery);
    this.underWay.set(entry.delivery, { overtaken: false, entry });
    return entry;
  }

  wantsPage(now: number): boolean {
    if (this.asleep || this.reading || now < this.backOffUntil) return false;
    if (this.due.size >= lowMark || this.room <= 0) return false;
    return this.place !== undefined || this.nextDue <= now;
  }

  /** When this lane has to be looked at again, without anything else happening. */
  wakeAt(now: number): number {
    let at = this.asleep || this.reading || this.place || this.room <= 0 ? Infinity : this.nextDue;
    // With enough to do, the end of an attempt looks for more.
    if (at <= now && (this.due.size > 0 || this.underWay.size > 0)) at = Infinity;
    for (const later of [this.waiting, this.failing])
      for (const { dueAt } of later.values()) at = Math.min(at, dueAt);
    return this.backOffUntil > now ? this.backOffUntil : at;
  }
}
