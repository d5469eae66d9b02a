import { Subject, Subscription, defer, mergeMap, timer } from 'rxjs';
import type { AttemptResult } from './attempt.ts';

/** Attempts that one subscription may have under way: enough for a fast receiver, no flood for a slow one. */
export const laneConcurrency = 10;

/** How soon an attempt that failed on our side (a store away, a bug) is tried again; nothing was recorded. */
const ownFaultRetryMs = 5_000;

/** Timers count in 32 bits; who waits longer is told "not yet" in between, and waits again. */
const longestTimerMs = 2_147_483_647;

export interface LaneOptions {
  readonly attempt: (deliveryId: string) => Promise<AttemptResult>;
  readonly onFault: (deliveryId: string, error: unknown) => void;
  readonly now: () => Date;
  readonly concurrency?: number;
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
      lane = new Lane(this.#options.concurrency ?? laneConcurrency, (id) =>
        this.#attempt(subscriptionId, id),
      );
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
          lane?.settle(deliveryId);
          this.#closeIfEmpty(subscriptionId);
          return;
        case 'held':
          return lane?.hold(deliveryId);
        case 'due':
          return lane?.again(deliveryId, result.at.getTime() - this.#options.now().getTime());
      }
    } catch (error) {
      this.#options.onFault(deliveryId, error);
      this.#lanes.get(subscriptionId)?.again(deliveryId, ownFaultRetryMs);
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

  constructor(concurrency: number, attempt: (deliveryId: string) => Promise<void>) {
    this.#work = this.#due
      .pipe(
        mergeMap(
          (id) =>
            defer(async () => {
              if (this.#places.get(id) !== 'queued') return;
              this.#places.set(id, 'attempting');
              this.#overtaken.delete(id);
              await attempt(id);
            }),
          concurrency,
        ),
      )
      .subscribe();
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
  }

  close(): void {
    this.#work.unsubscribe();
    for (const id of this.#places.keys()) this.#leave(id);
    this.#places.clear();
    this.#overtaken.clear();
  }

  #leave(deliveryId: string): void {
    const place = this.#places.get(deliveryId);
    if (place instanceof Subscription) place.unsubscribe();
  }
}
