import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { loadClient } from '../../../src/commands/oauth/client.ts';
import { appending } from '../../support/append.ts';
import { anAddress, password, redirectUri, startDashboard, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

const cookieOf = (set: readonly string[], name: string) => set.find((each) => each.startsWith(`${name}=`));

describe('signing in', () => {
  test('gives a cookie that no script and no other site gets hold of, and a new session each time', async () => {
    const account = await dash.account();
    const browser = await dash.browser().open('/dash/sign-in');
    const sign = (body: Record<string, string>) =>
      fetch(`${dash.origin}/dash/sign-in`, {
        method: 'POST',
        redirect: 'manual',
        headers: { cookie: [...browser.cookies].map((pair) => pair.join('=')).join('; ') },
        body: new URLSearchParams({ token: browser.hidden('token'), ...body }),
      });
    const first = await sign({ email: account.email, password });
    const second = await sign({ email: account.email, password });
    expect(first.status).toBe(303);
    expect(first.headers.get('location')).toBe('/dash');
    const cookies = [first, second].map((each) => cookieOf(each.headers.getSetCookie(), 'commonweal'));
    expect(cookies[0]).toMatch(
      /^commonweal=sss_[0-9A-Za-z]{60}; Max-Age=\d+; Path=\/; HttpOnly; SameSite=Lax$/,
    );
    expect(cookies[1]).not.toBe(cookies[0]);
  });

  test('binds the cookie to the host where the address is https', async () => {
    const secure = await startDashboard({ environment: { AUTH_URL: 'https://id.example' } });
    const { email } = await secure.account();
    const page = await fetch(`${secure.origin}/dash/sign-in`);
    const browser = cookieOf(page.headers.getSetCookie(), '__Host-commonweal-browser') ?? '';
    expect(browser).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    const token = /name="token" value="([^"]+)"/.exec(await page.text())?.[1] ?? '';
    const answer = await fetch(`${secure.origin}/dash/sign-in`, {
      method: 'POST',
      redirect: 'manual',
      headers: { cookie: browser.split(';')[0] ?? '' },
      body: new URLSearchParams({ email, password, token }),
    });
    const cookie = cookieOf(answer.headers.getSetCookie(), '__Host-commonweal');
    expect(cookie).toMatch(/; Path=\/; HttpOnly; Secure; SameSite=Lax$/);
    await secure.stop();
  });

  test('ends the session that the browser had', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    const old = browser.cookies.get('commonweal') ?? '';
    await browser.open(dash.asked(await dash.site(), { prompt: 'login' }));
    await browser.press('Sign in', { password });
    expect(browser.heading).toBe('Sign in to Harbour News?');
    const stale = dash.browser();
    stale.cookies.set('commonweal', old);
    expect((await stale.open('/dash/me')).heading).toBe('Sign in');
    const ended = (await dash.events('session-')).filter(({ data }) => data['user'] === account.user);
    expect(ended.map(({ type }) => type)).toEqual(['SessionStarted', 'SessionStarted', 'SessionEnded']);
    expect(ended.at(-1)?.data['reason']).toBe('replaced');
  });

  test.each([{ prompt: 'login' }, { max_age: '0' }])(
    'is asked of whoever goes on with a request (%o) in another browser, though they are signed in there',
    async (asked) => {
      const account = await dash.account();
      const elsewhere = await dash.signedIn(account);
      const site = await dash.site();
      const first = await dash.browser().open(dash.asked(site, asked));
      await elsewhere.open(first.url.pathname + first.url.search);
      expect(elsewhere.heading).toBe('Sign in');
      await elsewhere.press('Sign in', { password });
      expect(elsewhere.heading).toBe('Sign in to Harbour News?');
    },
  );

  test('keeps the address and not the password, and answers alike for right and unknown addresses', async () => {
    const { email } = await dash.account();
    const known = await dash.browser().open('/dash/sign-in');
    await known.press('Sign in', { email, password: 'wrong password' });
    const unknown = await dash.browser().open('/dash/sign-in');
    const other = anAddress();
    await unknown.press('Sign in', { email: other, password: 'wrong password' });
    expect(known.status).toBe(422);
    const alike = (html: string) =>
      html
        .replaceAll(/value="[^"]*"|data-options="[^"]*"/g, '')
        .replaceAll(email, '')
        .replaceAll(other, '');
    expect(alike(unknown.html)).toBe(alike(known.html));
    expect(known.html).toContain(`value="${email}"`);
    expect(known.html).not.toContain('wrong password');
    expect(known.html).toMatch(/id="password"[^>]*aria-invalid="true"[^>]*autofocus/);
  });

  test('says which field is empty', async () => {
    const browser = await dash.browser().open('/dash/sign-in');
    await browser.press('Sign in');
    expect(browser.problem('email')).toBe('Enter your email address.');
    expect(browser.problem('password')).toBe('Enter your password.');
  });

  test('pauses who keeps guessing at an account, even with the right password then, and nobody else', async () => {
    const own = await startDashboard({ environment: { TRUST_PROXY: 'loopback' } });
    const account = await own.account();
    const guesser = own.browser();
    guesser.headers = { 'x-forwarded-for': '192.0.2.7' };
    await guesser.open('/dash/sign-in');
    const statuses: number[] = [];
    for (let round = 0; round < 4; round++) {
      const token = guesser.hidden('token');
      await Promise.all(
        Array.from({ length: 3 }, async () => {
          const each = own.browser();
          each.headers = guesser.headers;
          for (const [name, value] of guesser.cookies) each.cookies.set(name, value);
          await each.post('/dash/sign-in', { email: account.email, password: 'a wrong guess', token });
          statuses.push(each.status);
        }),
      );
    }
    expect(statuses.filter((status) => status === 422)).toHaveLength(10);
    expect(statuses.filter((status) => status === 429)).toHaveLength(2);
    await guesser.press('Sign in', { email: account.email, password });
    expect(guesser.status).toBe(429);
    expect(Number(guesser.answer.get('retry-after'))).toBeGreaterThan(60);
    expect(guesser.text).toMatch(/Too many attempts/);
    const owner = own.browser();
    owner.headers = { 'x-forwarded-for': '198.51.100.9' };
    await owner.open('/dash/sign-in');
    await owner.press('Sign in', { email: account.email, password });
    expect(owner.heading).toBe('Home');
    await own.stop();
  });

  test('goes on to the page of ours that was asked for, and never to another site', async () => {
    const account = await dash.account();
    const browser = await dash.browser().open('/dash/me/apps');
    expect(browser.url.pathname + browser.url.search).toBe('/dash/sign-in?to=%2Fdash%2Fme%2Fapps');
    await browser.press('Sign in', { email: account.email, password });
    expect(browser.url.pathname).toBe('/dash/me/apps');
    for (const evil of [
      '//evil.example',
      'https://evil.example',
      '/dash/../\\evil.example',
      '/dash/me%0d%0aX: y',
      // Of queries, the link of an invitation alone goes along.
      '/dash/me?done=email',
      '/dash/verify?link=lnk_0',
      '/dash/join/harbour?link=lnk_0&to=//evil.example',
      '/dash/join/harbour?link=lnk_0#evil',
      '//evil.example/dash/join/harbour?link=lnk_0',
    ]) {
      const fresh = await dash.browser().open(`/dash/sign-in?to=${encodeURIComponent(evil)}`);
      await fresh.press('Sign in', { email: account.email, password });
      expect(fresh.url.href).toBe(`${dash.origin}/dash`);
    }
  });

  test('ends with the button, for this browser alone', async () => {
    const account = await dash.account();
    const [one, other] = [await dash.signedIn(account), await dash.signedIn(account)];
    await one.press('Sign out');
    expect(one.url.pathname).toBe('/dash/sign-in');
    expect(one.text).toContain('You are signed out.');
    expect(one.cookies.has('commonweal')).toBe(false);
    expect((await other.open('/dash')).heading).toBe('Home');
  });

  test('is over when the session is idle too long, and when its life is over', async () => {
    let now = Date.now();
    const timed = await startDashboard({
      now: () => new Date(now),
      environment: { SESSION_IDLE_SECONDS: '600', SESSION_SECONDS: '1500' },
    });
    const browser = await timed.signedIn(await timed.account());
    for (const [seconds, heading] of [
      [500, 'Home'],
      [500, 'Home'],
      [490, 'Home'],
      [20, 'Sign in'],
    ] as const) {
      now += seconds * 1_000;
      expect((await browser.open('/dash')).heading).toBe(heading);
    }
    const idle = await timed.signedIn(await timed.account());
    now += 601_000;
    expect((await idle.open('/dash/me')).heading).toBe('Sign in');
    await timed.stop();
  });
});

describe('signing in for a site', () => {
  test('names the site, begins with the address it hints at, and keeps the request on the way to registering', async () => {
    const browser = await dash
      .browser()
      .open(dash.asked(await dash.site(), { login_hint: 'hint@example.org' }));
    expect(browser.text).toContain('to continue to Harbour News at news.example');
    expect(browser.html).toContain('value="hint@example.org"');
    await browser.follow('Create an account');
    expect(browser.text).toContain('to continue to Harbour News at news.example');
    const email = anAddress();
    await browser.press('Create account', { name: 'Sample Person', email, password });
    await browser.open(await dash.link(email));
    await browser.press('Confirm and sign in', { password });
    expect(browser.heading).toBe('Sign in to Harbour News?');
    await browser.press('Allow');
    expect(browser.url.href).toMatch(/^https:\/\/news\.example\/callback\?code=sac_\w+&state=a-state&iss=/);
  });

  test('cuts a name from before there was a limit, and shows the host that it leads to', async () => {
    const client = await dash.site();
    const standing = await loadClient(dash.system.store, client);
    if (!standing) throw new Error('There is no site.');
    const name = `Harbour. ${'Call this number at once. '.repeat(7)}`.trim();
    await appending(dash.system.store, `client-${client}`, {
      type: 'ClientDetailsChanged',
      data: { ...standing, name },
    });
    const browser = await dash.browser().open(dash.asked(client));
    expect(browser.text).toContain(`to continue to ${name.slice(0, 59)}… at news.example`);
    expect(browser.text).not.toContain(name);
  });

  test('lets a person choose who they are, and go on or be somebody else', async () => {
    const site = await dash.site();
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await browser.open(dash.asked(site, { prompt: 'select_account' }));
    expect(browser.heading).toBe('Choose an account');
    expect(browser.text).toContain(account.email);
    await browser.press('Continue as Sample Person');
    expect(browser.heading).toBe('Sign in to Harbour News?');

    await browser.open(dash.asked(site, { prompt: 'select_account' }));
    await browser.follow('Use another account');
    const other = await dash.account({ profile: { name: 'Another Sample' } });
    await browser.press('Sign in', { email: other.email, password });
    expect(browser.text).toContain('Signed in as Another Sample');
  });

  test('goes on as nobody where the site wants a new proof, whatever a form says', async () => {
    const account = await dash.account();
    const browser = await dash.signedIn(account);
    await browser.open(dash.asked(await dash.site(), { prompt: 'login' }));
    expect(browser.text).toContain('Please sign in again to confirm that it is you.');
    const sealed = browser.hidden('continue');
    await browser.post('/dash/sign-in', {
      token: browser.hidden('token'),
      continue: sealed,
      choice: 'go-on',
    });
    expect(browser.heading).toBe('Sign in');
  });

  test('does not ask again who comes back to the page with the back button', async () => {
    const { email } = await dash.account();
    const browser = await dash.browser().open(dash.asked(await dash.site(), { prompt: 'login' }));
    const page = browser.url.pathname + browser.url.search;
    await browser.press('Sign in', { email, password });
    await browser.open(page);
    expect(browser.heading).toBe('Sign in to Harbour News?');
  });

  test('goes back to the site with access_denied when somebody cancels', async () => {
    const browser = await dash.browser().open(dash.asked(await dash.site()));
    await browser.follow('Cancel and go back to Harbour News');
    expect(browser.url.origin + browser.url.pathname).toBe(redirectUri);
    expect(browser.url.searchParams.get('error')).toBe('access_denied');
  });

  test('says so when a request is forged or took too long', async () => {
    let now = Date.now();
    const timed = await startDashboard({ now: () => new Date(now) });
    const browser = await timed.browser().open(timed.asked(await timed.site()));
    const sealed = browser.hidden('continue');
    for (const bad of ['rubbish', sealed.slice(0, -2), `A${sealed}`, 'A'.repeat(2_000)]) {
      for (const path of ['/dash/sign-in', '/dash/consent', '/dash/register', '/dash/reset']) {
        await browser.open(`${path}?continue=${bad}`);
        expect(browser.status, path).toBe(400);
        expect(browser.heading).toBe('This sign-in took too long');
      }
    }
    now += 3_601_000;
    await browser.open(`/dash/sign-in?continue=${sealed}`);
    expect(browser.status).toBe(400);
    await timed.stop();
  });
});
