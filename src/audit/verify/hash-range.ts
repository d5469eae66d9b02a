import type { EventStore, EventText, Position } from '../../stores/event-store/port.ts';
import { ProofError } from '../proof-log/errors.ts';
import { TextLeaves } from '../proof-log/text-leaves.ts';
import { hashBytes } from '../proof-log/format/tiles.ts';
import { streamKey } from './stream-revisions.ts';

/** A part of the log: what is after one position, up to another. */
export interface LogRange {
  readonly after: Position;
  readonly until: Position;
}

/**
 * The leaves of a part of the log, one after another. Arrays of numbers, so that a thread can hand them over without a
 * copy.
 */
export interface HashedRange {
  /** 32 bytes a leaf. */
  readonly hashes: Uint8Array<ArrayBuffer>;
  readonly positions: BigInt64Array<ArrayBuffer>;
  /** Two numbers a leaf (`streamKey`). */
  readonly streams: Uint32Array<ArrayBuffer>;
  readonly revisions: Uint32Array<ArrayBuffer>;
  /** Events of others in this part. */
  readonly foreign: number;
  /** Up to where the part was read: less than was asked for when it is long. */
  readonly end: Position;
  /** Why the rest of this part cannot be read. */
  readonly unreadable?: string;
}

const pageSize = 500;
const mostLeaves = 32_768;
/** The leaf of an event that cannot be read: no hash is all zeros. */
const noHash = Buffer.alloc(hashBytes);

/** Reads a part of the log, or the beginning of a long one, and computes its leaves. */
export async function hashRange(
  store: Pick<EventStore, 'readTexts'>,
  { after, until }: LogRange,
): Promise<HashedRange> {
  const leaves = new Leaves();
  let foreign = 0;
  let end = after;
  const read = () => ({ ...leaves.all(), foreign, end: end < until ? end : until });
  while (end < until && leaves.count < mostLeaves) {
    try {
      // There is at most one event at a position.
      const limit = Math.min(pageSize, Number(until - end));
      const page = await store.readTexts({ after: end, limit });
      if (page.position === end) return { ...read(), end: until };
      for (const event of page.events) if (event.position <= until) leaves.add(event);
      foreign += page.foreign?.filter(({ position }) => position <= until).length ?? 0;
      end = page.position;
    } catch (error) {
      return { ...read(), unreadable: (error as Error).message };
    }
  }
  return read();
}

const textLeaves = new TextLeaves();

/** An event that is no JSON, or has no canonical one, was changed outside the store, which refuses to append one. */
function putLeaf(event: EventText, into: Buffer, at: number): void {
  try {
    textLeaves.put(event, into, at);
  } catch (error) {
    if (!(error instanceof ProofError || error instanceof SyntaxError)) throw error;
    into.set(noHash, at);
  }
}

class Leaves {
  count = 0;
  #hashes = Buffer.alloc(1_024 * hashBytes);
  #positions = new BigInt64Array(1_024);
  #streams = new Uint32Array(2 * 1_024);
  #revisions = new Uint32Array(1_024);

  all(): Omit<HashedRange, 'foreign' | 'end'> {
    return {
      hashes: Uint8Array.from(this.#hashes.subarray(0, this.count * hashBytes)),
      positions: this.#positions.slice(0, this.count),
      streams: this.#streams.slice(0, 2 * this.count),
      revisions: this.#revisions.slice(0, this.count),
    };
  }

  add(event: EventText): void {
    if (this.count === this.#positions.length) this.#grow();
    const { position, stream, revision } = event;
    const at = this.count++;
    putLeaf(event, this.#hashes, at * hashBytes);
    this.#positions[at] = position;
    [this.#streams[2 * at], this.#streams[2 * at + 1]] = streamKey(stream);
    this.#revisions[at] = revision;
  }

  #grow(): void {
    const length = 2 * this.#positions.length;
    const larger = <Numbers extends { set(from: Numbers): void }>(
      numbers: Numbers,
      from: Numbers,
    ): Numbers => {
      numbers.set(from);
      return numbers;
    };
    this.#hashes = larger(Buffer.alloc(length * hashBytes), this.#hashes);
    this.#positions = larger(new BigInt64Array(length), this.#positions);
    this.#streams = larger(new Uint32Array(2 * length), this.#streams);
    this.#revisions = larger(new Uint32Array(length), this.#revisions);
  }
}
