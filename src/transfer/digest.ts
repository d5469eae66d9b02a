import { createHash, type Hash } from 'node:crypto';
import type { RecordedEvent } from '../stores/event-store/port.ts';

/**
 * SHA-256 over a log: every event's id, stream, revision, type, data and metadata, in order. Positions are a
 * store's own affair and left out, so the same log has the same digest wherever it is kept.
 */
export class LogDigest {
  readonly #hash: Hash = createHash('sha256');
  #events = 0;

  get events(): number {
    return this.#events;
  }

  add(event: RecordedEvent): void {
    this.#hash.update(`${asLine(event)}\n`);
    this.#events += 1;
  }

  /** In hex, of what was added up to now. */
  value(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** What makes two events the same event, wherever they are kept. */
export const asLine = ({ id, stream, revision, type, data, metadata }: RecordedEvent): string =>
  JSON.stringify([id, stream, revision, type, data, metadata]);
