import { readdirSync, readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { filledIn, guideFrom, guideOf, guidesFolder } from '../../src/api/guides-markdown.ts';
import { searchGuides } from '../../src/api/guides-search.ts';
import { recipes } from '../../src/api/oauth/dash/site-recipes.ts';
import { placesInGuides } from '../../src/api/operations/warnings.ts';
import { guideFor, guideNames, guides, guidesByReader, paths } from '../../src/api/pages/paths.ts';
import { password, startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import type { PlainBrowser } from './accounts/plain-browser.ts';
import { v1 } from './harness.ts';

let dash: Dashboard;
let person: Account;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.resources(2);
  person = await dash.account();
});
afterAll(() => dash.stop());

const keyIn = ({ text }: PlainBrowser): string => /api_pk_[0-9A-Za-z]{50}/.exec(text)?.[0] ?? '';
const statusOf = async (key: string) =>
  (await dash.server.inject({ url: v1, headers: { authorization: `Bearer ${key}` } })).statusCode;

describe('the guides', () => {
  test('are the files of docs/, each listed once by its reader', () => {
    const files = readdirSync(guidesFolder)
      .filter((file) => file.endsWith('.md'))
      .map((file) => file.replace('.md', ''));
    // A new guide is listed in src/api/pages/paths.ts.
    expect([...guideNames].sort()).toEqual(files.sort());
  });

  test('are pages that /docs leads to by reader, and each says where its parts are', async () => {
    const browser = await dash.browser().open('/docs');
    for (const reader of Object.keys(guidesByReader)) expect(browser.text).toContain(reader);
    for (const name of guideNames) {
      expect(browser.html, name).toContain(`href="/docs/${name}"`);
      const { title, sections } = guideOf(name);
      const { statusCode, body, headers } = await dash.server.inject(guides[name]);
      expect([statusCode, headers['content-type']], name).toEqual([200, 'text/html; charset=utf-8']);
      expect(title.length, name).toBeGreaterThan(2);
      const ids = [...body.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id);
      expect(new Set(ids).size, `${name} has an id twice`).toBe(ids.length);
      for (const { id } of sections.filter((each) => each.id !== '')) expect(ids, name).toContain(id);
      for (const [, file = ''] of body.matchAll(/src="(\/docs\/images\/[^"]+)"/g))
        expect((await dash.server.inject(file)).headers['content-type'], file).toMatch(/^image\//);
    }
  });

  test('name addresses of ours that there are, and lead there', async () => {
    const cookies = Object.fromEntries((await dash.signedIn(person)).cookies);
    const named = new Set<string>();
    for (const name of guideNames)
      for (const [, path = ''] of guideOf(name).content.text.matchAll(/href="(\/(?:dash|docs)[^"#]*)/g))
        named.add(path);
    expect(named.size).toBeGreaterThan(20);
    for (const url of named) {
      const { statusCode, body } = await dash.server.inject({ url, cookies });
      expect(statusCode === 404 && !body.includes('Not for your role'), url).toBe(false);
    }
  });

  test.each([
    '/docs/nothing',
    '/docs/',
    '/docs/events/',
    '/docs/events.md',
    '/docs/Events',
    '/docs/../package.json',
    '/docs/..%2fpackage.json',
    '/docs/%2e%2e%2f%2e%2e%2fetc%2fpasswd',
    '/docs/events%00',
    '/docs/__proto__',
    '/docs/constructor',
    '/docs/images/nothing.png',
    '/docs/images/..%2fevents.md',
    '/docs/images/..%2f..%2fsrc%2fmain.ts',
  ])('are not at %s, and the page says where all guides are', async (url) => {
    const page = await dash.server.inject({ url, headers: { accept: 'text/html' } });
    const isOutside = url.includes('../');
    expect(page.statusCode).toBe(404);
    expect(page.body).toContain(isOutside ? 'href="/"' : 'href="/docs">See all guides</a>');
    const problem = await dash.server.inject(url);
    expect([problem.statusCode, problem.headers['content-type']]).toEqual([404, 'application/problem+json']);
  });

  test('show HTML and links that run scripts as text, and name what is no guide', () => {
    const guide = guideFrom(`# A <b>guide</b>

<script>alert(1)</script> and <img src=x onerror=alert(1)>

<!-- generated -->

[one](javascript:alert(1)) [two](data:text/html,x) [three](vbscript:x) [four](JAVASCRIPT:x)

[code](../src/main.js) [guide](audit.md#proof-log) [gone](gone.md) [here](#same) [out](https://example.org)

[search.md](search.md) says more.

## Same "x" <i>

## Same "x" <i>

<p align="center"><img src="images/a.png" width="20" alt="A picture"></p>

<p align="center"><img src="images/a.png" width="20" alt="A" onerror="alert(1)"></p>

\`\`\`html
</code></pre><script>alert(2)</script>
\`\`\`
`);
    const { text } = guide.content;
    expect(text).not.toMatch(
      /<script|<img src=x|<img [^>]*onerror|<i>|href="(?!\/docs\/(?:audit#proof-log|search")|#|https:\/\/example\.org)/i,
    );
    expect(text).not.toContain('generated');
    expect(text).toContain('<img src="/docs/images/a.png" width="20" alt="A picture" loading="lazy" />');
    expect(text.replace(/<[^>]*>/g, '')).toContain('code guide gone here out');
    expect(text).toContain('<a href="/docs/search">Search</a> says more.');
    expect(guide.title).toBe('A <b>guide</b>');
    expect(guide.sections.map(({ id }) => id)).toEqual(['', 'same-x-i', 'same-x-i-1']);
  });
});

describe('the search of the guides', () => {
  const found = async (words: string) => (await searchGuides(words)).map(({ path }) => path);

  test('finds the part whose heading says it first, in other forms of the words', async () => {
    expect((await found('invitations'))[0]).toBe('/docs/teams#invitations');
    expect((await found('inviting'))[0]).toMatch(/invit/);
    expect((await found('verify signature'))[0]).toBe('/docs/webhooks#verify-the-signature');
    expect((await found('TeamRenamed MemberInvited')).length).toBeGreaterThan(0);
  });

  test('says so when nothing is found, and takes any text', async () => {
    for (const words of ['qqqqzzzz', '(((', '[a-z]+$^\\', '%', '<script>', 'x '.repeat(5_000)]) {
      const { statusCode, body } = await dash.server.inject(
        `/docs?${new URLSearchParams({ q: words }).toString()}`,
      );
      expect(statusCode, words.slice(0, 20)).toBe(200);
      expect(body).not.toContain('<script>');
    }
    const browser = await dash.browser().open('/docs?q=qqqqzzzz');
    expect(browser.text).toContain('Nothing was found for “qqqqzzzz”');
  });
});

describe('the examples of a guide', () => {
  test('have the address of this installation', async () => {
    const known = await dash.another({ environment: { BASE_URL: 'https://directory.example' } });
    const { body } = await known.inject('/docs/first-call');
    expect(body).toContain('https://directory.example/dash/api/v1/resources');
    expect(body).not.toContain('localhost:3000');
    expect((await dash.browser().open('/docs/first-call')).html).toContain(
      `${dash.origin}/dash/api/v1/resources`,
    );
  });

  test('lead whoever is signed out to sign in, and back', async () => {
    const browser = await dash.browser().open('/docs/first-call');
    expect(browser.forms().some(({ buttons }) => buttons.some(({ label }) => /key/.test(label)))).toBe(false);
    await browser.follow('Sign in');
    await browser.press('Sign in', { email: person.email, password });
    expect([browser.path, browser.heading]).toEqual(['/docs/first-call', 'Your first call']);
  });

  test('take a key that is made there, in one answer, and nothing keeps it', async () => {
    const browser = await (await dash.signedIn(person)).open('/docs/first-call');
    expect(browser.text).toContain('api_pk_…');
    await browser.press('Make a key and fill it in');
    const key = keyIn(browser);
    expect(browser.answer.get('cache-control')).toBe('no-store');
    expect(browser.html.split(key).length).toBeGreaterThan(8);
    expect(browser.html).not.toMatch(/Bearer api_pk_…/);
    expect(await statusOf(key)).toBe(200);
    expect(browser.text).toMatch(/The answer has the status 200[^]*svc_id/);
    await browser.open('/docs/first-call');
    expect(keyIn(browser)).toBe('');
    await browser.open(paths.developers);
    expect(browser.text).toContain('Made on the guide “Your first call”');
    const log = JSON.stringify(await dash.events('api-key-'));
    expect(log).not.toContain(key);
  });

  test('take no second key from a form that is sent twice, and none from another site', async () => {
    const browser = await (await dash.signedIn(person)).open('/docs/widget');
    const action = '/docs/widget';
    const making = browser
      .forms()
      .find(({ buttons }) => buttons.some(({ label }) => label.startsWith('Make a key')));
    const values = new URLSearchParams([...(making?.fields ?? [])]);
    await browser.post(action, values);
    expect(keyIn(browser)).not.toBe('');
    await browser.post(action, values);
    expect(browser.text).toContain('You sent the form twice');
    expect(keyIn(browser)).toBe('');
    const foreign = new URLSearchParams(values);
    foreign.set('token', 'foreign');
    const made = async () =>
      (await dash.events('api-key-')).filter(({ type }) => type === 'ApiKeyCreated').length;
    const before = await made();
    await browser.post(action, foreign);
    await dash.browser().post('/docs/first-call', values);
    await browser.post('/docs/nothing', values);
    expect(browser.status).toBe(404);
    expect(await made()).toBe(before);
  });

  test('are left as they are where no key belongs', () => {
    const guide = guideFrom('# A\n\n`api_tk_…` `api_pk_…` `api_…`');
    expect(filledIn(guide, 'https://x.example', 'api_pk_1').text).toBe(
      '<p><code>api_tk_…</code> <code>api_pk_1</code> <code>api_pk_1</code></p>\n',
    );
    expect(guideFrom('# A\n\n```\napi_tk_…\n```').takesKey).toBe(false);
    expect(guideFrom('# A\n\nA key is `api_pk_…`.').takesKey).toBe(false);
    expect(guideFrom('# A\n\n```\ncurl api_pk_…\n```').takesKey).toBe(true);
    expect(guideNames.filter((name) => guideOf(name).takesKey)).toEqual(['first-call', 'widget']);
  });
});

test('what the code leads to in a guide is there', () => {
  const src = new URL('../../src/', import.meta.url);
  const links = readdirSync(src, { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .flatMap((file) => [
      ...readFileSync(new URL(file, src), 'utf8').matchAll(
        /\$\{guides(?:\.(\w+)|\['([\w-]+)'\])\}#([\w-]+)/g,
      ),
    ])
    .map(([, name, quoted, place]) => [name ?? quoted ?? '', place ?? ''] as const);
  expect(links.length).toBeGreaterThan(0);
  for (const [name, place] of links)
    expect(guideOf(name as (typeof guideNames)[number]).sections.map(({ id }) => id)).toContain(place);
  const recipesOf = recipes().map(({ name }) => name);
  expect(guideOf('sign-in').sections.map(({ id }) => id)).toEqual(expect.arrayContaining(recipesOf));
});

test('what Operations warns of leads to a part of a guide that there is', () => {
  for (const [check, [name, part = '']] of Object.entries(placesInGuides)) {
    const ids = guideOf(name).sections.map(({ id }) => id);
    expect(ids, `${check} → ${name}#${part}`).toContain(part);
  }
});

test('pages of the dashboard lead to the guide about them, at a part that there is', async () => {
  for (const path of Object.values(paths)) {
    const [, name = '', part] = /^\/docs\/([^#]+)#?(.*)$/.exec(guideFor(path) ?? '') ?? [];
    if (name === '') continue;
    expect(guideNames, path).toContain(name);
    const ids = guideOf(name as (typeof guideNames)[number]).sections.map(({ id }) => id);
    expect(ids, `${path} → ${name}#${part ?? ''}`).toContain(part);
  }
  expect(guideFor('/dash/resources/import/x')).toBe('/docs/importing');
  expect(guideFor('/dash/me')).toBeUndefined();
  const browser = await dash.signedIn(person);
  await browser.open(paths.developers);
  await browser.follow('Guide');
  expect(browser.heading).toBe('Your first call');
});
