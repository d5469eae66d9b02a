import { describe, expect, it } from 'vitest';
import {
  accessTokensAtMost,
  doubleSubmitMs,
  grant,
  lifetimes,
  refreshGraceMs,
  type GrantCommand,
} from '../../../src/commands/oauth/grant.ts';
import type { GrantEvent } from '../../../src/events/oauth/grant.ts';
import { given } from '../../support/decider.ts';
import { aClient, aCode, challengeOf } from '../../support/sign-in.ts';

const start = 1_700_000_000;
const at = (second: number) => new Date((start + second) * 1_000);

const code = aCode();
const issued: GrantEvent = { type: 'AuthorizationCodeIssued', data: code };
const { status: _, ...standing } = code;

const exchange = {
  client: aClient(),
  consent: { status: 'active', scopes: ['openid', 'profile'], epoch: 1 },
  lifetimes,
  tokenKey: '00000002',
} as const;

const redeem = (
  second: number,
  rest: Partial<Extract<GrantCommand, { kind: 'redeem' }>> = {},
): GrantCommand => ({
  kind: 'redeem',
  redirectUri: code.redirect_uri,
  challenge: challengeOf('verifier'),
  at: at(second),
  ...exchange,
  ...rest,
});

const refresh = (
  second: number,
  generation: number,
  rest: Partial<Extract<GrantCommand, { kind: 'refresh' }>> = {},
): GrantCommand => ({ kind: 'refresh', generation, scope: undefined, at: at(second), ...exchange, ...rest });

type Active = Extract<GrantEvent, { type: 'TokensIssued' }>['data'];

/** Where the grant stands when its n-th generation was made in a second, the code having been exchanged in second 5. */
const active = (generation: number, second: number, rest: Partial<Active> = {}): Active => ({
  ...standing,
  status: 'active',
  generation,
  token_key: '00000002',
  redeemed_at: at(5).toISOString(),
  rotated_at: at(second).toISOString(),
  refresh_expires: start + second + lifetimes.refreshIdle,
  ends: start + 5 + lifetimes.refresh,
  access_tokens: [{ generation, expires: start + second + lifetimes.access, scopes: ['openid', 'profile'] }],
  ...rest,
});

const first = active(1, 5);
const redeemed: GrantEvent = { type: 'TokensIssued', data: first };
const second = active(2, 100, {
  access_tokens: [
    ...first.access_tokens,
    { generation: 2, expires: start + 100 + lifetimes.access, scopes: ['openid', 'profile'] },
  ],
});
const refreshed: GrantEvent = { type: 'TokensRefreshed', data: second };
const ended = (of: Active) => ({
  ...standing,
  generation: of.generation,
  token_key: of.token_key,
  status: 'revoked' as const,
});

describe('a code', () => {
  it('is issued once', () => {
    given(grant).when({ kind: 'issue', data: code }).then(issued);
    given(grant, issued).when({ kind: 'issue', data: code }).thenRefused('conflict');
  });

  it('is exchanged for the first tokens, its nonce left behind', () => {
    given(grant, issued).when(redeem(5)).then(redeemed);
    const withNonce: GrantEvent = { type: 'AuthorizationCodeIssued', data: { ...code, nonce: 'sealed' } };
    given(grant, withNonce).when(redeem(5)).then(redeemed);
  });

  it('is good for ten minutes (interface 8)', () => {
    given(grant, issued)
      .when(redeem(599))
      .then({
        type: 'TokensIssued',
        data: active(1, 599, { redeemed_at: at(599).toISOString(), ends: start + 599 + lifetimes.refresh }),
      });
    given(grant, issued).when(redeem(600)).thenRefused('invalid_grant');
  });

  it('that does not exist is refused', () => {
    given(grant).when(redeem(5)).thenRefused('invalid_grant');
  });

  it.each([
    ['another client (RFC 6749 4.1.3)', { client: aClient({ client: 'site_another0' }) }, 'invalid_grant'],
    ['no client (RFC 6749 5.2)', { client: undefined }, 'invalid_client'],
    ['an inactive client (interface 2.4)', { client: aClient({ status: 'inactive' }) }, 'invalid_client'],
    ['another redirect URI (RFC 6749 4.1.3)', { redirectUri: `${code.redirect_uri}/` }, 'invalid_grant'],
    ['another verifier (RFC 7636 4.6)', { challenge: challengeOf('another') }, 'invalid_grant'],
    ['no consent', { consent: undefined }, 'invalid_grant'],
    ['a revoked consent', { consent: { status: 'revoked', scopes: [], epoch: 1 } }, 'invalid_grant'],
    ['a consent of a later epoch', { consent: { ...exchange.consent, epoch: 2 } }, 'invalid_grant'],
    ['a client put back into service since', { client: aClient({ activation: 1 }) }, 'invalid_grant'],
    ['nothing left in the consent', { consent: { ...exchange.consent, scopes: ['email'] } }, 'invalid_grant'],
  ] as const)('is refused to %s', (_name, rest, why) => {
    given(grant, issued).when(redeem(5, rest)).thenRefused(why);
  });

  it('gives what grant, consent and client all allow', () => {
    const scopesOf = (rest: Partial<Extract<GrantCommand, { kind: 'redeem' }>>) =>
      grant.decide(redeem(5, rest), code).map(({ data }) => (data as Active).access_tokens[0]?.scopes);
    expect(scopesOf({})).toEqual([['openid', 'profile']]);
    expect(scopesOf({ consent: { ...exchange.consent, scopes: ['openid'] } })).toEqual([['openid']]);
    expect(scopesOf({ client: aClient({ scopes: ['openid', 'email'] }) })).toEqual([['openid']]);
  });

  it('that was used is refused, and after ten seconds it ends its grant (RFC 6749 4.1.2)', () => {
    const used = given(grant, issued, redeemed);
    used.when(redeem(5)).thenRefused('invalid_grant');
    used.when(redeem(5 + doubleSubmitMs / 1_000 - 1)).thenRefused('invalid_grant');
    const replayed: GrantEvent = { type: 'AuthorizationCodeReplayed', data: ended(first) };
    used.when(redeem(5 + doubleSubmitMs / 1_000)).then(replayed);
    used.when(redeem(100_000)).then(replayed);
    given(grant, issued, redeemed, replayed).when(redeem(100)).thenRefused('invalid_grant');
    given(grant, issued, redeemed, replayed).when(refresh(100, 1)).thenRefused('invalid_grant');
  });

  it('that was used ends nothing for somebody without its verifier, client or redirect URI (RFC 9700 4.5)', () => {
    const used = given(grant, issued, redeemed, refreshed);
    used.when(redeem(1_000, { challenge: challengeOf('guess') })).thenRefused('invalid_grant');
    used.when(redeem(1_000, { redirectUri: 'https://elsewhere.example/' })).thenRefused('invalid_grant');
    used.when(redeem(1_000, { client: aClient({ client: 'site_another0' }) })).thenRefused('invalid_grant');
    used.when(redeem(1_000)).then({ type: 'AuthorizationCodeReplayed', data: ended(second) });
  });
});

describe('a refresh token', () => {
  it('is exchanged for the next generation; the previous access token stays good', () => {
    given(grant, issued, redeemed).when(refresh(100, 1)).then(refreshed);
  });

  it('is forgotten with access tokens that have expired', () => {
    const later = 5 + lifetimes.access;
    given(grant, issued, redeemed)
      .when(refresh(later, 1))
      .then({ type: 'TokensRefreshed', data: active(2, later) });
  });

  it('gets the same answer again for thirty seconds after it was replaced', () => {
    const replaced = given(grant, issued, redeemed, refreshed);
    replaced.when(refresh(100, 1)).thenNothing();
    replaced.when(refresh(100 + refreshGraceMs / 1_000, 1)).thenNothing();
  });

  it('that comes later than that, or is older, ends its grant (RFC 9700 4.14.2)', () => {
    const reused = (generation: number, of: Active): GrantEvent => ({
      type: 'RefreshTokenReused',
      data: { ...ended(of), reused_generation: generation },
    });
    given(grant, issued, redeemed, refreshed).when(refresh(131, 1)).then(reused(1, second));
    const third: GrantEvent = { type: 'TokensRefreshed', data: active(3, 110) };
    given(grant, issued, redeemed, refreshed, third)
      .when(refresh(111, 1))
      .then(reused(1, active(3, 110)));
    given(grant, issued, redeemed, refreshed, third).when(refresh(111, 2)).thenNothing();
    given(grant, issued, redeemed, refreshed, reused(1, second))
      .when(refresh(132, 2))
      .thenRefused('invalid_grant');
    given(grant, issued, redeemed, refreshed, reused(1, second))
      .when(refresh(132, 1))
      .thenRefused('invalid_grant');
  });

  it('dies when it is not used for thirty days, and with its grant after half a year', () => {
    const latest = 4 + lifetimes.refreshIdle;
    given(grant, issued, redeemed)
      .when(refresh(latest, 1))
      .then({ type: 'TokensRefreshed', data: active(2, latest) });
    given(grant, issued, redeemed)
      .when(refresh(5 + lifetimes.refreshIdle, 1))
      .thenRefused('invalid_grant');

    const last = active(9, lifetimes.refresh - 100, { refresh_expires: first.ends });
    const old: GrantEvent = { type: 'TokensRefreshed', data: last };
    const [event] = grant.decide(refresh(lifetimes.refresh - 50, 9), last);
    expect(event?.data).toMatchObject({ refresh_expires: first.ends, ends: first.ends });
    expect(grant.decide(refresh(4 + lifetimes.refresh, 9), last)).toHaveLength(1);
    given(grant, issued, old)
      .when(refresh(5 + lifetimes.refresh, 9))
      .thenRefused('invalid_grant');
  });

  it.each([
    ['another client (RFC 6749 6)', { client: aClient({ client: 'site_another0' }) }, 'invalid_grant'],
    ['no client', { client: undefined }, 'invalid_client'],
    ['an inactive client', { client: aClient({ status: 'inactive' }) }, 'invalid_client'],
    ['a revoked consent', { consent: { status: 'revoked', scopes: [], epoch: 1 } }, 'invalid_grant'],
    ['a consent of a later epoch', { consent: { ...exchange.consent, epoch: 2 } }, 'invalid_grant'],
  ] as const)('is refused to %s, within the grace too', (_name, rest, why) => {
    given(grant, issued, redeemed)
      .when(refresh(100, 1, rest))
      .thenRefused(why);
    given(grant, issued, redeemed, refreshed)
      .when(refresh(110, 1, rest))
      .thenRefused(why);
  });

  it('that another client holds out ends nothing', () => {
    given(grant, issued, redeemed, refreshed)
      .when(refresh(1_000, 1, { client: aClient({ client: 'site_another0' }) }))
      .thenRefused('invalid_grant');
  });

  it('of a code that was never exchanged, or of a generation that never was, is refused', () => {
    given(grant).when(refresh(5, 1)).thenRefused('invalid_grant');
    given(grant, issued).when(refresh(5, 1)).thenRefused('invalid_grant');
    given(grant, issued, redeemed).when(refresh(6, 2)).thenRefused('invalid_grant');
    given(grant, issued, redeemed).when(refresh(6, 0)).thenRefused('invalid_grant');
  });

  it('narrows the scope of its access token, and the next one has all again (RFC 6749 6)', () => {
    const narrowed = grant.decide(refresh(100, 1, { scope: 'openid' }), first);
    expect(narrowed).toMatchObject([{ data: { scopes: ['openid', 'profile'], generation: 2 } }]);
    const state = narrowed[0]?.data as Active;
    expect(state.access_tokens.map(({ scopes }) => scopes)).toEqual([['openid', 'profile'], ['openid']]);
    const [again] = grant.decide(refresh(200, 2), state);
    expect((again?.data as Active).access_tokens.at(-1)?.scopes).toEqual(['openid', 'profile']);
  });

  it('never widens the scope, nor is it asked for what is unknown', () => {
    for (const scope of ['openid email', 'email', 'nonsense', 'openid "\n\\']) {
      given(grant, issued, redeemed)
        .when(refresh(100, 1, { scope }))
        .thenRefused('invalid_scope');
      given(grant, issued, redeemed, refreshed)
        .when(refresh(110, 1, { scope }))
        .thenRefused('invalid_scope');
    }
  });

  it('gives what consent and client still allow', () => {
    const [event] = grant.decide(refresh(100, 1, { client: aClient({ scopes: ['openid'] }) }), first);
    expect((event?.data as Active).access_tokens.at(-1)?.scopes).toEqual(['openid']);
    given(grant, issued, redeemed)
      .when(refresh(100, 1, { client: aClient({ scopes: ['openid'] }), scope: 'profile' }))
      .thenRefused('invalid_scope');
  });

  it.each([' ', '   ', '\t'])('is refused for a scope that names nothing: %j (RFC 6749 3.3)', (scope) => {
    given(grant, issued, redeemed)
      .when(refresh(100, 1, { scope }))
      .thenRefused('invalid_scope');
    given(grant, issued, redeemed, refreshed)
      .when(refresh(110, 1, { scope }))
      .thenRefused('invalid_scope');
  });

  it('that comes again within the grace gets no more than it asks for (RFC 9700 2.3)', () => {
    const again = (scope: string | undefined) =>
      given(grant, issued, redeemed, refreshed).when(refresh(110, 1, { scope }));
    again('openid').thenRefused('invalid_scope');
    again('profile').thenRefused('invalid_scope');
    again('profile openid').thenNothing();
    again(undefined).thenNothing();
    const narrow = grant.decide(refresh(100, 1, { scope: 'openid' }), first) as [GrantEvent];
    for (const scope of ['openid', 'openid profile', undefined]) {
      given(grant, issued, redeemed, ...narrow)
        .when(refresh(110, 1, { scope }))
        .thenNothing();
    }
  });

  it('used over and over keeps its event small: the oldest access tokens give way', () => {
    let state = first;
    for (let n = 1; n <= 100; n++) state = grant.decide(refresh(5 + n, n), state)[0]?.data as Active;
    expect(state.access_tokens).toHaveLength(accessTokensAtMost);
    expect(state.access_tokens.at(-1)?.generation).toBe(101);
  });
});

describe('revocation (RFC 7009)', () => {
  const revokeToken = (generation: number, second: number, client = code.client): GrantCommand => ({
    kind: 'revoke-token',
    client,
    generation,
    at: at(second),
  });
  const { access_tokens } = second;
  const revoked: GrantEvent = {
    type: 'TokenRevoked',
    data: {
      ...second,
      access_tokens: access_tokens.map((each) => (each.generation === 2 ? { ...each, revoked: true } : each)),
      revoked_generation: 2,
    },
  };

  it('ends one access token, once', () => {
    const story = [issued, redeemed, refreshed] as const;
    given(grant, ...story)
      .when(revokeToken(2, 110))
      .then(revoked);
    given(grant, ...story, revoked)
      .when(revokeToken(2, 111))
      .thenNothing();
    given(grant, ...story)
      .when(revokeToken(3, 110))
      .thenNothing();
    given(grant, ...story)
      .when(revokeToken(2, 200_000))
      .thenNothing();
    given(grant, issued).when(revokeToken(1, 5)).thenNothing();
    given(grant).when(revokeToken(1, 5)).thenNothing();
  });

  it('of the current access token leaves nothing to repeat within the grace, and the next refresh is served', () => {
    const story = [issued, redeemed, refreshed, revoked] as const;
    given(grant, ...story)
      .when(refresh(110, 1))
      .thenRefused('invalid_grant');
    const [event] = grant.decide(refresh(111, 2), given(grant, ...story).state);
    expect(event?.data).not.toHaveProperty('revoked_generation');
    expect((event?.data as Active).access_tokens.map((each) => [each.generation, each.revoked])).toEqual([
      [1, undefined],
      [2, true],
      [3, undefined],
    ]);
  });

  it('ends a whole grant, whether its code was exchanged or not, once', () => {
    const revoke: GrantCommand = { kind: 'revoke', client: code.client, reason: 'Asked for.' };
    const gone = (of: Active | typeof code): GrantEvent => ({
      type: 'GrantRevoked',
      data: { ...ended(of as Active), reason: 'Asked for.' },
    });
    given(grant, issued).when(revoke).then(gone(code));
    given(grant, issued, redeemed).when(revoke).then(gone(first));
    given(grant, issued, redeemed, gone(first)).when(revoke).thenNothing();
    given(grant, issued, redeemed, gone(first)).when(refresh(100, 1)).thenRefused('invalid_grant');
    given(grant, issued, gone(code)).when(redeem(5)).thenRefused('invalid_grant');
    given(grant).when(revoke).thenNothing();
  });

  it('is not for another client', () => {
    given(grant, issued, redeemed)
      .when(revokeToken(1, 10, 'site_another0'))
      .thenRefused('invalid_grant');
    given(grant, issued, redeemed)
      .when({ kind: 'revoke', client: 'site_another0' })
      .thenRefused('invalid_grant');
  });
});
