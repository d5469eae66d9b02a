import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { claimsIn, context, startProvider, type Provider, type TokenBody } from './harness.ts';

let provider: Provider;
let aheadMs = 0;
beforeAll(async () => {
  provider = await startProvider({ now: () => new Date(Date.now() + aheadMs) });
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(() => provider.stop());

const refused = (answer: Awaited<ReturnType<Provider['token']>>, error: string) => {
  expect(answer.json()).toMatchObject({ error });
  expect(answer.statusCode).toBe(400);
};

const refresh = async (token: string, fields = {}) => {
  const answer = await provider.refresh(token, fields);
  expect(answer.json()).toMatchObject({ token_type: 'Bearer' });
  return answer.json<TokenBody>();
};

describe('a refresh token', () => {
  test('RFC 6749 §6: is exchanged for new tokens, itself included, and for an id_token of the same sign-in', async () => {
    const first = await provider.tokens();
    const second = await refresh(first.refresh_token);
    expect(second.refresh_token).not.toBe(first.refresh_token);
    expect(second.access_token).not.toBe(first.access_token);
    expect(second).toMatchObject({ scope: first.scope, expires_in: 3_600 });
    const [before, after] = [claimsIn(first.id_token), claimsIn(second.id_token)];
    for (const name of ['iss', 'sub', 'aud', 'auth_time', 'sid']) expect(after[name]).toBe(before[name]);
    // OpenID Connect Core §12.2: a nonce belongs to the request that had it.
    expect(after['nonce']).toBeUndefined();
    expect(after['at_hash']).not.toBe(before['at_hash']);
  });

  test('DESIGN 5: the access token before it is good until it expires', async () => {
    const first = await provider.tokens();
    await refresh(first.refresh_token);
    expect((await provider.userinfo(first.access_token)).statusCode).toBe(200);
    aheadMs = 3_600_000;
    expect((await provider.userinfo(first.access_token)).statusCode).toBe(401);
  });

  test('gives no access token that lives longer than its grant', async () => {
    const short = await startProvider({
      now: () => new Date(Date.now() + aheadMs),
      environment: { REFRESH_SECONDS: '5400' },
    });
    const first = await short.tokens();
    expect(first.expires_in).toBe(3_600);
    aheadMs = 3_600_000;
    const last = (await short.refresh(first.refresh_token)).json<TokenBody>();
    expect(last.expires_in).toBeGreaterThan(1_700);
    expect(last.expires_in).toBeLessThanOrEqual(1_800);
    expect((await short.userinfo(last.access_token)).statusCode).toBe(200);
    aheadMs = 5_400_000;
    expect((await short.userinfo(last.access_token)).statusCode).toBe(401);
    refused(await short.refresh(last.refresh_token), 'invalid_grant');
    await short.stop();
  });

  test('DESIGN 5: within 30 s the one before gets the very same tokens again', async () => {
    const first = await provider.tokens();
    const second = await refresh(first.refresh_token);
    aheadMs = 25_000;
    const again = await refresh(first.refresh_token);
    expect(again).toMatchObject({ access_token: second.access_token, refresh_token: second.refresh_token });
    expect(again.expires_in).toBeLessThan(3_600);
    expect(claimsIn(again.id_token)['auth_time']).toBe(claimsIn(first.id_token)['auth_time']);
  });

  test('of 50 who come at once all get the same successor', async () => {
    const { refresh_token } = await provider.tokens();
    const all = await Promise.all(Array.from({ length: 50 }, () => refresh(refresh_token)));
    expect(new Set(all.map(({ refresh_token: next }) => next)).size).toBe(1);
    expect(new Set(all.map(({ access_token }) => access_token)).size).toBe(1);
  });

  test('RFC 9700 §4.14.2: one that was replaced longer ago is invalid_grant and ends the grant', async () => {
    const first = await provider.tokens();
    const second = await refresh(first.refresh_token);
    aheadMs = 31_000;
    refused(await provider.refresh(first.refresh_token), 'invalid_grant');
    await provider.caughtUp();
    expect((await provider.userinfo(second.access_token)).statusCode).toBe(401);
    refused(await provider.refresh(second.refresh_token), 'invalid_grant');
  });

  test('DESIGN 5: not used for 30 days, or of a sign-in 180 days ago, it is invalid_grant', async () => {
    const days = 86_400_000;
    const idle = await provider.tokens();
    aheadMs = 30 * days;
    refused(await provider.refresh(idle.refresh_token), 'invalid_grant');
    aheadMs = 0;
    let { refresh_token } = await provider.tokens();
    for (aheadMs = 29 * days; aheadMs < 180 * days; aheadMs += 29 * days) {
      ({ refresh_token } = await refresh(refresh_token));
    }
    aheadMs = 180 * days;
    refused(await provider.refresh(refresh_token), 'invalid_grant');
  });

  test('RFC 6749 §6: of another client, or of none, it is refused', async () => {
    const { refresh_token } = await provider.tokens();
    const client_id = await provider.client();
    refused(await provider.refresh(refresh_token, { client_id }), 'invalid_grant');
    refused(await provider.refresh(refresh_token, { client_id: undefined }), 'invalid_request');
    await refresh(refresh_token);
  });

  test.each(['x', 'srt_', `srt_${'A'.repeat(60)}`, 'sat_AAAA'])(
    'that is none of ours is invalid_grant: %s',
    async (token) => {
      refused(await provider.refresh(token), 'invalid_grant');
    },
  );

  test('interface 3: after its consent was revoked it is invalid_grant', async () => {
    const client_id = await provider.client();
    const whose = { user: provider.person.user, client: client_id };
    await provider.consent(['openid'], whose);
    const { refresh_token } = await provider.tokens({ client_id, scope: 'openid' });
    await revokeConsent(provider.system.store, whose, context());
    refused(await provider.refresh(refresh_token, { client_id }), 'invalid_grant');
  });

  test('of a client that is inactive it is invalid_client, and when that is over it stays dead', async () => {
    const client_id = await provider.client();
    await provider.consent(['openid'], { client: client_id });
    const { refresh_token } = await provider.tokens({ client_id, scope: 'openid' });
    const { store } = provider.system;
    await changeClient(store, client_id, [{ kind: 'deactivate' }], context());
    refused(await provider.refresh(refresh_token, { client_id }), 'invalid_client');
    await changeClient(store, client_id, [{ kind: 'reactivate' }], context());
    refused(await provider.refresh(refresh_token, { client_id }), 'invalid_grant');
    const { refresh_token: after } = await provider.tokens({ client_id, scope: 'openid' });
    expect((await provider.refresh(after, { client_id })).statusCode).toBe(200);
  });
});

describe('its scope', () => {
  test('RFC 6749 §6: may be narrowed for one access token, and is whole again with the next', async () => {
    const first = await provider.tokens();
    const narrow = await refresh(first.refresh_token, { scope: 'openid email' });
    expect(narrow.scope).toBe('openid email');
    expect(claimsIn(narrow.id_token)).not.toHaveProperty('name');
    expect((await provider.userinfo(narrow.access_token)).json()).not.toHaveProperty('name');
    expect((await refresh(narrow.refresh_token)).scope).toBe('openid profile email');
  });

  test('RFC 6749 §6: may not be widened', async () => {
    const { refresh_token } = await provider.tokens({ scope: 'openid' });
    refused(await provider.refresh(refresh_token, { scope: 'openid profile' }), 'invalid_scope');
    refused(await provider.refresh(refresh_token, { scope: 'nonsense' }), 'invalid_scope');
  });

  test.each([' ', '  '])(
    'RFC 6749 §3.3: that names nothing, %j, is invalid_scope; an empty one is none',
    async (scope) => {
      const { refresh_token } = await provider.tokens();
      refused(await provider.refresh(refresh_token, { scope }), 'invalid_scope');
      expect((await refresh(refresh_token, { scope: '' })).scope).toBe('openid profile email');
    },
  );

  test('RFC 9700 §2.3: asked for less within the grace, no wider token is given out', async () => {
    const { refresh_token } = await provider.tokens();
    const wide = await refresh(refresh_token);
    refused(await provider.refresh(refresh_token, { scope: 'openid' }), 'invalid_scope');
    const again = await refresh(refresh_token);
    expect(again.access_token).toBe(wide.access_token);
    expect((await refresh(again.refresh_token, { scope: 'openid' })).scope).toBe('openid');
  });

  test('a token without openid reads no claims (OpenID Connect Core §5.3)', async () => {
    const { refresh_token } = await provider.tokens();
    const { access_token } = await refresh(refresh_token, { scope: 'email' });
    const answer = await provider.userinfo(access_token);
    expect(answer.statusCode).toBe(403);
    expect(answer.headers['www-authenticate']).toBe('Bearer error="insufficient_scope", scope="openid"');
  });
});
