import {
  Subject,
  Subscription,
  defer,
  filter,
  finalize,
  mergeMap,
  startWith,
  take,
  timer,
  type Observable,
} from 'rxjs';
import type { AttemptResult } from './attempt-outcome.ts';
import { fullPace, nextPace, type ReceiverState } from './pace.ts';

/**
 * How soon an attempt that failed on our side (a store away, a bug) is tried again; nothing was recorded. Twice
 * as late each time, up to a minute: what a store that is away holds up does not hammer it.
 */
const ownFaultRetryMs = 5_000;
const longestOwnFaultRetryMs = 60_000;

/** Timers count in 32 bits; who waits longer is told "not yet" in between, and waits again. */
const longestTimerMs = 2_147_483_647;

export interface LaneOptions {
  readonly attempt: (deliveryId: string) => Promise<AttemptResult>;
  readonly onFault: (deliveryId: string, error: unknown) => void;
  readonly now: () => Date;
}

/**
 * One lane per subscription, so that a dead receiver delays nobody else. A delivery waits in its lane until it
 * is due, takes one of the lane's places while it is attempted, and leaves when it is settled.
 */
export class Lanes {
  readonly #options: LaneOptions;
  readonly #lanes = new Map<string, Lane>();
  #closed = false;
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  add(subscriptionId: string, deliveryId: string, dueAt: Date): void {
    if (this.#closed) return;
    let lane = this.#lanes.get(subscriptionId);
    if (!lane) {
      lane = new Lane((id) => this.#attempt(subscriptionId, id));
      this.#lanes.set(subscriptionId, lane);
    }
    lane.add(deliveryId, dueAt.getTime() - this.#options.now().getTime());
  }

  remove(subscriptionId: string, deliveryId: string): void {
    this.#lanes.get(subscriptionId)?.remove(deliveryId);
    this.#closeIfEmpty(subscriptionId);
  }

  /** Gives what was held back while the subscription was paused another chance. */
  release(subscriptionId: string): void {
    this.#lanes.get(subscriptionId)?.release();
  }

  /** Begins nothing more, and resolves when what is under way has ended. */
  async close(): Promise<void> {
    this.#closed = true;
    for (const [id, lane] of this.#lanes) this.#close(id, lane);
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
  }

  #closeIfEmpty(subscriptionId: string): void {
    const lane = this.#lanes.get(subscriptionId);
    if (lane?.isEmpty) this.#close(subscriptionId, lane);
  }

  #close(subscriptionId: string, lane: Lane): void {
    lane.close();
    this.#lanes.delete(subscriptionId);
  }

  async #attempt(subscriptionId: string, deliveryId: string): Promise<void> {
    this.#running += 1;
    try {
      const result = await this.#options.attempt(deliveryId);
      const lane = this.#lanes.get(subscriptionId);
      switch (result.kind) {
        case 'settled':
          lane?.adjustPace(deliveryId, result.receiver);
          lane?.settle(deliveryId);
          this.#closeIfEmpty(subscriptionId);
          return;
        case 'held':
          lane?.adjustPace(deliveryId, undefined);
          return lane?.hold(deliveryId);
        case 'due':
          lane?.adjustPace(deliveryId, result.receiver);
          return lane?.again(deliveryId, result.at.getTime() - this.#options.now().getTime());
        case 'lost':
          // With the lease the lanes are closed: there is no place to give back.
          return;
      }
    } catch (error) {
      this.#options.onFault(deliveryId, error);
      this.#lanes.get(subscriptionId)?.fail(deliveryId);
    } finally {
      this.#running -= 1;
      if (this.#running === 0) for (const tell of this.#idle.splice(0)) tell();
    }
  }
}

type Place = 'held' | 'queued' | 'attempting' | Subscription;

class Lane {
  readonly #due = new Subject<string>();
  readonly #work: Subscription;
  readonly #places = new Map<string, Place>();
  /** Under way while word of them came in: what the attempt looked at before may be out of date by now. */
  readonly #overtaken = new Set<string>();
  /** How often in a row the attempts of a delivery have failed on our side. */
  readonly #faults = new Map<string, number>();
  readonly #freed = new Subject<void>();
  #underWay = 0;
  #pace = fullPace;

  constructor(attempt: (deliveryId: string) => Promise<void>) {
    const oneByOne = (id: string) =>
      defer(async () => {
        if (this.#places.get(id) !== 'queued') return;
        this.#places.set(id, 'attempting');
        this.#overtaken.delete(id);
        await attempt(id);
      });
    this.#work = this.#due
      .pipe(mergeMap((id) => this.#inTurn().pipe(mergeMap(() => this.#counted(oneByOne(id)))), fullPace))
      .subscribe();
  }

  /** Emits once, when the pace allows one more attempt. */
  #inTurn(): Observable<void> {
    return this.#freed.pipe(
      startWith(undefined),
      filter(() => this.#underWay < this.#pace),
      take(1),
    );
  }

  #counted(attempt: Observable<void>): Observable<void> {
    return defer(() => {
      this.#underWay += 1;
      return attempt;
    }).pipe(
      finalize(() => {
        this.#underWay -= 1;
        this.#freed.next();
      }),
    );
  }

  /** What an attempt said of the receiver decides how many may be under way from now on. */
  adjustPace(deliveryId: string, receiver: ReceiverState): void {
    this.#faults.delete(deliveryId);
    this.#pace = nextPace(this.#pace, receiver);
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** What is queued will look at its stream itself; what is under way has looked, and looks once more. */
  add(deliveryId: string, inMs: number): void {
    const place = this.#places.get(deliveryId);
    if (place === 'attempting') this.#overtaken.add(deliveryId);
    else if (place !== 'queued') this.again(deliveryId, inMs);
  }

  /** After an attempt that failed on our side. */
  fail(deliveryId: string): void {
    const before = this.#faults.get(deliveryId) ?? 0;
    this.#faults.set(deliveryId, before + 1);
    this.again(deliveryId, Math.min(ownFaultRetryMs * 2 ** before, longestOwnFaultRetryMs));
  }

  again(deliveryId: string, inMs: number): void {
    this.#leave(deliveryId);
    if (inMs <= 0) {
      this.#places.set(deliveryId, 'queued');
      this.#due.next(deliveryId);
      return;
    }
    const waiting = timer(Math.min(inMs, longestTimerMs)).subscribe(() => {
      this.#places.set(deliveryId, 'queued');
      this.#due.next(deliveryId);
    });
    this.#places.set(deliveryId, waiting);
  }

  /** After an attempt that found the subscription paused; it may have been resumed since. */
  hold(deliveryId: string): void {
    if (this.#overtaken.has(deliveryId)) this.again(deliveryId, 0);
    else this.#places.set(deliveryId, 'held');
  }

  /** After an attempt that found or left nothing to do; somebody may have asked for it since. */
  settle(deliveryId: string): void {
    if (this.#overtaken.has(deliveryId)) this.again(deliveryId, 0);
    else this.#places.delete(deliveryId);
  }

  release(): void {
    for (const [id, place] of this.#places) {
      if (place === 'held') this.again(id, 0);
      else if (place === 'attempting') this.#overtaken.add(id);
    }
  }

  /** What is under way leaves by its own result: until then it must not be begun a second time. */
  remove(deliveryId: string): void {
    if (this.#places.get(deliveryId) === 'attempting') return;
    this.#leave(deliveryId);
    this.#places.delete(deliveryId);
    this.#overtaken.delete(deliveryId);
    this.#faults.delete(deliveryId);
  }

  close(): void {
    for (const id of this.#places.keys()) this.#leave(id);
    // Emptied first: each that is cut off frees its turn, and whoever waits for one must find nothing to do.
    this.#places.clear();
    this.#overtaken.clear();
    this.#faults.clear();
    this.#work.unsubscribe();
  }

  #leave(deliveryId: string): void {
    const place = this.#places.get(deliveryId);
    if (place instanceof Subscription) place.unsubscribe();
  }
}
