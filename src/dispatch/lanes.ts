import { Subject, Subscription, defer, mergeMap, timer } from 'rxjs';
import type { AttemptResult } from './attempt.ts';

/** Attempts that one subscription may have under way: enough for a fast receiver, no flood for a slow one. */
export const laneConcurrency = 10;

/** How soon an attempt that failed on our side (a store away, a bug) is tried again; nothing was recorded. */
const ownFaultRetryMs = 5_000;

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
  #running = 0;
  #idle: (() => void)[] = [];

  constructor(options: LaneOptions) {
    this.#options = options;
  }

  add(subscriptionId: string, deliveryId: string, dueAt: Date): void {
    let lane = this.#lanes.get(subscriptionId);
    if (!lane) {
      lane = new Lane(this.#options.concurrency ?? laneConcurrency, (id) => this.#attempt(subscriptionId, id));
      this.#lanes.set(subscriptionId, lane);
    }
    lane.add(deliveryId, dueAt.getTime() - this.#options.now().getTime());
  }

  remove(subscriptionId: string, deliveryId: string): void {
    const lane = this.#lanes.get(subscriptionId);
    lane?.remove(deliveryId);
    if (lane?.isEmpty) this.#close(subscriptionId, lane);
  }

  /** Gives what was held back while the subscription was paused another chance. */
  release(subscriptionId: string): void {
    this.#lanes.get(subscriptionId)?.release();
  }

  /** Begins nothing more, and resolves when what is under way has ended. */
  async close(): Promise<void> {
    for (const [id, lane] of this.#lanes) this.#close(id, lane);
    if (this.#running > 0) await new Promise<void>((resolve) => this.#idle.push(resolve));
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
          return this.remove(subscriptionId, deliveryId);
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

  constructor(concurrency: number, attempt: (deliveryId: string) => Promise<void>) {
    this.#work = this.#due
      .pipe(
        mergeMap(
          (id) =>
            defer(async () => {
              if (this.#places.get(id) !== 'queued') return;
              this.#places.set(id, 'attempting');
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

  /** What is queued or under way looks at its stream itself: word of it that comes late changes nothing. */
  add(deliveryId: string, inMs: number): void {
    const place = this.#places.get(deliveryId);
    if (place === 'queued' || place === 'attempting') return;
    this.again(deliveryId, inMs);
  }

  again(deliveryId: string, inMs: number): void {
    this.#leave(deliveryId);
    if (inMs <= 0) {
      this.#places.set(deliveryId, 'queued');
      this.#due.next(deliveryId);
      return;
    }
    const waiting = timer(inMs).subscribe(() => {
      this.#places.set(deliveryId, 'queued');
      this.#due.next(deliveryId);
    });
    this.#places.set(deliveryId, waiting);
  }

  hold(deliveryId: string): void {
    this.#leave(deliveryId);
    this.#places.set(deliveryId, 'held');
  }

  release(): void {
    for (const [id, place] of this.#places) if (place === 'held') this.again(id, 0);
  }

  remove(deliveryId: string): void {
    this.#leave(deliveryId);
    this.#places.delete(deliveryId);
  }

  close(): void {
    this.#work.unsubscribe();
    for (const id of this.#places.keys()) this.#leave(id);
    this.#places.clear();
  }

  #leave(deliveryId: string): void {
    const place = this.#places.get(deliveryId);
    if (place instanceof Subscription) place.unsubscribe();
  }
}
