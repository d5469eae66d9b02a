import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Dashboard } from './harness.ts';
import type { PlainBrowser } from './plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  browser = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());

const forAll = ['/dash/sign-in', '/dash/register', '/dash/register/sent', '/dash/reset', '/dash/reset/sent'];
const forPeople = [
  '',
  '/profile',
  '/password',
  '/email',
  '/passkeys',
  '/sessions',
  '/apps',
  '/erase',
  '/data',
].map((path) => `/dash/me${path}`);
const posts = [
  ...[
    '/dash/sign-in',
    '/dash/sign-in/passkey',
    '/dash/sign-out',
    '/dash/register',
    '/dash/verify',
    '/dash/reset',
  ],
  ...[
    '/dash/reset/password',
    '/dash/set-up',
    '/dash/consent',
    '/dash/me/profile',
    '/dash/me/mails',
    '/dash/me/password',
  ],
  ...['/dash/me/email', '/dash/me/email/confirm', '/dash/me/passkeys', '/dash/me/passkeys/remove'],
  ...[
    '/dash/me/sessions/end',
    '/dash/me/sessions/end-all',
    '/dash/me/apps/revoke',
    '/dash/me/apps/revoke-all',
    '/dash/me/erase',
    '/dash/me/erase/withdraw',
    '/dash/me/data',
  ],
  ...['/dash/sites/oauth/new', '/dash/sites/oauth/site_00000000', '/dash/sites/oauth/site_00000000/status'],
];

describe('every page', () => {
  test('is kept by nobody, framed by nobody, and loads only what is ours', async () => {
    for (const path of [...forAll, ...forPeople, '/dash/sites/oauth', '/dash/outbox', '/dash/nothing/here']) {
      const { headers } = await fetch(`${dash.origin}${path}`, {
        headers: { cookie: forPeople.includes(path) ? cookies(browser) : '' },
        redirect: 'manual',
      });
      expect(headers.get('cache-control'), path).toBe('no-store');
      expect(headers.get('x-content-type-options'), path).toBe('nosniff');
      expect(headers.get('referrer-policy'), path).toBe('no-referrer');
      if (!headers.get('content-type')?.startsWith('text/html')) continue;
      const policy = headers.get('content-security-policy') ?? '';
      expect(policy, path).toMatch(/^default-src 'none'; style-src 'self'; img-src 'self'; /);
      expect(policy, path).toContain("base-uri 'none'; form-action 'self'; frame-ancestors 'none'");
      expect(policy, path).not.toMatch(/unsafe|data:|\*/);
    }
  });

  test('shares its window with no other site, unless it is on the way to one', async () => {
    const opener = () => browser.answer.get('cross-origin-opener-policy');
    await browser.open('/dash/me');
    expect(opener()).toBe('same-origin');
    await browser.open(dash.asked(await dash.site()));
    expect(browser.heading).toBe('Sign in to Harbour News?');
    expect(opener()).toBeNull();
    await browser.follow('not you?');
    expect(opener()).toBeNull();
    await browser.press('Sign in', { email: 'nobody@example.org', password: 'not the password' });
    expect(browser.status).toBe(422);
    expect(opener()).toBeNull();
  });

  test('has no style, script or handler within it', async () => {
    for (const path of [...forPeople, '/dash/sites/oauth', '/dash/outbox']) {
      await browser.open(path);
      expect(browser.status, path).toBe(200);
      expect(browser.html, path).not.toMatch(/<style|\sstyle=|\son\w+=|<script>|javascript:/);
      for (const [, loaded = ''] of browser.html.matchAll(/<(?:link|script)[^>]*(?:href|src)="([^"]+)"/g)) {
        expect(loaded).toMatch(/^\/dash\/assets\//);
        const asset = await fetch(dash.origin + loaded);
        expect(asset.status).toBe(200);
        expect(asset.headers.get('cache-control')).toContain('immutable');
      }
    }
  });

  test('of a person asks to sign in first, and brings them back', async () => {
    for (const path of [...forPeople, '/dash/sites/oauth', '/dash/outbox', '/dash']) {
      const visitor = await dash.browser().open(path);
      expect(visitor.url.pathname, path).toBe('/dash/sign-in');
      expect(visitor.url.searchParams.get('to'), path).toBe(path);
    }
  });

  test('that is none says so to people, and leaves the API to answer for itself', async () => {
    const lost = await dash.browser().open('/dash/nothing/here');
    expect(lost.status).toBe(404);
    expect(lost.heading).toBe('Not found');
    for (const path of ['/dash/api', '/dash/api/v1/nothing', '/dash/api/v2?x=1']) {
      const answer = await fetch(`${dash.origin}${path}`);
      expect(answer.status).toBe(404);
      expect(answer.headers.get('content-type'), path).toBe('application/problem+json');
    }
  });

  test('takes the methods that it has', async () => {
    for (const [path, allow] of [
      ['/dash/sign-in', 'GET, HEAD, POST'],
      ['/dash/me', 'GET, HEAD'],
      ['/dash/sign-out', 'POST'],
    ] as const) {
      const answer = await fetch(`${dash.origin}${path}`, { method: 'DELETE' });
      expect(answer.status).toBe(405);
      expect(answer.headers.get('allow')).toBe(allow);
    }
  });
});

describe('a form', () => {
  test.each(posts)(
    'at %s does nothing when it comes from another site, or without its token',
    async (path) => {
      await browser.open('/dash/me/sessions');
      const own = browser.hidden('token');
      await browser.open('/dash/reset');
      const open = browser.hidden('token');
      const before = await dash.system.store.head();
      const attempts: [Record<string, string>, Record<string, string>][] = [
        [{}, {}],
        [{ token: 'rubbish' }, {}],
        ...[own, open].flatMap((token): [Record<string, string>, Record<string, string>][] => [
          [{ token }, { 'sec-fetch-site': 'cross-site' }],
          [{ token }, { 'sec-fetch-site': 'same-site' }],
          [{ token }, { 'sec-fetch-site': 'none' }],
        ]),
      ];
      for (const [fields, headers] of attempts) {
        await browser.post(path, { ...fields, decision: 'allow', status: 'inactive' }, headers);
        expect(browser.status).toBe(403);
        // What was typed is kept where the form came from a page of ours, and is sent again only by the person.
        expect(['Please try again', 'Please send it again']).toContain(browser.heading);
        if (headers['sec-fetch-site'] !== undefined) expect(browser.heading).toBe('Please try again');
      }
      const answer = await fetch(`${dash.origin}${path}`, {
        method: 'POST',
        body: new URLSearchParams({ token: own }),
        headers: { origin: 'https://evil.example', cookie: cookies(browser) },
      });
      expect(answer.status).toBe(403);
      expect(await dash.system.store.head()).toBe(before);
    },
  );

  test('of one session is none of another', async () => {
    const account = await dash.account();
    const [one, other] = [await dash.signedIn(account), await dash.signedIn(account)];
    await one.open('/dash/me/sessions');
    await other.post('/dash/me/sessions/end-all', { token: one.hidden('token') });
    expect(other.status).toBe(403);
  });

  test('is never answered with 500, whatever is sent', async () => {
    await browser.open('/dash/me/sessions');
    const own = browser.hidden('token');
    await browser.open('/dash/reset');
    const open = browser.hidden('token');
    const values = ['', '\0', '\ud800', '%', '💧'.repeat(5_000), '[object Object]', '__proto__', '-1', ' '];
    const names = [
      'name',
      'email',
      'password',
      'new',
      'username',
      'picture',
      'phone',
      'label',
      'answer',
      'challenge',
    ];
    const more = [
      'link',
      'confirm',
      'credential',
      'session',
      'client',
      'team',
      'redirect_uris',
      'decision',
      'status',
      'choice',
    ];
    for (const path of posts.filter((each) => !/sign-out|end-all/.test(each))) {
      for (const value of values) {
        for (const token of [own, open]) {
          const fields = Object.fromEntries([...names, ...more].map((name) => [name, value]));
          await browser.post(path, { ...fields, token });
          expect(browser.status, `${path} ${JSON.stringify(value.slice(0, 9))}`).toBeLessThan(500);
        }
      }
    }
  }, 120_000);

  test('is taken as a form alone, and not beyond its size', async () => {
    const headers = { cookie: cookies(browser) };
    const json = await fetch(`${dash.origin}/dash/sign-in`, {
      method: 'POST',
      body: '{}',
      headers: { ...headers, 'content-type': 'application/json' },
    });
    expect(json.status).toBe(415);
    expect(json.headers.get('content-type')).toBe('text/html; charset=utf-8');
    const huge = await fetch(`${dash.origin}/dash/sign-in`, {
      method: 'POST',
      body: new URLSearchParams({ email: 'x'.repeat(70_000) }),
      headers,
    });
    expect(huge.status).toBe(413);
    expect(await huge.text()).toContain('The request is too large: at most 64 KiB can be sent here.');
  });
});

describe('an address', () => {
  test.each([
    '?continue=%',
    '?to=%zz',
    '?done=__proto__',
    '?done=constructor',
    '?link=%00',
    `?continue=${'x'.repeat(9_000)}`,
  ])('with %s is never answered with 500', async (query) => {
    for (const path of [
      ...forAll,
      ...forPeople,
      '/dash/verify',
      '/dash/reset/password',
      '/dash/set-up',
      '/dash/consent',
    ]) {
      await browser.open(path + query);
      expect(browser.status, path).toBeLessThan(500);
      expect(browser.text).not.toContain('undefined');
    }
  });
});

describe('the log', () => {
  test('shows no address, link, password or session, even where it shows every request', async () => {
    let log = '';
    const stream = new Writable({
      write(chunk: Buffer, _encoding, done) {
        log += chunk.toString();
        done();
      },
    });
    const own = await startDashboard({ logger: { level: 'trace', stream } });
    const email = 'somebody.to.find@example.org';
    const person = await own.browser().open(own.asked(await own.site(), { login_hint: email }));
    await person.follow('Create an account');
    await person.press('Create account', { name: 'Sample Findable', email, password });
    const link = await own.link(email);
    await person.open(link);
    await person.press('Confirm and sign in', { password });
    await person.press('Allow');
    await person.open('/dash/me/email');
    await person.press('Ask for the link', { email: 'another.to.find@example.org', password });
    await person.open(await own.link('another.to.find@example.org'));
    await person.press('Use this address', { password });
    await own.stop();
    expect(log).toContain('request completed');
    const token = /lnk_\w+/.exec(link)?.[0] ?? '';
    for (const secret of ['to.find', 'Findable', password, token, person.cookies.get('commonweal') ?? '']) {
      expect(log.includes(secret), secret).toBe(false);
    }
    expect(log).not.toMatch(/(continue|confirm|link)=(?!\[redacted\])/);
  });
});

const cookies = ({ cookies: jar }: PlainBrowser): string => [...jar].map((pair) => pair.join('=')).join('; ');
