import { readFileSync } from 'node:fs';
import { parse } from 'csv-parse/sync';
import { beforeAll, describe, expect, test } from 'vitest';
import { commandResource, submitResource } from '../../../src/commands/directory/resource.ts';
import { commandView } from '../../../src/commands/teams/view.ts';
import { categories } from '../../../src/events/directory/category.ts';
import { withoutFormula } from '../../../src/ground/csv.ts';
import { sortKey } from '../../../src/projections/directory/lookup-terms.ts';
import { context } from '../../api/harness.ts';
import type { Account } from '../../api/accounts/harness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit, type Screen, type Visitor } from './journey.ts';

/** The package of a whole directory, for tables of thousands: `npm run test:day`, DAY_DATA=../sample. */
const directory = process.env['DAY_DATA'];
const patience = directory === undefined ? 120_000 : 900_000;
const team = 'food-bank';
/** Eight pages of 50. */
const count = 360;

const rightToLeft = 'مركز المساعدة';
/** Names that break out of a table, a file or a page. */
const hostileNames = [
  '=1+1',
  '@SUM(A1:A9)',
  '<img src=x onerror=alert(1)>',
  `"Quoted", 'twice'; and a comma`,
  rightToLeft,
  'W'.repeat(200),
];

const screens: readonly (readonly [string, Screen])[] = [
  ['a wide screen', { width: 1280 }],
  ['a phone', { width: 360 }],
  ['a phone without JavaScript', { width: 360, scripts: false }],
];

type Row = Readonly<Record<string, string>>;

/** A program that tells the rows of the table that is shown: each cell by its column, a time as it is in the address. */
const readRows = `[...document.querySelectorAll('.list tbody tr')].map((row) => Object.fromEntries(
  [...row.children].flatMap((cell) => {
    if (cell.matches('.tick')) return [];
    const time = cell.querySelector('time');
    return [[cell.dataset.label ?? 'Record', time ? time.dateTime : cell.textContent.trim()]];
  })))`;

describe.skipIf(!hasChromium)('in a real browser, the table of a directory', () => {
  const service = startService();
  let reviewer: Account;
  let colleague: Account;
  let total: number;

  beforeAll(async () => {
    const { dash } = service;
    const { system } = dash;
    await dash.team(team);
    [reviewer, colleague] = [await dash.account(), await dash.account()];
    await dash.member(team, reviewer, 'reviewer');
    await dash.member(team, colleague, 'member');
    if (directory !== undefined) {
      const imported = await runCommandLine(['import', directory, '--team', team], dash.folder);
      if (imported.code !== 0) throw new Error(imported.stderr);
    }
    await dash.withoutProjector(async () => {
      for (let index = 0; index < count; index++) {
        const { state } = await submitResource(
          system,
          {
            team,
            fields: {
              name: hostileNames[index] ?? `Pantry ${index}`,
              category: categories[index % categories.length] ?? 'other',
              organization: { name: hostileNames[index - 10] ?? `Helping ${index % 17} Hands` },
              ...(index % 5 === 0 ? {} : { locations: [{ city: `Town ${index % 23}` }] }),
              ...(index % 3 === 0 ? { last_verified: `2026-03-${10 + (index % 19)}` } : {}),
            },
          },
          context(),
        );
        const id = state?.svc_id ?? '';
        if (index % 4 === 1) await commandResource(system, id, { kind: 'approve' }, context());
        if (index % 40 === 2)
          await commandResource(system, id, { kind: 'reject', reason: 'It is closed.' }, context());
      }
      const old = {
        kind: 'save',
        team,
        name: 'Old kind',
        query: 'category=magic&status=rejected&columns=name,smell',
      };
      await commandView(system.store, { ...old, kind: 'save' }, context());
    });
    await dash.caughtUp();
    total = (await dash.system.store.readAll({ after: 0n, limit: 100_000 })).events.filter(
      ({ type }) => type === 'ResourceSubmitted',
    ).length;
  });

  const counted = (records: number) => `${records.toLocaleString('en')} records.`;

  /** All rows, page by page. */
  async function everyRow({ page }: Visitor): Promise<Row[]> {
    const rows: Row[] = [];
    await page.waitForLoadState();
    for (;;) {
      rows.push(...(await page.evaluate<Row[]>(readRows)));
      const next = page.locator('nav.pages a[rel=next]');
      if ((await next.count()) === 0) return rows;
      const to = String(await next.getAttribute('href'));
      await next.click();
      await page.waitForURL(service.dash.origin + to);
    }
  }

  /** The file that the table offers, held against its rows. */
  async function downloadsItsRows(who: Visitor, rows: readonly Row[]): Promise<void> {
    const [download] = await Promise.all([
      who.page.waitForEvent('download'),
      who.follow('Download this table as CSV'),
    ]);
    const found = parse<Row>(readFileSync(await download.path(), 'utf8'), { columns: true });
    expect(found.length).toBe(rows.length);
    const columns = Object.keys(found[0] ?? {});
    expect(columns.toSorted()).toEqual(Object.keys(rows[0] ?? {}).toSorted());
    const expected = rows.map((row) =>
      Object.fromEntries(columns.map((each) => [each, withoutFormula(row[each] ?? '')])),
    );
    expect(
      found.map((row) => ({ ...row, ...(row['Confirmed'] && { Confirmed: shortDay(row['Confirmed']) }) })),
    ).toEqual(expected);
    for (const row of found) for (const cell of Object.values(row)) expect(cell).not.toMatch(/^[=+@-]/);
  }

  /** Opens what stands in place of the filters where there is little room. */
  async function openFilters({ page }: Visitor): Promise<void> {
    const folded = page.locator('.folded summary').first();
    if (await folded.isVisible()) await folded.click();
  }

  async function filtersBy(who: Visitor, values: Readonly<Record<string, string>>): Promise<void> {
    await who.open(`/dash/t/${team}/resources`);
    await openFilters(who);
    for (const [name, value] of Object.entries(values)) {
      const input = who.page.locator(`.folded [name=${name}]`);
      if (!(await input.isVisible())) await who.page.getByText('More filters and columns').click();
      if (name === 'q') await input.fill(value);
      else await input.selectOption({ label: value });
    }
    await who.press('Search');
    await who.page.waitForURL(/[?&]sort=/);
  }

  const sortedBy: Readonly<Record<string, (cell: string) => string>> = {
    Organization: sortKey,
    Record: sortKey,
    Place: sortKey,
    Changed: (cell) => cell,
    Confirmed: (cell) => (cell === 'Never' ? '' : cell),
  };

  /** Presses the heading of a column, or Enter on it, and holds the rows against the order that it tells. */
  async function sorts({ page }: Visitor, column: string, by: 'mouse' | 'keyboard'): Promise<void> {
    const link = page.locator('thead').getByRole('link', { name: column, exact: true });
    const to = String(await link.getAttribute('href'));
    if (by === 'keyboard') {
      await link.focus();
      // What has the focus is seen, also where the headings are not.
      expect((await link.boundingBox())?.height).toBeGreaterThan(10);
      expect(await page.evaluate('getComputedStyle(document.querySelector("thead")).clipPath')).toBe('none');
      await page.keyboard.press('Enter');
    } else await link.click();
    await page.waitForURL(service.dash.origin + to);
    const order = await page.locator('th[aria-sort]').getAttribute('aria-sort');
    const cells = (await page.evaluate<Row[]>(readRows)).map((row) => row[column] ?? '');
    const key = sortedBy[column];
    if (key) {
      const sorted = cells.map(key).toSorted();
      const expected = order === 'descending' ? sorted.toReversed() : sorted;
      expect(cells.map(key), `${column}, ${order ?? ''}`).toEqual(expected);
    }
    // Kinds and states have an order of their own: all of one stand together.
    else expect(cells.filter((each, at) => each !== cells[at - 1]).length).toBe(new Set(cells).size);
  }

  test.each(screens)(
    'is sorted, narrowed down, paged through, saved and downloaded on %s',
    { timeout: patience },
    async (_, screen) => {
      const who = await visit(service, screen);
      const { page } = who;
      page.on('dialog', () => {
        throw new Error('A script of a name was run.');
      });
      const isNarrow = screen.width < 640;
      const kind = isNarrow ? (screen.scripts === false ? 'Health care' : 'Housing') : 'Food';
      await who.signIn(reviewer);
      await who.open(`/dash/t/${team}/resources`);
      await who.sees(counted(total));
      // On a phone the filters do not stand before the table.
      expect(await page.locator('.folded [name=status]').isVisible()).toBe(!isNarrow);

      if (isNarrow) for (const _round of ['down', 'up']) await sorts(who, 'Changed', 'keyboard');
      else
        for (const column of [...Object.keys(sortedBy), 'Kind of help', 'Status'])
          for (const by of ['mouse', 'keyboard'] as const) await sorts(who, column, by);

      const seventh = page.getByRole('link', { name: 'Page 7', exact: true });
      while ((await seventh.count()) === 0)
        await page.locator('nav.pages ul li:has(+ .gap) a').last().click();
      await seventh.click();
      await who.sees(`Page 7 of ${Math.ceil(total / 50)}.`);
      expect(await page.locator('nav.pages [aria-current=page]').innerText()).toBe('7');

      await filtersBy(who, { status: 'Waiting', category: kind, changed: 'The last 7 days' });
      if (isNarrow) await who.sees(`Search, filter and sort: Waiting, ${kind}, changed: The last 7 days`);
      await who.looksRight(`table-narrowed-${kind}`);
      const rows = await everyRow(who);
      expect(rows.length).toBeGreaterThan(10);
      expect(new Set(rows.map((row) => `${row['Status'] ?? ''} ${row['Kind of help'] ?? ''}`))).toEqual(
        new Set([`Waiting ${kind}`]),
      );
      await downloadsItsRows(who, rows);

      // Saved, and opened by somebody else of the team.
      const view = `${kind} <img src=x onerror=alert(1)> "${rightToLeft}"`;
      await page.getByText('Save this view').click();
      await who.fill(/^Name of the view/, view);
      await who.press('Save');
      await who.sees('The view is saved for everybody in the team.');
      const other = await visit(service, screen);
      await other.signIn(colleague);
      await other.open(`/dash/t/${team}/resources?status=rejected`);
      await other.follow(view);
      await other.sees(counted(rows.length));
      expect(await everyRow(other)).toEqual(rows);

      // A view of a kind of help and a column that went.
      await other.follow('Old kind');
      await other.sees('“magic” is no longer there to filter by, so everything else is shown.');
      await other.sees('There is no column “smell” any more.');
      await other.sees(counted(count / 40));
      await other.looksRight(`table-of-what-went-${kind}`);
      await other.leave();
      await who.leave();
    },
  );

  test(
    'is downloaded with every row and column of all its pages, whatever the names are',
    { timeout: patience },
    async () => {
      const who = await visit(service, { width: 1280 });
      await who.signIn(colleague);
      await who.open(`/dash/t/${team}/resources?sort=name`);
      const rows = await everyRow(who);
      expect(rows.length).toBe(total);
      const names = rows.map((row) => row['Record'] ?? '');
      for (const name of hostileNames)
        expect(names.filter((each) => each.toLowerCase().startsWith(name.toLowerCase()))).toHaveLength(1);
      await downloadsItsRows(who, rows);
      await filtersBy(who, { q: 'onerror' });
      await who.sees(/\d records?\./);
      expect(JSON.stringify(await who.page.evaluate(readRows))).toContain('<img src=x');
      await who.leave();
    },
  );
});

const shortDay = (cell: string): string => (/^\d{4}-/.test(cell) ? cell.slice(0, 10) : cell);
