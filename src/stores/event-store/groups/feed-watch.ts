import { beginning, type ConsumedEvent, type Position, type HandlerResult } from '../port.ts';

/** Acknowledged events that are remembered: more than a feed brings in the seconds that it is looked after. */
const remembered = 20_000;

/**
 * What the feed of this process has brought, so that the reconciler leaves alone what is in good hands: it costs
 * nothing to pass over an event that was acknowledged here, and one that is being handled is waited for.
 */
export class FeedWatch {
  readonly #behindMs: number;
  readonly #acknowledged = new Set<string>();
  /** Being handled, or to be given back: until when that is believed. */
  readonly #out = new Map<string, number>();
  /** How far the feed had brought events at some moments, the oldest first. */
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

  settled(consumed: readonly ConsumedEvent[], verdicts: readonly HandlerResult[]): void {
    this.#lastAt = performance.now();
    for (const [index, { event }] of consumed.entries()) {
      const verdict = verdicts[index] ?? { kind: 'ack' };
      if (verdict.kind === 'retry') {
        this.#out.set(event.id, this.#lastAt + verdict.afterMs + this.#behindMs);
        continue;
      }
      this.#out.delete(event.id);
      if (verdict.kind === 'ack') this.#remember(event.id);
    }
  }

  /** Whether this event was acknowledged here; it is forgotten by that, for the reconciler comes by once. */
  wasAcknowledged(eventId: string): boolean {
    return this.#acknowledged.delete(eventId);
  }

  /** Whether it is in the hands of the feed here. */
  has(eventId: string): boolean {
    const until = this.#out.get(eventId);
    if (until === undefined) return false;
    if (until > performance.now()) return true;
    this.#out.delete(eventId);
    return false;
  }

  /**
   * Whether the feed will not bring this event any more: some seconds ago it brought later ones, or it has brought
   * none since. The seconds are for other processes of the group: they have what was handed to them beside us.
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
