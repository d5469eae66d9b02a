import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import type { UnsealedFields } from '../../../../src/events/directory/resource-fields.ts';
import { projections } from '../../../../src/projections/all.ts';
import { visible } from '../../../../src/projections/engine/read-your-writes.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context, v1 } from '../../harness.ts';
import { pagesOf, svcIds } from '../read.ts';

/** A large directory, beside a larger one of another team with the same words. */
const [own, other] = ['large-team', 'larger-team'];
const size = 620;
const otherSize = 2_000;
const statuses = ['approved', 'submitted', 'rejected', 'inactive'] as const;
type Status = (typeof statuses)[number];

let dash: Dashboard;
let browser: PlainBrowser;
/** The records of the team by their index. */
let ids: readonly string[];

const statusOf = (index: number): Status => statuses[index % 4] ?? 'approved';
/** The words of the other team's records are the same. */
const fieldsOf = (index: number): UnsealedFields => ({
  name: index === 3 ? 'Meals' : `${index % 3 === 0 ? 'Meals and More' : 'Legal Advice'} ${index}`,
  category: index % 2 === 0 ? 'food' : 'legal',
  locations: [{ street: `${index} Cannery Row`, city: index % 5 === 0 ? 'Málaga Heights' : 'Lakewood' }],
  phones: [{ number: `305-555-${String(index).padStart(4, '0')}` }],
});
const isMeals = (index: number) => index % 3 === 0;

async function submitted(team: string, count: number, status: (index: number) => Status): Promise<string[]> {
  const { system } = dash;
  const made: string[] = [];
  for (let from = 0; from < count; from += 100) {
    const ids = await Promise.all(
      Array.from({ length: Math.min(100, count - from) }, async (_, offset) => {
        const index = from + offset;
        const { state } = await submitResource(system, { team, fields: fieldsOf(index) }, context());
        const id = state?.svc_id ?? '';
        const decide = (command: Parameters<typeof commandResource>[2]) =>
          commandResource(system, id, command, context());
        if (status(index) === 'rejected') await decide({ kind: 'reject', reason: 'No.' });
        if (['approved', 'inactive'].includes(status(index))) await decide({ kind: 'approve' });
        if (status(index) === 'inactive') await decide({ kind: 'deactivate', reason: 'Closed.' });
        return id;
      }),
    );
    made.push(...ids);
  }
  return made;
}

beforeAll(async () => {
  dash = await startDashboard();
  for (const team of [own, other]) await dash.team(team);
  const member = await dash.account();
  await dash.member(own, member, 'member');
  ids = await dash.withoutProjector(async () => {
    const found = await submitted(own, size, statusOf);
    await submitted(other, otherSize, () => 'approved');
    return found;
  });
  const { documents, store } = dash.system;
  const names = projections.map(({ collection }) => collection.name);
  await visible(documents, names, await store.head(), 120_000);
  browser = await dash.signedIn(member);
});
afterAll(() => dash.stop());

/** The records on all pages of a list, in their order. */
async function found(asked: Record<string, string>): Promise<string[]> {
  const parameters = new URLSearchParams({ team: own, ...asked });
  await browser.open(`/dash/resources?${parameters.toString()}`);
  const shown: string[] = [];
  for (;;) {
    shown.push(
      ...[...browser.html.matchAll(/\/dash\/t\/[a-z-]+\/resources\/(r_[0-9a-f]{16})/g)].map(
        ([, id]) => id ?? '',
      ),
    );
    expect(shown.length).toBeLessThanOrEqual(size);
    if (!browser.html.includes('rel="next"')) return shown;
    await browser.follow('Next');
  }
}

/** The same as the records say. */
const expected = (fits: (index: number) => boolean): string[] =>
  ids.filter((_, index) => fits(index)).toSorted();

test('words find every record of the team in any status, in pages, and none of another team', async () => {
  expect((await found({ q: 'meals' })).toSorted()).toEqual(expected(isMeals));
  expect((await found({ q: 'more MEA' })).toSorted()).toEqual(
    expected((index) => isMeals(index) && index !== 3),
  );
  expect((await found({ q: 'cannery' })).toSorted()).toEqual(expected(() => true));
  expect((await found({ q: 'malaga legal' })).toSorted()).toEqual(
    expected((index) => index % 5 === 0 && !isMeals(index)),
  );
  expect(await found({ q: '305-555-0617' })).toEqual([ids[617]]);
  expect(await found({ q: 'groceries' })).toEqual([]);
});

test('status and kind narrow them down', async () => {
  for (const status of statuses)
    expect((await found({ q: 'meals', status })).toSorted()).toEqual(
      expected((index) => isMeals(index) && statusOf(index) === status),
    );
  expect((await found({ category: 'food', status: 'rejected' })).toSorted()).toEqual(
    expected((index) => index % 2 === 0 && statusOf(index) === 'rejected'),
  );
  expect((await found({ category: 'food', q: 'advice' })).toSorted()).toEqual(
    expected((index) => index % 2 === 0 && !isMeals(index)),
  );
});

test('what is called exactly so comes first, then names, then the rest', async () => {
  expect((await found({ q: 'meals' }))[0]).toBe(ids[3]);
  // A street in words: 30 of them have the number in their name as well.
  const all = await found({ q: '6' });
  const inName = expected((index) => String(index).startsWith('6') && index !== 3);
  expect(all.slice(0, inName.length).toSorted()).toEqual(inName);
});

test('a longer word than the index has of it finds only what has the whole word', async () => {
  expect((await found({ q: 'cannerz' })).length).toBe(0);
  expect((await found({ q: 'canne' })).length).toBe(size);
});

test('a record is found with its new words and status at once, and no longer with those before', async () => {
  const id = ids[1] ?? '';
  await dash.command(id, { kind: 'revise', change: { name: 'Zebra Crossing' } });
  expect(await found({ q: 'zebra' })).toEqual([id]);
  expect(await found({ q: 'advice 1', category: 'legal', status: 'submitted' })).not.toContain(id);
  await dash.command(id, { kind: 'approve' });
  expect(await found({ q: 'zebra', status: 'submitted' })).toEqual([]);
  expect(await found({ q: 'zebra', status: 'approved' })).toEqual([id]);
});

test('a search of the public finds public records alone', async () => {
  const { bearer } = await dash.key();
  const listed = svcIds(await pagesOf(dash.server, v1, { q: 'cannery', limit: '100' }, bearer));
  const isPublic = (index: number) => statusOf(index) === 'approved' || index === 1;
  expect(listed.filter((id) => ids.includes(String(id))).toSorted()).toEqual(expected(isPublic));
  expect(listed).toHaveLength(otherSize + expected(isPublic).length);
  expect(svcIds(await pagesOf(dash.server, v1, { q: '305-555-0617' }, bearer))).not.toContain(ids[617]);
});

test('a page that is none, and words without letters, show the list', async () => {
  for (const page of ['0', '-1', 'x', '1e9', '99999999999999999999']) {
    await browser.open(`/dash/resources?team=${own}&q=%3F%3F&page=${page}`);
    expect(browser.status, page).toBe(200);
    expect(browser.text, page).toContain('620 records. Page 1 of 13.');
  }
  await browser.open(`/dash/resources?team=${own}&page=99999`);
  expect(browser.text).toContain('620 records. Page 13 of 13.');
});

/** What stands in a column of all pages. */
async function column(label: string, asked: Record<string, string>): Promise<string[]> {
  await browser.open(`/dash/resources?${new URLSearchParams({ team: own, ...asked }).toString()}`);
  const shown: string[] = [];
  for (;;) {
    const cells = browser.html.matchAll(new RegExp(`data-label="${label}"[^>]*><div>(.*?)</div>`, 'gs'));
    shown.push(...[...cells].map(([, cell = '']) => cell.replaceAll(/<[^>]*>/g, '').trim()));
    if (!browser.html.includes('rel="next"')) return shown;
    await browser.follow('Next');
  }
}

test('each column sorts all pages, either way, and the same records are on them', async () => {
  const labels = { place: 'Place', kind: 'Kind of help', state: 'Status' } as const;
  for (const [sort, label] of Object.entries(labels)) {
    const upwards = await column(label, { sort });
    const downwards = await column(label, { sort: `-${sort}` });
    expect(upwards).toHaveLength(size);
    expect(downwards).toEqual(upwards.toReversed());
    // Each value stands in one block.
    const blocks = upwards.filter((value, index) => value !== upwards[index - 1]);
    expect(new Set(blocks).size, label).toBe(blocks.length);
  }
  for (const sort of ['organization', '-name', 'changed', '-verified', 'submitted', '-submitted'])
    expect((await found({ sort })).toSorted(), sort).toEqual(expected(() => true));
  const names = await found({ sort: 'name', q: 'meals' });
  expect(await found({ sort: '-name', q: 'meals' })).toEqual(names.toReversed());
  for (const rubbish of ['colour', '--name', 'name;', '__proto__', 'constructor', 'x'.repeat(5_000)]) {
    await browser.open(`/dash/resources?team=${own}&sort=${encodeURIComponent(rubbish)}`);
    expect(browser.text, rubbish.slice(0, 20)).toContain('620 records. Page 1 of 13.');
  }
});

test('those of one status have the order that they have among all, either way', async () => {
  const waiting = new Set(await found({ status: 'submitted' }));
  expect(waiting.size).toBeGreaterThan(100);
  for (const sort of ['name', '-organization', 'place', '-changed']) {
    const all = await found({ sort });
    expect(await found({ sort, status: 'submitted' }), sort).toEqual(all.filter((id) => waiting.has(id)));
  }
});

test('place, source, organization, changes and verification narrow down, alone and together', async () => {
  const heights = (index: number) => index % 5 === 0;
  expect((await found({ place: 'MALAGA heights' })).toSorted()).toEqual(expected(heights));
  expect(await found({ place: 'malaga' })).toEqual([]);
  expect(
    (await found({ place: 'Lakewood', q: 'advice', status: 'rejected', sort: 'place' })).toSorted(),
  ).toEqual(
    expected((index) => !heights(index) && !isMeals(index) && index !== 1 && statusOf(index) === 'rejected'),
  );
  expect((await found({ source: '-', verified: 'never', changed: '7-days' })).toSorted()).toEqual(
    // Whoever has approved a record has read it, as the one of index 1 above.
    expected((index) => index !== 1 && ['submitted', 'rejected'].includes(statusOf(index))),
  );
  for (const none of [{ source: 'county' }, { organization: 'Nobody' }, { changed: '2100-01-01' }] as const)
    expect(await found(none)).toEqual([]);
});

test('the table as CSV has what the pages have, in their order and with their columns', async () => {
  const asked = { status: 'rejected', sort: '-place', columns: 'place,name,state' };
  const csvOf = async (also: Record<string, string>) => {
    await browser.open(
      `/dash/resources?${new URLSearchParams({ team: own, ...also, format: 'csv' }).toString()}`,
    );
    expect(browser.status).toBe(200);
    return browser.html.trimEnd().split('\n');
  };
  const [head, ...lines] = await csvOf(asked);
  expect(head).toBe('Record,Place,Status');
  expect(lines).toHaveLength(expected((index) => statusOf(index) === 'rejected').length);
  const places = lines.map((line) => line.split(',')[1]);
  expect(places).toEqual(await column('Place', asked));
  const [, ...meals] = await csvOf({ q: 'meals', columns: 'name' });
  expect(meals).toHaveLength(expected(isMeals).length);
  expect(meals[0]).toBe('Meals');
});

test('a filter value that is none is named, and the rest narrows down', async () => {
  await browser.open(
    `/dash/resources?team=${own}&category=magic&status=rejected&changed=2026-02-30&verified=ever`,
  );
  for (const value of ['magic', '2026-02-30', 'ever'])
    expect(browser.text).toContain(
      `“${value}” is no longer there to filter by, so everything else is shown.`,
    );
  expect(browser.text).toContain(`${expected((index) => statusOf(index) === 'rejected').length} records.`);
});
