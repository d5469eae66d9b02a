import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRankedWord, rankAndWord, reversed, termText } from '../terms.ts';
import { WrittenWords } from '../written-words.ts';
import type { TermTables } from './term-index.ts';

/** Pages of the index that a step of merging writes: some 30 ms. */
const mergedPages = 200;

/** Writes the terms and the words of documents, in the transaction of the document. */
export class TermWriter {
  readonly #index: StatementSync | undefined;
  readonly #unindex: StatementSync | undefined;
  readonly #addWord: StatementSync | undefined;
  readonly #merge: StatementSync | undefined;
  readonly #changes: StatementSync;
  readonly #written = new WrittenWords();

  constructor(db: DatabaseSync, { terms, vocabulary }: TermTables) {
    this.#changes = db.prepare('SELECT total_changes() AS n');
    if (terms) {
      this.#merge = db.prepare(`INSERT INTO ${terms} (${terms}, rank) VALUES ('merge', ?)`);
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

  /**
   * Goes on to merge the segments of the index into one; false when nothing is left to do. Each term of a query is looked
   * up in each segment: in the twenty that a load of 100,000 documents leaves, searches took four times as long. The
   * first step makes all segments one task, further ones work on it (https://sqlite.org/fts5.html#the_merge_command).
   */
  mergeStep(isFirst: boolean): boolean {
    if (!this.#merge) return false;
    const before = this.#totalChanges();
    this.#merge.run(isFirst ? -mergedPages : mergedPages);
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
