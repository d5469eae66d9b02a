import { afterAll, beforeAll, expect, test } from 'vitest';
import { recordFilter, type RecordFilter } from '../../../src/actions/directory/record-filter.ts';
import {
  countIn,
  narrowedBy,
  numbersIn,
  type Lookup,
} from '../../../src/actions/directory/record-numbers.ts';
import { lookupTerms, sortKey } from '../../../src/projections/directory/lookup-terms.ts';
import { recordLookup, type RecordLookupDocument } from '../../../src/projections/directory/record-lookup.ts';
import { svcIdOf } from '../../../src/events/ids.ts';
import { EmbeddedDocuments } from '../../../src/stores/documents/embedded/documents.ts';
import { temporaryFolder } from '../../support/folder.ts';

const team = 'large';
const size = 4_000;
const folder = temporaryFolder();
const now = new Date('2026-06-01T00:00:00Z');

/** Nearly all have one word; of another the names come late in the order of names; the last few wait. */
const records = Array.from({ length: size }, (_, index): RecordLookupDocument => {
  const name = index % 2 === 0 ? `Harbour Centre ${index}` : `Zebra Centre ${index}`;
  const shown = { name, city: 'Lakewood', address: `${index} Main Street`, phone: null };
  return {
    svc_id: svcIdOf(index),
    number: index,
    team,
    status: index >= size - 60 ? 'submitted' : 'approved',
    category: index % 3 === 0 ? 'food' : 'legal',
    organization: sortKey(null),
    name: sortKey(name),
    place: 'lakewood',
    source: index % 2 === 0 ? '' : 'county',
    verified: '',
    ages: '',
    confirmation: '{}',
    updated_at: '2026-05-01T00:00:00Z',
    terms: lookupTerms(team, index, shown).join(' '),
  };
});

let documents: EmbeddedDocuments;
let lookup: Lookup;

beforeAll(async () => {
  documents = new EmbeddedDocuments(folder.path);
  const { collection, version } = recordLookup;
  const { generation } = await documents.build(collection, version);
  const writer = await documents.writer(collection, generation);
  const changes = records.map((doc) => ({ id: doc.svc_id, doc, position: 1n }));
  await writer.write(changes, 1n);
  await writer.finish();
  await documents.serve(collection.name, generation);
  lookup = documents.collection(collection);
});
afterAll(async () => {
  await documents.close();
  folder.remove();
});

const filters: readonly (readonly [RecordFilter, (record: RecordLookupDocument) => boolean])[] = [
  [{ words: 'centre' }, () => true],
  [{ words: 'zebra centre' }, ({ number }) => number % 2 === 1],
  [{ words: 'main street', status: 'submitted' }, ({ status }) => status === 'submitted'],
  [{ words: 'centre', category: 'food' }, ({ category }) => category === 'food'],
  [
    { words: 'zebra', status: 'approved', source: 'county' },
    ({ status, source }) => status === 'approved' && source === 'county',
  ],
  [{ words: 'harbour', source: 'county' }, () => false],
];
const orders = ['number', 'name', 'category'] as const;

test('any part of a table of common words is what the records say, in each order', async () => {
  for (const [filter, fits] of filters)
    for (const by of orders)
      for (const descending of [false, true]) {
        const conditions = recordFilter.conditions(team, filter, now);
        const fitting = records.filter(fits).toSorted((one, other) => compare(one, other, by));
        if (descending) fitting.reverse();
        expect(await countIn(lookup, conditions)).toBe(fitting.length);
        for (const skip of [0, 50, 480, 1_450, 3_980]) {
          const orderBy = by === 'number' ? ([by] as const) : ([by, 'number'] as const);
          const part = { orderBy, descending, skip, limit: 50 };
          const found = await numbersIn(lookup, await narrowedBy(lookup, conditions), part);
          const expected = fitting.slice(skip, skip + 50).map(({ number }) => number);
          expect(found, JSON.stringify([filter, by, descending, skip])).toEqual(expected);
        }
      }
});

test('the first page of words that nearly all have is read without collecting all that have them', async () => {
  const collected: boolean[] = [];
  const watched: Lookup = Object.create(lookup, {
    select: {
      value: (...[query, fields]: Parameters<Lookup['select']>) => {
        collected.push(query.among === true);
        return lookup.select(query, fields);
      },
    },
    stamp: { value: () => lookup.stamp() },
    count: { value: (...query: Parameters<Lookup['count']>) => lookup.count(...query) },
  }) as Lookup;
  for (const [filter, by] of [
    [{ words: 'centre' }, 'number'],
    [{ words: 'centre' }, 'name'],
    [{ words: 'centre', status: 'submitted' }, 'number'],
    [{ words: 'centre', category: 'food' }, 'name'],
  ] as const) {
    const narrowed = await narrowedBy(watched, recordFilter.conditions(team, filter, now));
    const orderBy = by === 'number' ? ([by] as const) : ([by, 'number'] as const);
    expect(await numbersIn(watched, narrowed, { orderBy, skip: 0, limit: 50 })).toHaveLength(50);
  }
  expect(collected).not.toContain(true);
  expect(collected.length).toBeGreaterThan(0);
});

function compare(
  one: RecordLookupDocument,
  other: RecordLookupDocument,
  by: (typeof orders)[number],
): number {
  if (one[by] !== other[by]) return one[by] < other[by] ? -1 : 1;
  return one.number - other.number;
}
