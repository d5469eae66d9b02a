// Part by part: all of RxJS is 223 modules, which took 75 ms of each start.
import { Subject } from 'rxjs/internal/Subject';
import { Subscription } from 'rxjs/internal/Subscription';
import type { Observable } from 'rxjs/internal/Observable';
import { defer } from 'rxjs/internal/observable/defer';
import { timer } from 'rxjs/internal/observable/timer';
import { filter } from 'rxjs/internal/operators/filter';
import { finalize } from 'rxjs/internal/operators/finalize';
import { mergeMap } from 'rxjs/internal/operators/mergeMap';
import { startWith } from 'rxjs/internal/operators/startWith';
import { take } from 'rxjs/internal/operators/take';
import type { AttemptResult } from '../attempts/attempt-outcome.ts';
import { nextPace, type ReceiverState } from './pace.ts';
import { laneConcurrency, ownFaultRetry } from '../policy.ts';

/**
 * The longest timer of Node (32 bits). A longer wait is split: the attempt finds the delivery not due and waits
 * again.
 */
const longestTimerMs = 2_147_483_647;

export interface LaneOptions {
  readonly attempt: (deliveryId: string, subscriptionId: string) => Promise<AttemptResult>;
  readonly onFault: (deliveryId: string, error: unknown) => void;
  readonly now: () => Date;
}

/**
 * One lane per subscription, so that a dead receiver does not delay others. A delivery waits in its lane until it
 * is due, is attempted within the lane's concurrency limit, and leaves when it is settled.
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

  /** Attempts the deliveries again that were held while the subscription was paused. */
  release(subscriptionId: string): void {
    this.#lanes.get(subscriptionId)?.release();
  }

  /** Starts no more attempts, and resolves when those under way have ended. */
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
      const result = await this.#options.attempt(deliveryId, subscriptionId);
      const lane = this.#lanes.get(subscriptionId);
      switch (result.kind) {
        case 'settled':
          lane?.adjustPace(deliveryId, result.receiver);
          lane?.settle(deliveryId);
          this.#closeIfEmpty(subscriptionId);
          return;
        case 'gone':
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
          // The lanes are closed together with the lease.
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
  /** Deliveries with an event during their attempt: what the attempt has read may be outdated. */
  readonly #overtaken = new Set<string>();
  /** How often in a row the attempts of a delivery have failed on our side. */
  readonly #faults = new Map<string, number>();
  readonly #freed = new Subject<void>();
  #underWay = 0;
  #pace = laneConcurrency;

  constructor(attempt: (deliveryId: string) => Promise<void>) {
    const oneByOne = (id: string) =>
      defer(async () => {
        if (this.#places.get(id) !== 'queued') return;
        this.#places.set(id, 'attempting');
        this.#overtaken.delete(id);
        await attempt(id);
      });
    this.#work = this.#due
      .pipe(
        mergeMap((id) => this.#inTurn().pipe(mergeMap(() => this.#counted(oneByOne(id)))), laneConcurrency),
      )
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

  /** Adjusts the concurrency to the state of the receiver. */
  adjustPace(deliveryId: string, receiver: ReceiverState): void {
    this.#faults.delete(deliveryId);
    this.#pace = nextPace(this.#pace, receiver);
  }

  get isEmpty(): boolean {
    return this.#places.size === 0;
  }

  /** A queued attempt reads its stream when it starts. One under way has read it, so it is repeated afterwards. */
  add(deliveryId: string, inMs: number): void {
    const place = this.#places.get(deliveryId);
    if (place === 'attempting') this.#overtaken.add(deliveryId);
    else if (place !== 'queued') this.again(deliveryId, inMs);
  }

  /** After an attempt that failed on our side. */
  fail(deliveryId: string): void {
    const before = this.#faults.get(deliveryId) ?? 0;
    this.#faults.set(deliveryId, before + 1);
    this.again(deliveryId, Math.min(ownFaultRetry.firstMs * 2 ** before, ownFaultRetry.longestMs));
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

  /** After an attempt that found the subscription paused. It may have been resumed meanwhile. */
  hold(deliveryId: string): void {
    if (this.#overtaken.has(deliveryId)) this.again(deliveryId, 0);
    else this.#places.set(deliveryId, 'held');
  }

  /** After an attempt that left nothing to do. A resend may have been requested meanwhile. */
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

  /** A delivery under way is removed by its own result. Until then it must not start a second time. */
  remove(deliveryId: string): void {
    if (this.#places.get(deliveryId) === 'attempting') return;
    this.#leave(deliveryId);
    this.#places.delete(deliveryId);
    this.#overtaken.delete(deliveryId);
    this.#faults.delete(deliveryId);
  }

  close(): void {
    for (const id of this.#places.keys()) this.#leave(id);
    // Cleared before unsubscribing: each cancelled attempt lets the next one start, which must find nothing to do.
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
