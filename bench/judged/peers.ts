import MiniSearch from 'minisearch';
import { DatabaseSync } from 'node:sqlite';
import type { JudgedRecord } from '../../test/api/directory/search/typed/rules.ts';

/** A search engine over the same records, which answers the ids of the first five. */
export interface Peer {
  readonly name: string;
  firstFive(text: string): Promise<readonly string[]> | readonly string[];
}

const five = 5;
/** What all of them search, with the same weights: names before kinds before places before texts. */
const weights = { name: 8, organization: 8, kinds: 4, place: 2, description: 1 } as const;
const fields = Object.keys(weights) as (keyof typeof weights)[];

type Texts = { readonly id: string } & Readonly<Record<keyof typeof weights, string>>;

function textsOf({ id, fields }: JudgedRecord): Texts {
  const { name, alternate_name = '', organization, category, categories = [] } = fields;
  const { taxonomy_terms = [], locations = [], languages = [] } = fields;
  const { description = '', eligibility = '', how_to_apply = '' } = fields;
  const places = locations.map(({ street = '', city = '', region = '', postal_code = '' }) =>
    [street, city, region, postal_code].join(' '),
  );
  const numbers = (fields.phones ?? []).map(({ number }) => `${number} ${number.replace(/\D/g, '')}`);
  return {
    id,
    name: plain(`${name} ${alternate_name}`),
    organization: plain(organization?.name ?? ''),
    kinds: plain([category, ...categories, ...taxonomy_terms].join(' ')),
    place: plain([...places, ...languages, ...numbers].join(' ')),
    description: plain([description, eligibility, how_to_apply].join(' ')),
  };
}

/** Without accents, as ours reads them. */
const plain = (text: string): string => text.normalize('NFD').replace(/\p{Mn}/gu, '');
const wordsOf = (text: string): readonly string[] => plain(text).match(/[\p{L}\p{N}]+/gu) ?? [];

/** Each in its best usual setting: any of the words, weighted fields; with beginnings and typing errors where it has them. */
export async function peersOver(records: readonly JudgedRecord[]): Promise<Peer[]> {
  const texts = records.map(textsOf);
  return [fts5(texts), miniSearch(texts), await orama(texts)];
}

function fts5(texts: readonly Texts[]): Peer {
  const db = new DatabaseSync('');
  db.exec(
    `CREATE VIRTUAL TABLE texts USING fts5(id UNINDEXED, ${fields.join(', ')}, tokenize = 'porter unicode61')`,
  );
  const insert = db.prepare(`INSERT INTO texts VALUES (?${', ?'.repeat(fields.length)})`);
  for (const text of texts) insert.run(text.id, ...fields.map((field) => text[field]));
  const best = db.prepare(
    `SELECT id FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 0, ${Object.values(weights).join(', ')}), rowid LIMIT ${five}`,
  );
  return {
    name: 'SQLite FTS5',
    firstFive(text) {
      const expression = wordsOf(text).map((word) => `"${word}"`);
      if (expression.length === 0) return [];
      return best.all(expression.join(' OR ')).map((row) => String(row['id']));
    },
  };
}

function miniSearch(texts: readonly Texts[]): Peer {
  const index = new MiniSearch<Texts>({ fields });
  index.addAll(texts);
  return {
    name: 'MiniSearch',
    firstFive: (text) =>
      index
        .search(plain(text), { boost: weights, prefix: true, fuzzy: 0.2 })
        .slice(0, five)
        .map(({ id }) => String(id)),
  };
}

/** What is used of it: it is installed in bench/ alone. */
interface Orama {
  readonly create: (options: { readonly schema: Readonly<Record<string, 'string'>> }) => unknown;
  readonly insertMultiple: (db: unknown, texts: readonly Texts[]) => Promise<unknown>;
  readonly search: (
    db: unknown,
    options: {
      readonly term: string;
      readonly properties: readonly string[];
      readonly boost: Readonly<Record<string, number>>;
      readonly tolerance: number;
      readonly limit: number;
    },
  ) => Promise<{ readonly hits: readonly { readonly id: string }[] }>;
}

/** Not a name that the type check looks up: elsewhere it is not installed. */
const installedHere: string = '@orama/orama';

async function orama(texts: readonly Texts[]): Promise<Peer> {
  const { create, insertMultiple, search } = (await import(installedHere)) as Orama;
  const db = create({ schema: Object.fromEntries(fields.map((field) => [field, 'string' as const])) });
  await insertMultiple(db, texts);
  return {
    name: 'Orama',
    async firstFive(text) {
      const { hits } = await search(db, {
        term: plain(text),
        properties: fields,
        boost: weights,
        tolerance: 1,
        limit: five,
      });
      return hits.map(({ id }) => id);
    },
  };
}
