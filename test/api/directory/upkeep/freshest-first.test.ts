import { afterAll, beforeAll, expect, test } from 'vitest';
import { freshestFirst } from '../../../../src/api/directory/upkeep/freshest-first.ts';
import { importResource } from '../../../../src/commands/directory/import-record.ts';
import { context, startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { pagesOf } from '../read.ts';

let running: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  running = await startSystem();
  await running.team('harbour');
  key = await running.key();
  for (const [n, last_modified] of dates.entries()) {
    const fields = {
      name: `Pantry ${trees[n]}`,
      category: 'food' as const,
      locations: [{ city: 'Miami', region: 'FL', postal_code: '33125' }],
      ...(last_modified === '' ? {} : { last_modified }),
    };
    const source = { system: 'county', id: String(n) };
    const record = { team: 'harbour', source, fields, active: true, approve: true };
    await importResource(running.system, record, context());
  }
  await running.caughtUp();
});
afterAll(() => running.stop());

const trees = ['Alder', 'Birch', 'Cedar', 'Dogwood', 'Elder', 'Fir', 'Gingko', 'Hazel', 'Juniper'];
const dates = ['2019', '', '2026-05-01', '2018-03', '2026-05-02T10:00:00Z', '', '2018', '2026-05-01', '2025'];
const freshness = (of: readonly string[]) =>
  of.map((name) => dates[trees.indexOf(name.slice('Pantry '.length))] ?? '');

const found = async (query: Readonly<Record<string, string>>) => {
  const pages = await pagesOf(running.server, v1, query, key.bearer);
  return pages.map(({ data }) => data.map(({ name }) => String(name)));
};
const inOrder = [
  ...['2026-05-02T10:00:00Z', '2026-05-01', '2026-05-01', '2025', '2019', '2018-03', '2018', '', ''],
];

test('of results of one rank those that were confirmed later come first', async () => {
  const [page = []] = await found({ q: 'pantry', limit: '20' });
  expect(freshness(page)).toEqual(inOrder);
  expect(await found({ q: 'pantry', limit: '20' }), 'the same each time').toEqual([page]);
});

test('so it is at one distance', async () => {
  const [page = []] = await found({ near: '33125', limit: '20' });
  expect(freshness(page)).toEqual(inOrder);
});

test('a better rank comes first, however old it is', async () => {
  const [page = []] = await found({ q: 'pantry alder', limit: '20' });
  expect(page[0]).toBe('Pantry Alder');
});

test('pages have each once, each in its own order, and the order of ids stays', async () => {
  const [byId = []] = await found({ q: 'pantry', sort: 'id', limit: '20' });
  const pages = await found({ q: 'pantry', limit: '4' });
  expect(pages.map(({ length }) => length)).toEqual([4, 4, 1]);
  expect(new Set(pages.flat()).size).toBe(trees.length);
  const days = (names: readonly string[]) => freshness(names).map((date) => `${date}-01-01`.slice(0, 10));
  for (const page of pages) {
    const fromNew = days(page).toSorted().reverse();
    expect(days(page).map((day) => day.slice(0, 4))).toEqual(fromNew.map((day) => day.slice(0, 4)));
  }
  expect(pages[0]?.toSorted()).toEqual(byId.slice(0, 4).toSorted());
});

test('what differs by more than its id stays where it is', () => {
  const record = (on: string) => `{"confirmed_by":"x","confirmed":{"on":"${on}","by":"team"}}`;
  const each = (number: number, equals: string | undefined, on: string) => ({
    number,
    ...(equals === undefined ? {} : { equals }),
    record: record(on),
  });
  const numbers = (some: readonly { number: number }[]) => some.map(({ number }) => number);
  expect(numbers(freshestFirst([each(1, '0', '2018'), each(2, '1', '2019'), each(3, '1', '2020')]))).toEqual([
    1, 3, 2,
  ]);
  expect(numbers(freshestFirst([each(1, undefined, '2018'), each(2, undefined, '2019')]))).toEqual([1, 2]);
  expect(numbers(freshestFirst([each(1, '0', '2018'), each(2, '0', '2018-01')]))).toEqual([1, 2]);
});
