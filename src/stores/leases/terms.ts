import type { Collection, Db } from 'mongodb';
import { takenIn } from '../mongodb-operation.ts';
import { withTimeout } from '../mongodb-timeout.ts';

/** A period in which one holder has a lease, or nobody has it. */
export interface Term {
  readonly name: string;
  /** Rises by one with every change of holder. */
  readonly epoch: number;
  /** The client and its attempt. Null while the lease is free. */
  readonly holder: string | null;
  /** Rises with every heartbeat of the holder. */
  readonly beat: number;
}

interface StoredTerm extends Term {
  readonly _id: string;
}

/**
 * Terms of leases in the collection `leases`. The term with the highest epoch is the current one and is never
 * removed.
 *
 * A lease changes hands by the *insertion* of the next term, which succeeds only once, and only the holder updates
 * its term. So correctness needs unique ids only, and a late heartbeat cannot restore a former holder.
 */
export class Terms {
  readonly #terms: Collection<StoredTerm>;
  readonly #answerWithinMs: number;

  /** `answerWithinMs`: later answers are ignored. */
  constructor(db: Db, answerWithinMs: number) {
    // All numbers here fit into a double.
    this.#terms = db.collection('leases', { useBigInt64: false });
    this.#answerWithinMs = answerWithinMs;
  }

  /** The terms of these leases, newest first. */
  async look(names: readonly string[]): Promise<ReadonlyMap<string, readonly Term[]>> {
    // No index: there are about a hundred terms, and most are asked for.
    const found = await this.#within(this.#terms.find({ name: { $in: [...names] } }).toArray());
    const newestFirst = found
      .map(({ name, epoch, holder, beat }) => ({ name, epoch, holder, beat }))
      .sort((one, other) => other.epoch - one.epoch);
    return Map.groupBy(newestFirst, ({ name }) => name);
  }

  /** Inserts terms, each unless its epoch exists. Returns the inserted ones. */
  async begin(terms: readonly Term[]): Promise<Term[]> {
    if (terms.length === 0) return [];
    const stored = terms.map((term) => ({ _id: idOf(term), ...term }));
    const taken = await this.#within(takenIn(this.#terms.insertMany(stored, { ordered: false })));
    return terms.filter((_, place) => !taken.includes(place));
  }

  /** Sends a heartbeat for terms of their holder. Returns how many of them still exist. */
  async beat(terms: readonly Term[], answerWithinMs: number): Promise<number> {
    const each = { _id: { $in: terms.map(idOf) }, holder: { $in: terms.map(({ holder }) => holder) } };
    const { matchedCount } = await withTimeout(
      answerWithinMs,
      this.#terms.updateMany(each, { $inc: { beat: 1 } }),
    );
    return matchedCount;
  }

  /** Removes past terms, and leftovers of failed attempts. */
  async forget(terms: readonly Pick<Term, 'name' | 'epoch' | 'holder'>[]): Promise<void> {
    if (terms.length === 0) return;
    const each = terms.map((term) => ({ _id: idOf(term), holder: term.holder }));
    await this.#within(this.#terms.deleteMany({ $or: each }));
  }

  #within<Answer>(answer: Promise<Answer>): Promise<Answer> {
    return withTimeout(this.#answerWithinMs, answer);
  }
}

/** Unique: an epoch is all digits. */
const idOf = ({ name, epoch }: Pick<Term, 'name' | 'epoch'>): string => `${name}@${epoch}`;
