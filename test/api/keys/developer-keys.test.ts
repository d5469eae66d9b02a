import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { legacy, v1 } from '../harness.ts';

const keys = '/dash/developers';
let dash: Dashboard;
let person: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.resources(3);
  person = await dash.account();
  browser = await dash.signedIn(person);
});
afterAll(() => dash.stop());

const shownKey = ({ text }: PlainBrowser): string => {
  const found = /api_pk_[0-9A-Za-z]{50}/.exec(text)?.[0];
  if (found === undefined) throw new Error(`No key is shown: ${text}`);
  return found;
};
const statusOf = async (key: string, path = v1, headers: Record<string, string> = {}) =>
  (await dash.server.inject({ url: path, headers: { authorization: `Bearer ${key}`, ...headers } }))
    .statusCode;
const idOf = (key: string): string => key.slice(7, 19);
const created = async () =>
  (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyCreated').length;

describe('developer keys', () => {
  test('are created, shown once, used, and revoked on the row', async () => {
    await browser.open(keys);
    expect(browser.text).toContain('You have no key yet.');
    await browser.press('Create', { label: 'Library <b>site</b>', domains: '' });
    expect(browser.status).toBe(200);
    expect(browser.answer.get('cache-control')).toBe('no-store');
    const key = shownKey(browser);
    expect(browser.url.search).toBe('');
    expect(browser.text).toContain('Library <b>site</b>');
    expect(await statusOf(key)).toBe(200);

    await browser.open(keys);
    expect(browser.text).not.toContain(key);
    expect(browser.text).toMatch(/active/);
    await browser.press('Revoke Library <b>site</b>');
    expect(browser.text).toContain('The key is revoked.');
    expect(await statusOf(key)).toBe(401);
    expect(browser.text).not.toContain('Revoke Library');
  });

  test('come with calls that work when they are pasted', async () => {
    await browser.open(keys);
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Create'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    values.set('domains', '*.library.example');
    values.append('scopes', 'resources:submit');
    await browser.post(keys, values);
    const calls = [...browser.html.matchAll(/data-copy="(curl [^"]+)"/g)].map(([, call = '']) =>
      call.replace(/&#39;/g, "'").replace(/&#34;/g, '"'),
    );
    expect(calls).toHaveLength(3);
    const answers = await Promise.all(calls.map(carriedOut));
    expect(answers).toEqual([200, 201, 200]);
    // The address is that of this server, and the old one needs the domain to be named.
    expect(calls.every((call) => call.includes(`'${dash.origin}/`))).toBe(true);
    expect(calls[2]).toContain("-H 'Origin: https://www.library.example'");
    expect(browser.text).toContain('It has been out of date since 20 October 2026.');
  });

  test('are used from their domains alone, which can be changed', async () => {
    await browser.open(keys);
    await browser.press('Create', { label: 'Widget', domains: 'one.example' });
    const key = shownKey(browser);
    const from = (host: string) => statusOf(key, v1, { origin: `https://${host}` });
    expect([await from('one.example'), await from('two.example')]).toEqual([200, 403]);

    await browser.open(`${keys}/${idOf(key)}`);
    const before = browser.hidden('was');
    await browser.press('Save', { domains: 'mailto:me@two.example' });
    expect(browser.status).toBe(422);
    expect(browser.problem('domains')).toContain('mailto:me@two.example is no domain.');
    expect(browser.html).toContain('mailto:me@two.example');
    await browser.press('Save', { domains: 'https://two.example/page' });
    expect(browser.text).toContain('The domains are saved.');
    expect([await from('one.example'), await from('two.example')]).toEqual([403, 200]);

    // Another window still shows the first domain.
    await browser.press('Save', { domains: 'three.example', was: before });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed this');
    expect(browser.text).toContain('two.example');
    expect(browser.html).toContain('three.example');
    expect([await from('two.example'), await from('three.example')]).toEqual([200, 403]);
  });

  test('are one when the form is sent twice, and the key is not shown again', async () => {
    await browser.open(keys);
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Create'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    const before = await created();
    await browser.post(keys, values);
    const key = shownKey(browser);
    await browser.post(keys, values);
    expect(browser.text).toContain('the key was made the first time');
    expect(browser.text).not.toContain(key);
    expect(await created()).toBe(before + 1);
  });

  test.each([
    [{ scopes: [] }, 'scopes', 'Choose at least one.'],
    [{ scopes: ['members:read'] }, 'scopes', 'This key cannot be given one of these.'],
    [{ label: 'x'.repeat(201) }, 'label', 'Use at most 200 characters'],
    [{ label: 'Harbour \u202Eswen' }, 'label', 'This contains invisible characters'],
    [{ domains: 'exa mple_org' }, 'domains', 'mple_org is no domain.'],
    [{ domains: 'a.example\n'.repeat(51) }, 'domains', 'at most 50'],
  ])('are not made of bad input: %o', async (given: Record<string, string | string[]>, name, problem) => {
    await browser.open(keys);
    const values = new URLSearchParams({
      token: browser.hidden('token'),
      label: 'Kept label',
      scopes: 'resources:read',
    });
    const token = browser
      .forms()
      .find(({ action }) => action === keys)
      ?.fields.find(([each]) => each === 'token')?.[1];
    values.set('token', token ?? '');
    for (const [each, value] of Object.entries(given)) {
      values.delete(each);
      for (const one of [value].flat()) values.append(each, one);
    }
    const before = await created();
    await browser.post(keys, values);
    expect(browser.status).toBe(422);
    expect(browser.problem(name)).toContain(problem);
    if (name !== 'label') expect(browser.html).toContain('value="Kept label"');
    expect(await created()).toBe(before);
  });

  test('of others cannot be seen, changed or revoked', async () => {
    await browser.open(keys);
    await browser.press('Create', { label: 'Mine' });
    const key = shownKey(browser);
    const stranger = await dash.signedIn(await dash.account());
    await stranger.open(keys);
    expect(stranger.text).toContain('You have no key yet.');
    const token = stranger.hidden('token');
    const at = `${keys}/${idOf(key)}`;
    expect((await stranger.open(at)).status).toBe(404);
    const tokenOfForm = stranger.hidden('token');
    expect((await stranger.post(at, { token: tokenOfForm, domains: 'x.example' })).status).toBe(404);
    expect((await stranger.post(`${at}/revoke`, { token })).status).toBe(404);
    expect(await statusOf(key)).toBe(200);
    expect((await dash.browser().open(at)).heading).toBe('Sign in');
  });

  test('show what they were used for, day by day, and who still calls the old address', async () => {
    await browser.open(keys);
    await browser.press('Create', { label: 'Old program' });
    const key = shownKey(browser);
    await statusOf(key);
    await statusOf(key, '/dash/api/v1/members');
    await browser.open(`${keys}/${idOf(key)}`);
    expect(browser.text).toContain('Requests per day');
    expect(browser.text).toContain('list or search recordsaccepted1');
    expect(browser.text).toContain('refused: scope1');
    expect(browser.text).not.toContain('called the old address');
    await dash.server.inject({ url: legacy, headers: { 'x-api-key': key } });
    await browser.open(`${keys}/${idOf(key)}`);
    expect(browser.text).toContain('called the old address once in the last 30 days.');
    await browser.open(keys);
    expect(browser.text).toMatch(/Old program\s+active\s+old address/);
  });

  test('are listed in pages, the newest first', async () => {
    const many = await dash.account();
    const other = await dash.signedIn(many);
    for (let index = 1; index <= 21; index++) {
      await other.open(keys);
      await other.press('Create', { label: `Key number ${index}.` });
    }
    await other.open(keys);
    expect(other.text).toContain('Key number 21.');
    expect(other.text).not.toContain('Key number 1.');
    await other.follow('Show more');
    expect(other.text).toContain('Key number 1.');
    expect(other.text).not.toContain('Key number 21.');
    await other.follow('Back to the first');
    expect(other.text).toContain('Key number 21.');
    await other.open(`${keys}?after=nonsense`);
    expect(other.status).toBe(200);
  });
});

test('where the old address is switched off, the page says so', async () => {
  const off = await startDashboard({ environment: { LEGACY_AFTER_SUNSET: 'gone' } });
  try {
    const there = await off.signedIn(await off.account());
    await there.open(keys);
    expect(there.text).toContain('this installation has switched it off');
  } finally {
    await off.stop();
  }
});

/** Carries out a curl command as a shell would read it, and answers the status. */
async function carriedOut(call: string): Promise<number> {
  const words = [...call.matchAll(/'([^']*)'|(\S+)/g)].map(([, quoted, plain = '']) => quoted ?? plain);
  const headers = new Headers();
  let body: string | undefined;
  let url = '';
  for (let at = 1; at < words.length; at++) {
    const word = words[at] ?? '';
    if (word === '-H') {
      const [name = '', value = ''] = (words[++at] ?? '').split(/: (.*)/s);
      headers.set(name, value);
    } else if (word === '-d') body = words[++at];
    else url = word;
  }
  const answer = await fetch(url, { headers, ...(body === undefined ? {} : { method: 'POST', body }) });
  await answer.body?.cancel();
  return answer.status;
}
