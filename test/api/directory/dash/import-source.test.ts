import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { until } from '../../../support/until.ts';

const page = '/dash/resources/import';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const services = (nameOf: (number: number) => string): string =>
  JSON.stringify(
    Array.from({ length: 40 }, (_, place) => ({ id: String(place), name: nameOf(place), status: 'active' })),
  );
const ofMiami = services((number) => `Pantry of saint ${number}`);
const ofAustin = services((number) => `Housing desk ${number} downtown`);

async function send(name: string, content: string, source = ''): Promise<void> {
  await browser.open(`${page}?team=harbour`);
  await browser.pressWithFile('Compare', { field: 'file', name, content }, { source });
}
const untilHeading = (heading: string): Promise<boolean> =>
  until(async () => {
    await browser.open(browser.url.pathname + browser.url.search.replace(/&done=[a-z]+/, ''));
    return browser.heading === heading;
  });

/** The button says of which file, too. */
async function giveUp(): Promise<void> {
  const label = browser
    .forms()
    .flatMap(({ buttons }) => buttons)
    .find((each) => each.label.startsWith('Do not import'))?.label;
  await browser.press(label ?? 'Do not import');
}

const submitted = async () =>
  (await dash.events('resource-')).filter(({ type }) => type === 'ResourceSubmitted').length;

describe('the source of an import in the browser', () => {
  test('is asked for before anything is compared, when a file of another name is here already', async () => {
    await send('miami.json', ofMiami, '211 Miami');
    await untilHeading('What would change');
    await browser.press('Import');
    await untilHeading('Imported');
    expect(browser.text).toContain('211 Miami');

    await send('export-2026-11.json', ofMiami);
    await untilHeading('From which source is it?');
    expect(browser.text).toContain('40 of 40 are here already from 211 Miami. The same source?');
    expect(browser.text).toContain('would be in your directory twice');
    await browser.press('It is 211 Miami');
    await untilHeading('What would change');
    expect(browser.text).toContain('Nothing would change');
    await giveUp();
    expect(await submitted()).toBe(40);
  });

  test('is another one under a name of its own, which no other source has', async () => {
    await send('miami.json', ofAustin, '211 Miami');
    await untilHeading('From which source is it?');
    expect(browser.text).toContain('40 of 40 have the ids of records from 211 Miami');
    await browser.press('It is a new source', { name: '211 miami' });
    expect(browser.status).toBe(422);
    expect(browser.text).toContain('Give the new source a name that no other source of yours has');
    await browser.press('It is a new source', { name: '' });
    expect(browser.status).toBe(422);
    await browser.press('It is a new source', { name: '211 Austin' });
    await untilHeading('What would change');
    expect(browser.text).toContain('New 40');
    await browser.press('Import');
    await untilHeading('Imported');
    expect(await submitted()).toBe(80);
  });

  test('is given up without an answer, and nothing changes', async () => {
    await send('other.json', ofMiami);
    await untilHeading('From which source is it?');
    await browser.open(`${page}?team=harbour`);
    expect(browser.text).toContain('An import waits for your decision.');
    await browser.follow('Look at it');
    await giveUp();
    expect(browser.heading).toBe('The import was cancelled');
    expect(browser.text).toContain('Nothing was changed.');
  });

  test('is listed with others, and renamed without a change of a record', async () => {
    await browser.open(`${page}?team=harbour`);
    await browser.follow('Sources');
    expect(browser.text).toContain('211 Miami');
    const events = (await dash.events('resource-')).length;
    await browser.press('Rename 211 Miami', { name: '211 Austin' });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('The team has a source 211 Austin already.');
    await browser.press('Rename 211 Miami', { name: 'Miami and Dade' });
    expect(browser.text).toContain('The source is renamed.');
    expect(browser.text).toContain('Miami and Dade');
    expect((await dash.events('resource-')).length).toBe(events);
    const record = (await dash.events('resource-'))[0]?.data as { svc_id: string };
    await browser.open(`/dash/resources/${record.svc_id}?team=harbour`);
    expect(browser.text).toContain('Miami and Dade');
  });
});
