import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRankedWord, rankAndWord, reversed, termText } from '../terms.ts';
import { WrittenWords } from '../written-words.ts';
import { segmentsIn, type TermTables } from './term-index.ts';

/** Pages of the index that a step of merging writes after a load: some 30 ms. */
const mergedPages = 200;
/** And beside other work: some 10 ms. */
const mergedPagesBeside = 64;

/**
 * A load merges sixteen segments at a time in place of four, and ends with one merging of all: each term is written half as
 * often. FTS5 writes these down (https://sqlite.org/fts5.html#fts5_configuration_options).
 */
const loading = { automerge: 16, crisismerge: 64, hashsize: 4_194_304 };
/** Those that FTS5 begins with. */
const following = { automerge: 4, crisismerge: 16, hashsize: 1_048_576 };

/** Writes the terms and the words of documents, in the transaction of the document. */
export class TermWriter {
  readonly #index: StatementSync | undefined;
  readonly #unindex: StatementSync | undefined;
  readonly #addWord: StatementSync | undefined;
  readonly #merge: StatementSync | undefined;
  readonly #configure: StatementSync | undefined;
  readonly #structure: StatementSync | undefined;
  readonly #changes: StatementSync;
  readonly #written = new WrittenWords();

  constructor(db: DatabaseSync, { terms, structure, vocabulary }: TermTables) {
    this.#changes = db.prepare('SELECT total_changes() AS n');
    if (terms) {
      this.#merge = db.prepare(`INSERT INTO ${terms} (${terms}, rank) VALUES ('merge', ?)`);
      this.#configure = db.prepare(`INSERT INTO ${terms} (${terms}, rank) VALUES (?, CAST(? AS INTEGER))`);
      this.#structure = db.prepare(structure);
      this.#index = db.prepare(`INSERT INTO ${terms} (rowid, terms) VALUES (?, ?)`);
      this.#unindex = db.prepare(`DELETE FROM ${terms} WHERE rowid = ?`);
    }
    if (vocabulary) {
      this.#addWord = db.prepare(
        `INSERT INTO ${vocabulary} VALUES (?, ?, ?) ON CONFLICT (word)
         DO UPDATE SET rank = excluded.rank WHERE excluded.rank < rank`,
      );
    }
  }

  /** Before and after a load of many documents. */
  load(state: 'begins' | 'ends'): void {
    const options = state === 'begins' ? loading : following;
    for (const [option, value] of Object.entries(options)) this.#configure?.run(option, value);
  }

  /**
   * Goes on to merge the segments of the index into one; false when nothing is left to do. Each term of a query is looked
   * up in each segment: in the twenty that a load of 100,000 documents leaves, searches took four times as long. The
   * first step makes all segments one task, further ones work on it (https://sqlite.org/fts5.html#the_merge_command).
   */
  mergeStep(isFirst: boolean): boolean {
    return this.#mergedSome(isFirst ? -mergedPages : mergedPages);
  }

  /** The number of segments. 0 without an index. */
  segments(): number {
    const record = this.#structure?.get() as { block: Uint8Array } | undefined;
    return record ? segmentsIn(record.block) : 0;
  }

  /** From now on `mergeSome` merges where two segments are of one level. FTS5 writes this down. */
  mergePairs(): void {
    this.#configure?.run('usermerge', 2);
  }

  /** Merges some pages of segments of one level; false when nothing is left to do. */
  mergeSome(): boolean {
    return this.#mergedSome(mergedPagesBeside);
  }

  #mergedSome(pages: number): boolean {
    if (!this.#merge) return false;
    const before = this.#totalChanges();
    this.#merge.run(pages);
    return this.#totalChanges() - before >= 2;
  }

  #totalChanges(): number {
    return (this.#changes.get() as { n: number }).n;
  }

  add(key: number, text: string): void {
    const terms = termText(text);
    if (terms !== '') this.#index?.run(key, terms);
  }

  remove(key: number): void {
    this.#unindex?.run(key);
  }

  /** Adds words to the vocabulary. */
  addWords(text: string): void {
    for (const entry of text.split(' ')) {
      const { rank, word } = rankAndWord(entry);
      if (this.#written.has(word, rank) || !isRankedWord(rank, word)) continue;
      this.#addWord?.run(word, rank, reversed(word));
      this.#written.add(word, rank);
    }
  }

  rolledBack(): void {
    this.#written.clear();
  }
}
