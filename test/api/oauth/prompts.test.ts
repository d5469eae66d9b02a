import { generateKeyPairSync, sign } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { interactionOf, type Interaction } from '../../../src/api/pages/interaction.ts';
import type { Pending } from '../../../src/api/pages/pending-authorization.ts';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { rotateSigningKey } from '../../../src/commands/oauth/signing-keys.ts';
import {
  claimsIn,
  context,
  issuer,
  landed,
  onward,
  pageOf,
  startProvider,
  type Provider,
  type TestBrowser,
} from './harness.ts';

let provider: Provider;
let pages: Interaction;
let aheadMs = 0;
const now = () => new Date(Date.now() + aheadMs);
beforeAll(async () => {
  provider = await startProvider({ now });
  const gate = { passUnlessLost: () => Promise.resolve() };
  pages = interactionOf({ ...provider.system, gate, issuer: () => issuer, now });
});
afterAll(() => provider.stop());

const authorize: Provider['authorize'] = (...given) => provider.authorize(...given);

/** What the page that an answer leads to finds. */
function pendingOf(answer: Awaited<ReturnType<Provider['authorize']>>, path: string): Pending {
  const page = pageOf(answer);
  expect(page.path).toBe(path);
  const pending = pages.open(page.continuation);
  if (!pending) throw new Error('The page finds nothing.');
  return pending;
}

/** The page sends the browser on. */
const resume = (pending: Pending, browser: TestBrowser | null = provider.browser) =>
  provider.server.inject({ url: pages.resume(pending), headers: browser ? { cookie: browser.cookie } : {} });

const signIn = '/dash/sign-in';
const consent = '/dash/consent';

describe('nobody is signed in', () => {
  test('OpenID Connect Core §3.1.2.3: the browser is sent to sign in, and comes back for its code', async () => {
    const pending = pendingOf(await authorize({}, { browser: null }), signIn);
    expect(pending).toMatchObject({ choosing: false });
    const answer = await resume(pending);
    expect(landed(answer).get('code')).toMatch(/^sac_/);
  });

  test('from our pages the browser leaves by a page that moves on, kept by nobody and loading nothing of others', async () => {
    const pending = pendingOf(await authorize({}, { browser: null }), signIn);
    for (const step of [pending, { ...pending, denied: true as const }]) {
      const answer = await resume(step);
      expect(answer.statusCode).toBe(200);
      expect(answer.headers.location).toBeUndefined();
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['referrer-policy']).toBe('no-referrer');
      expect(answer.headers['content-security-policy']).toBe(
        "default-src 'none'; style-src 'self'; img-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'",
      );
      expect(answer.body).not.toContain('<script');
      // Where the browser does not go by itself, there is a link.
      const to = onward(answer) ?? '';
      expect(answer.body).toContain(`<a href="${to.replaceAll('&', '&#38;')}">Go to Harbour News</a>`);
    }
    expect((await authorize({ scope: 'openid' })).statusCode, 'who needs no page gets none').toBe(303);
  });

  test('interface 4.1: prompt=none is login_required', async () => {
    const answer = landed(await authorize({ prompt: 'none' }, { browser: null }));
    expect(answer.get('error')).toBe('login_required');
    expect(answer.get('state')).toBe('af0ifjsldkj');
  });

  test('a cookie that is none of ours is nobody’s', async () => {
    const cookies = [
      '__Host-commonweal=',
      '__Host-commonweal=sss_x',
      '=;;=',
      `__Host-commonweal=sss_${'a'.repeat(60)}`,
      provider.browser.cookie.replace('__Host-', ''),
    ];
    for (const cookie of cookies) {
      const answer = await authorize({ prompt: 'none' }, { browser: { ...provider.browser, cookie } });
      expect(landed(answer).get('error')).toBe('login_required');
    }
  });

  test('RFC 6749 §4.1.2.1: who cancels at the sign-in page is access_denied', async () => {
    const pending = pendingOf(await authorize({}, { browser: null }), signIn);
    const answer = landed(await resume({ ...pending, denied: true }, null));
    expect(answer.get('error')).toBe('access_denied');
    expect(answer.get('iss')).toBe(issuer);
  });
});

describe('the request underway', () => {
  test('cannot be changed, forged, or used after an hour', async () => {
    const { continuation } = pageOf(await authorize({}, { browser: null }));
    const at = (text: string) =>
      provider.server.inject({
        url: `/oauth/authorize/resume?continue=${text}`,
        headers: { cookie: provider.browser.cookie },
      });
    expect(landed(await at(continuation)).get('code')).toMatch(/^sac_/);
    const other = continuation.startsWith('A') ? 'B' : 'A';
    for (const text of [
      '',
      'x',
      other + continuation.slice(1),
      continuation.slice(0, -4),
      `${continuation}AAAA`,
    ]) {
      const answer = await at(text);
      expect(answer.statusCode).toBe(400);
      expect(answer.headers.location).toBeUndefined();
    }
    aheadMs = 3_601_000;
    const late = await at(continuation);
    aheadMs = 0;
    expect(late.statusCode).toBe(400);
    expect(late.body).toContain('took too long');
  });

  test('is judged anew when it comes back: a client that was deactivated meanwhile is refused', async () => {
    const client_id = await provider.client();
    const pending = pendingOf(await authorize({ client_id }, { browser: null }), signIn);
    await changeClient(provider.system.store, client_id, [{ kind: 'deactivate' }], context());
    const answer = await resume(pending);
    expect(answer.statusCode).toBe(400);
    expect(answer.body).toContain('invalid_client');
  });

  test('the resume address takes GET alone', async () => {
    const answer = await provider.server.inject({
      method: 'HEAD',
      url: '/oauth/authorize/resume?continue=x',
    });
    expect(answer.statusCode).toBe(405);
    expect(answer.headers.allow).toBe('GET');
  });
});

describe('prompt=login', () => {
  test('OpenID Connect Core §3.1.2.1: who is signed in signs in again, and only then gets a code', async () => {
    const pending = pendingOf(await authorize({ prompt: 'login' }), signIn);
    expect(pending.choosing).toBe(false);
    expect(pageOf(await resume(pending)).path).toBe(signIn);
    const anew = await provider.person.signIn();
    expect(landed(await resume(pending, anew)).get('code')).toMatch(/^sac_/);
  });

  test('choosing to go on as who they are is not enough', async () => {
    const pending = pendingOf(await authorize({ prompt: 'login' }), signIn);
    expect(pageOf(await resume({ ...pending, chosen: provider.browser.sessionId })).path).toBe(signIn);
  });
});

describe('a request that is resumed in another browser, where somebody has been signed in for a while,', () => {
  test.each([
    ['prompt=login', { prompt: 'login' }],
    ['prompt=select_account', { prompt: 'select_account' }],
    ['max_age=300', { max_age: '300' }],
    ['max_age=0', { max_age: '0' }],
  ])('%s: has them sign in there, after which there is a code', async (_, asked) => {
    const old = await provider.person.signIn(['pwd'], new Date(Date.now() - 600_000));
    const justBefore = 'max_age' in asked && asked.max_age === '300' ? old : await provider.person.signIn();
    for (const first of [null, old]) {
      const pending = pendingOf(await authorize(asked, { browser: first }), signIn);
      for (const elsewhere of [old, justBefore]) {
        const again = pendingOf(await resume(pending, elsewhere), signIn);
        expect(again.insufficient).toBe(elsewhere.sessionId);
        expect(again.at, 'it came when it first came').toBe(pending.at);
        expect(pageOf(await resume(again, elsewhere)).path).toBe(signIn);
        const anew = await provider.person.signIn();
        expect(landed(await resume(again, anew)).get('code')).toMatch(/^sac_/);
      }
    }
  });

  test('a hint of somebody else: is not refused for it, but may sign in', async () => {
    const { id_token } = await provider.tokens();
    const other = await (await provider.newPerson()).signIn();
    const pending = pendingOf(await authorize({ id_token_hint: id_token }, { browser: null }), signIn);
    expect(pageOf(await resume(pending, other)).path).toBe(signIn);
    expect(landed(await resume(pending, await provider.person.signIn())).get('code')).toMatch(/^sac_/);
  });
});

describe('max_age', () => {
  const old = () => provider.person.signIn(['pwd'], new Date(Date.now() - 600_000));

  test('OpenID Connect Core §3.1.2.1: a sign-in that is older is done again, and auth_time says when', async () => {
    const browser = await old();
    const pending = pendingOf(await authorize({ max_age: '300' }, { browser }), signIn);
    const anew = await provider.person.signIn();
    const code = landed(await resume(pending, anew)).get('code') ?? '';
    const { id_token } = (await provider.exchange(code)).json<{ id_token: string }>();
    expect(claimsIn(id_token)['auth_time']).toBe(anew.authTime);
  });

  test('a sign-in that is young enough will do', async () => {
    const browser = await old();
    expect(landed(await authorize({ max_age: '10000' }, { browser })).get('code')).toMatch(/^sac_/);
  });

  test('max_age=0 asks to sign in anew, however fresh', async () => {
    const fresh = await provider.person.signIn();
    const pending = pendingOf(await authorize({ max_age: '0' }, { browser: fresh }), signIn);
    const anew = await provider.person.signIn();
    expect(landed(await resume(pending, anew)).get('code')).toMatch(/^sac_/);
  });

  test('with prompt=none an older sign-in is login_required', async () => {
    const browser = await old();
    const answer = landed(await authorize({ max_age: '300', prompt: 'none' }, { browser }));
    expect(answer.get('error')).toBe('login_required');
  });

  test('time spent on our pages does not count', async () => {
    const client_id = await provider.client();
    const browser = await provider.person.signIn();
    const pending = pendingOf(await authorize({ client_id, max_age: '300' }, { browser }), consent);
    await provider.consent(['openid', 'profile', 'email'], { client: client_id });
    aheadMs = 1_800_000;
    const answer = await resume({ ...pending, allowed: browser.sessionId }, browser);
    aheadMs = 0;
    expect(landed(answer).get('code')).toMatch(/^sac_/);
  });
});

describe('prompt=select_account', () => {
  test('OpenID Connect Core §3.1.2.1: the person chooses to go on, or signs in as another', async () => {
    const pending = pendingOf(await authorize({ prompt: 'select_account' }), signIn);
    expect(pending.choosing).toBe(true);
    expect(pageOf(await resume(pending)).path).toBe(signIn);
    const chosen = { ...pending, chosen: provider.browser.sessionId };
    expect(landed(await resume(chosen)).get('code')).toMatch(/^sac_/);
    const other = await provider.newPerson();
    const browser = await other.signIn();
    expect(pageOf(await resume(pending, browser)).path).toBe(consent);
  });
});

describe('consent', () => {
  test('OpenID Connect Core §3.1.2.4: asked once for each client and scope, and for more only more', async () => {
    const client_id = await provider.client();
    const first = pendingOf(await authorize({ client_id, scope: 'openid profile' }), consent);
    expect(first.asking).toBe(provider.browser.sessionId);
    await provider.consent(['openid', 'profile'], { client: client_id });
    const allowed = { ...first, allowed: provider.browser.sessionId };
    expect(landed(await resume(allowed)).get('code')).toMatch(/^sac_/);
    expect(landed(await authorize({ client_id, scope: 'openid profile' })).get('code')).toMatch(/^sac_/);
    expect(landed(await authorize({ client_id, scope: 'openid' })).get('code')).toMatch(/^sac_/);
    expect(pageOf(await authorize({ client_id })).path).toBe(consent);
  });

  test('interface 7.1: prompt=none without it is consent_required, with it a code and no page', async () => {
    const client_id = await provider.client();
    expect(landed(await authorize({ client_id, prompt: 'none' })).get('error')).toBe('consent_required');
    await provider.consent(['openid', 'profile', 'email'], { client: client_id });
    expect(landed(await authorize({ client_id, prompt: 'none' })).get('code')).toMatch(/^sac_/);
  });

  test('interface 7.1: Deny is access_denied, with state and iss', async () => {
    const client_id = await provider.client();
    const pending = pendingOf(await authorize({ client_id }), consent);
    const answer = landed(await resume({ ...pending, denied: true }));
    expect(Object.fromEntries(answer)).toMatchObject({
      error: 'access_denied',
      state: 'af0ifjsldkj',
      iss: issuer,
    });
    expect(pageOf(await authorize({ client_id })).path).toBe(consent);
  });

  test('prompt=consent asks again, once', async () => {
    const pending = pendingOf(await authorize({ prompt: 'consent' }), consent);
    expect(pageOf(await resume(pending)).path).toBe(consent);
    expect(landed(await resume({ ...pending, allowed: provider.browser.sessionId })).get('code')).toMatch(
      /^sac_/,
    );
  });

  test('what one person allowed counts for no other', async () => {
    const pending = pendingOf(await authorize({ prompt: 'consent' }), consent);
    const other = await (await provider.newPerson()).signIn();
    expect(pageOf(await resume({ ...pending, allowed: provider.browser.sessionId }, other)).path).toBe(
      consent,
    );
  });

  test('DESIGN 5: offline_access changes nothing and asks nobody', async () => {
    const answer = await authorize({ scope: 'openid profile offline_access' });
    expect(landed(answer).get('code')).toMatch(/^sac_/);
  });

  test('DESIGN 4: first-party clients get theirs without a page, with prompt=none too', async () => {
    const client_id = await provider.client({ firstParty: true, scopes: ['openid', 'phone', 'teams:read'] });
    const answer = await authorize({ client_id, scope: 'openid phone teams:read', prompt: 'none' });
    expect(landed(answer).get('code')).toMatch(/^sac_/);
    expect(pageOf(await authorize({ client_id, scope: 'openid', prompt: 'consent' })).path).toBe(consent);
  });

  test('prompt=login consent does both, one after the other', async () => {
    const pending = pendingOf(await authorize({ prompt: 'login consent' }), signIn);
    const anew = await provider.person.signIn();
    const asked = pendingOf(await resume(pending, anew), consent);
    expect(landed(await resume({ ...asked, allowed: anew.sessionId }, anew)).get('code')).toMatch(/^sac_/);
  });
});

describe('id_token_hint', () => {
  test('OpenID Connect Core §3.1.2.1: of who is signed in it changes nothing, also when it has expired', async () => {
    const { id_token } = await provider.tokens();
    // A session of its own, as none outlives a clock that is set back.
    const browser = await provider.person.signIn();
    aheadMs = 86_400_000;
    const answer = await authorize({ id_token_hint: id_token, prompt: 'none' }, { browser });
    aheadMs = 0;
    expect(landed(answer).get('code')).toMatch(/^sac_/);
  });

  test('of another it is login_required, or a sign-in page, and never the wrong person’s code', async () => {
    const { id_token } = await provider.tokens();
    const other = await (await provider.newPerson()).signIn();
    const silent = await authorize({ id_token_hint: id_token, prompt: 'none' }, { browser: other });
    expect(landed(silent).get('error')).toBe('login_required');
    const pending = pendingOf(await authorize({ id_token_hint: id_token }, { browser: other }), signIn);
    const again = await (await provider.newPerson()).signIn();
    expect(landed(await resume(pending, again)).get('error')).toBe('login_required');
    expect(landed(await resume(pending, await provider.person.signIn())).get('code')).toMatch(/^sac_/);
  });

  test('that we did not sign is invalid_request', async () => {
    const { id_token } = await provider.tokens();
    const [header = '', payload = '', signature = ''] = id_token.split('.');
    const claims = JSON.parse(Buffer.from(payload, 'base64url').toString()) as object;
    const forged = (change: object) =>
      Buffer.from(JSON.stringify({ ...claims, ...change })).toString('base64url');
    const hints = [
      'x',
      'a.b.c',
      `${header}.${forged({ sub: 'x' })}.${signature}`,
      `${Buffer.from('{"alg":"none"}').toString('base64url')}.${forged({ iss: 'https://other.example' })}.`,
      `${header}.${payload}.${signature.slice(0, -2)}AA`,
    ];
    for (const id_token_hint of hints) {
      expect(landed(await authorize({ id_token_hint })).get('error')).toBe('invalid_request');
    }
  });

  test('that was issued to another client is invalid_request', async () => {
    const client_id = await provider.client();
    await provider.consent(['openid', 'profile', 'email'], { client: client_id });
    const { id_token } = await provider.tokens({ client_id });
    const answer = landed(await authorize({ id_token_hint: id_token, prompt: 'none' }));
    expect(answer.get('error')).toBe('invalid_request');
    expect(answer.get('error_description')).toContain('another client');
  });

  test('that cannot be verified is invalid_request: of no algorithm, or by a key that is unknown or retired', async () => {
    const { id_token } = await provider.tokens();
    const [, payload = ''] = id_token.split('.');
    const part = (value: object) => Buffer.from(JSON.stringify(value)).toString('base64url');
    const { privateKey } = generateKeyPairSync('rsa', { modulusLength: 2_048 });
    const signedByOthers = (header: object) => {
      const input = `${part(header)}.${payload}`;
      return `${input}.${sign('sha256', Buffer.from(input), privateKey).toString('base64url')}`;
    };
    const { store, vault, signingKeys } = provider.system;
    const { kid } = (await signingKeys.jwks()).keys[0] ?? {};
    const hints = [
      `${part({ alg: 'none' })}.${payload}.`,
      `${part({ alg: 'none', kid })}.${payload}.`,
      signedByOthers({ alg: 'RS256' }),
      signedByOthers({ alg: 'RS256', kid: 'unknown' }),
      signedByOthers({ alg: 'RS256', kid }),
      signedByOthers({ alg: 'RS384', kid: 'unknown' }),
    ];
    await rotateSigningKey({ store, vault }, { atOnce: true }, context());
    const somebodyElse = await (await provider.newPerson()).signIn();
    for (const id_token_hint of [...hints, id_token]) {
      for (const more of [{}, { prompt: 'none' }]) {
        for (const browser of [provider.browser, somebodyElse, null]) {
          const answer = landed(await authorize({ id_token_hint, ...more }, { browser }));
          expect(answer.get('error')).toBe('invalid_request');
          expect(answer.get('code')).toBeNull();
        }
      }
    }
  });
});

test('login_hint reaches the sign-in page with the request', async () => {
  const pending = pendingOf(await authorize({ login_hint: 'ada@example.org' }, { browser: null }), signIn);
  expect(new URLSearchParams(pending.query).get('login_hint')).toBe('ada@example.org');
});
