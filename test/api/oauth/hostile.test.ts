import fc from 'fast-check';
import type { InjectOptions } from 'fastify';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import {
  formOf,
  issuer,
  landed,
  redirectUri,
  startProvider,
  verifier,
  challengeOf,
  type Provider,
} from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const names = [
  'client_id',
  'redirect_uri',
  'response_type',
  'scope',
  'state',
  'code_challenge',
  'code_challenge_method',
  'nonce',
  'prompt',
  'max_age',
  'id_token_hint',
  'request',
  'grant_type',
  'code',
  'code_verifier',
  'refresh_token',
  'token',
  'access_token',
  'post_logout_redirect_uri',
  'confirm',
  'continue',
  '__proto__',
];

/** Parameters that are partly right, partly anything. */
const parameters = () =>
  fc
    .array(
      fc.tuple(
        fc.oneof(fc.constantFrom(...names), fc.string({ maxLength: 8 })),
        fc.oneof(
          fc.constantFrom(
            provider.clientId,
            redirectUri,
            'code',
            'openid',
            'S256',
            'x'.repeat(43),
            'authorization_code',
            'refresh_token',
            'none',
            'login',
          ),
          fc.string({ unit: 'binary', maxLength: 60 }),
          fc.string({
            unit: fc.constantFrom('%', 'f', '0', '+', '&', '=', '#', ' ', '\u0000', 'é'),
            maxLength: 30,
          }),
        ),
        fc.boolean(),
      ),
      { maxLength: 12 },
    )
    .map((pairs) =>
      pairs
        .map(([name, value, raw]) => {
          const text = raw ? value.replace(/[^\x21-\x7e]/g, '') : encodeURIComponent(value.toWellFormed());
          return `${encodeURIComponent(name.toWellFormed())}=${text}`;
        })
        .join('&'),
    );

const paths = [
  'authorize',
  'authorize/resume',
  'token',
  'userinfo',
  'revoke',
  'logout',
  'jwks.json',
] as const;

test('whatever is sent, no endpoint answers 500, and nobody is sent anywhere but to a registered address or to us', async () => {
  const methods = ['GET', 'POST'] as const;
  await fc.assert(
    fc.asyncProperty(
      fc.constantFrom(...paths),
      fc.constantFrom(...methods),
      parameters(),
      fc.boolean(),
      async (path, method, text, signedIn) => {
        const cookie = signedIn ? { cookie: provider.browser.cookie } : {};
        const request: InjectOptions =
          method === 'GET'
            ? { url: `/oauth/${path}?${text}`, headers: cookie }
            : {
                method,
                url: `/oauth/${path}`,
                headers: { ...cookie, 'content-type': 'application/x-www-form-urlencoded' },
                payload: text,
              };
        const answer = await provider.server.inject(request);
        expect(answer.statusCode).toBeLessThan(500);
        const { location } = answer.headers;
        if (location !== undefined) {
          expect([303]).toContain(answer.statusCode);
          expect(location).toMatch(/^(\/(oauth|dash)\/|https:\/\/site\.example\/callback\?)/);
        }
      },
    ),
    { numRuns: 600 },
  );
});

test.each([
  ['is away', new StoreError('unavailable', '/secret/path: away'), 503, 'temporarily_unavailable'],
  ['is full', new StoreError('full', '/secret/path: full'), 503, 'temporarily_unavailable'],
  ['is broken', new TypeError('/secret/path'), 500, 'server_error'],
])(
  'RFC 6749 §4.1.2.1, §5.2: a store that %s is said so, and how is not',
  async (_what, error, status, code) => {
    const { config, store } = provider.system;
    const failing = new Proxy<EventStore>(store, {
      get: (target, name) =>
        name === 'append'
          ? () => Promise.reject(error)
          : (Reflect.get(target, name) as () => unknown).bind(target),
    });
    const ready = () => Promise.resolve({ ready: true });
    const server = await buildServer({ ...provider.system, config, store: failing, ready });

    const exchanged = await provider.token(
      {
        grant_type: 'authorization_code',
        code: await provider.code(),
        redirect_uri: redirectUri,
        client_id: provider.clientId,
        code_verifier: verifier,
      },
      {},
      server,
    );
    expect(exchanged.statusCode).toBe(status);
    expect(exchanged.json()).toMatchObject({ error: code });
    if (status === 503) expect(Number(exchanged.headers['retry-after'])).toBeGreaterThan(0);

    const query = formOf({
      client_id: provider.clientId,
      redirect_uri: redirectUri,
      response_type: 'code',
      scope: 'openid',
      state: 's',
      code_challenge: challengeOf(verifier),
      code_challenge_method: 'S256',
    });
    const headers = { cookie: provider.browser.cookie };
    const authorized = await server.inject({ url: `/oauth/authorize?${query}`, headers });
    expect(Object.fromEntries(landed(authorized))).toMatchObject({ error: code, state: 's', iss: issuer });
    expect(exchanged.body + String(authorized.headers.location)).not.toContain('secret');
    await server.close();
  },
);
