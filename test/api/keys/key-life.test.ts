import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { mailExpiringKeys } from '../../../src/actions/accounts/key-expiry-mails.ts';
import { execute } from '../../../src/commands/command-handler.ts';
import { apiKey, type ApiKeyCommand } from '../../../src/commands/keys.ts';
import { labelToStore } from '../../../src/commands/keys-label.ts';
import { keptRequests, lastRequestsOf } from '../../../src/audit/key-requests.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { context, legacy, v1 } from '../harness.ts';

const keys = '/dash/integrations/api-tokens';
const dayMs = 86_400_000;
let at = Date.now();
const day = (days: number): string => new Date(at + days * dayMs).toISOString().slice(0, 10);

let dash: Dashboard;
let admin: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard({ now: () => new Date(at) });
  await dash.resources(1);
  admin = await dash.account({ profile: { name: 'Ada Admin' } });
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const shownKey = ({ text }: PlainBrowser): string => /api_[pt]k_[0-9A-Za-z]{50}/.exec(text)?.[0] ?? '';
const idOf = (key: string): string => key.slice(7, 19);
const pageOf = (key: string) => `${keys}/${idOf(key)}?team=harbour`;
const answer = (key: string, url = v1) =>
  dash.server.inject({ url, headers: { authorization: `Bearer ${key}`, 'x-api-key': key } });
const statusOf = async (key: string, url = v1) => (await answer(key, url)).statusCode;

async function create(values: Record<string, string>): Promise<string> {
  await browser.open(`${keys}?team=harbour`);
  await browser.press('Create', values);
  return shownKey(browser);
}

describe('a key with an end', () => {
  test('is refused as a revoked one is when its time has come, also where it is cached', async () => {
    const key = await create({ label: 'Until later', expires: day(3) });
    await browser.open(`${keys}?team=harbour`);
    expect(browser.text).toMatch(/Until later[\s\S]*active[\s\S]*until/);
    expect([await statusOf(key), await statusOf(key, legacy)]).toEqual([200, 200]);
    const revokedKey = await create({ label: 'Revoked' });
    await browser.open(pageOf(revokedKey));
    await browser.press('Revoke Revoked');
    const before = at;
    // Nothing is written meanwhile: what the server has cached of the key is as it was.
    at = Date.parse(`${day(3)}T23:59:59.999Z`) - 1;
    expect(await statusOf(key)).toBe(200);
    at += 1;
    const [refused, revoked] = [await answer(key), await answer(revokedKey)];
    expect(refused.statusCode).toBe(401);
    expect(refused.json()).toEqual(revoked.json());
    expect((await answer(key, legacy)).json()).toEqual({ error: 'Invalid or inactive API key' });

    browser = await dash.signedIn(admin);
    await browser.open(pageOf(key));
    expect(browser.text).toContain('This key has expired.');
    expect(browser.text).toContain('refused: expired');
    expect(browser.forms().flatMap(({ buttons }) => buttons.map(({ label }) => label))).not.toContain('Save');
    at = before;
    browser = await dash.signedIn(admin);
  });

  test.each([
    ['a day that is over', () => day(-1)],
    ['a day in 1,000 years', () => '3026-01-01'],
    ['a day that there is not', () => '2027-02-30'],
    ['no day at all', () => '<script>alert(1)</script>'],
  ])('is not made with %s', async (_, typed) => {
    const made = async () =>
      (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyCreated').length;
    const before = await made();
    await create({ label: 'Never', expires: typed() });
    expect(browser.status).toBe(422);
    expect(browser.problem('expires')).toBe('Choose a day from today on, within the next 10 years.');
    expect(browser.html).not.toContain('<script>alert');
    expect(await made()).toBe(before);
  });
});

test('a key that has expired is no working key of its maker', async () => {
  const before = at;
  const maker = await dash.account({ profile: { name: 'Mia Maker' } });
  await dash.team('quay');
  for (const each of [admin, maker]) await dash.member('quay', each, 'admin');
  const own = await dash.signedIn(maker);
  await own.open(`${keys}?team=quay`);
  await own.press('Create', { label: 'Of one day', expires: day(1) });
  const member = `/dash/team/members/${maker.user}?team=quay`;
  await browser.open(member);
  expect(browser.text).toContain('Of one day');
  await own.open('/dash/me/erase');
  expect(own.text).toContain('Of one day');

  at += 2 * dayMs;
  browser = await dash.signedIn(admin);
  await browser.open(member);
  expect(browser.text).toContain('This person has no working key of the team.');
  const later = await dash.signedIn(maker);
  await later.open('/dash/me/erase');
  expect(later.text).toContain('Erase');
  expect(later.text).not.toContain('Of one day');
  at = before;
  browser = await dash.signedIn(admin);
});

test('the last requests of a key are on its page, without what they named', async () => {
  const key = await create({ label: 'Looked into' });
  await answer(key, `${v1}?q=secretword`);
  await answer(key, `${v1}?limit=abc`);
  await answer(key, `${v1}/r_0000000000000000`);
  await answer(key, '/dash/api/v1/members');
  await answer(key, legacy);
  await browser.open(pageOf(key));
  const shown = browser.text.slice(browser.text.indexOf('The last requests'));
  for (const row of [
    `GET ${v1}200`,
    `GET ${v1}400invalid_parameter`,
    `GET ${v1}/:svc_id404not_found`,
    'GET /dash/api/v1/members403refused: scope',
    `GET ${legacy}200`,
  ])
    expect(shown).toContain(row);
  expect(shown).not.toMatch(/secretword|r_0000|127\.0\.0\.1/);
  await browser.press('Revoke Looked into');
  await answer(key);
  // Another process reads them from the store.
  for (let times = 0; times < 120; times++) await answer(key);
  await browser.open(pageOf(key));
  const requests = await lastRequestsOf(dash.system.side, idOf(key));
  expect(requests).toHaveLength(keptRequests);
  expect(requests[0]).toMatchObject({ method: 'GET', route: v1, status: 401, reason: 'revoked' });
});

describe('a key that ends within seven days', () => {
  const mails = async () => {
    await mailExpiringKeys(dash.system, { base: dash.origin }, new Date(at));
    const { side, masterKey } = dash.system;
    const all = await new Outbox({ side, masterKey }, () => new Date(at)).waiting();
    return all.filter(({ subject }) => subject === 'An API key expires soon');
  };

  test('is told to the admins by mail, once, and stands on Home until it is rolled', async () => {
    const before = at;
    const key = await create({ label: 'Ends in May', expires: day(20) });
    await create({ label: 'Known to end soon', expires: day(3) });
    expect(await mails()).toEqual([]);
    at = Date.parse(`${day(20)}T23:59:59.999Z`) - 7 * dayMs;
    const [mail, ...others] = await mails();
    expect(others).toEqual([]);
    expect(mail).toMatchObject({ to: admin.email });
    expect(mail?.text).toContain('the API key “Ends in May” of harbour expires on');
    expect(mail?.text).toContain(`${dash.origin}/dash/t/harbour/integrations/api-tokens/${idOf(key)}`);
    at += dayMs;
    expect(await mails()).toHaveLength(1);
    // Where it was sent, too.
    const { side, masterKey } = dash.system;
    if (mail) await new Outbox({ side, masterKey }).remove(mail);
    expect(await mails()).toEqual([]);

    browser = await dash.signedIn(admin);
    await browser.open('/dash?team=harbour');
    expect(browser.text).toContain('1 API key expires within seven days.');
    await browser.follow('Roll or let it end: 1 API key expires within seven days.');
    await browser.press('Make the new key Ends in May');
    expect(shownKey(browser)).not.toBe('');
    await browser.open('/dash?team=harbour');
    expect(browser.text).not.toContain('within seven days');
    at = before;
    browser = await dash.signedIn(admin);
  });

  test('of a person is told to that person alone', async () => {
    const person = await dash.account();
    const own = await dash.signedIn(person);
    await own.open('/dash/developers');
    await own.press('Create', { label: 'Mine', expires: day(5) });
    await own.open('/dash');
    expect(own.text).toContain('1 API key expires within seven days.');
    await browser.open('/dash');
    expect(browser.text).not.toContain('Mine');
  });
});

describe('a key that is rolled', () => {
  test('works beside the new one until it is ended by a press', async () => {
    const hostile = '"><img src=x onerror=alert(1)>';
    const old = await create({ label: hostile, domains: 'https://Library.example/find?q=food' });
    const formShown = async () => {
      await browser.open(pageOf(old));
      return browser
        .forms()
        .find(({ buttons }) => buttons.some(({ label }) => label.startsWith('Make the new key')));
    };
    const [ofOtherWindow, form] = [await formShown(), await formShown()];
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    const path = `${keys}/${idOf(old)}/roll`;
    await browser.post(`${path}?team=harbour`, values);
    const next = shownKey(browser);
    expect(browser.text).toContain('The new key is created. The old one works until you revoke it');
    expect(browser.html).not.toContain('<img src=x');
    expect(next).not.toBe('');
    expect(next).not.toBe(old);
    expect([await statusOf(old), await statusOf(next)]).toEqual([200, 200]);

    await browser.open(pageOf(next));
    expect(browser.text).toContain(hostile);
    expect(browser.text).toContain(`In the place of ${idOf(old)}`);
    expect(browser.text).toContain('library.example');

    // The same form again is one command; a second one, of another window, is refused.
    await browser.post(`${path}?team=harbour`, values);
    expect(browser.text).toContain('the key was made the first time');
    expect(await formShown()).toBeUndefined();
    expect(browser.text).toContain(`This key was rolled: the new one is ${idOf(next)}`);
    await browser.post(`${path}?team=harbour`, new URLSearchParams([...(ofOtherWindow?.fields ?? [])]));
    expect(browser.status).toBe(409);
    expect(browser.text).toContain(`This key was rolled before: ${idOf(next)} has its place.`);

    await browser.open(pageOf(old));
    await browser.press(`Revoke ${hostile}`);
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 200]);
  });

  test('ends at the time that was chosen, and may be rolled again when the new one is gone', async () => {
    const old = await create({ label: 'Weekly' });
    await browser.open(pageOf(old));
    await browser.press('Make the new key Weekly', { old: 'week', expires: day(30) });
    const lost = shownKey(browser);
    await browser.open(pageOf(lost));
    await browser.press('Revoke Weekly');
    await browser.open(pageOf(old));
    await browser.press('Make the new key Weekly', { old: 'day' });
    const next = shownKey(browser);
    expect(next).not.toBe('');
    const before = at;
    at += dayMs;
    expect([await statusOf(old), await statusOf(next)]).toEqual([401, 200]);
    at = before;
  });

  test('keeps a label that is older than the rule for labels', async () => {
    const { store, personal } = dash.system;
    const actor = { kind: 'user', id: admin.user } as const;
    const label = 'Backup \u202e office';
    const id = 'OldLabel0001';
    const command: ApiKeyCommand = {
      kind: 'create',
      data: {
        ...{ key_id: id, kind: 'team', team: 'harbour', scopes: ['resources:read'], domains: [] },
        ...(await labelToStore(personal, actor, label)),
        secret_sha256: '0'.repeat(64),
      },
    };
    await execute(store, apiKey, id, command, { ...context(), actor });
    await dash.caughtUp();
    await browser.open(`${keys}/${id}?team=harbour`);
    await browser.press(`Make the new key ${label}`);
    expect(browser.text).toContain('The new key is created.');
    expect(await statusOf(shownKey(browser))).toBe(200);
    // A new key is not called so.
    await create({ label });
    expect(browser.status).toBe(422);
  });

  test('is one of the own team', async () => {
    const key = await create({ label: 'Ours' });
    await dash.team('library');
    await dash.member('library', admin, 'admin');
    await browser.open(pageOf(key));
    const token = browser.hidden('token');
    const through = await browser.post(`${keys}/${idOf(key)}/roll?team=library`, { token, team: 'library' });
    expect(through.status).toBe(404);
    expect((await browser.post(`/dash/developers/${idOf(key)}/roll`, { token })).status).toBe(404);
    const stranger = await dash.signedIn(await dash.account());
    await stranger.open('/dash/me');
    const own = stranger.hidden('token');
    for (const path of [`${keys}/${idOf(key)}/roll?team=harbour`, `/dash/developers/${idOf(key)}/roll`])
      expect((await stranger.post(path, { token: own })).status, path).toBe(404);
    expect(
      (await dash.events('api-key-')).some(
        ({ type, data }) => type === 'ApiKeyCreated' && data['replaces'] === idOf(key),
      ),
    ).toBe(false);
  });
});
