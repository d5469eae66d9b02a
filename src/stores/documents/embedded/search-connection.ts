import type { DatabaseSync } from 'node:sqlite';
import { openForReading, Statements, inFile } from '../../sqlite.ts';
import type { Scalar } from '../port.ts';
import { addMatchesTerms } from './matches-terms.ts';

/** The statements of a dropped generation are useless, and nobody tells the connection of them. */
const mostStatements = 200;

/** A connection for searches. Knows nothing of collections: gets statements with their values, and answers with rows. */
export class SearchConnection {
  readonly #path: string;
  #open: { readonly db: DatabaseSync; readonly statements: Statements } | undefined;

  constructor(path: string) {
    this.#path = path;
  }

  /** The values of all rows in one list. @throws StoreError */
  values(sql: string, values: readonly Scalar[]): readonly (Scalar | null)[] {
    return inFile(this.#path, () => {
      // Opened again with the next call, when the file could not be opened.
      this.#open ??= opened(this.#path);
      const { statements } = this.#open;
      if (statements.size > mostStatements) statements.clear();
      const rows = statements.arraysOf(sql).all(...values) as unknown as (Scalar | null)[][];
      return rows.flat();
    });
  }

  close(): void {
    this.#open?.db.close();
    this.#open = undefined;
  }
}

function opened(path: string) {
  const db = openForReading(path);
  addMatchesTerms(db);
  return { db, statements: new Statements(db) };
}
