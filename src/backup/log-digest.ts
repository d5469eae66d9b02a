import { createHash, type Hash } from 'node:crypto';
import type { RecordedEvent } from '../stores/event-store/port.ts';

/**
 * SHA-256 over a log: every event's id, stream, revision, type, data and metadata, in order. Positions differ
 * between stores and are left out, so the same log has the same digest in every store.
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

  /** The digest so far, in hex. */
  value(): string {
    return this.#hash.copy().digest('hex');
  }
}

/** The parts of an event that are the same in every store. */
export const asLine = ({ id, stream, revision, type, data, metadata }: RecordedEvent): string =>
  JSON.stringify([id, stream, revision, type, data, metadata]);
