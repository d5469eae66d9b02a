import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { rotateSigningKey } from '../../../src/commands/oauth/signing-keys.ts';
import {
  context,
  formOf,
  landed,
  onward,
  redirectUri,
  startProvider,
  type Provider,
  type TestBrowser,
} from './harness.ts';

let provider: Provider;
const path = '/oauth/logout';
const back = 'https://site.example/signed-out';
beforeAll(async () => {
  provider = await startProvider();
  const { store } = provider.system;
  await changeClient(
    store,
    provider.clientId,
    [{ kind: 'change-post-logout-uris', uris: [back] }],
    context(),
  );
});
afterAll(() => provider.stop());

const logout = (fields: Record<string, string | undefined>, browser?: TestBrowser) =>
  provider.server.inject({
    url: `${path}?${formOf(fields)}`,
    headers: browser ? { cookie: browser.cookie } : {},
  });

const isSignedIn = async (browser: TestBrowser) =>
  landed(await provider.authorize({ prompt: 'none' }, { browser })).get('error') === null;

/** Posts as a form does, here or at another site, whose form comes without our cookie; and follows. */
const postAndFollow = async (fields: Record<string, string | undefined>, browser?: TestBrowser) => {
  const posted = await provider.post(path, fields);
  if (posted.statusCode !== 303) return posted;
  expect(posted.headers.location).toMatch(/^\/oauth\/logout\?continue=[A-Za-z0-9_-]+$/);
  expect(posted.headers['set-cookie']).toBeUndefined();
  return provider.server.inject({
    url: String(posted.headers.location),
    headers: browser ? { cookie: browser.cookie } : {},
  });
};

/** Presses the button of the page. */
const press = (page: { readonly body: string }, browser?: TestBrowser) =>
  postAndFollow({ continue: /name="continue" value="([^"]+)"/.exec(page.body)?.[1] }, browser);

const signedIn = async () => {
  const browser = await provider.person.signIn();
  return { browser, id_token: (await provider.tokens({}, browser)).id_token };
};

describe('RP-Initiated Logout', () => {
  test('§2: an id_token of who is signed in ends the session at once, and sends them back with state', async () => {
    const { browser, id_token } = await signedIn();
    const answer = await logout(
      { id_token_hint: id_token, post_logout_redirect_uri: back, state: 'a b' },
      browser,
    );
    expect(answer.statusCode).toBe(303);
    expect(answer.headers.location).toBe(`${back}?state=a%20b`);
    expect(answer.headers['set-cookie']).toBe(
      '__Host-commonweal=; Max-Age=0; Path=/; HttpOnly; Secure; SameSite=Lax',
    );
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('§2: POST does the same', async () => {
    const { browser, id_token } = await signedIn();
    const fields = { id_token_hint: id_token, post_logout_redirect_uri: back };
    const answer = await postAndFollow(fields, browser);
    expect(onward(answer)).toBe(back);
    expect(answer.headers['set-cookie']).toContain('Max-Age=0');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('§2: a POST of another site, with which no cookie comes, does not say that somebody is signed out who is not', async () => {
    const browser = await provider.person.signIn();
    const posted = await provider.post(path, {
      client_id: provider.clientId,
      post_logout_redirect_uri: back,
    });
    expect(posted.statusCode).toBe(303);
    expect(posted.body).toBe('');
    const page = await postAndFollow(
      { post_logout_redirect_uri: back, client_id: provider.clientId },
      browser,
    );
    expect(page.body).toContain('Sign out?');
    expect(await isSignedIn(browser)).toBe(true);
    expect(onward(await press(page, browser))).toBe(back);
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('what is posted stands in no address of ours', async () => {
    const { browser, id_token } = await signedIn();
    const fields = { id_token_hint: id_token, post_logout_redirect_uri: back, state: 'a-state' };
    const { location = '' } = (await provider.post(path, fields)).headers;
    for (const part of [...id_token.split('.'), 'a-state', 'site.example', provider.person.user]) {
      expect(location).not.toContain(part);
      expect(Buffer.from(location.split('=')[1] ?? '', 'base64url').toString('latin1')).not.toContain(part);
    }
    expect(location.length).toBeLessThan(1_000);
    // Sealed for this person: at another's browser it is a question.
    const other = await (await provider.newPerson()).signIn();
    const page = await provider.server.inject({ url: location, headers: { cookie: other.cookie } });
    expect(page.body).toContain('Sign out?');
    const endless = await provider.post(path, { ...fields, state: 's'.repeat(6_000) });
    expect(endless.statusCode).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('§2: without an id_token the person is asked, and only the button signs out', async () => {
    const browser = await provider.person.signIn();
    const fields = { client_id: provider.clientId, post_logout_redirect_uri: back, state: 's' };
    const page = await logout(fields, browser);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('<button type="submit" class="primary">Sign out</button>');
    expect(page.headers['content-security-policy']).toContain("form-action 'self';");
    expect(page.headers['content-security-policy']).toContain("frame-ancestors 'none'");
    expect(await isSignedIn(browser)).toBe(true);
    const answer = await press(page, browser);
    expect(answer.statusCode).toBe(200);
    expect(onward(answer)).toBe(`${back}?state=s`);
    expect(answer.headers['content-security-policy']).toContain("default-src 'none'");
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['referrer-policy']).toBe('no-referrer');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('§2: an id_token of somebody else does not sign this person out', async () => {
    const { id_token } = await signedIn();
    const other = await (await provider.newPerson()).signIn();
    const page = await logout({ id_token_hint: id_token, post_logout_redirect_uri: back }, other);
    expect(page.statusCode).toBe(200);
    expect(page.body).toContain('Sign out');
  });

  test('the button works for the session that it was shown to, and for no other', async () => {
    const browser = await provider.person.signIn();
    const page = await logout({}, browser);
    const other = await (await provider.newPerson()).signIn();
    expect((await press(page, other)).body).toContain('Sign out?');
    expect((await press(page)).body).toContain('You are signed out');
    const forged = await postAndFollow({ continue: 'forged' }, browser);
    expect(forged.body).toContain('Sign out?');
    expect(await isSignedIn(browser)).toBe(true);
    expect((await press(page, browser)).body).toContain('You are signed out');
    expect(await isSignedIn(browser)).toBe(false);
  });

  test('nobody is signed in: nothing to ask', async () => {
    expect((await logout({})).body).toContain('You are signed out');
    const answer = await logout({ client_id: provider.clientId, post_logout_redirect_uri: back });
    expect(answer.headers.location).toBe(back);
  });

  test('§3: a post_logout_redirect_uri that is not registered, character by character, never redirects', async () => {
    const { browser, id_token } = await signedIn();
    for (const uri of [
      `${back}/`,
      `${back}?x=1`,
      'https://evil.example/',
      redirectUri,
      'javascript:alert(1)',
    ]) {
      for (const fields of [{ id_token_hint: id_token }, { client_id: provider.clientId }]) {
        const answer = await logout({ ...fields, post_logout_redirect_uri: uri }, browser);
        expect(answer.statusCode).toBe(400);
        expect(answer.headers.location).toBeUndefined();
        expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
      }
    }
    expect((await logout({ post_logout_redirect_uri: back }, browser)).statusCode).toBe(400);
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('§2: an id_token_hint that was changed, or a client_id that is not its audience, is an error page', async () => {
    const { browser, id_token } = await signedIn();
    const changed = `${id_token.slice(0, -6)}AAAAAA`;
    const client_id = await provider.client();
    const [, payload = ''] = id_token.split('.');
    const unsigned = `${Buffer.from('{"alg":"none"}').toString('base64url')}.${payload}.`;
    for (const fields of [
      { id_token_hint: changed },
      { id_token_hint: unsigned },
      { id_token_hint: 'x' },
      { id_token_hint: id_token, client_id },
    ]) {
      const answer = await logout({ ...fields, post_logout_redirect_uri: back }, browser);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers.location).toBeUndefined();
    }
    expect(await isSignedIn(browser)).toBe(true);
  });

  test('an unknown client_id is an error page, and so is a parameter that comes twice', async () => {
    const unknown = await logout({ client_id: 'site_doesnotexist000000', post_logout_redirect_uri: back });
    expect(unknown.statusCode).toBe(400);
    const twice = await provider.server.inject({ url: `${path}?state=1&state=2` });
    expect(twice.statusCode).toBe(400);
  });

  test('an id_token whose key is gone still says where to go, after a question', async () => {
    const { browser, id_token } = await signedIn();
    const { store, vault } = provider.system;
    await rotateSigningKey({ store, vault }, { atOnce: true }, context());
    const page = await logout({ id_token_hint: id_token, post_logout_redirect_uri: back }, browser);
    expect(page.body).toContain('Sign out?');
    expect(onward(await press(page, browser))).toBe(back);
  });

  test('what sites hold is theirs: tokens live on', async () => {
    const browser = await provider.person.signIn();
    const { id_token, access_token, refresh_token } = await provider.tokens({}, browser);
    await logout({ id_token_hint: id_token }, browser);
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
    expect((await provider.refresh(refresh_token)).statusCode).toBe(200);
  });

  test('HEAD and others are 405, and there is no CORS', async () => {
    const browser = await provider.person.signIn();
    const head = await provider.server.inject({
      method: 'HEAD',
      url: path,
      headers: { cookie: browser.cookie },
    });
    expect(head.statusCode).toBe(405);
    expect(head.headers.allow).toBe('GET, POST');
    expect((await logout({})).headers['access-control-allow-origin']).toBeUndefined();
  });
});
