import MiniSearch from 'minisearch';
import { DatabaseSync } from 'node:sqlite';
import { searchQueries } from './search-queries.ts';
import { searchedFieldsOf } from './search-records.ts';

/** Milliseconds of CPU of each query, and the memory of MiniSearch's index in MB. */
export interface BaselineSpent {
  readonly miniSearch: readonly number[];
  readonly fts5: readonly number[];
  readonly memory: number;
}

/** A process that asks MiniSearch, and FTS5 for the best by `bm25`, for the queries over the same texts. */
const size = Number(process.argv[2]);
const limit = 20;

function* texts() {
  for (let id = 0; id < size; id++) {
    const {
      name,
      category,
      organization,
      description = '',
      locations = [],
      languages = [],
    } = searchedFieldsOf(id);
    const { street = '', city = '', region = '', postal_code = '' } = locations[0] ?? {};
    const place = [street, city, region, postal_code, ...languages].join(' ');
    yield { id, name, organization: organization?.name ?? '', category, place, description };
  }
}
const fields = ['name', 'organization', 'category', 'place', 'description'] as const;

const spentOn = (ask: (query: string) => unknown): number[] =>
  searchQueries.map((query) => {
    const before = process.cpuUsage();
    ask(query);
    const { user, system } = process.cpuUsage(before);
    return (user + system) / 1_000;
  });

const db = new DatabaseSync('');
db.exec(`CREATE VIRTUAL TABLE texts USING fts5(${fields.join(', ')}, tokenize = 'porter unicode61')`);
const insert = db.prepare(
  'INSERT INTO texts (rowid, name, organization, category, place, description) VALUES (?, ?, ?, ?, ?, ?)',
);
db.exec('BEGIN');
for (const { id, ...text } of texts()) insert.run(id + 1, ...fields.map((field) => text[field]));
db.exec("COMMIT; INSERT INTO texts (texts) VALUES ('optimize')");
const best = db.prepare(
  'SELECT rowid FROM texts WHERE texts MATCH ? ORDER BY bm25(texts, 8, 8, 4, 2, 1) LIMIT ?',
);
// Any of the words, as MiniSearch looks for them, too.
const expression = (query: string) =>
  (query.match(/[\p{L}\p{N}]+/gu) ?? []).map((word) => `"${word}"`).join(' OR ');
const fts5 = spentOn((query) => best.all(expression(query), limit));
db.close();

const before = process.memoryUsage().rss;
const index = new MiniSearch({ fields: [...fields] });
index.addAll([...texts()]);
const memory = (process.memoryUsage().rss - before) / 1e6;
const options = { boost: { name: 8, organization: 8, category: 4, place: 2 }, prefix: true, fuzzy: 0.2 };
const miniSearch = spentOn((query) => index.search(query, options).slice(0, limit));

console.log(JSON.stringify({ miniSearch, fts5, memory } satisfies BaselineSpent));
