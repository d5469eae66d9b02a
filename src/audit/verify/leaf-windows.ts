import { hashBytes } from '../proof-log/format/tiles.ts';

/** Leaf hashes one after another, 32 bytes each, and what each was computed from. */
export interface LeafBatch<Ref> {
  readonly hashes: Buffer;
  readonly refOf: (place: number) => Ref;
}

/** The leaf hashes that there must be. */
export interface ExpectedLeaves {
  readonly size: number;
  /** The hashes from an index on: at least one, at most `count`. */
  read(from: number, count: number): Promise<Buffer>;
}

export interface FoundLeaf<Ref> {
  readonly hash: Buffer;
  readonly ref: Ref;
  /** Its place among what was found, from 0. */
  readonly place: number;
}

/** How far a leaf is looked for when something else is in its place. Grows while nothing fits. */
export const firstWindow = 2_048;
/** Compared at once while everything fits. */
export const block = 256;

export const keyOf = (hash: Buffer): string => hash.toString('latin1');

/** What was found and not compared yet. */
export class FoundLeaves<Ref> {
  readonly #source: AsyncIterator<LeafBatch<Ref>>;
  #queue: FoundLeaf<Ref>[] = [];
  #head = 0;
  #previous: FoundLeaf<Ref> | undefined;
  #taken = 0;
  #ended = false;
  /** The places of those in the queue that were looked ahead to. */
  readonly #places = new Map<string, number>();
  #placed = 0;

  constructor(source: AsyncIterator<LeafBatch<Ref>>) {
    this.#source = source;
  }

  first(): FoundLeaf<Ref> | undefined {
    return this.#queue[this.#head];
  }

  /** The last that was taken. */
  get previous(): FoundLeaf<Ref> | undefined {
    return this.#previous;
  }

  at(distance: number): FoundLeaf<Ref> {
    return this.#queue[this.#head + distance] as FoundLeaf<Ref>;
  }

  atMost(distance: number): FoundLeaf<Ref> | undefined {
    return this.#queue[this.#head + distance];
  }

  take(): void {
    this.#previous = this.first();
    this.#head += 1;
    if (this.#head < this.#queue.length && this.#head < 2 * firstWindow) return;
    for (const { hash } of this.#queue.splice(0, this.#head)) this.#places.delete(keyOf(hash));
    this.#placed = Math.max(0, this.#placed - this.#head);
    this.#head = 0;
  }

  async next(): Promise<LeafBatch<Ref> | undefined> {
    if (this.#ended) return undefined;
    const next = await this.#source.next();
    if (next.done !== true) return next.value;
    this.#ended = true;
    return undefined;
  }

  enqueue({ hashes, refOf }: LeafBatch<Ref>, from: number): void {
    const count = hashes.length / hashBytes;
    const leafAt = (place: number): FoundLeaf<Ref> => ({
      hash: hashes.subarray(place * hashBytes, (place + 1) * hashBytes),
      ref: refOf(place),
      place: this.#taken + place,
    });
    if (from > 0) this.#previous = leafAt(from - 1);
    for (let place = from; place < count; place += 1) this.#queue.push(leafAt(place));
    this.#taken += count;
  }

  async fill(window: number): Promise<void> {
    while (this.#queue.length - this.#head < window) {
      const batch = await this.next();
      if (!batch) break;
      this.enqueue(batch, 0);
    }
    for (; this.#placed < this.#queue.length; this.#placed += 1) {
      const { hash, place } = this.#queue[this.#placed] as FoundLeaf<Ref>;
      this.#places.set(keyOf(hash), place);
    }
  }

  /** How far behind the first one a leaf is, of those that were looked ahead to. */
  distance(hash: Buffer): number | undefined {
    const place = this.#places.get(keyOf(hash));
    const first = this.first();
    return place === undefined || !first || place <= first.place ? undefined : place - first.place;
  }
}

/** The leaves that come next. */
export class DueLeaves {
  readonly #expected: ExpectedLeaves;
  #indexes = new Map<string, number>();
  #hashes: Buffer[] = [];
  #from = 0;

  constructor(expected: ExpectedLeaves) {
    this.#expected = expected;
  }

  async at(index: number): Promise<Buffer> {
    const buffered = this.#hashes[index - this.#from];
    return buffered ?? (await this.#expected.read(index, 1)).subarray(0, hashBytes);
  }

  /** Reads anew when half of the window is behind. */
  async lookAhead(index: number, window: number): Promise<void> {
    const end = Math.min(index + window, this.#expected.size);
    const enough = Math.min(index + window / 2, this.#expected.size);
    if (index >= this.#from && this.#from + this.#hashes.length >= enough) return;
    this.#indexes = new Map();
    this.#hashes = [];
    this.#from = index;
    for (let at = index; at < end;) {
      const hashes = await this.#expected.read(at, Math.min(block, end - at));
      for (let offset = 0; offset < hashes.length; offset += hashBytes, at += 1) {
        const hash = hashes.subarray(offset, offset + hashBytes);
        this.#hashes.push(hash);
        this.#indexes.set(keyOf(hash), at);
      }
    }
  }

  /** How far behind an index a leaf is due, of those that were looked ahead to. */
  distance(hash: Buffer, index: number): number | undefined {
    const due = this.#indexes.get(keyOf(hash));
    return due === undefined || due <= index ? undefined : due - index;
  }
}
