import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { startSystem } from '../harness.ts';
import { issuer, startProvider, type Provider } from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const openid = '/.well-known/openid-configuration';
const oauth = '/.well-known/oauth-authorization-server';
const keys = '/oauth/jwks.json';
const get = (url: string, headers = {}) => provider.server.inject({ url, headers });

describe('the discovery document', () => {
  test('OpenID Connect Discovery §3, RFC 8414 §2: says what we are and can do, at both addresses alike', async () => {
    const answer = await get(openid);
    expect(answer.statusCode).toBe(200);
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.json()).toEqual({
      issuer,
      authorization_endpoint: `${issuer}/oauth/authorize`,
      token_endpoint: `${issuer}/oauth/token`,
      userinfo_endpoint: `${issuer}/oauth/userinfo`,
      jwks_uri: `${issuer}/oauth/jwks.json`,
      revocation_endpoint: `${issuer}/oauth/revoke`,
      end_session_endpoint: `${issuer}/oauth/logout`,
      service_documentation: `${issuer}/docs`,
      scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
      response_types_supported: ['code'],
      response_modes_supported: ['query', 'form_post'],
      grant_types_supported: ['authorization_code', 'refresh_token'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: ['none'],
      revocation_endpoint_auth_methods_supported: ['none'],
      subject_types_supported: ['public'],
      id_token_signing_alg_values_supported: ['RS256'],
      claim_types_supported: ['normal'],
      claims_supported: expect.arrayContaining(['sub', 'name', 'email', 'email_verified']) as string[],
      acr_values_supported: ['1', 'phr'],
      prompt_values_supported: ['none', 'login', 'consent', 'select_account'],
      display_values_supported: ['page'],
      ui_locales_supported: ['en'],
      claims_parameter_supported: false,
      request_parameter_supported: false,
      request_uri_parameter_supported: false,
      require_request_uri_registration: false,
      authorization_response_iss_parameter_supported: true,
    });
    expect((await get(oauth)).body).toBe(answer.body);
  });

  test('OpenID Connect Discovery §4.1: every endpoint that it names is there', async () => {
    const named = (await get(openid)).json<Record<string, unknown>>();
    for (const [name, value] of Object.entries(named)) {
      if (!/_endpoint$|_uri$/.test(name) || typeof value !== 'string') continue;
      const answer = await get(value.slice(issuer.length));
      expect(answer.statusCode, name).not.toBe(404);
    }
  });
});

describe.each([openid, oauth, keys])('%s', (url) => {
  test('may be kept for a while, and costs nothing when it has not changed', async () => {
    const answer = await get(url);
    expect(answer.headers['cache-control']).toBe('public, max-age=3600');
    const again = await get(url, { 'if-none-match': String(answer.headers.etag) });
    expect(again.statusCode).toBe(304);
    expect(again.body).toBe('');
    const head = await provider.server.inject({ method: 'HEAD', url });
    expect(head.statusCode).toBe(200);
    expect(head.headers.etag).toBe(answer.headers.etag);
  });

  test('interface 4.1: may be read by any page, without credentials', async () => {
    const answer = await get(url, { origin: 'https://site.example' });
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect(answer.headers['access-control-allow-credentials']).toBeUndefined();
    const preflight = await provider.server.inject({ method: 'OPTIONS', url });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
  });

  test('other methods are 405', async () => {
    const answer = await provider.server.inject({ method: 'POST', url });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET, HEAD, OPTIONS');
  });
});

test('RFC 7517 §5: the keys are what verifies RS256', async () => {
  const answer = await get(keys);
  expect(answer.headers['content-type']).toBe('application/jwk-set+json; charset=utf-8');
  expect(answer.json<{ keys: object[] }>().keys).toEqual([
    {
      kty: 'RSA',
      use: 'sig',
      alg: 'RS256',
      kid: expect.stringMatching(/^[\w-]{43}$/) as string,
      n: expect.stringMatching(/^[\w-]{342}$/) as string,
      e: 'AQAB',
    },
  ]);
});

describe('the issuer', () => {
  test('is AUTH_URL, else BASE_URL, else where the server listens', async () => {
    const issuerOf = async (url: string) =>
      ((await (await fetch(url + openid)).json()) as { issuer: string }).issuer;
    const system = await startSystem();
    try {
      const listening = (await system.listen()).replace('127.0.0.1', 'localhost');
      expect(await issuerOf(listening)).toBe(listening);
      for (const [environment, expected] of [
        [{ BASE_URL: 'https://base.example' }, 'https://base.example'],
        [{ BASE_URL: 'https://base.example', AUTH_URL: 'https://id.example' }, 'https://id.example'],
      ] as const) {
        const server = await system.another({ environment });
        expect((await server.inject({ url: openid })).json()).toMatchObject({ issuer: expected });
      }
    } finally {
      await system.stop();
    }
  });

  test('an empty JWKS is never handed out: until there is a key it is 503', async () => {
    const system = await startSystem();
    try {
      const answer = await system.server.inject({ url: keys });
      expect(answer.statusCode).toBe(503);
      expect(answer.headers['retry-after']).toBe('1');
    } finally {
      await system.stop();
    }
  });
});

test('the endpoints and their errors are in the reference', async () => {
  const described = (await get('/openapi.json')).json<{ paths: Record<string, object> }>().paths;
  for (const path of [
    '/oauth/authorize',
    '/oauth/token',
    '/oauth/userinfo',
    '/oauth/jwks.json',
    '/oauth/revoke',
    '/oauth/logout',
    openid,
  ]) {
    expect(described).toHaveProperty([path]);
  }
  expect((await get('/docs/errors')).body).toContain('id="oauth-invalid_grant"');
});
