import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { aCommand } from '../../../support/context.ts';
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

const services = Array.from({ length: 60 }, (_, place) => ({
  id: `s${place}`,
  name: `Pantry of saint ${place}`,
  email: `desk${place}@example.org`,
  status: 'active',
}));

async function compare(list: readonly object[]): Promise<void> {
  await browser.open(`${page}?team=harbour`);
  await browser.pressWithFile(
    'Compare',
    { field: 'file', name: 'month.json', content: JSON.stringify(list) },
    { approve: 'yes' },
  );
  await untilHeading('What would change');
}
const untilHeading = (heading: string): Promise<boolean> =>
  until(async () => {
    await browser.open(browser.url.pathname + browser.url.search.replace(/&(done|recorded)=[a-z0-9-]+/g, ''));
    return browser.heading === heading;
  });

/** Presses a button of a form in which a box is ticked. */
async function pressTicked(button: string, name: string, value: string): Promise<void> {
  const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === button));
  if (!form) throw new Error(`There is no button ${button}.`);
  await browser.post(form.action, new URLSearchParams([...form.fields, [name, value]]));
}

const records = async () =>
  (await dash.events('resource-')).flatMap(({ type, data }) =>
    type === 'ResourceSubmitted' ? [data as { svc_id: string; source: { id: string } }] : [],
  );

describe('a month of an import in the browser', () => {
  test('shows what both sides have changed, keeps ours unless theirs is chosen, and takes out what is gone', async () => {
    await compare(services);
    await browser.press('Import');
    await untilHeading('Imported');
    const all = await records();
    expect(all).toHaveLength(60);
    for (const { svc_id, source } of all)
      if (Number(source.id.slice(1)) < 30)
        await commandResource(
          dash.system,
          svc_id,
          { kind: 'revise', change: { email: 'ours@example.org' } },
          aCommand(),
        );

    await compare(
      services
        .slice(0, 58)
        .map((each, place) => (place < 30 ? { ...each, email: `theirs${place}@example.org` } : each)),
    );
    expect(browser.text).toContain('2 of 60 records are not in the file any more.');
    await browser.follow('30 records changed here and by the source: choose what is kept');
    expect(browser.text).toContain('Records 1 to 25 of 30.');
    expect(browser.text).toContain('desk0@example.org');
    expect(browser.text).toContain('theirs0@example.org');
    expect(browser.text).toContain('ours@example.org');
    await pressTicked('Save what is chosen on this page', 'take', 's0:email');
    expect(browser.text).toContain('What you have chosen on this page is saved.');
    await browser.follow('Show more');
    expect(browser.text).toContain('Records 26 to 30 of 30.');
    await browser.open(`${browser.url.pathname}?team=harbour&q=saint+29`);
    expect(browser.text).toContain('Records 1 to 1 of 1.');
    await pressTicked('Save what is chosen on this page', 'take', 's29:email');
    await browser.open(`${browser.url.pathname}?team=harbour&q=nobody`);
    expect(browser.text).toContain('No record was found.');
    await browser.follow('Back to the import');
    const here = browser.url.pathname;
    await browser.open(`${here}/report?team=harbour&format=csv`);
    const report = browser.html;
    await browser.open(`${here}?team=harbour`);
    expect(report).toContain(
      'Pantry of saint 3,email,,desk3@example.org,theirs3@example.org,ours@example.org',
    );
    expect(report).toContain('not in the file');
    await pressTicked('Import', 'remove', 'few');
    await untilHeading('Imported');
    expect(browser.text).toContain('Taken out 2');
    const revised = (await dash.events('resource-')).filter(
      ({ type, data }) =>
        type === 'ResourceRevised' &&
        (data as { fields: { email?: string } }).fields.email?.startsWith('theirs'),
    );
    expect(revised).toHaveLength(2);
  });

  test('is imported although nothing changes by itself, so that the same conflict does not come back', async () => {
    const path = browser.url.pathname;
    const before = services.slice(0, 30).map((each, place) => ({
      ...each,
      email: place === 0 || place === 29 ? `theirs${place}@example.org` : `again-${each.email}`,
    }));
    await compare([...before, ...services.slice(30, 58)]);
    await browser.follow('28 records changed here and by the source: choose what is kept');
    await browser.press('Take all of theirs');
    await browser.press('Keep all of ours');
    await browser.follow('Back to the import');
    await browser.press('Import');
    await untilHeading('Imported');
    await compare([...before, ...services.slice(30, 58)]);
    expect(browser.text).toContain('Nothing would change: your directory has all of it.');
    await browser.open(path);
  });

  test('says above everything else when a file would empty a field of many records, and that rows were left out', async () => {
    const here = browser.url.pathname;
    const cut = services
      .slice(0, 58)
      .map(({ email, ...each }, place) => (place < 20 ? { ...each, email } : each));
    await compare([...cut, { id: 's59' }]);
    expect(browser.text).toContain('Email: 29 records would have none any more.');
    expect(browser.text).toContain('1 row of the file could not be used');
    expect(browser.text).toMatch(/Field Records Left with none Email ?30 ?29/u);
    await browser.press('Do not import month.json');
    await browser.open(`${here}?team=harbour`);
  });

  test('is undone, with what stays named, and a second time is refused', async () => {
    await browser.press('Undo this import month.json');
    expect(browser.heading).toBe('The import was undone');
    expect(browser.text).toContain('The import is undone.');
    expect(browser.text).toContain('Put back 2');
    expect(browser.text).toContain('Changed back 2');
    expect(browser.text).not.toContain('Undo this import');
  });
});
