import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { v1 } from '../harness.ts';

const keys = '/dash/integrations/api-tokens';
const ofHarbour = `${keys}?team=harbour`;
let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library', ['members:read']);
  admin = await dash.account({ profile: { name: 'Ada Admin' } });
  await dash.member('harbour', admin, 'admin');
  await dash.member('library', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const shownKey = ({ text }: PlainBrowser): string => {
  const found = /api_tk_[0-9A-Za-z]{50}/.exec(text)?.[0];
  if (found === undefined) throw new Error(`No key is shown: ${text}`);
  return found;
};
const idOf = (key: string): string => key.slice(7, 19);
const statusOf = async (key: string, path: string) =>
  (await dash.server.inject({ url: path, headers: { authorization: `Bearer ${key}` } })).statusCode;

/** Sends the form for a new key as it stands, with these scopes. */
async function create(team: string, scopes: readonly string[], label = 'A program'): Promise<PlainBrowser> {
  await browser.open(`${keys}?team=${team}`);
  const form = browser.forms().find(({ buttons }) => buttons.some((each) => each.label === 'Create'));
  const values = new URLSearchParams([...(form?.fields ?? [])]);
  values.delete('scopes');
  for (const scope of scopes) values.append('scopes', scope);
  values.set('label', label);
  return browser.post(keys, values);
}

describe('keys of a team', () => {
  test('hold what is enabled for the team, and say who made them', async () => {
    await browser.open(`${keys}?team=library`);
    expect(browser.text).toContain('members:read');
    expect(browser.text).not.toContain('webhooks:read');
    await create('library', ['resources:read', 'members:read'], 'Desk');
    const key = shownKey(browser);
    expect(browser.text).toContain('The key is created. See what was recorded');
    expect(await statusOf(key, v1)).toBe(200);
    expect(await statusOf(key, '/dash/api/v1/members')).toBe(200);
    await browser.open(`${keys}?team=library`);
    expect(browser.text).toContain('Ada Admin');

    await browser.follow('Desk');
    expect(browser.text).toContain('list or search recordsaccepted1');
    await browser.press('Revoke Desk', { reason: 'Found in a public folder' });
    expect(browser.text).toContain('The key is revoked.');
    expect(browser.text).toContain('This key is revoked.');
    expect(await statusOf(key, v1)).toBe(401);
    const revoked = (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyRevoked');
    expect(revoked.at(-1)?.data).toEqual({ reason: 'Found in a public folder' });
  });

  test('hold nothing that is not enabled', async () => {
    await create('harbour', ['resources:read', 'members:read']);
    expect(browser.status).toBe(422);
    expect(browser.problem('scopes')).toContain('cannot be given');
  });

  test('that an operator made say so', async () => {
    await dash.key({
      kind: 'team',
      team: 'harbour',
      label: 'From the command line',
      scopes: ['resources:read'],
    });
    await browser.open(ofHarbour);
    expect(browser.text).toMatch(/From the command line[\s\S]*an operator/);
  });

  test('who reads what a key was used for is recorded', async () => {
    await create('harbour', ['resources:read'], 'Read about');
    const key = shownKey(browser);
    await browser.open(`${keys}/${idOf(key)}?team=harbour`);
    const queried = (await dash.events('audit')).filter(({ type }) => type === 'AuditQueried');
    expect(queried.at(-1)?.data).toMatchObject({ question: 'key-usage', filter: { key: idOf(key) } });
  });

  test('are for members who may change keys, and for each team its own', async () => {
    await create('library', ['resources:read'], 'Of the library');
    const key = shownKey(browser);
    const [member, stranger] = [await dash.account(), await dash.account()];
    await dash.member('library', member, 'member');
    for (const other of [member, stranger]) {
      const person = await dash.signedIn(other);
      await person.open('/dash/me');
      const token = person.hidden('token');
      expect((await person.open(`${keys}?team=library`)).status).toBe(404);
      expect((await person.open(`${keys}/${idOf(key)}?team=library`)).status).toBe(404);
      expect((await person.post(keys, { token, team: 'library', scopes: 'resources:read' })).status).toBe(
        404,
      );
      expect((await person.post(`${keys}/${idOf(key)}/revoke`, { token, team: 'library' })).status).toBe(404);
    }
    // Through another team of the same admin.
    expect((await browser.open(`${keys}/${idOf(key)}?team=harbour`)).status).toBe(404);
    await browser.open(ofHarbour);
    const token = browser.hidden('token');
    expect((await browser.post(`${keys}/${idOf(key)}/revoke`, { token, team: 'harbour' })).status).toBe(404);
    // Nor is it a developer key of the person who made it.
    expect((await browser.open(`/dash/developers/${idOf(key)}`)).status).toBe(404);
    await browser.open('/dash/developers');
    expect(browser.text).not.toContain('Of the library');
    expect(await statusOf(key, v1)).toBe(200);
  });

  test('with a hostile name stay one row', async () => {
    const hostile = `<script>alert(1)</script>${'w'.repeat(150)}`;
    await create('harbour', ['resources:read'], hostile);
    expect(browser.status).toBe(200);
    expect(browser.text).toContain(hostile);
    expect(browser.html).not.toContain('<script>alert');
  });
});
