import { afterAll, beforeAll, expect, test } from 'vitest';
import { textsIn } from '../../../src/api/pages/frame/texts.ts';
import type { UnsealedFields } from '../../../src/events/directory/resource-fields.ts';
import { legacy, startSystem, v1, type RunningSystem, type TestKey } from '../harness.ts';

// A Tuesday; 10:00 in New York, 9:00 in Chicago.
const now = new Date('2026-11-24T15:00:00Z');
type Hours = UnsealedFields['opening_hours'];
const tuesday = (opens: string, closes: string): Hours => [{ days: ['tue'], opens, closes }];
const [miami, hialeah, memphis] = [
  { city: 'Miami', region: 'FL', postal_code: '33130' },
  { city: 'Hialeah', region: 'FL', postal_code: '33010' },
  { city: 'Memphis', region: 'TN', postal_code: '38103' },
];
const records: Partial<UnsealedFields>[] = [
  {
    name: 'Two Desks',
    opening_hours: tuesday('14:00', '17:00'),
    locations: [miami, { ...hialeah, name: 'North Office', opening_hours: tuesday('09:00', '12:00') }],
  },
  {
    name: 'Late Desks',
    locations: [
      { ...miami, name: 'South Office', opening_hours: tuesday('15:00', '17:00') },
      { ...hialeah, name: 'North Office', opening_hours: tuesday('13:00', '17:00') },
    ],
  },
  // At 10:00 in Miami it is nine there.
  {
    name: 'Far Desks',
    opening_hours: tuesday('06:00', '07:00'),
    locations: [miami, { ...memphis, name: 'River Office', opening_hours: tuesday('08:30', '09:30') }],
  },
  { name: 'One Desk', locations: [{ ...miami, name: 'Office', opening_hours: tuesday('09:00', '11:00') }] },
  {
    name: 'Closed Desks',
    availability: 'temporarily_closed',
    locations: [miami, { ...hialeah, opening_hours: tuesday('09:00', '12:00') }],
  },
];

let system: RunningSystem;
let key: TestKey;
beforeAll(async () => {
  system = await startSystem({ now: () => now });
  key = await system.key();
  await system.resources(records.length, { fields: (index) => records[index] ?? {} });
});
afterAll(() => system.stop());

const lines = {
  'Two Desks': 'Open until 12:00 pm (North Office)',
  'Late Desks': 'opens 1:00 pm today (North Office)',
  'Far Desks': 'Open until 9:30 am (River Office)',
  'One Desk': 'Open until 11:00 am',
  'Closed Desks': 'Closed for the time being',
};

test('a record is open where one of its places is, by the clock of that place', async () => {
  const { body } = await system.server.inject({
    url: `${v1}?open_now=true`,
    headers: key.bearer,
  });
  const names = (JSON.parse(body) as { data: { name: string }[] }).data.map(({ name }) => name);
  expect(names.sort()).toEqual(['Far Desks', 'One Desk', 'Two Desks']);
});

test('a list and the page of the record name the place', async () => {
  const list = await system.server.inject('/find?q=desk');
  for (const [name, line] of Object.entries(lines)) {
    const item = list.body.split('<li class="result">').find((each) => each.includes(`>${name}<`)) ?? '';
    expect(item).toContain(line);
    const [, path = ''] = /href="([^"]*)"/.exec(item) ?? [];
    expect((await system.server.inject(path)).body).toContain(line);
  }
  expect(list.body).not.toContain('11:00 am (Office)');
});

test('the widget says the same', async () => {
  const { body } = await system.server.inject({
    url: `${legacy}?limit=50`,
    headers: { 'x-api-key': key.key },
  });
  const { data } = JSON.parse(body) as { data: { name: string }[] };
  const script = new URL('../../../src/api/directory/widget/script-result.js', import.meta.url);
  const { openingOf } = (await import(script.href)) as {
    openingOf: (record: object, now: Date, texts: object) => { readonly text: string };
  };
  expect(
    Object.fromEntries(data.map((each) => [each.name, openingOf(each, now, textsIn('en').opening).text])),
  ).toEqual(
    Object.fromEntries(Object.entries(lines).map(([name, line]) => [name, expect.stringContaining(line)])),
  );
});
