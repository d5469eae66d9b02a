import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { buildServer } from '../../../src/api/server.ts';
import { openAnother } from '../harness.ts';
import { startProvider, type Provider, type TokenBody } from './harness.ts';

let provider: Provider;
/** Another process of the same installation: stores of its own, and what it remembers. */
let node: { readonly userinfo: (accessToken: string) => Promise<number>; close(): Promise<void> };
let aheadMs = 0;
beforeAll(async () => {
  const now = () => new Date(Date.now() + aheadMs);
  provider = await startProvider({ now });
  const other = await openAnother(provider);
  const server = await buildServer({ ...other, now, ready: () => Promise.resolve({ ready: true }) });
  node = {
    userinfo: async (accessToken) => {
      const headers = { authorization: `Bearer ${accessToken}` };
      return (await server.inject({ url: '/oauth/userinfo', headers })).statusCode;
    },
    async close() {
      await server.close();
      await other.close();
    },
  };
});
beforeEach(() => {
  aheadMs = 0;
});
afterAll(async () => {
  await node.close();
  await provider.stop();
});

type Answer = Awaited<ReturnType<Provider['token']>>;
interface Theft {
  readonly living: string;
  /** Holds out what was used before: the grant ends. */
  readonly again: () => Promise<Answer>;
}

/** A code, and a refresh token, that come again when only a thief would send them. */
const thefts: Readonly<Record<string, () => Promise<Theft>>> = {
  'a replayed code': async () => {
    aheadMs = 0;
    const code = await provider.code();
    const { access_token } = (await provider.exchange(code)).json<TokenBody>();
    aheadMs = 11_000;
    return { living: access_token, again: () => provider.exchange(code) };
  },
  'a reused refresh token': async () => {
    aheadMs = 0;
    const { refresh_token } = await provider.tokens();
    const { access_token } = (await provider.refresh(refresh_token)).json<TokenBody>();
    aheadMs = 31_000;
    return { living: access_token, again: () => provider.refresh(refresh_token) };
  },
};

describe.each(Object.entries(thefts))('after the answer to %s', (_name, steal) => {
  test('no token of the grant is served, at another node neither, 20 times', async () => {
    for (let round = 0; round < 20; round++) {
      const { living, again } = await steal();
      expect(await node.userinfo(living)).toBe(200);
      const answer = await again();
      expect(await node.userinfo(living)).toBe(401);
      expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
    }
  });

  test('none is served whichever of ten thieves is answered first', async () => {
    const { living, again } = await steal();
    expect(await node.userinfo(living)).toBe(200);
    const served = await Promise.all(
      Array.from({ length: 10 }, async () => {
        const { statusCode } = await again();
        return [statusCode, await node.userinfo(living)];
      }),
    );
    expect(served).toEqual(Array.from({ length: 10 }, () => [400, 401]));
  });

  test('while the read models stand still there is no such answer, but 503; repeated later, it is given', async () => {
    const { living, again } = await steal();
    // Else the newest event would be asked, which tells of the theft at once.
    await provider.caughtUp();
    expect(await node.userinfo(living)).toBe(200);
    const [first, second] = await provider.withoutProjector(async () => {
      const answers = await Promise.all([again(), again()]);
      expect(await node.userinfo(living)).toBe(200);
      return answers;
    });
    for (const answer of [first, second]) {
      expect(answer.statusCode).toBe(503);
      expect(answer.json()).toMatchObject({ error: 'temporarily_unavailable' });
      expect(answer.headers['retry-after']).toBeDefined();
    }
    expect((await again()).json()).toMatchObject({ error: 'invalid_grant' });
    expect(await node.userinfo(living)).toBe(401);
  });
});
