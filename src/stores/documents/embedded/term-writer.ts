import type { DatabaseSync, StatementSync } from 'node:sqlite';
import { isRankedWord, rankAndWord, reversed, termText } from '../terms.ts';
import { WrittenWords } from '../written-words.ts';
import type { TermTables } from './term-index.ts';

/** Writes the terms and the words of documents, in the transaction of the document. */
export class TermWriter {
  readonly #index: StatementSync | undefined;
  readonly #unindex: StatementSync | undefined;
  readonly #addWord: StatementSync | undefined;
  readonly #written = new WrittenWords();

  constructor(db: DatabaseSync, { terms, vocabulary }: TermTables) {
    if (terms) {
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
