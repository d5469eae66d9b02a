import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { legacy } from '../harness.ts';

const path = '/dash/developers/widget';
let dash: Dashboard;
let person: Account;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  await dash.resources(3);
  person = await dash.account();
  await dash.member('harbour', person, 'admin');
  await dash.member('library', person, 'member');
  browser = await dash.signedIn(person);
});
afterAll(() => dash.stop());

/** Sends the form as it stands, with these fields. */
async function send(given: Readonly<Record<string, string>>): Promise<PlainBrowser> {
  await browser.open(path);
  const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Preview'));
  const values = new URLSearchParams([...(form?.fields ?? [])]);
  for (const [name, value] of Object.entries(given)) values.set(name, value);
  return browser.post(path, values);
}

const snippetIn = ({ html }: PlainBrowser): string =>
  /data-copy="(&#60;div[^"]*)"/
    .exec(html)?.[1]
    ?.replace(/&#(\d+);/g, (_, code: string) => String.fromCharCode(Number(code))) ?? '';
const keyIn = (snippet: string): string => /data-key="([^"]+)"/.exec(snippet)?.[1] ?? '';
const created = async () =>
  (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyCreated').map(({ data }) => data);
const statusFrom = async (key: string, origin: string) =>
  (await dash.server.inject({ url: legacy, headers: { 'x-api-key': key, origin } })).statusCode;
const frames = ({ html }: PlainBrowser): string[] =>
  [...html.matchAll(/<iframe[^>]*src="([^"]+)"/g)].map(([, src = '']) => src.replace(/&#38;/g, '&'));

describe('the widget generator', () => {
  test('makes a key that reads only, on its domains only, and the snippet with it', async () => {
    await send({
      domains: 'www.library.example\n*.branches.example',
      category: 'food',
      near: 'Miami, FL',
      limit: '5',
      theme: 'dark',
      language: 'es',
      target: 'help',
    });
    expect(browser.status).toBe(200);
    const snippet = snippetIn(browser);
    const key = keyIn(snippet);
    expect(snippet).toBe(
      `<div id="help" lang="es">
  <noscript><a href="${dash.origin}/">Buscar ayuda en el directorio</a></noscript>
</div>
<script src="${dash.origin}/resources-widget.js?lang=es" data-key="${key}" data-category="food" data-near="Miami, FL" data-limit="5" data-target="help" data-theme="dark" async></script>`,
    );
    expect(browser.text).toContain(
      `script-src ${dash.origin}/resources-widget.js; connect-src ${dash.origin}/api/resources;`,
    );
    expect((await created()).at(-1)).toMatchObject({
      kind: 'developer',
      scopes: ['resources:read'],
      domains: ['www.library.example', '*.branches.example'],
      label_sealed: expect.any(String) as unknown,
    });
    expect(await statusFrom(key, 'https://www.library.example')).toBe(200);
    expect(await statusFrom(key, 'https://library.example')).toBe(403);
    await browser.follow('Change its domains or revoke its key');
    expect(browser.heading).toBe('Widget on www.library.example');
  });

  test('says only what differs from the defaults', async () => {
    await send({ domains: 'www.library.example' });
    const snippet = snippetIn(browser);
    expect(snippet).toContain('<div id="service-resources">');
    expect(snippet).toContain(`resources-widget.js" data-key="${keyIn(snippet)}" async></script>`);
  });

  test('writes the team and the colours, with the script that knows colours', async () => {
    await send({ domains: 'a.example', team: 'harbour', accent: '#14583F', background: '#fed' });
    expect(snippetIn(browser)).toContain(
      `<script src="${dash.origin}/resources-widget.js?colours" data-key="${keyIn(snippetIn(browser))}" data-team="harbour" data-background="#fed" data-accent="#14583f" async></script>`,
    );
    await send({ domains: 'a.example', language: 'es', accent: '#123' });
    expect(snippetIn(browser)).toContain('/resources-widget.js?lang=es&#38;colours"');
    await send({ domains: 'a.example', team: '"><b>' });
    expect(snippetIn(browser)).not.toContain('data-team');
  });

  test('makes a key of a team where the person may change keys, and of no other', async () => {
    await browser.open(path);
    expect(browser.html).toContain('value="harbour"');
    expect(browser.html).not.toContain('value="library"');
    await send({ domains: 'harbour.example', owner: 'harbour' });
    expect((await created()).at(-1)).toMatchObject({ kind: 'team', team: 'harbour' });
    const before = (await created()).length;
    for (const owner of ['library', 'nobody', 'x y']) {
      await send({ domains: 'kept.example', owner });
      expect(browser.status).toBe(422);
      expect(browser.problem('owner')).toBe('Choose one of these.');
      expect(browser.html).toContain('kept.example');
    }
    expect(await created()).toHaveLength(before);
  });

  test.each([
    [{ domains: '' }, 'domains', 'Name at least one'],
    [{ domains: 'a_b!' }, 'domains', 'is no domain'],
    [{ domains: 'a.example', limit: '101' }, 'limit', 'from 1 to 100'],
    [{ domains: 'a.example', target: '"><script>' }, 'target', 'Begin with a letter'],
    [{ domains: 'a.example', accent: '"><script>' }, 'accent', 'such as #14583f'],
    [{ domains: 'a.example', background: 'red' }, 'background', 'such as #14583f'],
    [{ domains: 'a.example', text: '#12345' }, 'text', 'such as #14583f'],
  ])('makes nothing of bad input: %o', async (given, name, problem) => {
    const before = (await created()).length;
    await send(given);
    expect(browser.status).toBe(422);
    expect(browser.problem(name)).toContain(problem);
    expect(browser.html).not.toContain('"><script>');
    expect(await created()).toHaveLength(before);
  });

  test('makes one key of a form that is sent twice', async () => {
    await browser.open(path);
    const form = browser.forms().find(({ buttons }) => buttons.some(({ label }) => label === 'Preview'));
    const values = new URLSearchParams([...(form?.fields ?? [])]);
    values.set('domains', 'twice.example');
    const before = (await created()).length;
    await browser.post(path, values);
    const key = keyIn(snippetIn(browser));
    await browser.post(path, values);
    expect(browser.text).toContain('the snippet was made the first time');
    expect(browser.html).not.toContain(key);
    expect(await created()).toHaveLength(before + 1);
  });

  test('says where widgets are switched off', async () => {
    const off = await dash.another({ environment: { LEGACY_AFTER_SUNSET: 'gone' } });
    const cookie = [...browser.cookies].map(([name, value]) => `${name}=${value}`).join('; ');
    const { host } = new URL(dash.origin);
    const answer = await off.inject({ url: path, headers: { cookie, host } });
    expect(answer.body).toContain('has switched off the address that widgets read from');
    expect(browser.html).not.toContain('has switched off');
  });
});

describe('the preview', () => {
  test('is asked for without making a key, in both themes', async () => {
    const before = (await created()).length;
    await send({ do: 'preview', domains: '', category: 'food', language: 'es', limit: '3' });
    expect(browser.status).toBe(200);
    expect(await created()).toHaveLength(before);
    expect(browser.answer.get('content-security-policy')).toContain("frame-src 'self'");
    const shown = frames(browser);
    expect(shown.map((each) => new URL(each, dash.origin).search)).toEqual([
      '?category=food&limit=3&language=es',
    ]);
  });

  test('may be framed by our own pages alone, and reads what is public without a key or a cookie', async () => {
    await browser.open(path);
    const [frame = ''] = frames(browser);
    const page = await dash.server.inject({ url: frame });
    expect(page.statusCode).toBe(200);
    expect(page.headers['x-frame-options']).toBe('SAMEORIGIN');
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'self'");
    const base = frame.split('?')[0] ?? '';
    expect(page.body.split(`src="${base}/resources-widget.js"`)).toHaveLength(3);
    expect((await dash.server.inject({ url: `${base}/resources-widget.js` })).body).toContain('use strict');
    const list = await dash.server.inject({ url: `${base}/api/resources?limit=2` });
    expect(list.json<{ data: unknown[] }>().data).toHaveLength(2);
    const record = await dash.server.inject({ url: `${base}/r/an-id` });
    expect([record.statusCode, record.headers.location]).toEqual([303, `${dash.origin}/r/an-id`]);
  });

  test('is refused without what our page has put into its address, and after an hour', async () => {
    await browser.open(path);
    const base = frames(browser)[0]?.split('?')[0] ?? '';
    const late = await dash.another({ now: () => new Date(Date.now() + 3_700_000) });
    for (const beyond of ['', '/resources-widget.js', '/api/resources', '/', '/r/an-id']) {
      expect((await dash.server.inject({ url: `${path}/preview/made-up${beyond}` })).statusCode).toBe(404);
      expect(
        (await late.inject({ url: base + beyond, headers: { host: new URL(dash.origin).host } })).statusCode,
      ).toBe(404);
    }
  });
});
