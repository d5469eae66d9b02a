import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { aCommand } from '../../../support/context.ts';
import { until } from '../../../support/until.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const imported = async (description: string): Promise<void> => {
  await browser.open('/dash/resources/import?team=harbour');
  await browser.pressWithFile(
    'Compare',
    {
      field: 'file',
      name: 'month.json',
      content: JSON.stringify([{ id: 's1', name: 'Pantry', description, status: 'active' }]),
    },
    { approve: 'yes', source: 'County' },
  );
  const heading = (text: string) =>
    until(async () => {
      await browser.open(
        browser.url.pathname + browser.url.search.replace(/&(done|recorded)=[a-z0-9-]+/g, ''),
      );
      return browser.heading === text;
    });
  await heading('What would change');
  await browser.press('Import');
  await heading('Imported');
};

const svcId = async (): Promise<string> => {
  const [submitted] = await dash.events('resource-');
  return (submitted?.data as { svc_id: string }).svc_id;
};

test('the page of a record keeps what its source says otherwise, and takes it by one press', async () => {
  await imported('Food on Mondays.');
  const id = await svcId();
  await commandResource(
    dash.system,
    id,
    { kind: 'revise', change: { description: 'Food on Tuesdays.' } },
    aCommand(),
  );
  await imported('Food on Fridays.');
  const page = `/dash/resources/${id}?team=harbour`;
  await browser.open(page);
  expect(browser.text).toMatch(
    /Said otherwise.*Description.*The people of this directory.*Food on Tuesdays\..*County.*Food on Fridays\./su,
  );
  await browser.press('Take this instead Description');
  expect(browser.text).toContain('Your change is saved.');
  const last = (await dash.events('resource-')).at(-1);
  expect(last).toMatchObject({
    type: 'ResourceRevised',
    data: { fields: { description: 'Food on Fridays.' } },
  });

  // Both say the same now.
  await browser.open(page);
  expect(browser.text).not.toContain('Said otherwise');
});

test('nobody takes what was not said', async () => {
  const id = await svcId();
  await browser.open(`/dash/resources/${id}?team=harbour`);
  const token = browser.forms().find(({ action }) => action.includes('/confirm'));
  const take = (fields: Readonly<Record<string, string>>) =>
    browser.post(
      `/dash/resources/${id}/take?team=harbour`,
      new URLSearchParams([...(token?.fields ?? []), ...Object.entries(fields)]),
    );
  for (const fields of [
    { of: id, revision: '99', field: 'description' },
    { of: id, revision: '0', field: 'contacts' },
    { of: id, revision: '1', field: 'description' },
    { of: 'r_0000000000000001', revision: '0', field: 'description' },
    { of: 'rubbish', revision: '-1', field: '' },
    { of: id, revision: 'NaN', field: 'description' },
  ]) {
    const before = (await dash.events('resource-')).length;
    await take(fields);
    expect([404, 422], JSON.stringify(fields)).toContain(browser.status);
    expect((await dash.events('resource-')).length).toBe(before);
  }
});

test('a source counts first for what is ticked', async () => {
  await browser.open('/dash/resources/import/sources?team=harbour');
  expect(browser.text).toContain('nothing');
  const form = browser.forms().find(({ action }) => action.includes('/precedence'));
  if (!form) throw new Error('There is no form of precedence.');
  await browser.post(
    form.action,
    new URLSearchParams([...form.fields, ['groups', 'texts'], ['groups', 'hours']]),
  );
  expect(browser.text).toContain('It is chosen.');
  expect(browser.text).toContain('Opening hours; Description, cost, eligibility, how to apply');
  const id = await svcId();
  await commandResource(dash.system, id, { kind: 'revise', change: { description: 'Ours.' } }, aCommand());
  await imported('Theirs.');
  await browser.open(`/dash/resources/${id}?team=harbour`);
  expect(browser.text).toMatch(/Said otherwise.*County.*Theirs\..*The people of this directory.*Ours\./su);
  await browser.post(form.action, new URLSearchParams([...form.fields, ['groups', 'rubbish']]));
  expect(browser.status).toBe(422);
});
