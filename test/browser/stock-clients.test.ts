import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import type { Browser, Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAddress, password } from '../api/accounts/harness.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { hasChromium, launch } from './chromium.ts';
import { startSinglePageSite, type SinglePageSite } from './single-page-site.ts';
import { startSite, type LocalSite } from './site.ts';

const name = 'Ada Lovelace';
const scope = 'openid profile email';
const administrator = { email: anAddress(), password: 'nine patient otters diving' };

describe.skipIf(!hasChromium)('with a real server and a real browser', () => {
  const folder = temporaryFolder();
  const email = anAddress();
  let chromium: Browser;
  let serving: Serving;
  let site: LocalSite;
  let issuer: string;
  beforeAll(async () => {
    [chromium, serving, site] = await Promise.all([
      launch(),
      startServing(folder.path, {
        ADMIN_EMAIL: administrator.email,
        ADMIN_PASSWORD: administrator.password,
      }),
      startSite(),
    ]);
    issuer = serving.origin.replace('127.0.0.1', 'localhost');
    await register();
  }, 120_000);
  afterAll(async () => {
    await chromium.close();
    await Promise.all([serving.stop(), site.stop()]);
    folder.remove();
  });

  describe('openid-client', () => {
    test('completes discovery, authorize, token, userinfo, refresh and revoke, and is refused afterwards', async () => {
      const config = await discovered(await newClient('Harbour News'));
      const page = await newPage();
      const asked = await asking(config, { max_age: '3600' });
      await page.goto(asked.url.href);
      await signIn(page);
      await allow(page, 'Harbour News');
      const tokens = await asked.redeem(await landing(page), { maxAge: 3_600 });
      const sub = tokens.claims()?.sub ?? '';
      expect(tokens.claims()).toMatchObject({ name, email, email_verified: true });
      expect(tokens.scope?.split(' ').sort()).toEqual(scope.split(' ').sort());
      expect(await openid.fetchUserInfo(config, tokens.access_token, sub)).toMatchObject({
        sub,
        name,
        email,
        email_verified: true,
      });

      const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
      expect(renewed.claims()?.sub).toBe(sub);
      expect(renewed.refresh_token).not.toBe(tokens.refresh_token);
      expect(await openid.fetchUserInfo(config, renewed.access_token, sub)).toMatchObject({ sub });

      await openid.tokenRevocation(config, renewed.refresh_token ?? '');
      for (const { access_token, refresh_token = '' } of [tokens, renewed]) {
        await expect(openid.fetchUserInfo(config, access_token, sub)).rejects.toMatchObject({ status: 401 });
        await expect(openid.refreshTokenGrant(config, refresh_token)).rejects.toMatchObject({
          error: 'invalid_grant',
        });
      }
    });

    test('is told of a person who denies', async () => {
      const config = await discovered(await newClient('Harbour Mail'));
      const page = await newPage();
      const asked = await asking(config);
      await page.goto(asked.url.href);
      await signIn(page);
      await press(page, 'Deny');
      await expect(asked.redeem(await landing(page))).rejects.toMatchObject({ error: 'access_denied' });
    });
  });

  describe('oauth4webapi', () => {
    // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; this is localhost
    const insecure = { [oauth.allowInsecureRequests]: true };

    test('completes the same by the letter of each RFC, and is refused once the person revokes at our pages', async () => {
      const client: oauth.Client = { client_id: await newClient('Harbour Library') };
      const as = await oauth.processDiscoveryResponse(
        new URL(issuer),
        await oauth.discoveryRequest(new URL(issuer), insecure),
      );
      const verifier = oauth.generateRandomCodeVerifier();
      const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
      const url = new URL(as.authorization_endpoint ?? '');
      url.search = new URLSearchParams({
        client_id: client.client_id,
        redirect_uri: site.redirectUri,
        response_type: 'code',
        scope,
        code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
        code_challenge_method: 'S256',
        state,
        nonce,
      }).toString();
      const page = await newPage();
      await page.goto(url.href);
      await signIn(page);
      await allow(page, 'Harbour Library');
      const parameters = oauth.validateAuthResponse(as, client, await landing(page), state);

      const none = oauth.None();
      const answer = await oauth.authorizationCodeGrantRequest(
        as,
        client,
        none,
        parameters,
        site.redirectUri,
        verifier,
        insecure,
      );
      const expected = { expectedNonce: nonce, requireIdToken: true };
      const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, expected);
      await oauth.validateApplicationLevelSignature(as, answer, insecure);
      const sub = oauth.getValidatedIdTokenClaims(tokens)?.sub ?? '';
      const userinfo = async (token: string) =>
        oauth.processUserInfoResponse(
          as,
          client,
          sub,
          await oauth.userInfoRequest(as, client, token, insecure),
        );
      const refresh = async (token = '') =>
        oauth.processRefreshTokenResponse(
          as,
          client,
          await oauth.refreshTokenGrantRequest(as, client, none, token, insecure),
        );
      expect(await userinfo(tokens.access_token)).toMatchObject({ sub, name, email });
      const renewed = await refresh(tokens.refresh_token);
      expect(await userinfo(renewed.access_token)).toMatchObject({ sub, name, email });

      await page.goto(`${issuer}/dash/me/apps`);
      await page.locator('summary', { hasText: 'Revoke Harbour Library' }).click();
      await press(page, 'Revoke Harbour Library');
      await page.getByText('The access is revoked.').waitFor();
      await expect(userinfo(renewed.access_token)).rejects.toThrow(oauth.WWWAuthenticateChallengeError);
      await expect(refresh(renewed.refresh_token)).rejects.toMatchObject({ error: 'invalid_grant' });
      const revoking = oauth.revocationRequest(as, client, none, renewed.access_token, insecure);
      await oauth.processRevocationResponse(await revoking);
    });
  });

  describe('oidc-client-ts in a page on another origin', () => {
    let spa: SinglePageSite;
    let clientId: string;
    beforeAll(async () => {
      spa = await startSinglePageSite(async (origin) => {
        clientId = await newClient('Harbour Chat', {
          redirectUri: `${origin}/callback`,
          postLogoutUri: `${origin}/`,
        });
        return { authority: issuer, clientId };
      });
    });
    afterAll(() => spa.stop());

    test('signs in, renews by refresh token, reads userinfo, revokes, and signs out', async () => {
      const page = await newPage();
      const complaints: string[] = [];
      page.on('console', (message) => {
        if (message.type() === 'error') complaints.push(message.text());
      });
      await page.goto(spa.origin);
      await press(page, 'Sign in with Commonweal');
      await signIn(page);
      await allow(page, 'Harbour Chat');
      await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
      expect(new URL(page.url()).origin).toBe(spa.origin);
      const user = await held(page);
      expect(user.profile).toMatchObject({ iss: issuer, aud: clientId, name, email, email_verified: true });

      const asked = requestsOf(page);
      await page.evaluate('manager.signinSilent()');
      const renewed = await held(page);
      expect(asked.filter(({ path }) => path === '/oauth/authorize')).toEqual([]);
      expect(asked.filter(({ path }) => path === '/oauth/token').map(({ body }) => body)).toEqual([
        expect.stringMatching(/(^|&)grant_type=refresh_token(&|$)/),
      ]);
      expect(renewed.profile.sub).toBe(user.profile.sub);
      expect(renewed.access_token).not.toBe(user.access_token);
      expect(renewed.refresh_token).not.toBe(user.refresh_token);
      expect(await userinfoFrom(page, renewed.access_token)).toMatchObject({
        status: 200,
        body: { sub: user.profile.sub, name, email },
      });
      expect(complaints).toEqual([]);

      await page.evaluate('manager.revokeTokens()');
      expect(await userinfoFrom(page, renewed.access_token)).toMatchObject({
        status: 401,
        challenge: expect.stringContaining('invalid_token') as string,
      });

      await press(page, 'Sign out');
      await page.getByRole('heading', { name: 'Nobody is signed in here' }).waitFor();
      expect(page.url()).toBe(`${spa.origin}/`);
      await page.goto(`${issuer}/dash/me`);
      await page.getByRole('heading', { name: 'Sign in', exact: true }).waitFor();
    });

    test('is signed in by a top-level prompt=none without a page of ours, and told when nobody is', async () => {
      const page = await newPage();
      const shown = pagesOfOurs(page);
      await page.goto(spa.origin);
      await press(page, 'Am I signed in?');
      await page.getByRole('heading', { name: 'Not signed in: login_required' }).waitFor();
      expect(shown).toEqual([]);

      await press(page, 'Sign in with Commonweal');
      await signIn(page);
      await allowUnlessRemembered(page);
      await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
      expect(shown).toContain('/dash/sign-in');
      await page.evaluate('manager.removeUser()');
      await page.goto(spa.origin);
      shown.length = 0;
      await press(page, 'Am I signed in?');
      await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
      expect(shown).toEqual([]);
    });

    test('is signed in by a window that it opened, which closes by itself, and by a frame, and told when nobody is', async () => {
      const page = await newPage();
      await page.goto(spa.origin);
      await press(page, 'Sign in with a frame');
      await page.getByRole('heading', { name: 'Not signed in: login_required' }).waitFor();

      const opened = page.waitForEvent('popup');
      await press(page, 'Sign in with a window');
      const popup = await opened;
      const closed = popup.waitForEvent('close');
      await signIn(popup);
      await allowUnlessRemembered(popup, closed);
      await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
      await closed;
      expect((await held(page)).profile).toMatchObject({ iss: issuer, aud: clientId, name });

      await page.evaluate('manager.removeUser()');
      await page.goto(spa.origin);
      await press(page, 'Sign in with a frame');
      await page.getByRole('heading', { name: `Hello, ${name}` }).waitFor();
      expect((await held(page)).profile).toMatchObject({ iss: issuer, aud: clientId, name });
    });

    interface Held {
      readonly access_token: string;
      readonly refresh_token: string;
      readonly profile: Readonly<Record<string, unknown>> & { readonly sub: string };
    }

    /** What the page has of the person. */
    const held = async (page: Page): Promise<Held> =>
      JSON.parse(
        await page.evaluate<string>('manager.getUser().then((user) => JSON.stringify(user))'),
      ) as Held;

    const allowUnlessRemembered = async (page: Page, closed?: Promise<unknown>) => {
      const question = page.getByRole('button', { name: 'Allow', exact: true });
      const greeting = page.getByRole('heading', { name: `Hello, ${name}` });
      const asked = question.or(greeting).waitFor();
      await (closed ? Promise.race([closed, asked]) : asked);
      if (!page.isClosed() && (await question.isVisible())) await question.click();
    };

    const userinfoFrom = (page: Page, token: string) =>
      page.evaluate<{ status: number; challenge: string | null; body: unknown }>(`(async () => {
        const headers = { authorization: ${JSON.stringify(`Bearer ${token}`)} };
        const answer = await fetch(await manager.metadataService.getUserInfoEndpoint(), { headers });
        const challenge = answer.headers.get('www-authenticate');
        return { status: answer.status, challenge, body: await answer.json() };
      })()`);
  });

  describe('a top-level prompt=none', () => {
    test('says login_required when nobody is signed in', async () => {
      const config = await discovered(await newClient('Quiet Weather'));
      const page = await newPage();
      const shown = pagesOfOurs(page);
      const asked = await asking(config, { prompt: 'none' });
      await page.goto(asked.url.href);
      await expect(asked.redeem(await landing(page))).rejects.toMatchObject({ error: 'login_required' });
      expect(shown).toEqual([]);
    });

    test('says consent_required when somebody is signed in who has not consented, or not to so much', async () => {
      const config = await discovered(await newClient('Quiet Forum'));
      const page = await newPage();
      await page.goto(`${issuer}/dash/sign-in`);
      await signIn(page);
      await page.getByRole('heading', { name: 'Home' }).waitFor();
      const shown = pagesOfOurs(page);
      const before = await asking(config, { prompt: 'none' });
      await page.goto(before.url.href);
      await expect(before.redeem(await landing(page))).rejects.toMatchObject({ error: 'consent_required' });
      expect(shown).toEqual([]);

      const less = await asking(config, { scope: 'openid profile' });
      await page.goto(less.url.href);
      await allow(page, 'Quiet Forum');
      await less.redeem(await landing(page));
      const more = await asking(config, { prompt: 'none' });
      await page.goto(more.url.href);
      await expect(more.redeem(await landing(page))).rejects.toMatchObject({ error: 'consent_required' });
    });

    test('returns a code without a page when somebody is signed in and has consented', async () => {
      const config = await discovered(await newClient('Quiet Radio'));
      const page = await newPage();
      const first = await asking(config);
      await page.goto(first.url.href);
      await signIn(page);
      await allow(page, 'Quiet Radio');
      const tokens = await first.redeem(await landing(page));

      const shown = pagesOfOurs(page);
      const silent = await asking(config, { prompt: 'none', id_token_hint: tokens.id_token ?? '' });
      await page.goto(silent.url.href);
      const renewed = await silent.redeem(await landing(page));
      expect(shown).toEqual([]);
      expect(renewed.claims()?.sub).toBe(tokens.claims()?.sub);
      // The same sign-in as before.
      expect(renewed.claims()?.auth_time).toBe(tokens.claims()?.auth_time);
    });
  });

  /** Opens the account at our pages, its address confirmed with the link that an administrator finds. */
  async function register(): Promise<void> {
    const page = await newPage();
    await page.goto(`${issuer}/dash/register`);
    await page.getByLabel('Name').fill(name);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await press(page, 'Create account');
    await page.getByRole('heading', { name: 'Ask for your email' }).waitFor();

    const office = await newPage();
    await office.goto(`${issuer}/dash/outbox`);
    await signIn(office, administrator);
    const mail = office.getByRole('listitem').filter({ hasText: email });
    await mail.getByText('Read it').click();
    const link = await mail.getByRole('link').getAttribute('href');

    await page.goto(link ?? '');
    await page.getByLabel('Password').fill(password);
    await press(page, 'Confirm and sign in');
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    await Promise.all([page.context().close(), office.context().close()]);
  }

  /** Answers its id. */
  async function newClient(
    called: string,
    { redirectUri = site.redirectUri, postLogoutUri = '' } = {},
  ): Promise<string> {
    const made = await runCommand(
      folder.path,
      ...['clients', 'create', '--team', 'commons', '--name', called, '--redirect-uri', redirectUri],
      ...(postLogoutUri === '' ? [] : ['--post-logout-uri', postLogoutUri]),
    );
    return (made as { client: string }).client;
  }

  const discovered = (clientId: string) =>
    openid.discovery(new URL(issuer), clientId, undefined, openid.None(), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; this is localhost
      execute: [openid.allowInsecureRequests],
    });

  /** A request of openid-client, and what it makes of the answer. */
  async function asking(config: openid.Configuration, parameters: Record<string, string> = {}) {
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    return {
      url: openid.buildAuthorizationUrl(config, {
        redirect_uri: site.redirectUri,
        scope,
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
        ...parameters,
      }),
      redeem: (back: URL, checks: openid.AuthorizationCodeGrantChecks = {}) =>
        openid.authorizationCodeGrant(config, back, {
          pkceCodeVerifier,
          expectedState,
          expectedNonce,
          idTokenExpected: true,
          ...checks,
        }),
    };
  }

  /** In a browser that has never been here. */
  const newPage = async (): Promise<Page> => (await chromium.newContext()).newPage();

  async function signIn(page: Page, who = { email, password }): Promise<void> {
    await page.getByLabel('Email').fill(who.email);
    await page.getByLabel('Password').fill(who.password);
    await press(page, 'Sign in');
  }

  async function allow(page: Page, who: string): Promise<void> {
    await page.getByRole('heading', { name: new RegExp(`^(Sign in to )?${who}`) }).waitFor();
    await press(page, 'Allow');
  }

  /** Where the person comes back to. */
  async function landing(page: Page): Promise<URL> {
    await page.getByRole('heading', { name: 'Back at the site' }).waitFor();
    return new URL(page.url());
  }

  /** The addresses of ours at which the browser shows a page from now on. */
  function pagesOfOurs(page: Page): string[] {
    const shown: string[] = [];
    page.on('framenavigated', (frame) => {
      const { origin, pathname } = new URL(frame.url());
      if (origin === issuer) shown.push(pathname);
    });
    return shown;
  }

  /** What the page asks us from now on. */
  function requestsOf(page: Page) {
    const requests: { path: string; body: string | null }[] = [];
    page.on('request', (request) => {
      const { origin, pathname } = new URL(request.url());
      if (origin === issuer) requests.push({ path: pathname, body: request.postData() });
    });
    return requests;
  }
});

const press = (page: Page, label: string) => page.getByRole('button', { name: label, exact: true }).click();
