import { createHash } from 'node:crypto';
import { compactVerify, createLocalJWKSet, decodeProtectedHeader, jwtVerify, type JSONWebKeySet } from 'jose';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { rotateSigningKey } from '../../../src/commands/oauth/signing-keys.ts';
import { claimsIn, context, issuer, startProvider, type Provider, type TestPerson } from './harness.ts';

let provider: Provider;
let person: TestPerson;
beforeAll(async () => {
  provider = await startProvider();
  person = await provider.newPerson({
    name: 'Zoë "Q" O’Neil',
    picture: 'https://img.example/z.png',
    phone: '+1 555 0100',
  });
  await provider.consent(['openid', 'profile', 'email'], { user: person.user });
});
afterAll(() => provider.stop());

const keys = async () => (await provider.server.inject({ url: '/oauth/jwks.json' })).json<JSONWebKeySet>();

describe('the id_token', () => {
  test('OpenID Connect Core §2, §3.1.3.7: says who, for whom, by whom and when, and is signed by a key of the JWKS', async () => {
    const browser = await person.signIn();
    const { id_token, access_token } = await provider.tokens({ nonce: 'a "nonce"' }, browser);
    const { payload, protectedHeader } = await jwtVerify(id_token, createLocalJWKSet(await keys()), {
      issuer,
      audience: provider.clientId,
      algorithms: ['RS256'],
    });
    expect(protectedHeader).toEqual({ alg: 'RS256', kid: expect.any(String) as string, typ: 'JWT' });
    expect(payload).toMatchObject({
      sub: person.user,
      nonce: 'a "nonce"',
      auth_time: browser.authTime,
      amr: ['pwd'],
      acr: '1',
      sid: browser.sessionId,
    });
    expect(payload.exp).toBe((payload.iat ?? 0) + 3_600);
    expect(payload['at_hash']).toBe(
      createHash('sha256').update(access_token).digest().subarray(0, 16).toString('base64url'),
    );
  });

  test('OpenID Connect Core §3.1.2.1: has no nonce where the request had none', async () => {
    const { id_token } = await provider.tokens({ nonce: undefined });
    expect(claimsIn(id_token)).not.toHaveProperty('nonce');
  });

  test('RFC 8176: a passkey is another class of sign-in', async () => {
    const { id_token } = await provider.tokens({}, await person.signIn(['hwk', 'user']));
    expect(claimsIn(id_token)).toMatchObject({ acr: 'phr', amr: ['hwk', 'user'] });
  });

  test('interface 2.5: sub is the same at every client, and another for another person', async () => {
    const client_id = await provider.client();
    await provider.consent(['openid'], { client: client_id, user: person.user });
    const browser = await person.signIn();
    const subs = [
      (await provider.tokens({}, browser)).id_token,
      (await provider.tokens({ client_id, scope: 'openid' }, browser)).id_token,
      (await provider.tokens()).id_token,
    ].map((token) => claimsIn(token)['sub']);
    expect(subs[0]).toBe(subs[1]);
    expect(subs[2]).not.toBe(subs[0]);
  });

  test('interface 2.6: profile and email claims follow the scopes, the same as at userinfo', async () => {
    const profile = {
      name: 'Zoë "Q" O’Neil',
      preferred_username: 'ada',
      picture: 'https://img.example/z.png',
      updated_at: expect.any(Number) as number,
    };
    const email = { email: person.email, email_verified: false };
    const browser = await person.signIn();
    for (const [scope, claims] of [
      ['openid', {}],
      ['openid profile', profile],
      ['openid email', email],
      ['email openid profile', { ...profile, ...email }],
    ] as const) {
      const { id_token, access_token } = await provider.tokens({ scope }, browser);
      const said = claimsIn(id_token);
      const names = ['sub', 'name', 'preferred_username', 'picture', 'updated_at', 'email', 'email_verified'];
      const told = Object.fromEntries(Object.entries(said).filter(([name]) => names.includes(name)));
      expect(told).toEqual({ sub: person.user, ...claims });
      expect((await provider.userinfo(access_token)).json()).toEqual({ sub: person.user, ...claims });
    }
  });

  test('interface 2.6: phone and the reserved scopes are for first-party clients', async () => {
    const client_id = await provider.client({
      firstParty: true,
      scopes: ['openid', 'phone', 'teams:read', 'wallet:read', 'tasks:read', 'purchases:read', 'feeds:read'],
    });
    const scope = 'openid phone teams:read wallet:read tasks:read purchases:read feeds:read';
    const { id_token, access_token } = await provider.tokens({ client_id, scope }, await person.signIn());
    const phone = { phone_number: '+1 555 0100', phone_number_verified: false };
    expect(claimsIn(id_token)).toMatchObject(phone);
    expect((await provider.userinfo(access_token)).json()).toEqual({
      sub: person.user,
      ...phone,
      teams: [],
      wallet: [],
      tasks: [],
      purchases: [],
      feeds: [],
    });
  });
});

describe('signing keys', () => {
  test('a new key is published before it signs, and what the old one signed stays verifiable', async () => {
    const { store, vault } = provider.system;
    const before = (await provider.tokens()).id_token;
    const kid = await rotateSigningKey({ store, vault }, {}, context());
    const published = await keys();
    expect(published.keys.map((key) => key.kid)).toContain(kid);
    expect(decodeProtectedHeader((await provider.tokens()).id_token).kid).not.toBe(kid);
    await compactVerify(before, createLocalJWKSet(published));
  });

  test('RFC 7517 §5: the JWKS shows public halves alone', async () => {
    for (const key of (await keys()).keys) {
      expect(Object.keys(key).sort()).toEqual(['alg', 'e', 'kid', 'kty', 'n', 'use']);
    }
  });
});
