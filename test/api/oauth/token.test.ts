import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import {
  challengeOf,
  context,
  formOf,
  post,
  redirectUri,
  startProvider,
  verifier,
  type Provider,
  type TokenBody,
} from './harness.ts';

let provider: Provider;
let aheadMs = 0;
beforeAll(async () => {
  provider = await startProvider({ now: () => new Date(Date.now() + aheadMs) });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => provider.stop());

type Answer = Awaited<ReturnType<Provider['token']>>;

/** RFC 6749 §5.2: always JSON, never cached, readable by any page. */
function refused(answer: Answer, error: string, status = 400): string {
  expect(answer.json()).toEqual({ error, error_description: expect.any(String) as string });
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers.pragma).toBe('no-cache');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
  expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
  return answer.json<{ error_description: string }>().error_description;
}

const exchange: Provider['exchange'] = (...given) => provider.exchange(...given);

describe('a code', () => {
  test('RFC 6749 §5.1, OpenID Connect Core §3.1.3.3: is exchanged for three tokens', async () => {
    const answer = await exchange(await provider.code());
    expect(answer.statusCode).toBe(200);
    expect(answer.json()).toEqual({
      access_token: expect.stringMatching(/^sat_[0-9A-Za-z]+$/) as string,
      token_type: 'Bearer',
      expires_in: 3_600,
      refresh_token: expect.stringMatching(/^srt_[0-9A-Za-z]+$/) as string,
      id_token: expect.stringMatching(/^[\w-]+\.[\w-]+\.[\w-]+$/) as string,
      scope: 'openid profile email',
    });
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers.pragma).toBe('no-cache');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['set-cookie']).toBeUndefined();
  });

  test('RFC 6749 §4.1.2: used again is invalid_grant, and within ten seconds its tokens live on', async () => {
    const code = await provider.code();
    const { access_token } = (await exchange(code)).json<TokenBody>();
    refused(await exchange(code), 'invalid_grant');
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
  });

  test('RFC 9700 §2.1.1, DESIGN 5: used again later, with its verifier, it ends its tokens', async () => {
    const code = await provider.code();
    const { access_token, refresh_token } = (await exchange(code)).json<TokenBody>();
    aheadMs = 10_000;
    refused(
      await exchange(code, { code_verifier: 'another-verifier-that-is-long-enough-0123456789' }),
      'invalid_grant',
    );
    refused(await exchange(code, { code_verifier: undefined }), 'invalid_request');
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
    refused(await exchange(code), 'invalid_grant');
    await provider.caughtUp();
    expect((await provider.userinfo(access_token)).statusCode).toBe(401);
    refused(await provider.refresh(refresh_token), 'invalid_grant');
  });

  test('interface 3: of many who try at once exactly one wins, and keeps its tokens', async () => {
    const code = await provider.code();
    const answers = await Promise.all(Array.from({ length: 50 }, () => exchange(code)));
    const [winner, ...more] = answers.filter(({ statusCode }) => statusCode === 200);
    expect(more).toEqual([]);
    for (const answer of answers) if (answer !== winner) refused(answer, 'invalid_grant');
    expect((await provider.userinfo(winner?.json<TokenBody>().access_token ?? '')).statusCode).toBe(200);
  });

  test('interface 3: after ten minutes is invalid_grant', async () => {
    const [code, other] = [await provider.code(), await provider.code()];
    aheadMs = 598_000;
    expect((await exchange(code)).statusCode).toBe(200);
    aheadMs = 600_000;
    refused(await exchange(other), 'invalid_grant');
  });

  test('RFC 6749 §4.1.3: with another redirect_uri, or of another client, is invalid_grant', async () => {
    const uris = [redirectUri, 'https://site.example/other'];
    const client_id = await provider.client({ redirectUris: uris });
    await provider.consent(['openid'], { client: client_id });
    const code = await provider.code({ client_id, scope: 'openid' });
    refused(await exchange(code, { client_id, redirect_uri: uris[1] }), 'invalid_grant');
    refused(await exchange(code, { client_id, redirect_uri: `${redirectUri}/` }), 'invalid_grant');
    refused(await exchange(code), 'invalid_grant');
    expect((await exchange(code, { client_id })).statusCode).toBe(200);
  });

  test.each([
    '',
    'x',
    'sac_',
    'sac_AAAA',
    `sac_${'A'.repeat(60)}`,
    `sac_${'z'.repeat(5_000)}`,
    '\u0000',
    '💥',
  ])('RFC 6749 §5.2: that is none of ours is invalid_grant: %j', async (code) => {
    refused(await exchange(code), code === '' ? 'invalid_request' : 'invalid_grant');
  });

  test('for a redirect URI that the site has removed since is invalid_grant, and ends nothing', async () => {
    const client_id = await provider.client({ redirectUris: [redirectUri, 'https://site.example/other'] });
    await provider.consent(['openid', 'profile', 'email'], { client: client_id });
    const change = (...uris: string[]) =>
      changeClient(provider.system.store, client_id, [{ kind: 'change-redirect-uris', uris }], context());
    const code = await provider.code({ client_id });
    await change('https://site.example/other');
    expect(refused(await exchange(code, { client_id }), 'invalid_grant')).toContain('no longer registered');
    await change(redirectUri);
    expect((await exchange(code, { client_id })).statusCode).toBe(200);
  });

  test('a forged one, or a token of another kind, is invalid_grant', async () => {
    const code = await provider.code();
    const { access_token, refresh_token } = (await exchange(code)).json<TokenBody>();
    const last = code.endsWith('a') ? 'b' : 'a';
    for (const other of [
      code.slice(0, -1) + last,
      access_token,
      refresh_token,
      `sac_${refresh_token.slice(4)}`,
    ]) {
      refused(await exchange(other), 'invalid_grant');
    }
  });

  test('interface 3: after its consent was revoked is invalid_grant', async () => {
    const client_id = await provider.client();
    const whose = { user: provider.person.user, client: client_id };
    await provider.consent(['openid'], whose);
    const code = await provider.code({ client_id, scope: 'openid' });
    await revokeConsent(provider.system.store, whose, context());
    refused(await exchange(code, { client_id }), 'invalid_grant');
    await provider.consent(['openid'], whose);
    refused(await exchange(code, { client_id }), 'invalid_grant');
  });

  test('of a person who is erased is invalid_grant', async () => {
    const person = await provider.newPerson();
    await provider.consent(['openid', 'profile', 'email'], { user: person.user });
    const browser = await person.signIn();
    const code = await provider.code({}, browser);
    await erasePerson(provider.system, person.user, context());
    refused(await exchange(code), 'invalid_grant');
  });
});

describe('PKCE', () => {
  test('RFC 7636 §4.6: a wrong verifier is invalid_grant, and the code is good still', async () => {
    const code = await provider.code();
    refused(await exchange(code, { code_verifier: `${verifier}x` }), 'invalid_grant');
    refused(await exchange(code, { code_verifier: challengeOf(verifier) }), 'invalid_grant');
    expect((await exchange(code)).statusCode).toBe(200);
  });

  test('RFC 7636 §4.5: a missing verifier is invalid_request', async () => {
    const code = await provider.code();
    expect(refused(await exchange(code, { code_verifier: undefined }), 'invalid_request')).toContain(
      'code_verifier',
    );
  });

  test.each([
    ['42 characters', 'v'.repeat(42)],
    ['129 characters', 'v'.repeat(129)],
    ['a space', `${'v'.repeat(43)} `],
    ['other letters', 'ä'.repeat(43)],
  ])(
    'RFC 7636 §4.1: a verifier of %s is invalid_grant, even where its hash is the challenge',
    async (_what, code_verifier) => {
      const code = await provider.code({ code_challenge: challengeOf(code_verifier) });
      refused(await exchange(code, { code_verifier }), 'invalid_grant');
    },
  );

  test.each([43, 128])(
    'RFC 7636 §4.1: a verifier of %i characters is long enough and not too long',
    async (length) => {
      const code_verifier = '-._~aZ9'.repeat(20).slice(0, length);
      const code = await provider.code({ code_challenge: challengeOf(code_verifier) });
      expect((await exchange(code, { code_verifier })).statusCode).toBe(200);
    },
  );
});

describe('the request', () => {
  test.each(['grant_type', 'client_id', 'code', 'redirect_uri'])(
    'interface 7.1: a missing or empty %s is invalid_request',
    async (name) => {
      const code = await provider.code();
      for (const value of [undefined, '']) {
        expect(refused(await exchange(code, { [name]: value }), 'invalid_request')).toContain(name);
      }
    },
  );

  test.each(['password', 'client_credentials', 'implicit', 'urn:ietf:params:oauth:grant-type:device_code'])(
    'RFC 6749 §5.2: grant_type %s is unsupported_grant_type',
    async (grant_type) => {
      refused(await provider.token({ grant_type, client_id: provider.clientId }), 'unsupported_grant_type');
    },
  );

  test('RFC 6749 §3.2: a parameter that comes twice is invalid_request', async () => {
    const form = formOf({ grant_type: 'refresh_token', client_id: provider.clientId, refresh_token: 'x' });
    for (const again of ['grant_type=refresh_token', 'refresh_token=y', `client_id=${provider.clientId}`]) {
      const answer = await post(provider.server, '/oauth/token', `${form}&${again}`);
      expect(refused(answer, 'invalid_request')).toContain('more than once');
    }
    const unknown = await post(provider.server, '/oauth/token', `${form}&foo=1&foo=2`);
    refused(unknown, 'invalid_grant');
  });

  test('RFC 6749 appendix B: anything but a form is invalid_request', async () => {
    const code = await provider.code();
    const fields = { grant_type: 'authorization_code', code, client_id: provider.clientId };
    const send = (type: string, payload: string) =>
      provider.server.inject({
        method: 'POST',
        url: '/oauth/token',
        headers: { 'content-type': type },
        payload,
      });
    expect(refused(await send('application/json', JSON.stringify(fields)), 'invalid_request')).toContain(
      'form',
    );
    refused(await send('text/plain', formOf(fields)), 'invalid_request');
    refused(await send('multipart/form-data; boundary=x', '--x--'), 'invalid_request');
    refused(await send('application/x-www-form-urlencoded', ''), 'invalid_request');
    refused(await send('application/x-www-form-urlencoded', '&&==&%&='), 'invalid_request');
    refused(await send('application/x-www-form-urlencoded', 'code=%ff'), 'invalid_request');
    refused(await provider.server.inject({ method: 'POST', url: '/oauth/token' }), 'invalid_request');
    expect(
      refused(await send('application/x-www-form-urlencoded', 'x'.repeat(20_000)), 'invalid_request', 413),
    ).toBe('The request is too large: at most 16 KiB can be sent here.');
  });

  test('parameters in the address count for nothing (RFC 9700 §4.3.2)', async () => {
    const code = await provider.code();
    const fields = { grant_type: 'authorization_code', code, client_id: provider.clientId };
    const answer = await post(provider.server, `/oauth/token?${formOf(fields)}`, '');
    refused(answer, 'invalid_request');
  });

  test('a form with a charset is a form', async () => {
    const answer = await provider.token(
      { grant_type: 'refresh_token', client_id: provider.clientId, refresh_token: 'x' },
      { 'content-type': 'application/x-www-form-urlencoded; charset=UTF-8' },
    );
    refused(answer, 'invalid_grant');
  });

  test.each(['GET', 'HEAD', 'PUT', 'DELETE', 'PATCH'] as const)(
    'RFC 6749 §3.2: %s is 405',
    async (method) => {
      const answer = await provider.server.inject({ method, url: '/oauth/token' });
      expect(answer.statusCode).toBe(405);
      expect(answer.headers.allow).toBe('POST, OPTIONS');
      if (method !== 'HEAD') expect(answer.json()).toMatchObject({ error: 'invalid_request' });
    },
  );

  test('interface 4.1: a page of any site may ask, without credentials', async () => {
    const preflight = await provider.server.inject({
      method: 'OPTIONS',
      url: '/oauth/token',
      headers: { origin: 'https://site.example', 'access-control-request-method': 'POST' },
    });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers).toMatchObject({
      'access-control-allow-origin': '*',
      'access-control-allow-methods': 'POST, OPTIONS',
      'access-control-allow-headers': 'Authorization, Content-Type',
    });
    expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
  });
});

describe('the client', () => {
  test('interface 7.1: unknown or inactive is invalid_client, whatever else is wrong', async () => {
    const client_id = await provider.client();
    await provider.consent(['openid'], { client: client_id });
    const code = await provider.code({ client_id, scope: 'openid' });
    await changeClient(provider.system.store, client_id, [{ kind: 'deactivate' }], context());
    refused(await exchange(code, { client_id }), 'invalid_client');
    for (const unknown of ['site_doesnotexist000000', 'nobody', '💥']) {
      refused(await exchange(code, { client_id: unknown }), 'invalid_client');
      refused(await exchange('rubbish', { client_id: unknown }), 'invalid_client');
      refused(await provider.refresh('rubbish', { client_id: unknown }), 'invalid_client');
    }
  });

  test('RFC 6749 §5.2: one that sends a secret is invalid_client, and its code is good still', async () => {
    const code = await provider.code();
    refused(await exchange(code, { client_secret: 'secret' }), 'invalid_client');
    refused(
      await exchange(code, { client_assertion: 'e.y.J', client_assertion_type: 'x' }),
      'invalid_client',
    );
    expect((await exchange(code, { client_secret: '' })).statusCode).toBe(200);
  });

  test('RFC 6749 §5.2: one that sends an Authorization header is invalid_client, 401 with a challenge', async () => {
    const basic = Buffer.from(`${provider.clientId}:secret`).toString('base64');
    const answer = await provider.token(
      { grant_type: 'authorization_code', client_id: provider.clientId },
      { authorization: `Basic ${basic}` },
    );
    refused(answer, 'invalid_client', 401);
    expect(answer.headers['www-authenticate']).toMatch(/^Basic /);
  });
});

test('a session’s cookie means nothing here', async () => {
  const code = await provider.code();
  const fields = {
    grant_type: 'authorization_code',
    code,
    client_id: provider.clientId,
    redirect_uri: redirectUri,
  };
  refused(await provider.token(fields, { cookie: provider.browser.cookie }), 'invalid_request');
});

test('while the service is starting it is temporarily_unavailable', async () => {
  const starting = await provider.another({
    environment: { AUTH_URL: 'https://id.example' },
    ready: () => Promise.resolve({ ready: false }),
  });
  const answer = await provider.token({ grant_type: 'refresh_token', refresh_token: 'x' }, {}, starting);
  refused(answer, 'temporarily_unavailable', 503);
  expect(answer.headers['retry-after']).toBe('1');
});
