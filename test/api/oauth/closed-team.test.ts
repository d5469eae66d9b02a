import { afterAll, beforeAll, expect, test } from 'vitest';
import { close, reopen } from '../../../src/actions/teams/closing.ts';
import { perform } from '../../../src/actions/perform.ts';
import { context, startProvider, type Provider } from './harness.ts';

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

const by = { who: { kind: 'operator', team: 'harbour' }, context } as const;

test('the sites of a closed team are served nothing, and go on when it is open again', async () => {
  const { system } = provider;
  const held = await provider.tokens();
  const code = await provider.code();
  expect((await provider.userinfo(held.access_token)).statusCode).toBe(200);

  expect(await perform(close, system, { ...by, input: { name: 'harbour' } })).toMatchObject({ kind: 'done' });
  const refused = await provider.userinfo(held.access_token);
  expect(refused.statusCode).toBe(401);
  expect(refused.headers['www-authenticate']).toBe('Bearer error="invalid_token"');
  for (const answer of [await provider.refresh(held.refresh_token), await provider.exchange(code)])
    expect([answer.statusCode, answer.json()]).toMatchObject([400, { error: 'invalid_client' }]);
  const asked = await provider.authorize();
  expect(asked.statusCode).toBe(400);
  expect(asked.headers.location).toBeUndefined();

  expect(await perform(reopen, system, { ...by, input: {} })).toMatchObject({ kind: 'done' });
  expect((await provider.userinfo(held.access_token)).statusCode).toBe(200);
  expect((await provider.refresh(held.refresh_token)).statusCode).toBe(200);
  expect((await provider.exchange(code)).statusCode).toBe(200);
});
