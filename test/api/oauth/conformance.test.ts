import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { claimsIn, challengeOf, landed, pageOf, startProvider, verifier, type Provider } from './harness.ts';

/**
 * What the OpenID certification modules ask for and no other test here does; docs/conformance.md has the whole
 * list. Each request carries PKCE, as every client of ours must.
 */
let provider: Provider;
let aheadMs = 0;
beforeAll(async () => {
  provider = await startProvider({ now: () => new Date(Date.now() + aheadMs) });
});
afterAll(() => provider.stop());

const all = 'openid profile email';

/** What userinfo says of the person when a client asked for these scopes. */
async function known(fields: Record<string, string>): Promise<Record<string, unknown>> {
  const { access_token } = await provider.tokens(fields);
  const answer = await provider.userinfo(access_token);
  expect(answer.statusCode).toBe(200);
  return answer.json<Record<string, unknown>>();
}

describe('OpenID Connect Core §5.4: scopes', () => {
  test('openid alone tells sub and nothing else', async () => {
    expect(await known({ scope: 'openid' })).toEqual({ sub: provider.person.user });
  });

  test('profile tells the name, and no email address', async () => {
    const claims = await known({ scope: 'openid profile' });
    expect(claims).toMatchObject({ name: 'Ada Lovelace', preferred_username: 'ada' });
    expect(claims['updated_at']).toBeTypeOf('number');
    expect(claims).not.toHaveProperty('email');
  });

  test('email tells the address and whether it is verified, and no name', async () => {
    const { sub, ...claims } = await known({ scope: 'openid email' });
    expect(sub).toBe(provider.person.user);
    expect(claims).toEqual({ email: provider.person.email, email_verified: false });
  });

  test('phone tells a first-party client the number and that nobody verified it', async () => {
    const client_id = await provider.client({ firstParty: true, scopes: ['openid', 'phone'] });
    const person = await provider.newPerson({ phone: '+4930123456' });
    const { access_token } = await provider.tokens(
      { client_id, scope: 'openid phone' },
      await person.signIn(),
    );
    expect((await provider.userinfo(access_token)).json()).toEqual({
      sub: person.user,
      phone_number: '+4930123456',
      phone_number_verified: false,
    });
  });

  test.each(['address', 'openid address'])(
    '%s is invalid_scope, as it is in no scopes_supported',
    async (scope) => {
      expect(landed(await provider.authorize({ scope })).get('error')).toBe('invalid_scope');
      const { scopes_supported } = (
        await provider.server.inject({ url: '/.well-known/openid-configuration' })
      ).json<{ scopes_supported: string[] }>();
      expect(scopes_supported).not.toContain('address');
    },
  );

  test('their order does not matter', async () => {
    const { id_token } = await provider.tokens({ scope: 'email openid profile' });
    expect(claimsIn(id_token)).toMatchObject({ sub: provider.person.user, name: 'Ada Lovelace' });
  });
});

describe('OpenID Connect Core §3.1.2.1: what may be asked for and need not be followed', () => {
  test.each(['page', 'popup', 'touch', 'wap'])('display=%s gets a code', async (display) => {
    expect(landed(await provider.authorize({ display })).get('code')).toMatch(/^sac_/);
  });

  test.each([
    ['ui_locales', 'fr-CA fr en'],
    ['claims_locales', 'se fr-CA'],
    ['acr_values', '1 2'],
    ['extra', 'foobar'],
  ])('%s=%s gets a code, and the code is exchanged', async (name, value) => {
    const { id_token } = await provider.tokens({ [name]: value });
    expect(claimsIn(id_token)['sub']).toBe(provider.person.user);
  });

  test('acr_values: the id_token says which class it was', async () => {
    expect(claimsIn((await provider.tokens({ acr_values: '1 phr' })).id_token)['acr']).toBe('1');
  });

  test('OpenID Connect Core §5.5: claims with an essential name gets a code, and the name is in profile', async () => {
    const claims = JSON.stringify({ userinfo: { name: { essential: true } } });
    expect(await known({ claims, scope: 'openid profile' })).toHaveProperty('name');
    expect(await known({ claims, scope: 'openid' }), 'consent is by scope').not.toHaveProperty('name');
  });
});

test('OpenID Connect Core §3.1.2.1: max_age=2 asks who signed in four seconds ago, and auth_time is the new one', async () => {
  // auth_time is in whole seconds, so a second of max_age may be over at once.
  const browser = await provider.person.signIn();
  const { id_token: before } = await provider.tokens({ max_age: '2' }, browser);
  aheadMs = 4_000;
  expect(pageOf(await provider.authorize({ max_age: '2' }, { browser })).path).toBe('/dash/sign-in');
  const anew = await provider.person.signIn(['pwd'], new Date(Date.now() + aheadMs));
  const { id_token: after } = await provider.tokens({ max_age: '2' }, anew);
  aheadMs = 0;
  expect(claimsIn(after)['auth_time']).toBeGreaterThan(claimsIn(before)['auth_time'] as number);
});

test('OpenID Connect Core §3.1.2.1: max_age=10000 twice signs in once, with one auth_time', async () => {
  const [first, second] = [
    await provider.tokens({ max_age: '10000' }),
    await provider.tokens({ max_age: '10000', prompt: 'none' }),
  ].map(({ id_token }) => claimsIn(id_token)['auth_time']);
  expect(first).toBeTypeOf('number');
  expect(second).toBe(first);
});

test('RFC 6749 §4.1.2: a code used again after 30 seconds is invalid_grant and ends its access token', async () => {
  const code = await provider.code();
  const { access_token } = (await provider.exchange(code)).json<{ access_token: string }>();
  aheadMs = 30_000;
  const again = await provider.exchange(code);
  aheadMs = 0;
  expect(again.statusCode).toBe(400);
  expect(again.json()).toMatchObject({ error: 'invalid_grant' });
  await provider.caughtUp();
  expect((await provider.userinfo(access_token)).statusCode).toBe(401);
});

test('a second client gets tokens of its own for the same person, as the first does', async () => {
  const client_id = await provider.client();
  await provider.consent(['openid', 'profile', 'email'], { client: client_id });
  const first = claimsIn((await provider.tokens({ scope: all })).id_token);
  const second = claimsIn((await provider.tokens({ scope: all, client_id })).id_token);
  expect(second['aud']).toBe(client_id);
  expect(second['sub']).toBe(first['sub']);
});

test('RFC 7636 §4.4, §4.6: with the challenge of another verifier the code is worth nothing', async () => {
  const code_challenge = challengeOf('another-verifier-that-is-long-enough-0123456789');
  const code = await provider.code({ code_challenge });
  const answer = await provider.exchange(code, { code_verifier: verifier });
  expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
});
