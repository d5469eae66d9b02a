import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { publishForm } from '../../../src/commands/forms.ts';
import { anyForm } from '../../support/any-form.ts';
import { anAddress, startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context } from '../harness.ts';

const settings = '/dash/t/harbour/team/settings';

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('quay', ['team:manage', 'members:read']);
  admin = await dash.account({ profile: { name: 'Ada Admin' } });
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

async function form(team: string): Promise<void> {
  await publishForm(dash.system.store, { team, slug: 'help' }, anyForm(), context());
  await dash.caughtUp();
}

const names = async () =>
  (await dash.events('team-harbour'))
    .filter(({ type }) => type === 'TeamRenamed')
    .map(({ data }) => data['name']);

describe('a team', () => {
  test('that is renamed is called so everywhere, at the addresses that it had', async () => {
    await dash.site();
    await form('harbour');
    await browser.open(settings);
    expect(browser.heading).toBe('Settings');
    await browser.press('Save the name', { name: 'Harbour & House' });
    expect(browser.text).toContain('The team has its new name.');
    expect(browser.url.pathname).toBe(settings);
    expect(await names()).toEqual(['Harbour & House']);

    const pages = ['/dash/t/harbour', '/dash/t/harbour/team', '/dash/me/teams', '/f/harbour/help'];
    for (const page of pages) {
      await browser.open(page);
      expect(browser.text, page).toContain('Harbour & House');
    }
    await browser.open('/dash/t/harbour/audit');
    expect(browser.text).toContain('Ada Admin renamed the team harbour to Harbour & House');
    const email = anAddress();
    await dash.invited('harbour', email, 'member');
    expect((await dash.mails(email)).at(-1)?.text).toContain('Harbour & House');
    const administrator = await dash.signedIn(await dash.account({ role: 'administrator' }));
    await administrator.open('/dash/teams');
    expect(administrator.text).toContain('Harbour & House');
    await administrator.open('/dash/teams/t/harbour');
    await administrator.follow('Name, and what it uses');
    expect(administrator.url.pathname).toBe(settings);
  });

  test('that two rename at once has the first name, and the second person is told', async () => {
    const other = await dash.signedIn(admin);
    await other.open(settings);
    await browser.open(settings);
    await browser.press('Save the name', { name: 'First House' });
    await other.press('Save the name', { name: 'Second House' });
    expect(other.status).toBe(409);
    expect(other.text).toContain(
      'Somebody else has renamed the team meanwhile: it is called First House now.',
    );
    expect((await names()).at(-1)).toBe('First House');
    // What was typed stands there, and is sent again by who has read it.
    await other.press('Save the name');
    expect((await names()).at(-1)).toBe('Second House');
  });

  test.each([
    ['nothing', ' '],
    ['more than 100 characters', 'x'.repeat(101)],
    ['letters that look alike', 'Hаrbour'],
    ['an invisible character', 'Har\u200bbour'],
  ])('is not called %s', async (_, name) => {
    const before = await names();
    await browser.open(settings);
    await browser.press('Save the name', { name });
    expect(browser.status).toBe(422);
    expect(browser.problem('name')).toBeDefined();
    expect(await names()).toEqual(before);
  });

  test('is renamed by its admins alone', async () => {
    const reviewer = await dash.account();
    await dash.member('harbour', reviewer, 'reviewer');
    const theirs = await dash.signedIn(reviewer);
    expect((await theirs.open(settings)).status).toBe(404);
    await theirs.open('/dash/me');
    const before = await names();
    const sent = await theirs.post(settings, {
      token: theirs.hidden('token'),
      team: 'harbour',
      name: 'Mine',
    });
    expect(sent.status).toBe(404);
    expect(await names()).toEqual(before);
  });
});

describe('what a team uses', () => {
  test('is counted and linked, and a key with team:manage reads the same', async () => {
    const person = await dash.account();
    await dash.member('quay', person, 'admin');
    await dash.resources(2, { team: 'quay' });
    await dash.submission('quay');
    await dash.invited('quay', anAddress(), 'member');
    await dash.site({ team: 'quay' });
    await form('quay');
    const key = await dash.key({ kind: 'team', team: 'quay', scopes: ['team:manage'] });
    const ended = await dash.key({ kind: 'team', team: 'quay', scopes: ['members:read'] });
    await dash.revoke(ended.keyId);
    const theirs = await dash.signedIn(person);
    await theirs.open('/dash/t/quay/team/settings');
    for (const text of [
      'Members 1 member · 1 invitation waits',
      'Records 2 public · 1 waiting',
      'Forms 1 open · 0 answers kept',
      'API keys 1 that works',
      'Webhooks 0 webhooks',
      'Sign-in sites 1 site',
    ])
      expect(theirs.text).toContain(text);
    for (const to of ['/resources?status=approved', '/resources/review', '/team/forms', '/sites/oauth'])
      expect(theirs.html).toContain(`href="/dash/t/quay${to}"`);

    const url = '/dash/api/v1/team';
    const read = await dash.server.inject({ url, headers: key.bearer });
    expect(read.json()).toMatchObject({
      slug: 'quay',
      name: 'quay',
      key_scopes: ['team:manage', 'members:read'],
      uses: { members: 1, public_records: 2, waiting_records: 1, keys: 1, sites: 1, open_forms: 1 },
    });
    const change = (body: object, headers = key.bearer) =>
      dash.server.inject({ method: 'PATCH', url, headers, payload: body });
    const renamed = await change({ name: 'Quay House' });
    expect(renamed.json()).toEqual({ slug: 'quay', name: 'Quay House' });
    expect((await dash.server.inject({ url, headers: key.bearer })).json()).toMatchObject({
      name: 'Quay House',
    });
    expect((await change({ name: '' })).statusCode).toBe(422);
    const reader = await dash.key({ kind: 'team', team: 'quay', scopes: ['members:read'] });
    const refused = await change({ name: 'Mine' }, reader.bearer);
    expect(refused.json()).toMatchObject({ error: 'insufficient_scope', scope: 'team:manage' });
  });
});
