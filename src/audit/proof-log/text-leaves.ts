import { hash } from 'node:crypto';
import type { EventText } from '../../stores/event-store/port.ts';
import { CanonicalBytes } from './canonical-bytes.ts';
import { leafHashOf, maximumEntryBytes } from './entry.ts';

/** A character takes at most three bytes. */
const capacity = 3 * (maximumEntryBytes + 1);
/** What JSON writes as it is. */
const bare = /^[\w.:@/+-]*$/;

/**
 * The leaves of events in texts: the same as `leafHashOf` of the events, mostly without parsing them. It tells no event from
 * another one that it would not tell apart parsed: data and metadata are each a whole value, and the rest is bare.
 */
export class TextLeaves {
  readonly #bytes = new CanonicalBytes(capacity);

  /**
   * Puts the leaf of an event, 32 bytes, into a buffer.
   * @throws SyntaxError for a text that is no JSON
   * @throws ProofError malformed, when the event has no canonical JSON
   */
  put(event: EventText, into: Buffer, at: number): void {
    if (this.#isWritten(event)) {
      const { written } = this.#bytes;
      if (written.length <= maximumEntryBytes + 1) {
        into.write(hash('sha256', written, 'binary'), at, 'latin1');
        return;
      }
    }
    const { data, metadata } = event;
    const parsed = {
      data: JSON.parse(data) as unknown,
      metadata: JSON.parse(metadata) as Record<string, unknown>,
    };
    into.set(leafHashOf({ ...event, ...parsed }), at);
  }

  /** Writes the byte 0, by which leaves differ from nodes, and the entry (`entryOf`). */
  #isWritten({ data, id, metadata, revision, stream, type }: EventText): boolean {
    const bytes = this.#bytes;
    if (!bare.test(id) || !bare.test(stream) || !bare.test(type)) return false;
    bytes.clear();
    return (
      bytes.verbatim('\0{"data":') &&
      bytes.json(data) &&
      bytes.verbatim(`,"id":"${id}","metadata":`) &&
      bytes.json(metadata) &&
      bytes.verbatim(`,"revision":${revision},"stream":"${stream}","type":"${type}"}`)
    );
  }
}
