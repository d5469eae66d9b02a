import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, verifier, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { startBrokeredSite, type BrokeredSite } from './broker.ts';
import { hasChromium, launch } from './chromium.ts';

describe.skipIf(!hasChromium)('a site whose addresses redirect to another origin', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let site: BrokeredSite;
  beforeAll(async () => {
    [chromium, dash, site] = await Promise.all([launch(), startDashboard(), startBrokeredSite()]);
  });
  afterAll(async () => {
    await chromium.close();
    await Promise.all([dash.stop(), site.stop()]);
  });

  const newClient = () =>
    dash.site({ redirectUris: [site.redirectUri], postLogoutRedirectUris: [site.signedOutUri] });

  /** A page of the site from which somebody sets out, by a link or by a form that is posted. */
  const settingOut = {
    'a link': (path: string, fields: Record<string, string>) =>
      `<a href="${`${dash.origin}${path}?${new URLSearchParams(fields).toString()}`.replaceAll('&', '&amp;')}">Go</a>`,
    'a posted form': (path: string, fields: Record<string, string>) =>
      `<form method="post" action="${dash.origin}${path}">${Object.entries(fields)
        .map(([name, value]) => `<input type="hidden" name="${name}" value="${value}">`)
        .join('')}<button>Go</button></form>`,
  };
  type Way = keyof typeof settingOut;

  async function setOut(page: Page, way: Way, path: string, fields: Record<string, string>): Promise<void> {
    await page.goto(site.show(settingOut[way](path, fields)));
    await page.getByRole(way === 'a link' ? 'link' : 'button', { name: 'Go' }).click();
  }

  const requestOf = (client: string, more: Record<string, string> = {}) =>
    Object.fromEntries(
      new URL(dash.asked(client, { redirect_uri: site.redirectUri, ...more }), dash.origin).searchParams,
    );

  /** A browser that has never been here, what it objects to, and every address of ours that it was at. */
  async function newPage(options: BrowserContextOptions = {}) {
    const page = await (await chromium.newContext(options)).newPage();
    const objections: string[] = [];
    const ours: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') objections.push(message.text());
    });
    page.on('framenavigated', (frame) => {
      if (frame.url().startsWith(dash.origin)) ours.push(frame.url());
    });
    return { page, objections, ours };
  }

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  async function signIn(page: Page, { email }: Account): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
  }

  /** Where the person is in the end, at the other site. */
  async function arrived(page: Page, at: string): Promise<URLSearchParams> {
    await page.getByRole('heading', { name: `Arrived: /${at}` }).waitFor();
    const url = new URL(page.url());
    expect(url.origin).toBe(site.origin);
    return url.searchParams;
  }

  async function isSignedIn(page: Page): Promise<boolean> {
    await page.goto(`${dash.origin}/dash/me`);
    return (await page.getByRole('heading', { level: 1 }).textContent()) === 'Your account';
  }

  describe.each<Way>(['a link', 'a posted form'])('reached by %s', (way) => {
    test.each([true, false])(
      'gets its code after a consent, after a sign-in that leads straight out, and without a page (scripts: %s)',
      async (javaScriptEnabled) => {
        const [account, client] = [await dash.account(), await newClient()];
        const { page, objections, ours } = await newPage({ javaScriptEnabled });
        const go = () => setOut(page, way, '/oauth/authorize', requestOf(client));

        await go();
        await signIn(page, account);
        await press(page, 'Allow');
        const first = (await arrived(page, 'callback')).get('code');
        expect(first).toMatch(/^sac_/);

        await page.context().clearCookies();
        await go();
        await signIn(page, account);
        const second = (await arrived(page, 'callback')).get('code');

        ours.length = 0;
        await go();
        const third = (await arrived(page, 'callback')).get('code');
        expect(ours).toEqual([]);
        expect(new Set([first, second, third]).size).toBe(3);
        expect(objections).toEqual([]);
        await page.context().close();
      },
    );

    test('hears of somebody who denies', async () => {
      const [account, client] = [await dash.account(), await newClient()];
      const { page, objections } = await newPage();
      await setOut(page, way, '/oauth/authorize', requestOf(client));
      await signIn(page, account);
      await press(page, 'Deny');
      expect((await arrived(page, 'callback')).get('error')).toBe('access_denied');
      expect(objections).toEqual([]);
      await page.context().close();
    });

    test('gets people back who sign out, at once with an id_token, and after a question without', async () => {
      const [account, client] = [await dash.account(), await newClient()];
      const { page, objections, ours } = await newPage();
      const back = { post_logout_redirect_uri: site.signedOutUri, state: 'a-state' };

      await setOut(page, 'a link', '/oauth/authorize', requestOf(client));
      await signIn(page, account);
      await press(page, 'Allow');
      const id_token_hint = await idToken(client, (await arrived(page, 'callback')).get('code') ?? '');
      expect(await isSignedIn(page)).toBe(true);
      ours.length = 0;
      await setOut(page, way, '/oauth/logout', { id_token_hint, ...back });
      expect((await arrived(page, 'signed-out')).get('state')).toBe('a-state');
      if (way === 'a posted form') expect(ours.join()).not.toContain(id_token_hint.split('.')[1]);
      expect(await isSignedIn(page)).toBe(false);

      await signIn(page, account);
      await page.getByRole('heading', { name: 'Your account' }).waitFor();
      await setOut(page, way, '/oauth/logout', { client_id: client, ...back });
      await page.getByRole('heading', { name: 'Sign out?' }).waitFor();
      await press(page, 'Sign out');
      expect((await arrived(page, 'signed-out')).get('state')).toBe('a-state');
      expect(await isSignedIn(page)).toBe(false);
      expect(objections).toEqual([]);
      await page.context().close();
    });
  });

  test('the page that moves on stands in no history, no address of ours has a code, and Back does no harm', async () => {
    const [account, client] = [await dash.account(), await newClient()];
    const { page, objections, ours } = await newPage();
    await setOut(page, 'a link', '/oauth/authorize', requestOf(client));
    await signIn(page, account);
    await page.getByRole('button', { name: 'Allow' }).waitFor();
    const before = await page.evaluate<number>('history.length');
    await press(page, 'Allow');
    const code = (await arrived(page, 'callback')).get('code');
    expect(await page.evaluate<number>('history.length')).toBe(before + 1);

    ours.length = 0;
    await page.goBack();
    const again = (await arrived(page, 'callback')).get('code');
    // Back is at the page before, which finds that there is nothing left to ask.
    expect(ours.map((url) => new URL(url).pathname)).not.toContain('/dash/sign-in');
    expect(again).toMatch(/^sac_/);
    expect(again).not.toBe(code);
    expect(ours.join(' ')).not.toContain('sac_');
    expect(objections).toEqual([]);
    await page.context().close();
  });

  test('a window that a site opened for the sign-in is the site’s still when it comes back', async () => {
    const [account, client] = [await dash.account(), await newClient()];
    const { page } = await newPage();
    const asked = new URL(dash.asked(client, { redirect_uri: site.redirectUri }), dash.origin);
    await page.goto(
      site.show(
        `<button>Go</button><script>document.querySelector('button').onclick = () => { opened = open(${JSON.stringify(asked.href)}); };</script>`,
      ),
    );
    const opening = page.waitForEvent('popup');
    await press(page, 'Go');
    const popup = await opening;
    await signIn(popup, account);
    await press(popup, 'Allow');
    await arrived(popup, 'callback');
    expect(await popup.evaluate('opener !== null')).toBe(true);
    expect(await page.evaluate('opened.closed')).toBe(false);
    await page.context().close();
  });

  async function idToken(client_id: string, code: string): Promise<string> {
    const answer = await fetch(`${dash.origin}/oauth/token`, {
      method: 'POST',
      body: new URLSearchParams({
        grant_type: 'authorization_code',
        code,
        redirect_uri: site.redirectUri,
        client_id,
        code_verifier: verifier,
      }),
    });
    return ((await answer.json()) as { id_token: string }).id_token;
  }
});
