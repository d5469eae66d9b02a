import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { execute } from '../../../src/commands/command-handler.ts';
import { changeClient } from '../../../src/commands/oauth/client.ts';
import { revokeConsent } from '../../../src/commands/oauth/consent.ts';
import { doubleSubmitMs, grant, refreshGraceMs } from '../../../src/commands/oauth/grant.ts';
import { OAuthRefused } from '../../../src/commands/oauth/errors.ts';
import {
  redeemCode,
  refreshTokens,
  type Tokens,
  type TokenParts,
} from '../../../src/commands/oauth/tokens.ts';
import { revokeToken } from '../../../src/commands/oauth/token-revocation.ts';
import { personOf } from '../../../src/personal/personal-data.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aClock, aSite, nothingElse, redirectUri, type Clock, type Site } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

/** How often a race is run; 1,000 when asked for (RACE_ROUNDS=1000). */
const rounds = Number(process.env['RACE_ROUNDS'] ?? 30);
const racers = 50;

let folder: DataFolder;
let stores: Stores;
let clock: Clock;
let site: Site;

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  clock = aClock();
  site = await aSite(stores, clock);
  await site.consent('openid', 'profile');
});
afterEach(() => folder.dispose());

const redeem = (exchange: Parameters<typeof redeemCode>[1], parts: TokenParts = site.parts) =>
  redeemCode(parts, exchange, clock.command(), nothingElse);
const refresh = (
  refreshToken: string,
  rest: { scope?: string; clientId?: string } = {},
  parts: TokenParts = site.parts,
) => refreshTokens(parts, { refreshToken, clientId: site.clientId, ...rest }, clock.command(), nothingElse);
const eventsOf = async (grantId: string) =>
  (await stores.store.readStream(`grant-${grantId}`)).map(({ type }) => type);
const refusedAs = (code: string) => expect.objectContaining({ name: 'OAuthRefused', code }) as Error;

describe('a code', () => {
  it('is exchanged for tokens that say whose they are, and for the request’s nonce', async () => {
    const { exchange, grantId } = await site.code({ nonce: 'n-0S6_WzA2Mj', session: '0'.repeat(22) });
    const tokens = await redeem(exchange);
    expect(tokens).toMatchObject({
      expiresIn: 3_600,
      scopes: ['openid', 'profile'],
      user: site.user,
      client: site.clientId,
      grant: grantId,
      session: '0'.repeat(22),
      authTime: clock.now() / 1_000,
      amr: ['pwd'],
      nonce: 'n-0S6_WzA2Mj',
    });
    const { tokenKeys } = site.parts;
    expect(await tokenKeys.read(tokens.accessToken)).toMatchObject({
      kind: 'access',
      grantId,
      generation: 1,
    });
    expect(await tokenKeys.read(tokens.refreshToken)).toMatchObject({
      kind: 'refresh',
      grantId,
      generation: 1,
    });
  });

  it('is not issued beyond the consent', async () => {
    await expect(site.code({ scopes: ['openid', 'email'] })).rejects.toThrow(refusedAs('consent_required'));
    await revokeConsent(stores.store, { user: site.user, client: site.clientId }, clock.command());
    await expect(site.code()).rejects.toThrow(refusedAs('consent_required'));
  });

  it('is no refresh token, and a refresh token or rubbish is no code', async () => {
    const { exchange } = await site.code();
    const { refreshToken, accessToken } = await site.tokens();
    await expect(refresh(exchange.code)).rejects.toThrow(refusedAs('invalid_grant'));
    for (const code of [refreshToken, accessToken, 'rubbish', '']) {
      await expect(redeem({ ...exchange, code })).rejects.toThrow(refusedAs('invalid_grant'));
    }
    await redeem(exchange);
  });

  it('that comes again ten seconds later, with its verifier, ends the grant; without it ends nothing', async () => {
    const { exchange, grantId } = await site.code();
    const { refreshToken } = await redeem(exchange);
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_grant'));
    clock.pass(doubleSubmitMs);
    await expect(redeem({ ...exchange, codeVerifier: 'x'.repeat(43) })).rejects.toThrow(
      refusedAs('invalid_grant'),
    );
    expect(await eventsOf(grantId)).toEqual(['AuthorizationCodeIssued', 'TokensIssued']);
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_grant'));
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_grant'));
    await expect(refresh(refreshToken)).rejects.toThrow(refusedAs('invalid_grant'));
    expect(await eventsOf(grantId)).toEqual([
      'AuthorizationCodeIssued',
      'TokensIssued',
      'AuthorizationCodeReplayed',
    ]);
  });

  it('is dead as soon as its client is deactivated, and after that too', async () => {
    const { exchange } = await site.code();
    await changeClient(stores.store, site.clientId, [{ kind: 'deactivate' }], clock.command());
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_client'));
    await changeClient(stores.store, site.clientId, [{ kind: 'reactivate' }], clock.command());
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_grant'));
    await redeem((await site.code()).exchange);
  });

  it('costs one backward read of grant, client and consent each, one of the person and of the team, and one append', async () => {
    const { exchange } = await site.code();
    const done: string[] = [];
    const { store } = stores;
    const counted = altered<EventStore>(store, {
      readStream: (stream, options) => {
        done.push(
          `${options?.direction ?? 'forwards'} ${options?.limit ?? 'all'} ${stream.split('-')[0] ?? ''}`,
        );
        return store.readStream(stream, options);
      },
      append: (stream, events, expected) => {
        done.push(`append ${events.length}`);
        return store.append(stream, events, expected);
      },
    });
    const read = [
      'backwards 1 grant',
      'backwards 1 client',
      'backwards 1 consent',
      'forwards all user',
      'forwards all team',
    ];
    const cost = [...read, 'append 1'];
    const parts = { ...site.parts, store: counted };
    const { refreshToken } = await redeem(exchange, parts);
    expect(done.splice(0)).toEqual(cost);
    await refresh(refreshToken, {}, parts);
    // Of the team, its newest event and what came after it.
    expect(done.splice(0)).toEqual(cost);
  });

  it(`is won by one of ${racers}, who keeps the tokens`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { exchange, grantId } = await site.code();
      const outcomes = await Promise.allSettled(Array.from({ length: racers }, () => redeem(exchange)));
      const won = outcomes.filter((each) => each.status === 'fulfilled');
      const lost = outcomes.filter((each) => each.status === 'rejected');
      expect(won).toHaveLength(1);
      for (const { reason } of lost) expect(reason).toEqual(refusedAs('invalid_grant'));
      expect(await eventsOf(grantId)).toEqual(['AuthorizationCodeIssued', 'TokensIssued']);
      await refresh((won[0] as PromiseFulfilledResult<Tokens>).value.refreshToken);
    }
  }, 600_000);
});

describe('a refresh token', () => {
  it('is replaced with each use; the access token before it stays', async () => {
    const first = await site.tokens({ nonce: 'n' });
    clock.pass(60_000);
    const second = await refresh(first.refreshToken);
    expect(second).toMatchObject({
      scopes: ['openid', 'profile'],
      expiresIn: 3_600,
      authTime: first.authTime,
    });
    expect(second.nonce).toBeUndefined();
    expect(new Set([first, second].flatMap((each) => [each.accessToken, each.refreshToken])).size).toBe(4);
  });

  it('gets the very same tokens again within the grace, with the time they have left', async () => {
    const { refreshToken } = await site.tokens();
    const first = await refresh(refreshToken, { scope: 'openid' });
    clock.pass(refreshGraceMs);
    const again = await refresh(refreshToken);
    expect(again).toEqual({ ...first, expiresIn: first.expiresIn - refreshGraceMs / 1_000 });
    expect(again.scopes).toEqual(['openid']);
  });

  it('gets the very same tokens though another token key came into use meanwhile', async () => {
    const { refreshToken } = await site.tokens();
    const first = await refresh(refreshToken);
    clock.pass(1_000);
    await site.parts.tokenKeys.rotate();
    const again = await refresh(refreshToken);
    expect([again.accessToken, again.refreshToken]).toEqual([first.accessToken, first.refreshToken]);
    const next = await refresh(first.refreshToken);
    expect((await site.parts.tokenKeys.read(next.refreshToken))?.keyId).toBe(
      await site.parts.tokenKeys.current(),
    );
  });

  it('that comes after the grace ends the grant, and an event says so', async () => {
    const { refreshToken, grant } = await site.tokens();
    const second = await refresh(refreshToken);
    clock.pass(refreshGraceMs + 1);
    await expect(refresh(refreshToken)).rejects.toThrow(refusedAs('invalid_grant'));
    await expect(refresh(second.refreshToken)).rejects.toThrow(refusedAs('invalid_grant'));
    expect((await eventsOf(grant)).at(-1)).toBe('RefreshTokenReused');
  });

  it('is refused for a scope that was not granted, and stays good', async () => {
    const { refreshToken } = await site.tokens();
    await expect(refresh(refreshToken, { scope: 'openid email' })).rejects.toThrow(
      refusedAs('invalid_scope'),
    );
    expect((await refresh(refreshToken, { scope: 'openid' })).scopes).toEqual(['openid']);
  });

  it(`gives ${racers} at once the same successor, with one event`, async () => {
    for (let round = 0; round < rounds; round++) {
      const { refreshToken, grant } = await site.tokens();
      const answers = await Promise.all(Array.from({ length: racers }, () => refresh(refreshToken)));
      expect(new Set(answers.map((each) => `${each.accessToken} ${each.refreshToken}`)).size).toBe(1);
      expect(await eventsOf(grant)).toEqual(['AuthorizationCodeIssued', 'TokensIssued', 'TokensRefreshed']);
    }
  }, 600_000);

  it('is dead when the consent was revoked between its reading and its append', async () => {
    const { store } = stores;
    for (let round = 0; round < rounds; round++) {
      await site.consent('openid', 'profile');
      const { refreshToken } = await site.tokens();
      const slipping = altered<EventStore>(store, {
        append: async (stream, events, expected) => {
          await revokeConsent(store, { user: site.user, client: site.clientId }, clock.command());
          return store.append(stream, events, expected);
        },
      });
      const slipped = await refresh(refreshToken, {}, { ...site.parts, store: slipping });
      for (const token of [refreshToken, slipped.refreshToken]) {
        await expect(refresh(token)).rejects.toThrow(refusedAs('invalid_grant'));
      }
      await site.consent('openid', 'profile');
      await expect(refresh(slipped.refreshToken), 'a later consent wakes nothing').rejects.toThrow(
        OAuthRefused,
      );
    }
  }, 600_000);
});

describe('revocation', () => {
  it('of a refresh token ends the grant, of an access token that token alone', async () => {
    const tokens = await site.tokens();
    const revoke = (token: string, clientId = site.clientId) =>
      revokeToken(site.parts, { token, clientId }, clock.command());
    await expect(revoke(tokens.accessToken, 'site_another0')).rejects.toThrow(refusedAs('invalid_grant'));
    expect(await revoke(tokens.accessToken)).toBeDefined();
    const next = await refresh(tokens.refreshToken);
    expect(await revoke(next.refreshToken)).toBeDefined();
    await expect(refresh(next.refreshToken)).rejects.toThrow(refusedAs('invalid_grant'));
    expect((await eventsOf(tokens.grant)).slice(2)).toEqual([
      'TokenRevoked',
      'TokensRefreshed',
      'GrantRevoked',
    ]);
  });

  it('of what is no token of ours changes nothing (RFC 7009 2.2)', async () => {
    const { exchange } = await site.code();
    for (const token of ['rubbish', exchange.code, '']) {
      expect(
        await revokeToken(site.parts, { token, clientId: site.clientId }, clock.command()),
      ).toBeUndefined();
    }
    await redeem(exchange);
  });

  it('of a grant ends its tokens', async () => {
    const { grant: grantId, refreshToken } = await site.tokens();
    const revoke = { kind: 'revoke', client: site.clientId, reason: 'Stolen.' } as const;
    await execute(stores.store, grant, grantId, revoke, clock.command(), { newestOnly: true });
    await expect(refresh(refreshToken)).rejects.toThrow(refusedAs('invalid_grant'));
  });
});

describe('the log', () => {
  it('holds no code, token, verifier or nonce', async () => {
    const { exchange } = await site.code({ nonce: 'ada@example.org' });
    const first = await redeem(exchange);
    const second = await refresh(first.refreshToken);
    const { events } = await stores.store.readAll({ after: -1n, limit: 1_000 });
    const log = JSON.stringify(events.map(({ data, metadata }) => ({ data, metadata })));
    expect(log).toContain(redirectUri);
    const secrets = [exchange.code, exchange.codeVerifier, 'ada@example.org'];
    for (const { accessToken, refreshToken } of [first, second]) secrets.push(accessToken, refreshToken);
    for (const secret of secrets) expect(log).not.toContain(secret);
    // Not within what is sealed or hashed.
    expect(log).not.toMatch(/(?<![\w-])(?:s[art]t_|sac_)/);
  });

  it('says nothing of tokens where the nonce cannot be read: the person is erased', async () => {
    const { exchange, grantId } = await site.code({ nonce: 'n' });
    await site.parts.personal.erase(personOf(site.user));
    await expect(redeem(exchange)).rejects.toThrow(refusedAs('invalid_grant'));
    expect(await eventsOf(grantId)).toEqual(['AuthorizationCodeIssued']);
  });
});
