import { MongoBulkWriteError, type Collection, type Db } from 'mongodb';
import { withTimeout } from '../mongodb/timeout.ts';

/** The time that one holder has a lease, or that nobody has it. */
export interface Term {
  readonly name: string;
  /** One more with every change of hands. */
  readonly epoch: number;
  /** Who: a client, at one of its tries. Null while the lease is free. */
  readonly holder: string | null;
  /** Rises with every sign of life of the holder. */
  readonly beat: number;
}

interface StoredTerm extends Term {
  readonly _id: string;
}

/**
 * Terms of leases in the collection `leases`: of each lease the one with the highest epoch counts, and stays.
 *
 * A lease changes hands by the *insertion* of the next term, which every server lets succeed once, and a term is
 * written to only by its holder. So it rests on unique ids alone, and a late beat cannot restore a former holder.
 */
export class Terms {
  readonly #terms: Collection<StoredTerm>;
  readonly #answerWithinMs: number;

  /** `answerWithinMs`: an answer that comes later is none. */
  constructor(db: Db, answerWithinMs: number) {
    // No number here outgrows a double.
    this.#terms = db.collection('leases', { useBigInt64: false });
    this.#answerWithinMs = answerWithinMs;
  }

  /** What there is of these leases, the newest term of each first. */
  async look(names: readonly string[]): Promise<ReadonlyMap<string, readonly Term[]>> {
    // Without an index: there are about a hundred terms, and most of them are asked for.
    const found = await this.#within(this.#terms.find({ name: { $in: [...names] } }).toArray());
    const newestFirst = found
      .map(({ name, epoch, holder, beat }) => ({ name, epoch, holder, beat }))
      .sort((one, other) => other.epoch - one.epoch);
    return Map.groupBy(newestFirst, ({ name }) => name);
  }

  /** Begins terms, each unless somebody else has begun one of that epoch; answers those begun. */
  async begin(terms: readonly Term[]): Promise<Term[]> {
    if (terms.length === 0) return [];
    const stored = terms.map((term) => ({ _id: idOf(term), ...term }));
    try {
      await this.#within(this.#terms.insertMany(stored, { ordered: false }));
      return [...terms];
    } catch (error) {
      const taken = placesTaken(error);
      if (!taken) throw error;
      return terms.filter((_, place) => !taken.has(place));
    }
  }

  /** Gives a sign of life for terms, by their holder; answers how many of them there still are. */
  async beat(terms: readonly Term[], answerWithinMs: number): Promise<number> {
    const each = { _id: { $in: terms.map(idOf) }, holder: { $in: terms.map(({ holder }) => holder) } };
    const { matchedCount } = await withTimeout(
      answerWithinMs,
      this.#terms.updateMany(each, { $inc: { beat: 1 } }),
    );
    return matchedCount;
  }

  /** Removes terms of the past, or such as never began. */
  async forget(terms: readonly Pick<Term, 'name' | 'epoch' | 'holder'>[]): Promise<void> {
    if (terms.length === 0) return;
    const each = terms.map((term) => ({ _id: idOf(term), holder: term.holder }));
    await this.#within(this.#terms.deleteMany({ $or: each }));
  }

  #within<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return withTimeout(this.#answerWithinMs, answer);
  }
}

/** No two terms have the same: an epoch is all digits. */
const idOf = ({ name, epoch }: Pick<Term, 'name' | 'epoch'>): string => `${name}@${epoch}`;

/** Places in a batch that were refused because the term is there; undefined for every other failure. */
function placesTaken(error: unknown): ReadonlySet<number> | undefined {
  if (!(error instanceof MongoBulkWriteError) || error.result.getWriteConcernError()) return undefined;
  const refused = [error.writeErrors].flat();
  if (refused.length === 0 || refused.some(({ code }) => code !== 11_000)) return undefined;
  return new Set(refused.map(({ index }) => index));
}
