import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import type { Browser, BrowserContextOptions, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';

interface Received {
  readonly method: string;
  readonly url: string;
  readonly type: string | undefined;
  readonly fields: Record<string, string>;
  readonly cookie: string | undefined;
}

/** A site that shows what it was sent. Its /go/ addresses redirect to what follows; /framing shows it in a frame. */
async function startReceivingSite() {
  const received: Received[] = [];
  const server = createServer((request, response) => {
    let body = '';
    request.on('data', (chunk: Buffer) => (body += chunk.toString()));
    request.on('end', () => {
      const { method = '', url = '' } = request;
      if (url === '/cookies') {
        response.setHeader('set-cookie', [
          'none=1; SameSite=None; Secure; HttpOnly',
          'insecure=1; SameSite=None; HttpOnly',
          'lax=1; SameSite=Lax; HttpOnly',
        ]);
      } else if (!url.startsWith('/favicon')) {
        const fields = Object.fromEntries(new URLSearchParams(body));
        const { 'content-type': type, cookie } = request.headers;
        received.push({ method, url, type, fields, cookie });
      }
      const onward = /^\/go\/([^?]*)/.exec(url)?.[1];
      if (onward !== undefined) {
        response.writeHead(302, { location: decodeURIComponent(onward) }).end();
        return;
      }
      const framed = /^\/framing\?(.*)$/.exec(url)?.[1];
      const content =
        framed === undefined
          ? '<h1>Arrived</h1>'
          : `<iframe src="${decodeURIComponent(framed).replaceAll('&', '&amp;')}"></iframe>`;
      response
        .writeHead(200, { 'content-type': 'text/html; charset=utf-8' })
        .end(`<!doctype html><title>A site</title><link rel="icon" href="data:,">${content}`);
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  return {
    origin: `http://localhost:${port}`,
    otherOrigin: `http://127.0.0.1:${port}`,
    received,
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

describe.skipIf(!hasChromium)('a site that has its answer posted (response_mode=form_post)', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let site: Awaited<ReturnType<typeof startReceivingSite>>;
  beforeAll(async () => {
    [chromium, dash, site] = await Promise.all([launch(), startDashboard(), startReceivingSite()]);
  });
  afterAll(async () => {
    await chromium.close();
    await Promise.all([dash.stop(), site.stop()]);
  });

  const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).click();

  /** On the way from the site to our sign-in page. */
  async function setOut(redirectUri: string, options: BrowserContextOptions = {}) {
    const client = await dash.site({ name: 'Harbour News', redirectUris: [redirectUri] });
    const page = await (await chromium.newContext(options)).newPage();
    const objections: string[] = [];
    page.on('console', (message) => {
      if (['error', 'warning'].includes(message.type())) objections.push(message.text());
    });
    const authorization = dash.asked(client, { redirect_uri: redirectUri, response_mode: 'form_post' });
    site.received.length = 0;
    await page.goto(dash.origin + authorization);
    return {
      page,
      objections,
      authorization: dash.origin + authorization,
      again: () => page.goto(dash.origin + authorization),
    };
  }

  async function signIn(page: Page, { email }: Account): Promise<void> {
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Sign in');
  }

  const arrived = (page: Page) => page.getByRole('heading', { name: 'Arrived' }).waitFor();

  test.each([
    '/callback',
    '/callback?tenant=7&next=/a%3Bb',
    '/',
    "/a;b,c/it's",
    '/with%20space/%3F',
    '/signed/in/?x=;,',
  ])(
    'gets it at %s, after sign-in and consent and at once, without an objection of the browser',
    // Chromium decides about the history in a task after the script: a loaded machine may have loaded the page by then.
    { retry: 2 },
    async (path) => {
      const account = await dash.account();
      const { page, objections, again } = await setOut(site.origin + path);
      await signIn(page, account);
      await page.getByRole('button', { name: 'Allow', exact: true }).waitFor();
      const before = await page.evaluate<number>('history.length');
      await press(page, 'Allow');
      await arrived(page);
      // The page that posts stands in no history.
      expect(await page.evaluate<number>('history.length')).toBe(before + 1);
      await again();
      await arrived(page);
      const posts = site.received.filter(({ method }) => method === 'POST');
      expect(posts.map(({ url, type }) => [url, type])).toEqual([
        [path, 'application/x-www-form-urlencoded'],
        [path, 'application/x-www-form-urlencoded'],
      ]);
      for (const { fields } of posts)
        expect(fields).toEqual({
          code: expect.stringMatching(/^sac_/) as string,
          state: 'a-state',
          iss: dash.origin,
        });
      expect(page.url()).toBe(site.origin + path);
      expect(objections).toEqual([]);
      await page.context().close();
    },
  );

  test('gets it by a button where the browser runs no scripts', async () => {
    const account = await dash.account();
    const { page, objections } = await setOut(`${site.origin}/callback`, { javaScriptEnabled: false });
    await signIn(page, account);
    await press(page, 'Allow');
    await page.getByRole('heading', { name: 'Going back to Harbour News' }).waitFor();
    await press(page, 'Go to Harbour News');
    await arrived(page);
    expect(site.received.map(({ fields }) => Object.keys(fields))).toEqual([['code', 'state', 'iss']]);
    expect(objections).toEqual([]);
    await page.context().close();
  });

  test('hears of somebody who denies', async () => {
    const account = await dash.account();
    const { page } = await setOut(`${site.origin}/callback`);
    await signIn(page, account);
    await press(page, 'Deny');
    await arrived(page);
    expect(site.received.map(({ fields }) => [fields['error'], fields['state'], fields['iss']])).toEqual([
      ['access_denied', 'a-state', dash.origin],
    ]);
    await page.context().close();
  });

  test('may redirect to another page of its own, as most do', async () => {
    const account = await dash.account();
    const { page, objections } = await setOut(`${site.origin}/go/${encodeURIComponent('/home')}`);
    await signIn(page, account);
    await press(page, 'Allow');
    await arrived(page);
    expect(page.url()).toBe(`${site.origin}/home`);
    expect(objections).toEqual([]);
    await page.context().close();
  });

  test('is the only one to whom the page can post', async () => {
    const account = await dash.account();
    const redirectUri = `${site.origin}/callback?tenant=7`;
    const { page, objections } = await setOut(redirectUri);
    await page.route('**/form-post.js', (route) =>
      route.fulfill({ body: '', contentType: 'text/javascript' }),
    );
    await signIn(page, account);
    await press(page, 'Allow');
    await page.getByRole('button', { name: 'Go to Harbour News' }).waitFor();
    for (const elsewhere of [
      `${site.origin}/callback/further`,
      `${site.origin}/`,
      `${site.otherOrigin}/callback`,
      `${dash.origin}/dash`,
    ]) {
      objections.length = 0;
      await page.evaluate(
        `document.forms[0].action = ${JSON.stringify(elsewhere)}; document.forms[0].submit()`,
      );
      await expect.poll(() => objections.join()).toContain('form-action');
    }
    expect(site.received).toEqual([]);
    await page.evaluate(
      `document.forms[0].action = ${JSON.stringify(redirectUri)}; document.forms[0].submit()`,
    );
    await arrived(page);
    await page.context().close();
  });

  test('cannot have Chromium carried on to another host: form-action holds for redirects too', async () => {
    const account = await dash.account();
    const { page, objections } = await setOut(
      `${site.origin}/go/${encodeURIComponent(`${site.otherOrigin}/home`)}`,
    );
    await signIn(page, account);
    await press(page, 'Allow');
    await expect.poll(() => objections.join()).toContain('form-action');
    await page.context().close();
  });

  test.each([
    ['the host of another site', '127.0.0.1', 'none=1'],
    ['its own host, at another port', 'localhost', 'lax=1; none=1'],
  ])('brings along the cookies of the site from %s that its browser has for it', async (_, host, cookie) => {
    const account = await dash.account();
    const redirectUri = `${site.origin}/callback`;
    const client = await dash.site({ name: 'Harbour News', redirectUris: [redirectUri] });
    const page = await (await chromium.newContext()).newPage();
    site.received.length = 0;
    await page.goto(`${site.origin}/cookies`);
    const parameters = { redirect_uri: redirectUri, response_mode: 'form_post' };
    await page.goto(dash.origin.replace('localhost', host) + dash.asked(client, parameters));
    await signIn(page, account);
    await press(page, 'Allow');
    await arrived(page);
    const [post, ...others] = site.received;
    expect(others).toEqual([]);
    expect(post).toMatchObject({ method: 'POST', url: '/callback' });
    expect(post?.fields['code']).toMatch(/^sac_/);
    // To the browser all ports of a host have the same cookies, so ours come too.
    const own = post?.cookie?.split('; ').filter((each) => !each.startsWith('commonweal'));
    expect(own?.sort().join('; ')).toBe(cookie);
    await page.context().close();
  });

  test('gets nothing in a frame of its own, where no page of ours is shown', async () => {
    const account = await dash.account();
    const { page, objections, authorization } = await setOut(`${site.origin}/callback`);
    await signIn(page, account);
    await press(page, 'Allow');
    await arrived(page);
    // From now on the page that posts is the answer at once.
    site.received.length = 0;
    await page.goto(`${site.origin}/framing?${encodeURIComponent(authorization)}`);
    await expect.poll(() => objections.join()).toMatch(/frame-ancestors|X-Frame-Options/);
    expect(page.frames().map((frame) => frame.url())).not.toContain(`${site.origin}/callback`);
    expect(site.received.map(({ method, url }) => [method, url.split('?', 1)[0]])).toEqual([
      ['GET', '/framing'],
    ]);
    await page.context().close();
  });
});
