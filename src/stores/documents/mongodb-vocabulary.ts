import { type AnyBulkWriteOperation, type Collection as Rows, type Db } from 'mongodb';
import type { VocabularyQuery, WordLengths } from './port.ts';
import { isRankedWord, lengthOf, rankAndWord, reversed, soughtBeginning } from './terms.ts';
import { WrittenWords } from './written-words.ts';
import { storable, stored } from './mongodb-row.ts';
import { takenIn } from '../mongodb-operation.ts';

/** Words in one command. */
const wordsAtOnce = 1_000;

/** A word. Its field names are those of the port's query. */
interface WordRow {
  readonly _id: string;
  readonly rank: number;
  readonly reversed: string;
  /** In code points. */
  readonly length: number;
}

/** The name of the server's collection that holds the vocabulary of a generation. */
export const vocabularyName = (rows: string): string => `${rows}.vocabulary`;

export const endingsIndex = { reversed: 1 } as const;

/** Reads the vocabulary of a generation. `rows`: the name of the generation's collection. */
export async function readVocabulary(
  db: Db,
  rows: string,
  query: VocabularyQuery,
  limit: number,
  lengths: WordLengths | undefined,
): Promise<string[]> {
  const sought = soughtBeginning(query);
  // In MongoDB a limit of 0 means no limit.
  if (!sought || limit === 0) return [];
  const field = sought.field === 'word' ? '_id' : 'reversed';
  const beginning = storable(sought.text);
  const found = await db
    .collection<WordRow>(vocabularyName(rows))
    .find(
      {
        // No stored word contains the last code point.
        [field]: { $gte: beginning, $lt: `${beginning}\uffff\u{10ffff}` },
        ...(lengths ? { length: { $gte: lengths.atLeast, $lte: lengths.atMost } } : {}),
      },
      { projection: { _id: 1 }, sort: { rank: 1, length: 1, _id: 1 }, limit, batchSize: limit + 1 },
    )
    .toArray();
  return found.map(({ _id }) => stored(_id));
}

/** How many words of the vocabulary of a generation have this beginning. A word is never removed. */
export async function countWords(db: Db, rows: string, beginning: string): Promise<number> {
  const sought = soughtBeginning({ beginning });
  if (!sought) return 0;
  const from = storable(sought.text);
  const count: unknown = await db
    .collection<WordRow>(vocabularyName(rows))
    .countDocuments({ _id: { $gte: from, $lt: `${from}\uffff\u{10ffff}` } });
  return Number(count);
}

/** Writes the vocabulary of a generation. A word is never removed. */
export class VocabularyWriter {
  readonly #words: Rows<WordRow>;
  readonly #written = new WrittenWords();

  constructor(db: Db, rows: string) {
    this.#words = db.collection<WordRow>(vocabularyName(rows));
  }

  async add(texts: readonly string[]): Promise<void> {
    /** The best rank of each word: a command with two ranks of one would run them in any order. */
    const unwritten = new Map<string, number>();
    for (const entry of texts.flatMap((text) => text.split(' '))) {
      const { rank, word } = rankAndWord(entry);
      if (this.#written.has(word, rank) || (unwritten.get(word) ?? 10) <= rank) continue;
      if (isRankedWord(rank, word)) unwritten.set(word, rank);
    }
    const words = [...unwritten];
    for (let from = 0; from < words.length; from += wordsAtOnce) {
      await this.#put(words.slice(from, from + wordsAtOnce).map(upsert));
    }
    for (const [word, rank] of words) this.#written.add(word, rank);
  }

  /** Repeats what another writer has inserted at the same time. */
  async #put(operations: readonly AnyBulkWriteOperation<WordRow>[]): Promise<void> {
    const write = (some: readonly AnyBulkWriteOperation<WordRow>[]) =>
      this.#words.bulkWrite(some, { ordered: false });
    const taken = await takenIn(write(operations));
    if (taken.length > 0) await write(taken.flatMap((index) => operations[index] ?? []));
  }
}

function upsert([word, rank]: readonly [string, number]): AnyBulkWriteOperation<WordRow> {
  return {
    updateOne: {
      filter: { _id: storable(word) },
      update: {
        $min: { rank },
        $setOnInsert: { reversed: storable(reversed(word)), length: lengthOf(word) },
      },
      upsert: true,
    },
  };
}
