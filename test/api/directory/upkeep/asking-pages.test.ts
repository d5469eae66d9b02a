import { afterAll, beforeAll, expect, test } from 'vitest';
import type { ResourceInput } from '../../../../src/commands/directory/field-changes.ts';
import { commandResource, submitResource } from '../../../../src/commands/directory/resource.ts';
import { resources } from '../../../../src/projections/directory/resources.ts';
import { confirmedOf } from '../../../../src/projections/directory/shown-fields.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

const asking = '/dash/resources/asking?team=harbour';
const calls = '/dash/resources/calls?team=harbour';
let dash: Dashboard;
let admin: PlainBrowser;
let reviewer: PlainBrowser;
let member: PlainBrowser;
const ids: Record<string, string> = {};

beforeAll(async () => {
  dash = await startDashboard({ environment: { SMTP_URL: 'smtp://127.0.0.1:9' } });
  const browsers = [];
  for (const role of ['admin', 'reviewer', 'member'] as const) {
    const account = await dash.account();
    await dash.member('harbour', account, role);
    browsers.push(await dash.signedIn(account));
  }
  [admin, reviewer, member] = browsers as [PlainBrowser, PlainBrowser, PlainBrowser];
  // Long ago, so that nobody has confirmed them lately.
  const at = new Date('2019-05-02T10:00:00Z');
  for (const [name, further] of [
    ['Corner Pantry', { contacts: [{ email: 'ana@pantry.example' }] }],
    ['Old Kitchen', { phones: [{ number: '305-555-0199' }], organization: { name: 'Bay Kitchens, Inc.' } }],
    ['Silent Shelter', {}],
  ] as readonly (readonly [string, Partial<ResourceInput>])[]) {
    const fields: ResourceInput = { name, category: 'food', ...further };
    const { state } = await submitResource(dash.system, { team: 'harbour', fields }, { ...context(), at });
    ids[name] = state?.svc_id ?? '';
    await commandResource(dash.system, ids[name], { kind: 'approve' }, { ...context(), at });
  }
  await dash.caughtUp();
});
afterAll(() => dash.stop());

const form = (browser: PlainBrowser, button: string) => {
  const found = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label.startsWith(button)));
  if (!found) throw new Error(`There is no button ${button}.`);
  return { action: found.action, fields: new URLSearchParams([...found.fields]) };
};
async function press(browser: PlainBrowser, button: string, typed: Readonly<Record<string, string>> = {}) {
  const { action, fields } = form(browser, button);
  for (const [name, value] of Object.entries(typed)) fields.set(name, value);
  await browser.post(action, fields);
}
/** The form of one record on the list of calls. */
async function pressOf(browser: PlainBrowser, what: string, name: string) {
  const found = browser
    .forms()
    .map(({ action, fields }) => ({ action, fields: new URLSearchParams([...fields]) }))
    .find(({ fields }) => fields.get('what') === what && fields.get('svc_id') === ids[name]);
  if (!found) throw new Error(`There is no ${what} of ${name}.`);
  await browser.post(found.action, found.fields);
}

test('a reviewer sees whether agencies are asked, and an admin switches it on after the first mail', async () => {
  await member.open(asking);
  expect(member.status).toBe(404);
  await reviewer.open(asking);
  expect(reviewer.text).toContain('Nobody is asked.');
  await press(reviewer, 'Show the first mail');
  expect(reviewer.text).toContain('- Corner Pantry');
  expect(reviewer.text).toContain('The links work in the mails that are sent, not here.');
  // The other two name no email address.
  expect(reviewer.text).toMatch(/Records whose agencies must be called: .* 2 Whom to call/u);
  expect(() => form(reviewer, 'Ask from now on')).toThrow();
  await admin.open(asking);
  await press(admin, 'Show the first mail', { days: 'soon' });
  expect(admin.status).toBe(422);
  expect(admin.text).toContain('Write a number from 30 to 3650.');
  expect(admin.html).toContain('value="soon"');
  await press(admin, 'Show the first mail', { days: '200' });
  await press(admin, 'Ask from now on');
  expect(admin.text).toContain('Agencies are asked from now on.');
  expect(admin.text).toContain('nobody has confirmed a record for 200 days');
  await press(admin, 'Ask no more');
  expect(admin.text).toContain('Agencies are asked no more.');
});

test('whom to call has the number, what to say in three languages, and the same answers', async () => {
  await member.open(calls);
  expect(member.status).toBe(404);
  await reviewer.open(calls);
  expect(reviewer.text).toContain('Corner Pantry');
  expect(reviewer.html).toContain('href="tel:3055550199"');
  expect(reviewer.text).toContain('Hola, llamo de parte de');
  expect(reviewer.text).toContain('Bonjou, m ap rele pou');
  // What the agency of the kitchen is called ends with a stop already.
  expect(reviewer.text).toContain('Bay Kitchens, Inc. No email address is recorded.');
  // Whoever changes something comes back to the list, and says of the rest that it is right.
  await reviewer.follow('Something changed Old Kitchen');
  await reviewer.press('Save', { description: 'Soup.' });
  expect(reviewer.heading).toBe('Whom to call');
  expect(reviewer.text).toContain('If all the rest is right, press “Still right”');
  await pressOf(reviewer, 'right', 'Old Kitchen');
  expect(reviewer.text).toContain('It is confirmed by its agency.');
  const doc = await dash.system.documents.collection(resources.collection).get(ids['Old Kitchen'] ?? '');
  expect(doc && confirmedOf(doc)).toMatchObject({ by: 'agency' });
  expect(reviewer.html).not.toContain(`id="${ids['Old Kitchen'] ?? ''}"`);
  await pressOf(reviewer, 'not-reached', 'Silent Shelter');
  expect(reviewer.text).toContain('It is on the list again in seven days.');
  expect(reviewer.html).not.toContain(`id="${ids['Silent Shelter'] ?? ''}"`);
  await pressOf(reviewer, 'closed', 'Corner Pantry');
  expect(reviewer.text).toContain('It is taken out of the directory.');
  expect(reviewer.text).toContain('There is nobody to call here.');
});
