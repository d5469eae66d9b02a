import { pagesOf, type EventStore, type Position } from '../../../stores/event-store/port.ts';
import { beginning } from '../../../stores/event-store/port.ts';
import { FirstEvents } from '../fold-batch.ts';
import { filterOf, projected, type AnyProjection, type ProjectedEvent } from '../read-model.ts';

/** One more than the highest hash. */
const hashes = 2 ** 32;

/** What a fold found of a document. Undefined: it was deleted, or never came to be. */
export type Folded = ReadonlyMap<string, object | undefined>;

/**
 * Folds chosen documents of a projection in memory, event by event, from the first one on. It shares the projection's
 * `idOf` and `fold` with the engine, and nothing else: no batches, no loading, no writing, no checkpoint.
 *
 * The documents are those whose id has a hash in a range. It begins as wide as it may be, and is halved whenever there
 * are more documents than `atMost`. So they are chosen evenly, and memory stays small however long the log is.
 */
export class IndependentFold {
  readonly #projection: AnyProjection;
  readonly #salt: number;
  readonly #atMost: number;
  readonly #from: number;
  #below: number;
  readonly #documents = new Map<string, object | undefined>();
  /** What each document adds to each sum. */
  readonly #sums = new Map<string, Map<string, number>>();
  #position: Position = beginning;

  constructor(
    projection: AnyProjection,
    { salt, atMost, from = 0 }: { readonly salt: number; readonly atMost: number; readonly from?: number },
  ) {
    this.#projection = projection;
    this.#salt = salt;
    this.#atMost = atMost;
    this.#from = from;
    this.#below = hashes;
  }

  /** Every event of the projection up to here has been seen. */
  get position(): Position {
    return this.#position;
  }

  /** The end of the range, exclusive. The next range begins here. Undefined at the end of all. */
  get below(): number | undefined {
    return this.#below < hashes ? this.#below : undefined;
  }

  get documents(): Folded {
    return this.#documents;
  }

  /** What the documents add to sums, by the ids of these. */
  get sums(): ReadonlyMap<string, number> {
    const all = new Map<string, number>();
    for (const own of this.#sums.values()) addTo(all, own);
    return all;
  }

  /** Whether an event changes one of the documents. Others need not be taken. */
  concerns(event: ProjectedEvent): boolean {
    return this.#has(this.#projection.idOf(event));
  }

  /** Takes an event unless it was taken before. Events must come in order, and without gaps in those that concern it. */
  take(event: ProjectedEvent): void {
    if (event.position <= this.#position) return;
    this.#position = event.position;
    const { idOf, fold, sums } = this.#projection;
    const id = idOf(event);
    if (!this.#has(id)) return;
    const before = this.#documents.get(id);
    const after = fold(before, event);
    if (after === undefined && before === undefined) return;
    this.#documents.set(id, after);
    if (sums) {
      const own = this.#sums.get(id) ?? new Map<string, number>();
      this.#sums.set(id, addTo(own, sums.of(before, after, event)));
    }
    while (this.#documents.size > this.#atMost && this.#below - this.#from > 1) this.#halve();
  }

  /** Nothing else up to here concerns the projection. */
  advance(position: Position): void {
    if (position > this.#position) this.#position = position;
  }

  /** Reads the rest of the log itself, up to a position. `rest` is awaited between pages. */
  async readUpTo(store: EventStore, upTo: Position, rest: () => Promise<void>): Promise<void> {
    const { filter } = filterOf(this.#projection);
    const firsts = new FirstEvents(store);
    for await (const page of pagesOf(store, { after: this.#position, upTo, filter, limit: pageSize })) {
      const events = page.events.filter(({ position }) => position <= upTo).map(projected);
      await firsts.tell(this.#projection, events);
      for (const event of events) this.take(event);
      this.advance(page.position < upTo ? page.position : upTo);
      await rest();
    }
  }

  #has(id: string): boolean {
    const hash = hashOf(id, this.#salt);
    return hash >= this.#from && hash < this.#below;
  }

  #halve(): void {
    this.#below = this.#from + Math.ceil((this.#below - this.#from) / 2);
    for (const id of this.#documents.keys()) {
      if (this.#has(id)) continue;
      this.#documents.delete(id);
      this.#sums.delete(id);
    }
  }
}

const pageSize = 1_000;

/** Adds numbers to those of the same ids. */
export function addTo(sums: Map<string, number>, more: ReadonlyMap<string, number>): Map<string, number> {
  for (const [id, amount] of more) sums.set(id, (sums.get(id) ?? 0) + amount);
  return sums;
}

/** The documents of sums. Undefined: there must be none, because it is 0. */
export const documentsOfSums = (
  { sums }: Pick<AnyProjection, 'sums'>,
  amounts: ReadonlyMap<string, number>,
): Folded =>
  new Map(
    [...amounts].map(([id, amount]) => [id, amount === 0 ? undefined : sums?.add(undefined, id, amount)]),
  );

/** FNV-1a over the code units, and a last mixing, because ranges of the hash are chosen by its highest bits. */
function hashOf(id: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let index = 0; index < id.length; index++) hash = Math.imul(hash ^ id.charCodeAt(index), 0x01000193);
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return (hash ^ (hash >>> 16)) >>> 0;
}
