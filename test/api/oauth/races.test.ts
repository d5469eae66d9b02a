import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { grantConsent, revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { lifetimes } from '../../../src/commands/oauth/grant.ts';
import { refreshTokens, type TokenParts } from '../../../src/commands/oauth/tokens.ts';
import { AccessTokenValidity } from '../../../src/projections/oauth-access-token-validity.ts';
import { consents } from '../../../src/projections/oauth-consents.ts';
import { visible } from '../../../src/projections/engine/read-your-writes.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { nothingElse } from '../../support/sign-in.ts';
import { claimsIn, context, startProvider, type Provider, type TokenBody } from './harness.ts';

/** RACE_ROUNDS=1000 takes some minutes. */
const rounds = Number(process.env['RACE_ROUNDS'] ?? 10);
const racers = 50;
const patience = 30_000 + rounds * 2_000;

let provider: Provider;
beforeAll(async () => {
  provider = await startProvider();
});
afterAll(() => provider.stop());

/** What has happened since, in the order of the log. */
async function eventsSince(head: bigint): Promise<string[]> {
  const { events } = await provider.system.store.readAll({ after: head, limit: 1_000 });
  return events.map(({ type }) => type);
}

describe('fifty racers', () => {
  test('on one code: exactly one wins, and keeps its tokens', { timeout: patience }, async () => {
    for (let round = 0; round < rounds; round++) {
      const code = await provider.code();
      const head = await provider.system.store.head();
      const answers = await Promise.all(Array.from({ length: racers }, () => provider.exchange(code)));
      const won = answers.filter(({ statusCode }) => statusCode === 200);
      expect(won).toHaveLength(1);
      for (const answer of answers) {
        if (answer !== won[0]) expect(answer.json()).toMatchObject({ error: 'invalid_grant' });
      }
      expect(await eventsSince(head)).toEqual(['TokensIssued']);
      const { access_token, refresh_token } = (won[0] as (typeof answers)[0]).json<TokenBody>();
      expect((await provider.userinfo(access_token)).statusCode).toBe(200);
      expect((await provider.refresh(refresh_token)).statusCode).toBe(200);
    }
  });

  test(
    'on one refresh token: one TokensRefreshed, and everybody gets the same successor',
    { timeout: patience },
    async () => {
      let { refresh_token } = await provider.tokens();
      for (let round = 0; round < rounds; round++) {
        const head = await provider.system.store.head();
        const held = refresh_token;
        const answers = await Promise.all(Array.from({ length: racers }, () => provider.refresh(held)));
        const bodies = answers.map((answer) => answer.json<TokenBody>());
        const [first] = bodies as [TokenBody];
        for (const body of bodies) {
          expect(body.refresh_token).toBe(first.refresh_token);
          expect(body.access_token).toBe(first.access_token);
          expect(claimsIn(body.id_token)['sub']).toBe(provider.person.user);
        }
        expect(await eventsSince(head)).toEqual(['TokensRefreshed']);
        refresh_token = first.refresh_token;
      }
    },
  );
});

test(
  'DESIGN 4: a consent revoked between a refresh’s reading and its append leaves no valid token',
  { timeout: patience },
  async () => {
    const { store, personal, tokenKeys, documents } = provider.system;
    const whose = { user: provider.person.user, client: provider.clientId };
    const validity = new AccessTokenValidity({ store, documents });
    for (let round = 0; round < rounds; round++) {
      const { refresh_token } = await provider.tokens();
      let slipped = 0;
      const slipping: EventStore = new Proxy(store, {
        get(target, name) {
          if (name !== 'append') {
            const value: unknown = Reflect.get(target, name);
            return typeof value === 'function' ? (value.bind(target) as unknown) : value;
          }
          return async (...given: Parameters<EventStore['append']>) => {
            slipped += 1;
            // As the page of apps does: whoever revoked is answered when the read model shows it.
            const { position } = await revokeConsent(target, whose, context());
            await visible(documents, [consents.collection.name], position);
            return target.append(...given);
          };
        },
      });
      const parts: TokenParts = { store: slipping, personal, tokenKeys, lifetimes };
      const made = await refreshTokens(
        parts,
        { refreshToken: refresh_token, clientId: provider.clientId },
        context(),
        nothingElse,
      );
      expect(slipped).toBe(1);
      const token = await tokenKeys.read(made.accessToken);
      if (token?.kind !== 'access') throw new Error('A refresh makes an access token.');
      expect(await validity.of(token, new Date()), 'at once').toMatchObject({ status: 'invalid' });
      await provider.caughtUp();
      expect(await validity.of(token, new Date()), 'in every read model').toMatchObject({
        status: 'invalid',
      });
      expect((await provider.userinfo(made.accessToken)).statusCode).toBe(401);
      expect((await provider.refresh(made.refreshToken)).json()).toMatchObject({ error: 'invalid_grant' });

      const again = await grantConsent(store, whose, ['openid', 'profile', 'email'], context());
      await provider.caughtUp(again.position);
      expect((await provider.userinfo(made.accessToken)).statusCode, 'another epoch').toBe(401);
    }
  },
);
