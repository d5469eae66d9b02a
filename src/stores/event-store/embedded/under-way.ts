import { pause } from '../../../ground/back-off.ts';
import type { FeedOptions } from '../group-source.ts';
import { parkAfterLastAttempt } from '../run-handler.ts';
import type { ConsumedEvent, HandlerResult, Position } from '../port.ts';
import { holdMs, type ConsumerGroups } from './consumers.ts';

interface Settled {
  readonly position: Position;
  readonly verdict: HandlerResult;
}

/** The events that one consumer of a group handles. Their results are written together, those of one tick at a time. */
export class EventsUnderWay {
  readonly #groups: ConsumerGroups;
  readonly #group: string;
  readonly #options: Pick<FeedOptions, 'handle' | 'maximumAttempts'>;
  readonly #positions = new Set<Position>();
  #settled: Settled[] = [];
  #arrival = Promise.withResolvers<undefined>();
  #heldAt = Date.now();

  constructor(
    groups: ConsumerGroups,
    group: string,
    options: Pick<FeedOptions, 'handle' | 'maximumAttempts'>,
  ) {
    this.#groups = groups;
    this.#group = group;
    this.#options = options;
  }

  get size(): number {
    return this.#positions.size;
  }

  /** Handles claimed events, without those that are under way already: their hold had run out. */
  handle(claimed: readonly ConsumedEvent[]): void {
    const fresh = claimed.filter(({ event }) => !this.#positions.has(event.position));
    if (fresh.length === 0) return;
    const results = this.#options.handle(fresh);
    for (const [index, { event, attempt }] of fresh.entries()) {
      this.#positions.add(event.position);
      void results[index]?.then((result) => {
        const verdict = parkAfterLastAttempt(result, attempt, this.#options.maximumAttempts);
        this.#settled.push({ position: event.position, verdict });
        if (this.#settled.length > 1) return;
        const arrival = this.#arrival;
        setImmediate(() => arrival.resolve(undefined));
      });
    }
  }

  /** Resolves when there are results to write, when it is time to hold the others again, or when the signal aborts. */
  async result(until: AbortSignal): Promise<void> {
    const untilHold = Math.max(0, this.#heldAt + holdMs / 3 - Date.now());
    await Promise.race([this.#arrival.promise, pause(untilHold, until)]);
  }

  /** Writes the results that have come, and holds events that take long. Returns whether some are to be retried. */
  write(now: number): boolean {
    const settled = this.#settled;
    if (settled.length > 0) {
      this.#settled = [];
      this.#arrival = Promise.withResolvers();
      for (const { position } of settled) this.#positions.delete(position);
      this.#groups.settle(this.#group, settled, now);
    }
    if (now - this.#heldAt >= holdMs / 3) {
      this.#heldAt = now;
      if (this.size > 0) this.#groups.hold(this.#group, [...this.#positions], now);
    }
    return settled.some(({ verdict }) => verdict.kind === 'retry');
  }
}
