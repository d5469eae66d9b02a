import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const reviewer = await dash.account();
  await dash.member('harbour', reviewer, 'reviewer');
  browser = await dash.signedIn(reviewer);
  await dash.submission('harbour', { name: 'Waiting Pantry', contacts: [{ name: 'Ben Door' }] });
  await dash.resources(2, { team: 'harbour', fields: (index) => ({ name: `Shelter ${index}` }) });
  await dash.resources(1, { fields: () => ({ name: 'Of another team' }) });
});
afterAll(() => dash.stop());

test('all records of a team, and no others, come as a file in each format', async () => {
  await browser.open('/dash/resources?team=harbour');
  await browser.follow('Export');
  await browser.follow('Download HSDS');
  expect(browser.answer.get('content-disposition')).toBe('attachment; filename="harbour-directory.json"');
  const services = JSON.parse(browser.html) as { readonly name: string }[];
  expect(services.map(({ name }) => name).sort()).toEqual(['Shelter 0', 'Shelter 1', 'Waiting Pantry']);
  expect(browser.html).toContain('Ben Door');
  await browser.open('/dash/resources/export?team=harbour&format=csv');
  expect(browser.answer.get('content-type')).toContain('text/csv');
  expect(browser.html.trim().split('\n')).toHaveLength(4);
  await browser.open('/dash/resources/export?team=harbour&format=geojson');
  expect(JSON.parse(browser.html)).toMatchObject({ type: 'FeatureCollection' });
});

test('members and people of other teams get none', async () => {
  const [member, stranger] = [await dash.account(), await dash.account()];
  await dash.member('harbour', member, 'member');
  for (const account of [member, stranger]) {
    const person = await dash.signedIn(account);
    await person.open('/dash/resources/export?team=harbour&format=csv');
    expect(person.status).toBe(404);
    expect(person.text).not.toContain('Waiting Pantry');
  }
});
