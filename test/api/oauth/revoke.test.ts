import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { context, openAnother } from '../harness.ts';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { startProvider, type Provider } from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const path = '/oauth/revoke';
const revoke = (token: string, more = {}) =>
  provider.post(path, { token, client_id: provider.clientId, ...more });

describe('RFC 7009', () => {
  test('§2.2: an access token that was revoked is refused from the next request on; the grant goes on', async () => {
    const { access_token, refresh_token } = await provider.tokens();
    const answer = await revoke(access_token);
    expect(answer.statusCode).toBe(200);
    // For clients that read every answer as JSON.
    expect(answer.json()).toEqual({});
    expect(answer.headers['content-type']).toBe('application/json; charset=utf-8');
    expect(answer.headers['cache-control']).toBe('no-store');
    expect(answer.headers['access-control-allow-origin']).toBe('*');
    expect((await provider.userinfo(access_token)).statusCode).toBe(401);
    expect((await provider.refresh(refresh_token)).statusCode).toBe(200);
  });

  test('§2.1: a refresh token that was revoked takes its access tokens with it', async () => {
    const { access_token, refresh_token } = await provider.tokens();
    expect((await revoke(refresh_token, { token_type_hint: 'access_token' })).statusCode).toBe(200);
    expect((await provider.userinfo(access_token)).statusCode).toBe(401);
    expect((await provider.refresh(refresh_token)).json()).toMatchObject({ error: 'invalid_grant' });
  });

  test('after the answer nobody is served, at another node neither, 100 times', async () => {
    const other = await openAnother(provider);
    const server = await buildServer({
      ...other,
      config: other.config,
      ready: () => Promise.resolve({ ready: true }),
    });
    for (let round = 0; round < 100; round++) {
      const { access_token, refresh_token } = await provider.tokens();
      const ask = () =>
        server.inject({ url: '/oauth/userinfo', headers: { authorization: `Bearer ${access_token}` } });
      expect((await ask()).statusCode).toBe(200);
      await revoke(round % 2 === 0 ? access_token : refresh_token);
      expect((await ask()).statusCode).toBe(401);
    }
    await server.close();
    await other.close();
  });

  test('§2.2: what is no token any more, or never was, is 200 too', async () => {
    const { refresh_token } = await provider.tokens();
    await revoke(refresh_token);
    for (const token of [refresh_token, 'rubbish', `srt_${'A'.repeat(60)}`, await provider.code()]) {
      expect((await revoke(token)).statusCode).toBe(200);
    }
    expect((await revoke('x', { token_type_hint: 'no_such_type' })).statusCode).toBe(200);
  });

  test('§2.1: another client’s token is refused, and lives on', async () => {
    const { access_token, refresh_token } = await provider.tokens();
    const client_id = await provider.client();
    for (const token of [access_token, refresh_token]) {
      const answer = await revoke(token, { client_id });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
    }
    expect((await provider.userinfo(access_token)).statusCode).toBe(200);
  });

  test('§2.2.1, RFC 6749 §5.2: a bad request or client is refused', async () => {
    const client_id = await provider.client();
    await changeClient(provider.system.store, client_id, [{ kind: 'deactivate' }], context());
    const cases: readonly (readonly [Record<string, string | undefined>, string])[] = [
      [{ token: undefined }, 'invalid_request'],
      [{ client_id: undefined }, 'invalid_request'],
      [{ client_id: 'site_doesnotexist000000' }, 'invalid_client'],
      [{ client_id }, 'invalid_client'],
      [{ client_secret: 'x' }, 'invalid_client'],
    ];
    for (const [fields, error] of cases) {
      const answer = await provider.post(path, { token: 'x', client_id: provider.clientId, ...fields });
      expect(answer.statusCode).toBe(400);
      expect(answer.json()).toMatchObject({ error });
    }
    const basic = await provider.post(path, { token: 'x' }, { authorization: 'Basic dTpw' });
    expect(basic.statusCode).toBe(401);
  });

  test('§2: the endpoint takes POST only, and answers pages of any origin', async () => {
    expect((await provider.server.inject({ url: path })).headers.allow).toBe('POST, OPTIONS');
    const preflight = await provider.server.inject({ method: 'OPTIONS', url: path });
    expect(preflight.statusCode).toBe(204);
    expect(preflight.headers['access-control-allow-origin']).toBe('*');
  });
});
