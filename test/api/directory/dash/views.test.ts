import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandView } from '../../../../src/commands/teams/view.ts';
import { untilShown } from '../../../../src/projections/until-shown.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context } from '../../harness.ts';

const team = 'viewing';
let dash: Dashboard;
let reviewer: Account;
let member: Account;
let browser: PlainBrowser;

beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account();
  member = await dash.account();
  await dash.team(team);
  await dash.member(team, reviewer, 'reviewer');
  await dash.member(team, member, 'member');
  await dash.submission(team, { name: 'Corner Pantry', category: 'food' });
  await dash.submission(team, { name: 'Night Shelter', category: 'housing' });
  browser = await dash.signedIn(reviewer);
});
afterAll(() => dash.stop());

const list = (also = '') => `/dash/resources?team=${team}${also}`;

test('what a table shows is saved with a name for everybody in the team, and removed', async () => {
  await browser.open(list('&category=food&sort=-kind&columns=name,kind'));
  await browser.press('Save', { name: 'Food, newest' });
  expect(browser.text).toContain('The view is saved for everybody in the team.');
  expect(browser.text).toContain('Corner Pantry');
  expect(browser.text).not.toContain('Night Shelter');
  const other = await dash.signedIn(member);
  await other.open(list());
  await other.follow('Food, newest');
  expect(other.text).toContain('1 record.');
  expect(other.html).not.toContain('data-label="Place"');
  expect(other.html).toContain('aria-sort="descending"');
  // Whoever decides about nothing removes nothing either.
  expect(other.text).not.toContain('Remove this view');
  await browser.follow('Food, newest');
  await browser.press('Remove this view Food, newest');
  expect(browser.text).toContain('The view is removed.');
  expect(browser.html).not.toContain('Food, newest</bdi>');
  expect((await dash.events('view')).map(({ type }) => type)).toEqual(['ViewSaved', 'ViewRemoved']);
});

test('a name that is too long, empty or misleading is refused beside its field, and HTML is a name', async () => {
  for (const name of ['x'.repeat(200), ' ', 'abc\u202edef', 'invisible\u200b']) {
    await browser.open(list('&status=submitted'));
    await browser.press('Save', { name });
    expect(browser.status, name).toBe(422);
    expect(browser.problem('name'), name).toBeTruthy();
    expect(browser.text).toContain('2 records.');
  }
  await browser.open(list('&status=submitted'));
  await browser.press('Save', { name: '</bdi><script>alert(1)</script>' });
  expect(browser.text).toContain('The view is saved');
  expect(browser.html).not.toContain('<script>alert');
  expect(browser.text).toContain('</bdi><script>alert(1)</script>');
});

test('a view of a column, an order or a value that went says so and shows the rest', async () => {
  const query = 'category=magic&status=submitted&sort=colour&columns=name,smell';
  const { store, documents } = dash.system;
  await untilShown(
    documents,
    await commandView(store, { kind: 'save', team, name: 'Old', query }, context()),
  );
  await browser.open(list());
  await browser.follow('Old');
  expect(browser.status).toBe(200);
  for (const sentence of [
    '“magic” is no longer there to filter by',
    'There is no column “smell” any more.',
    'Nothing is sorted by “colour” any more.',
    '2 records.',
  ])
    expect(browser.text).toContain(sentence);
  // It is the view that is shown, so it can be removed.
  expect(browser.html).toMatch(/aria-current="page"\s*><bdi>Old</);
  await browser.press('Remove this view Old');
  expect(browser.text).toContain('The view is removed.');
  expect(browser.html).not.toContain('<bdi>Old</bdi>');
});

test('a member cannot save, nor anybody for another team', async () => {
  const other = await dash.signedIn(member);
  await other.open(list());
  const token = browser.hidden('token');
  const values = new URLSearchParams({ team, token, once: 'x', name: 'Mine', query: '' });
  await other.post('/dash/resources', values);
  expect(other.status).toBeGreaterThanOrEqual(400);
  expect((await dash.events('view')).filter(({ data }) => data['name'] === 'Mine')).toEqual([]);
});
