import type { FastifyInstance } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legacy, startSystem, v1, type RunningSystem } from '../harness.ts';

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
});
afterAll(() => system.stop());

/** One of each kind of answer: pages, JSON, errors, preflights, redirects, files, and what reaches no route. */
const answers = [
  ['GET', '/'],
  ['GET', '/find?q=food'],
  ['GET', '/docs'],
  ['GET', '/docs/api'],
  ['GET', '/openapi.json'],
  ['GET', '/healthz'],
  ['GET', '/nothing'],
  ['GET', '/%zz'],
  ['GET', v1],
  ['POST', v1],
  ['GET', legacy],
  ['DELETE', legacy],
  ['GET', '/dash/sign-in'],
  ['GET', '/dash/me'],
  ['GET', '/dash/nothing'],
  ['GET', '/oauth/jwks.json'],
  ['GET', '/oauth/authorize'],
  ['GET', '/oauth/logout'],
  ['POST', '/oauth/token'],
  ['OPTIONS', '/oauth/token'],
  ['GET', '/.well-known/openid-configuration'],
] as const;

type Method = (typeof answers)[number][0];

const headersOf = async (
  server: FastifyInstance,
  method: Method,
  url: string,
  headers: Record<string, string> = {},
) => (await server.inject({ method, url, headers })).headers;

describe('every answer', () => {
  test.each(answers)('%s %s says what browsers may do with it', async (method, url) => {
    const headers = await headersOf(system.server, method, url);
    // Where people search, they may have their own location filled in.
    const locates = url === '/' || url.startsWith('/find');
    expect(headers).toMatchObject({
      'x-content-type-options': 'nosniff',
      'referrer-policy': 'no-referrer',
      'x-frame-options': 'DENY',
      'permissions-policy': expect.stringMatching(
        locates
          ? /camera=\(\).*geolocation=\(self\).*microphone=\(\)/
          : /camera=\(\).*geolocation=\(\).*microphone=\(\)/,
      ) as string,
    });
    expect(headers['cache-control'], 'whether it may be kept').toBeDefined();
    expect(headers['strict-transport-security'], 'on http').toBeUndefined();
    const withSites = url === '/oauth/authorize' || url === '/oauth/logout';
    expect(headers['cross-origin-opener-policy']).toBe(withSites ? undefined : 'same-origin');
  });

  test('is for any origin where it was before: widgets and single pages go on working', async () => {
    for (const [method, url] of [
      ['GET', legacy],
      ['GET', '/oauth/jwks.json'],
      ['OPTIONS', '/oauth/token'],
    ] as const) {
      const headers = await headersOf(system.server, method, url);
      expect(headers['access-control-allow-origin'], url).toBe('*');
      expect(headers['cross-origin-resource-policy'], url).toBeUndefined();
    }
  });
});

describe('Strict-Transport-Security', () => {
  const year = 'max-age=31536000';

  test.each([
    [{ BASE_URL: 'https://commons.example' }],
    [{ AUTH_URL: 'https://id.example' }],
    [{ BASE_URL: 'https://commons.example', AUTH_URL: 'https://id.example' }],
  ])('is on every answer of %o', async (environment) => {
    const server = await system.another({ environment });
    for (const [method, url] of answers) {
      expect((await headersOf(server, method, url))['strict-transport-security'], url).toBe(year);
    }
  });

  test('behind a proxy follows what the proxy says: RFC 6797 §7.2 allows it over https alone', async () => {
    const server = await system.another({
      environment: { BASE_URL: 'https://commons.example', TRUST_PROXY: 'loopback' },
    });
    // What is no address at all is answered before anybody looks for the proxy.
    for (const [method, url] of answers.filter(([, each]) => each !== '/%zz')) {
      const over = async (protocol: string) =>
        (await headersOf(server, method, url, { 'x-forwarded-proto': protocol }))[
          'strict-transport-security'
        ];
      expect(await over('https'), url).toBe(year);
      expect(await over('http'), url).toBeUndefined();
    }
  });
});
