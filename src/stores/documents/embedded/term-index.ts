import { StoreError } from '../../errors.ts';
import type { CollectionSpec, Scalar, TermQuery, VocabularyQuery, WordLengths } from '../port.ts';
import { checkedQuery, soughtBeginning } from '../terms.ts';
import { quoted } from '../../sqlite.ts';

/**
 * The terms and the vocabulary of a generation as tables. The terms are an FTS5 index by row id, so a page in the order
 * of row ids needs no sort. A vocabulary is a table of words, with an index for their endings.
 */
export interface TermTables {
  readonly terms: string | undefined;
  /** Reads the record of the index about its segments: see `segmentsIn`. */
  readonly structure: string;
  readonly vocabulary: string | undefined;
  readonly create: string;
  /** After the bulk load, which is faster without them. */
  readonly createIndexes: string;
  readonly drop: string;
}

type TermSpec = Pick<CollectionSpec<Record<string, unknown>>, 'terms' | 'vocabulary'>;

/** `plain`: the unquoted name of the generation's table. */
export function termTables(spec: TermSpec, plain: string): TermTables {
  const terms = quoted(`${plain}.terms`);
  const vocabulary = quoted(`${plain}.vocabulary`);
  return {
    terms: spec.terms === undefined ? undefined : terms,
    structure: `SELECT block FROM ${quoted(`${plain}.terms_data`)} WHERE id = 10`,
    vocabulary: spec.vocabulary === undefined ? undefined : vocabulary,
    create:
      (spec.terms === undefined
        ? ''
        : // A term has only letters and digits, so `ascii` splits the text only at spaces.
          `CREATE VIRTUAL TABLE ${terms} USING fts5(terms, content = '', contentless_delete = 1, detail = none,` +
          ` tokenize = 'ascii');`) +
      (spec.vocabulary === undefined
        ? ''
        : `CREATE TABLE ${vocabulary} (word TEXT PRIMARY KEY, rank INTEGER NOT NULL, reversed TEXT NOT NULL)` +
          ` STRICT, WITHOUT ROWID;`),
    createIndexes:
      spec.vocabulary === undefined
        ? ''
        : // With the rank, so that the index alone serves a query.
          `CREATE INDEX IF NOT EXISTS ${quoted(`${plain}.endings`)} ON ${vocabulary} (reversed, rank);`,
    drop: `DROP TABLE IF EXISTS ${terms}; DROP TABLE IF EXISTS ${vocabulary};`,
  };
}

/** The query in the language of FTS5. @throws StoreError misuse, for a query without a group */
export function matchExpression(query: TermQuery): string {
  const checked = checkedQuery(query);
  // An empty phrase matches nothing.
  if (!checked) return '""';
  const { every, except } = checked;
  const left = conjunction(every);
  return except.length === 0
    ? left
    : `(${left}) NOT (${except.map((groups) => `(${conjunction(groups)})`).join(' OR ')})`;
}

/** FTS5 flattens a list of ANDs or ORs, so its length does not count as depth. */
const conjunction = (groups: readonly (readonly string[])[]): string =>
  groups.map((group) => `(${group.map((term) => `"${term}"`).join(' OR ')})`).join(' AND ');

/**
 * The number of segments, of FTS5's structure record: four bytes, four more in indexes that can delete without the
 * content, then the number of levels and that of segments, as variable-length integers (fts5_index.c in SQLite).
 */
export function segmentsIn(record: Uint8Array): number {
  let at = record[4] === 0xff ? 8 : 4;
  const integer = (): number => {
    for (let value = 0; ;) {
      const byte = record[at++] ?? 0;
      value = (value << 7) | (byte & 0x7f);
      if (byte < 0x80) return value;
    }
  };
  integer();
  return integer();
}

/** Counts the words with a beginning. Undefined when no word can be there. */
export function wordCountSql(
  { vocabulary }: TermTables,
  beginning: string,
): { readonly sql: string; readonly values: Scalar[] } | undefined {
  if (!vocabulary) throw new StoreError('misuse', 'This collection has no vocabulary.');
  const sought = soughtBeginning({ beginning });
  return (
    sought && {
      sql: `SELECT count(*) FROM ${vocabulary} WHERE word >= ? AND word < ?`,
      values: [sought.text, `${sought.text}\u{10ffff}`],
    }
  );
}

/** The words of a vocabulary as SQL. Undefined when no word can be there. */
export function vocabularySql(
  { vocabulary }: TermTables,
  query: VocabularyQuery,
  limit: number,
  lengths: WordLengths | undefined,
): { readonly sql: string; readonly values: Scalar[] } | undefined {
  if (!vocabulary) throw new StoreError('misuse', 'This collection has no vocabulary.');
  const sought = soughtBeginning(query);
  if (!sought) return undefined;
  const { field, text } = sought;
  const bounds = lengths ? ' AND length(word) BETWEEN ? AND ?' : '';
  return {
    // No word contains the last code point.
    sql:
      `SELECT word FROM ${vocabulary} WHERE ${field} >= ? AND ${field} < ?${bounds}` +
      ' ORDER BY rank, length(word), word LIMIT +?',
    values: [text, `${text}\u{10ffff}`, ...(lengths ? [lengths.atLeast, lengths.atMost] : []), limit],
  };
}
