import * as oauth from 'oauth4webapi';
import * as openid from 'openid-client';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startProvider, type Provider } from './harness.ts';

const redirect = 'http://localhost:4711/callback';
let provider: Provider;
let origin: string;
let clientId: string;
beforeAll(async () => {
  provider = await startProvider({ environment: { AUTH_URL: '' } });
  origin = (await provider.listen()).replace('127.0.0.1', 'localhost');
  clientId = await provider.client({ redirectUris: [redirect] });
  await provider.consent(['openid', 'profile', 'email'], { client: clientId });
});
afterAll(() => provider.stop());

/** The browser of somebody who is signed in and has consented follows a link; where it ends. */
async function follow(url: URL): Promise<URL> {
  const answer = await fetch(url, { redirect: 'manual', headers: { cookie: provider.browser.cookie } });
  return new URL(answer.headers.get('location') ?? '', url);
}

describe('openid-client', () => {
  test('goes all the way: discovery, authorize, token, userinfo, refresh, revoke', async () => {
    const config = await openid.discovery(new URL(origin), clientId, undefined, openid.None(), {
      // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; this is localhost
      execute: [openid.allowInsecureRequests],
    });
    const pkceCodeVerifier = openid.randomPKCECodeVerifier();
    const [expectedState, expectedNonce] = [openid.randomState(), openid.randomNonce()];
    const landing = await follow(
      openid.buildAuthorizationUrl(config, {
        redirect_uri: redirect,
        scope: 'openid profile email',
        code_challenge: await openid.calculatePKCECodeChallenge(pkceCodeVerifier),
        code_challenge_method: 'S256',
        state: expectedState,
        nonce: expectedNonce,
        max_age: '3600',
      }),
    );
    const tokens = await openid.authorizationCodeGrant(config, landing, {
      pkceCodeVerifier,
      expectedState,
      expectedNonce,
      idTokenExpected: true,
      maxAge: 3_600,
    });
    const sub = tokens.claims()?.sub ?? '';
    expect(sub).toBe(provider.person.user);
    expect(tokens.expiresIn()).toBeGreaterThan(3_500);

    const claims = await openid.fetchUserInfo(config, tokens.access_token, sub);
    expect(claims).toMatchObject({ sub, name: 'Ada Lovelace', email: provider.person.email });

    const renewed = await openid.refreshTokenGrant(config, tokens.refresh_token ?? '');
    expect(renewed.claims()?.sub).toBe(sub);
    await openid.tokenRevocation(config, renewed.refresh_token ?? '');
    await expect(openid.fetchUserInfo(config, renewed.access_token, sub)).rejects.toThrow(
      openid.WWWAuthenticateChallengeError,
    );
    await expect(openid.refreshTokenGrant(config, renewed.refresh_token ?? '')).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });
});

describe('oauth4webapi', () => {
  // eslint-disable-next-line @typescript-eslint/no-deprecated -- marked so that it stands out; this is localhost
  const insecure = { [oauth.allowInsecureRequests]: true };

  test('goes all the way, and checks every answer by the letter of its RFC', async () => {
    const issuer = new URL(origin);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const asOAuth = await oauth.discoveryRequest(issuer, { ...insecure, algorithm: 'oauth2' });
    expect((await oauth.processDiscoveryResponse(issuer, asOAuth)).issuer).toBe(origin);

    const client: oauth.Client = { client_id: clientId };
    const verifier = oauth.generateRandomCodeVerifier();
    const [state, nonce] = [oauth.generateRandomState(), oauth.generateRandomNonce()];
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({
      client_id: clientId,
      redirect_uri: redirect,
      response_type: 'code',
      scope: 'openid profile email',
      code_challenge: await oauth.calculatePKCECodeChallenge(verifier),
      code_challenge_method: 'S256',
      state,
      nonce,
    }).toString();
    const parameters = oauth.validateAuthResponse(as, client, await follow(url), state);
    const exchange = () =>
      oauth.authorizationCodeGrantRequest(as, client, oauth.None(), parameters, redirect, verifier, insecure);
    const answer = await exchange();
    const tokens = await oauth.processAuthorizationCodeResponse(as, client, answer, {
      expectedNonce: nonce,
      requireIdToken: true,
    });
    await oauth.validateApplicationLevelSignature(as, answer, insecure);
    const claims = oauth.getValidatedIdTokenClaims(tokens);
    const sub = claims?.sub ?? '';

    const userinfo = await oauth.userInfoRequest(as, client, tokens.access_token, insecure);
    expect(await oauth.processUserInfoResponse(as, client, sub, userinfo)).toMatchObject({
      sub,
      name: 'Ada Lovelace',
    });

    const refreshing = oauth.refreshTokenGrantRequest(
      as,
      client,
      oauth.None(),
      tokens.refresh_token ?? '',
      insecure,
    );
    const renewed = await oauth.processRefreshTokenResponse(as, client, await refreshing);
    const revoking = oauth.revocationRequest(as, client, oauth.None(), renewed.access_token, insecure);
    await oauth.processRevocationResponse(await revoking);
    const refused = await oauth.userInfoRequest(as, client, renewed.access_token, insecure);
    await expect(oauth.processUserInfoResponse(as, client, sub, refused)).rejects.toThrow(
      oauth.WWWAuthenticateChallengeError,
    );
    await expect(oauth.processAuthorizationCodeResponse(as, client, await exchange())).rejects.toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('RFC 9207 §2.4: is told of an error by the issuer it asked', async () => {
    const issuer = new URL(origin);
    const as = await oauth.processDiscoveryResponse(issuer, await oauth.discoveryRequest(issuer, insecure));
    const url = new URL(as.authorization_endpoint ?? '');
    url.search = new URLSearchParams({ client_id: clientId, redirect_uri: redirect, state: 's' }).toString();
    const landing = await follow(url);
    expect(() => oauth.validateAuthResponse(as, { client_id: clientId }, landing, 's')).toThrow(
      oauth.AuthorizationResponseError,
    );
  });
});
