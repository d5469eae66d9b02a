import { describe, expect, it } from 'vitest';
import { consent, missingScopes } from '../../../src/commands/oauth/consent.ts';
import type { ConsentEvent } from '../../../src/events/oauth/consent.ts';
import type { SignInScope } from '../../../src/events/oauth/values.ts';
import { given } from '../../support/decider.ts';
import { aClient, aCode } from '../../support/sign-in.ts';

const whose = { user: aCode().user, client: aClient().client };
const granted = (epoch: number, ...scopes: SignInScope[]): ConsentEvent => ({
  type: 'ConsentGranted',
  data: { ...whose, scopes, epoch, access_epoch: 1 },
});
const revoked = (epoch: number): ConsentEvent => ({ type: 'ConsentRevoked', data: { ...whose, epoch } });
const grant = (...scopes: SignInScope[]) => grantUnder(1, ...scopes);
const grantUnder = (accessEpoch: number, ...scopes: SignInScope[]) =>
  ({ kind: 'grant', ...whose, scopes, accessEpoch }) as const;
const revoke = { kind: 'revoke', ...whose } as const;

describe('a consent', () => {
  it('begins with the first epoch', () => {
    given(consent).when(grant('openid')).then(granted(1, 'openid'));
  });

  it('is remembered: what was allowed is not asked again', () => {
    given(consent, granted(1, 'openid', 'email'))
      .when(grant('email'))
      .thenNothing();
    expect(missingScopes(given(consent, granted(1, 'openid')).state, ['openid', 'email'])).toEqual(['email']);
    expect(missingScopes(undefined, ['openid'])).toEqual(['openid']);
  });

  it('grows without a new epoch, so that asking for more ends no token', () => {
    given(consent, granted(1, 'openid'))
      .when(grant('email', 'openid'))
      .then(granted(1, 'openid', 'email'));
    given(consent, granted(1, 'openid'))
      .when(grant('email'))
      .then(granted(1, 'openid', 'email'));
  });

  it('is revoked, once', () => {
    given(consent, granted(1, 'openid')).when(revoke).then(revoked(1));
    given(consent, granted(1, 'openid'), revoked(1)).when(revoke).thenNothing();
    given(consent).when(revoke).thenNothing();
  });

  it('begins a new epoch after a revocation, with nothing of what was allowed before', () => {
    const story = [granted(1, 'openid', 'email'), revoked(1)] as const;
    given(consent, ...story)
      .when(grant('openid'))
      .then(granted(2, 'openid'));
    expect(missingScopes(given(consent, ...story).state, ['openid'])).toEqual(['openid']);
    given(consent, ...story, granted(2, 'openid'))
      .when(grant('profile'))
      .then(granted(2, 'openid', 'profile'));
    given(consent, ...story, granted(2, 'openid'), revoked(2))
      .when(grant('openid'))
      .then(granted(3, 'openid'));
  });

  it('is over with every site’s access, and begins anew with nothing of what was allowed before', () => {
    const again: ConsentEvent = {
      type: 'ConsentGranted',
      data: { ...whose, scopes: ['openid'], epoch: 2, access_epoch: 2 },
    };
    given(consent, granted(1, 'openid', 'email'))
      .when(grantUnder(2, 'openid'))
      .then(again);
    given(consent, granted(1, 'openid'), again).when(grantUnder(2, 'openid')).thenNothing();
  });

  it('of before access had epochs is of the first', () => {
    const old: ConsentEvent = { type: 'ConsentGranted', data: { ...whose, scopes: ['openid'], epoch: 1 } };
    given(consent, old).when(grant('openid')).thenNothing();
    const data = { ...whose, scopes: ['openid' as const], epoch: 2, access_epoch: 2 };
    given(consent, old).when(grantUnder(2, 'openid')).then({ type: 'ConsentGranted', data });
  });

  it('is known from its newest event alone', () => {
    const story = [granted(1, 'openid'), revoked(1), granted(2, 'openid', 'email')];
    for (let n = 1; n <= story.length; n++) {
      const [newest] = story.slice(n - 1, n);
      expect(newest && given(consent, newest).state).toEqual(given(consent, ...story.slice(0, n)).state);
    }
  });
});
