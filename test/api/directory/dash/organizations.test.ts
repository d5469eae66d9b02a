import { afterAll, beforeAll, expect, test } from 'vitest';
import { importOrganization } from '../../../../src/commands/directory/organization.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context } from '../../harness.ts';

const team = 'harbour';
let dash: Dashboard;
let browser: PlainBrowser;
let other: PlainBrowser;

beforeAll(async () => {
  dash = await startDashboard();
  const [reviewer, colleague] = [
    await dash.account({ profile: { name: 'Ada Keeper' } }),
    await dash.account({ profile: { name: 'Ben Door' } }),
  ];
  await dash.member(team, reviewer, 'reviewer');
  await dash.member(team, colleague, 'reviewer');
  [browser, other] = [await dash.signedIn(reviewer), await dash.signedIn(colleague)];
});
afterAll(() => dash.stop());

const base = '/dash/resources/organizations';
const at = (path: string, also = '') => `${base}${path}?team=${team}${also}`;
const values = (from: PlainBrowser, button: string): URLSearchParams =>
  new URLSearchParams([
    ...(from.forms().find(({ buttons }) => buttons.some(({ label }) => label === button))?.fields ?? []),
  ]);

/** Adds an organization by its form. */
async function added(fields: Readonly<Record<string, string>>): Promise<string> {
  await browser.open(at('/new'));
  const typed = values(browser, 'Submit');
  for (const [name, value] of Object.entries(fields)) typed.set(name, value);
  await browser.post(`${base}/new`, typed);
  return browser.url.pathname.split('/').at(-1) ?? '';
}

/** Presses the button of a decision, such as `Approve Harbor Pantries`. */
async function decided(orgId: string, button: string, words?: string): Promise<void> {
  await browser.open(at(`/${orgId}`));
  await browser.press(button, words === undefined ? {} : { words });
}

test('an organization is added, approved, changed and taken out, and its history says by whom', async () => {
  const id = await added({
    name: 'Harbor Pantries',
    phones: '305-555-0100 ext. 7',
    year_incorporated: '1981',
  });
  expect(browser.heading).toBe('Harbor Pantries');
  expect(browser.text).toContain('It is added, and waits for a reviewer.');
  await browser.open(`/dash/resources/review?team=${team}&show=organizations`);
  expect(browser.text).toContain('Organizations (1)');
  await browser.follow('Harbor Pantries');
  await decided(id, 'Approve Harbor Pantries');
  expect(browser.text).toContain('It is approved, and everybody can see it.');

  await browser.open(at(`/${id}/edit`));
  const typed = values(browser, 'Save');
  expect(typed.get('phones')).toBe('305-555-0100 ext. 7');
  typed.set('description', 'Food\r\nfor all.');
  typed.set('phones', '');
  await browser.post(`${base}/${id}/edit`, typed);
  expect(browser.text).toContain('Your change is saved.');
  expect(browser.text).toContain('Ada Keeper');
  const events = await dash.events(`organization-${id}`);
  expect(events.map(({ type }) => type)).toEqual([
    'OrganizationSubmitted',
    'OrganizationApproved',
    'OrganizationRevised',
  ]);
  expect(events.at(-1)?.data['fields']).toEqual({
    name: 'Harbor Pantries',
    description: 'Food\nfor all.',
    year_incorporated: 1981,
  });
  await browser.open(`/o/${id}`);
  expect(browser.text).toContain('for all.');

  await decided(id, 'Take out of the directory Harbor Pantries');
  expect(browser.text).toContain('Its page says that it is gone.');
  await browser.open(`/o/${id}`);
  expect(browser.status).toBe(410);
  await decided(id, 'Put back into the directory Harbor Pantries');
  expect(browser.text).toContain('It is back');
});

test('what is wrong is said beside the field, and a rejection needs a reason', async () => {
  await added({ url: 'harbor.example', year_incorporated: 'long ago', phones: 'call us' });
  expect(browser.status).toBe(422);
  expect(browser.problem('name')).toBeDefined();
  expect(browser.problem('url')).toBeDefined();
  expect(browser.problem('year_incorporated')).toBe('It must be a year such as 1987.');
  expect(browser.problem('phones')).toContain('“call us” is not a phone number.');
  const id = await added({ name: 'Twice Named' });
  await decided(id, 'Reject Twice Named', '');
  expect(browser.problem('words')).toBeDefined();
  await decided(id, 'Reject Twice Named', 'It is there already.');
  expect(browser.text).toContain('It is rejected.');
});

test('two who change one organization lose nothing of each other', async () => {
  const id = await added({ name: 'Two Editors' });
  for (const each of [browser, other]) await each.open(at(`/${id}/edit`));
  const [mine, theirs] = [values(browser, 'Save'), values(other, 'Save')];
  theirs.set('legal_status', 'nonprofit');
  await other.post(`${base}/${id}/edit`, theirs);
  mine.set('alternate_name', 'Both');
  await browser.post(`${base}/${id}/edit`, mine);
  expect(browser.text).toContain('Somebody else has changed this since you opened it.');
  const again = values(browser, 'Save');
  expect([again.get('legal_status'), again.get('alternate_name')]).toEqual(['nonprofit', 'Both']);
  await browser.post(`${base}/${id}/edit`, again);
  expect(browser.text).toContain('Your change is saved.');
});

test('a list finds them by words and status, with the number of their public services', async () => {
  const id = await added({ name: 'Élan Shelters' });
  const organization = { id, name: 'Élan Shelters' };
  await dash.resources(2, { team, fields: (index) => ({ name: `Bed ${index}`, organization }) });
  await browser.open(at('', '&q=elan'));
  expect(browser.text).toContain('Élan Shelters');
  expect(browser.text).not.toContain('Two Editors');
  expect(browser.html).toMatch(/Élan Shelters<\/a>[\s\S]*?data-label="Public services"><div>2<\/div>/);
  await browser.open(at('', '&q=elan&status=rejected'));
  expect(browser.text).toContain('No organization was found.');
  await browser.open(at(`/${id}`));
  await browser.follow('Bed 0');
  await browser.follow('Élan Shelters');
  expect(browser.heading).toBe('Élan Shelters');
});

test('a record names an organization of the team by what is typed, and a new one by its name alone', async () => {
  const id = await added({ name: 'Quay Trust', url: 'https://quay.example/' });
  await browser.open(`/dash/resources/new?team=${team}`);
  expect(browser.html).toContain('<option value="Quay Trust">');
  const typed = values(browser, 'Submit');
  typed.set('name', 'Quay Meals');
  typed.set('category', 'food');
  typed.set('organization', 'quay trust');
  await browser.post('/dash/resources/new', typed);
  const svcId = browser.url.pathname.split('/').at(-1) ?? '';
  const organizationOf = async () =>
    (await dash.events(`resource-${svcId}`)).at(-1)?.data['fields'] as { readonly organization?: unknown };
  expect((await organizationOf()).organization).toEqual({
    id,
    name: 'Quay Trust',
    url: 'https://quay.example/',
  });
  await browser.open(`/dash/resources/review?team=${team}`);
  expect(browser.text).toContain('Quay Trust waits for a decision too. Approving this record approves both.');
  await browser.open(`/dash/resources/${svcId}/edit?team=${team}`);
  const edited = values(browser, 'Save');
  edited.set('organization', 'Somebody Else');
  await browser.post(`/dash/resources/${svcId}/edit`, edited);
  expect((await organizationOf()).organization).toEqual({ name: 'Somebody Else' });
});

test('members see organizations and change none, and other teams see none', async () => {
  const source = { system: 'miami', id: '7' };
  const { org_id } = await importOrganization(
    dash.system,
    { team, source, fields: { name: 'Imported Trust' }, approve: true },
    context(),
  );
  const [member, stranger] = [await dash.account(), await dash.account()];
  await dash.member(team, member, 'member');
  const person = await dash.signedIn(member);
  await person.open(at(`/${org_id}`));
  expect(person.text).toContain('Imported Trust');
  expect(person.text).not.toContain('Take out of the directory');
  await person.open(at(`/${org_id}/edit`));
  expect(person.status).toBe(404);
  const outside = await dash.signedIn(stranger);
  await outside.open(at(`/${org_id}`));
  expect(outside.status).toBe(404);
});

test('a name in capitals is edited as the pages show it, and stays as it is stored when it is left alone', async () => {
  const id = await added({ name: 'HARBOR LEGAL AID' });
  await browser.open(at(`/${id}/edit`));
  const typed = values(browser, 'Save');
  expect(typed.get('name')).toBe('Harbor Legal Aid');
  typed.set('description', 'Advice');
  await browser.post(`${base}/${id}/edit`, typed);
  const fields = (await dash.events(`organization-${id}`)).at(-1)?.data['fields'];
  expect(fields).toEqual({ name: 'HARBOR LEGAL AID', description: 'Advice' });
});
