import { beginning, type ConsumedEvent, type Position, type HandlerResult } from './port.ts';

/** How many acknowledged events are kept: more than a feed delivers before the reconciler gets to them. */
const remembered = 20_000;

/**
 * Tracks what the feed of this process has delivered. The reconciler skips events that were acknowledged here, and
 * waits for those that are being handled.
 */
export class FeedWatch {
  readonly #behindMs: number;
  readonly #acknowledged = new Set<string>();
  /** Events being handled or waiting for a retry, with the time until which that is assumed. */
  readonly #out = new Map<string, number>();
  /** How far the feed had delivered at certain times, oldest first. */
  readonly #frontier: { readonly at: number; readonly newest: Position }[] = [];
  #newest: Position = beginning;
  #lastAt = performance.now();

  constructor(behindMs: number) {
    this.#behindMs = behindMs;
  }

  handedOver(consumed: readonly ConsumedEvent[]): void {
    this.#lastAt = performance.now();
    for (const { event } of consumed) {
      if (event.position > this.#newest) this.#newest = event.position;
      this.#out.set(event.id, Infinity);
    }
    this.#noteFrontier();
  }

  settled({ event }: ConsumedEvent, verdict: HandlerResult): void {
    this.#lastAt = performance.now();
    if (verdict.kind === 'retry') {
      this.#out.set(event.id, this.#lastAt + verdict.afterMs + this.#behindMs);
      return;
    }
    this.#out.delete(event.id);
    if (verdict.kind === 'ack') this.#remember(event.id);
  }

  /** Whether this event was acknowledged here. The entry is then removed: the reconciler asks once. */
  wasAcknowledged(eventId: string): boolean {
    return this.#acknowledged.delete(eventId);
  }

  /** Whether the feed of this process has the event. */
  has(eventId: string): boolean {
    const until = this.#out.get(eventId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#out.delete(eventId);
    return false;
  }

  /**
   * Whether the feed will no longer deliver this event: it delivered later ones some seconds ago, or nothing for as
   * long. The delay leaves time for other processes of the group, which may have the event.
   */
  hasPassed(position: Position): boolean {
    const now = performance.now();
    if (now - this.#lastAt >= this.#behindMs) return true;
    return this.#frontier.some(({ at, newest }) => now - at >= this.#behindMs && newest >= position);
  }

  #noteFrontier(): void {
    const [last, now] = [this.#frontier.at(-1), this.#lastAt];
    if (last && now - last.at < this.#behindMs / 4) return;
    this.#frontier.push({ at: now, newest: this.#newest });
    while ((this.#frontier[1]?.at ?? now) <= now - this.#behindMs) this.#frontier.shift();
  }

  #remember(eventId: string): void {
    this.#acknowledged.add(eventId);
    if (this.#acknowledged.size <= remembered) return;
    const oldest = this.#acknowledged.values().next();
    if (!oldest.done) this.#acknowledged.delete(oldest.value);
  }
}
