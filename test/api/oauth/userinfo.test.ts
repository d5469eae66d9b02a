import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeClient, type ClientChange } from '../../../src/commands/oauth/client.ts';
import { revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { changeProfile } from '../../../src/commands/accounts/person.ts';
import { joinTeam } from '../../../src/commands/teams/member.ts';
import { context, post, startProvider, type Provider } from './harness.ts';

let provider: Provider;
let aheadMs = 0;
beforeAll(async () => {
  provider = await startProvider({ now: () => new Date(Date.now() + aheadMs) });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => provider.stop());

const path = '/oauth/userinfo';
type Answer = Awaited<ReturnType<Provider['userinfo']>>;

function refused(answer: Answer, challenge: string, status = 401): void {
  expect(answer.statusCode).toBe(status);
  expect(answer.headers['www-authenticate']).toBe(challenge);
  expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
  expect(answer.headers['cache-control']).toBe('no-store');
  expect(answer.headers['access-control-allow-origin']).toBe('*');
}

const invalid = 'Bearer error="invalid_token"';

describe('the token', () => {
  test('RFC 6750 §2.1, §2.2: in the header of GET or POST, or in the form of POST', async () => {
    const { access_token } = await provider.tokens();
    const bearer = { authorization: `Bearer ${access_token}` };
    const answers = [
      await provider.userinfo(access_token),
      await provider.server.inject({ url: path, headers: { authorization: `bearer   ${access_token}` } }),
      await provider.server.inject({ method: 'POST', url: path, headers: bearer }),
      await post(provider.server, path, '', bearer),
      await post(provider.server, path, { access_token }),
    ];
    for (const answer of answers) {
      expect(answer.statusCode).toBe(200);
      expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
      expect(answer.headers['cache-control']).toBe('no-store');
      expect(answer.headers['access-control-allow-origin']).toBe('*');
      expect(answer.json()).toMatchObject({ sub: provider.person.user, name: 'Ada Lovelace' });
    }
    const head = await provider.server.inject({ method: 'HEAD', url: path, headers: bearer });
    expect(head.statusCode).toBe(200);
    expect(head.body).toBe('');
  });

  test('RFC 6750 §3.1: none at all is a bare challenge', async () => {
    for (const headers of [
      {},
      { authorization: '' },
      { authorization: 'Bearer' },
      { authorization: 'Basic dTpw' },
    ]) {
      refused(await provider.server.inject({ url: path, headers }), 'Bearer');
    }
    refused(await post(provider.server, path, ''), 'Bearer');
    refused(
      await provider.server.inject({ url: path, headers: { cookie: provider.browser.cookie } }),
      'Bearer',
    );
  });

  test('RFC 9700 §4.3.2: in the address it counts for nothing', async () => {
    const { access_token } = await provider.tokens();
    refused(await provider.server.inject({ url: `${path}?access_token=${access_token}` }), 'Bearer');
  });

  test('RFC 6750 §3.1: twice is invalid_request', async () => {
    const { access_token } = await provider.tokens();
    const bearer = { authorization: `Bearer ${access_token}` };
    const both = await post(provider.server, path, { access_token }, bearer);
    refused(both, 'Bearer error="invalid_request"', 400);
    const twice = await post(
      provider.server,
      path,
      `access_token=${access_token}&access_token=${access_token}`,
    );
    expect(twice.statusCode).toBe(400);
    expect(twice.json()).toMatchObject({ error: 'invalid_request' });
  });

  test('RFC 6750 §3.1: malformed, forged or of another kind it is invalid_token', async () => {
    const { access_token, refresh_token, id_token } = await provider.tokens();
    const last = access_token.endsWith('a') ? 'b' : 'a';
    for (const token of [
      'x',
      'sat_',
      access_token.slice(0, -1) + last,
      `${access_token}x`,
      refresh_token,
      id_token,
    ]) {
      refused(await provider.userinfo(token), invalid);
    }
  });

  test('is good the moment it is returned, before any read model shows it', async () => {
    for (let round = 0; round < 20; round++) {
      const { access_token } = await provider.tokens();
      expect((await provider.userinfo(access_token)).statusCode).toBe(200);
    }
  });

  test('expires with the second that expires_in said', async () => {
    const { access_token, expires_in } = await provider.tokens();
    aheadMs = (expires_in - 2) * 1_000;
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
    aheadMs = expires_in * 1_000;
    refused(await provider.userinfo(access_token), invalid);
  });
});

describe('what ends a token ends it at once', () => {
  test('interface 3: the consent is revoked', async () => {
    const client_id = await provider.client();
    const whose = { user: provider.person.user, client: client_id };
    await provider.consent(['openid'], whose);
    const { access_token } = await provider.tokens({ client_id, scope: 'openid' });
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
    const { position } = await revokeConsent(provider.system.store, whose, context());
    await provider.caughtUp(position);
    refused(await provider.userinfo(access_token), invalid);
    await provider.consent(['openid'], whose);
    await provider.caughtUp();
    refused(await provider.userinfo(access_token), invalid);
  });

  test('the client is deactivated, or may no longer have the scope', async () => {
    const client_id = await provider.client();
    await provider.consent(['openid', 'profile'], { client: client_id });
    const { access_token } = await provider.tokens({ client_id, scope: 'openid profile' });
    const command = async (given: ClientChange) => {
      const { position } = await changeClient(provider.system.store, client_id, [given], context());
      await provider.caughtUp(position);
    };
    await command({ kind: 'change-scopes', scopes: ['openid'] });
    expect((await provider.userinfo(access_token)).json()).toEqual({ sub: provider.person.user });
    await command({ kind: 'deactivate' });
    refused(await provider.userinfo(access_token), invalid);
  });

  test('the person is erased', async () => {
    const person = await provider.newPerson();
    await provider.consent(['openid', 'profile', 'email'], { user: person.user });
    const { access_token } = await provider.tokens({}, await person.signIn());
    await erasePerson(provider.system, person.user, context());
    await provider.caughtUp();
    refused(await provider.userinfo(access_token), invalid);
  });
});

test('the claims are those of now', async () => {
  const person = await provider.newPerson();
  await provider.consent(['openid', 'profile', 'email'], { user: person.user });
  const { access_token } = await provider.tokens({}, await person.signIn());
  await changeProfile(provider.system, person.user, { name: 'Grace' }, context());
  await provider.caughtUp();
  const claims = (await provider.userinfo(access_token)).json<Record<string, unknown>>();
  expect(claims).toMatchObject({ name: 'Grace' });
  expect(claims).not.toHaveProperty('preferred_username');
});

test('interface 2.6: teams:read tells the teams and roles of a person', async () => {
  const client_id = await provider.client({ firstParty: true, scopes: ['openid', 'teams:read'] });
  const { access_token } = await provider.tokens({ client_id, scope: 'openid teams:read' });
  await provider.team('quay');
  const joining = { team: 'quay', user: provider.person.user, role: 'reviewer' } as const;
  await joinTeam(provider.system, joining, context());
  await provider.caughtUp();
  expect((await provider.userinfo(access_token)).json()).toEqual({
    sub: provider.person.user,
    teams: [{ team: 'quay', name: 'quay', role: 'reviewer' }],
  });
});

describe('the pause of interface 5.5', () => {
  test('20 invalid tokens pause a network’s invalid tokens, and never a good one or one that was good', async () => {
    const server = await provider.another({ environment: { AUTH_URL: 'https://id.example' } });
    const { access_token } = await provider.tokens();
    const ask = (token: string, remoteAddress = '192.0.2.7') =>
      server.inject({ url: path, headers: { authorization: `Bearer ${token}` }, remoteAddress });
    for (let attempt = 0; attempt < 20; attempt++) expect((await ask('rubbish')).statusCode).toBe(401);
    const paused = await ask('rubbish');
    expect(paused.statusCode).toBe(429);
    expect(paused.headers['retry-after']).toBe('60');
    expect((await ask(access_token)).statusCode).toBe(200);
    expect((await ask('rubbish', '198.51.100.1')).statusCode).toBe(401);
    const { clientId } = provider;
    await provider.post('/oauth/revoke', { token: access_token, client_id: clientId });
    for (let attempt = 0; attempt < 30; attempt++) expect((await ask(access_token)).statusCode).toBe(401);
  });
});

test('OpenID Connect Core §5.3: any page may ask, preflight too', async () => {
  const preflight = await provider.server.inject({
    method: 'OPTIONS',
    url: path,
    headers: { origin: 'https://site.example', 'access-control-request-headers': 'authorization' },
  });
  expect(preflight.statusCode).toBe(204);
  expect(preflight.headers['access-control-allow-origin']).toBe('*');
  expect(preflight.headers['access-control-allow-headers']).toContain('Authorization');
  expect(preflight.headers['access-control-allow-credentials']).toBeUndefined();
});

test('other methods are 405, other bodies 400', async () => {
  const put = await provider.server.inject({ method: 'PUT', url: path });
  expect(put.statusCode).toBe(405);
  expect(put.headers.allow).toBe('GET, HEAD, POST, OPTIONS');
  const json = { 'content-type': 'application/json' };
  const answer = await provider.server.inject({ method: 'POST', url: path, headers: json, payload: '{}' });
  expect(answer.statusCode).toBe(400);
  expect(answer.json()).toMatchObject({ error: 'invalid_request' });
});
