import { describe, expect, it } from 'vitest';
import type { ClientEvent } from '../../src/events/oauth/client.ts';
import type { ConsentEvent } from '../../src/events/oauth/consent.ts';
import type { GrantEvent } from '../../src/events/oauth/grant.ts';
import type { SessionEvent } from '../../src/events/accounts/session.ts';
import type { TeamEvent } from '../../src/events/teams.ts';
import type { UserEvent } from '../../src/events/accounts/user.ts';
import { clients } from '../../src/projections/oauth-clients.ts';
import { consents } from '../../src/projections/oauth-consents.ts';
import { grants } from '../../src/projections/oauth-grants.ts';
import { memberId, members } from '../../src/projections/teams-members.ts';
import { people } from '../../src/projections/accounts-people.ts';
import { sessions } from '../../src/projections/accounts-sessions.ts';
import { at, given, type Step } from '../support/fold.ts';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import { aClient, aCode } from '../support/sign-in.ts';

const client = aClient();
const code = aCode();
const { user } = code;
const along = <Event extends DomainEvent>(stream: string, ...story: Event[]): Step<Event>[] =>
  story.map((event) => [stream, event] as const);

describe('the read model of clients', () => {
  it('shows where each stands, since when, and changed when; an inactive one too', () => {
    const story: ClientEvent[] = [
      { type: 'ClientRegistered', data: client },
      { type: 'ClientScopesChanged', data: { ...client, scopes: ['openid'] } },
      { type: 'ClientDeactivated', data: { ...client, scopes: ['openid'], status: 'inactive' } },
    ];
    expect(given(clients, ...along(`client-${client.client}`, ...story))).toEqual(
      new Map([
        [
          client.client,
          { ...client, scopes: ['openid'], status: 'inactive', registered_at: at(0), changed_at: at(2) },
        ],
      ]),
    );
  });
});

describe('the read model of consents', () => {
  const whose = { user, client: client.client };
  const id = `${user}.${client.client}`;
  const story: ConsentEvent[] = [
    { type: 'ConsentGranted', data: { ...whose, scopes: ['openid'], epoch: 1 } },
    { type: 'ConsentGranted', data: { ...whose, scopes: ['openid', 'email'], epoch: 1 } },
    { type: 'ConsentRevoked', data: { ...whose, epoch: 1 } },
    { type: 'ConsentGranted', data: { ...whose, scopes: ['openid'], epoch: 2 } },
  ];
  const after = (n: number) => given(consents, ...along(`consent-${id}`, ...story.slice(0, n))).get(id);

  it('shows what is allowed, and since when', () => {
    expect(after(2)).toEqual({
      ...whose,
      status: 'active',
      scopes: ['openid', 'email'],
      epoch: 1,
      access_epoch: 1,
      granted_at: at(0),
      changed_at: at(1),
    });
  });

  it('shows one that was given after every site’s access had ended as a new one', () => {
    const again = { ...whose, scopes: ['openid' as const], epoch: 2, access_epoch: 2 };
    const events: ConsentEvent[] = [...story.slice(0, 2), { type: 'ConsentGranted', data: again }];
    const found = given(consents, ...along(`consent-${id}`, ...events)).get(id);
    expect(found).toMatchObject({ epoch: 2, access_epoch: 2, granted_at: at(2) });
  });

  it('marks a revoked one and keeps its epoch; the next begins anew', () => {
    expect(after(3)).toMatchObject({ status: 'revoked', scopes: [], epoch: 1, granted_at: at(0) });
    expect(after(4)).toMatchObject({ status: 'active', scopes: ['openid'], epoch: 2, granted_at: at(3) });
  });
});

describe('the read model of grants', () => {
  const { status: _, ...standing } = code;
  const token = { generation: 1, expires: 1_700_003_600, scopes: ['openid' as const] };
  const story: GrantEvent[] = [
    { type: 'AuthorizationCodeIssued', data: { ...code, nonce: 'sealed' } },
    {
      type: 'TokensIssued',
      data: {
        ...standing,
        status: 'active',
        generation: 1,
        redeemed_at: at(1),
        rotated_at: at(1),
        refresh_expires: 1_800_000_000,
        ends: 1_900_000_000,
        access_tokens: [token],
      },
    },
    { type: 'GrantRevoked', data: { ...standing, status: 'revoked', generation: 1 } },
  ];
  const after = (n: number) =>
    given(grants, ...along(`grant-${code.grant}`, ...story.slice(0, n))).get(code.grant);

  it('shows its tokens while they are good, and what a look-up joins', () => {
    expect(after(1)).toMatchObject({ status: 'issued', generation: 0, access_tokens: [] });
    expect(after(2)).toEqual({
      grant: code.grant,
      user,
      client: client.client,
      status: 'active',
      epoch: 1,
      scopes: code.scopes,
      auth_time: code.auth_time,
      amr: ['pwd'],
      generation: 1,
      access_tokens: [token],
      issued_at: at(0),
      changed_at: at(1),
    });
    expect(after(3)).toMatchObject({ status: 'revoked', access_tokens: [], issued_at: at(0) });
  });

  it('holds neither code challenge nor nonce', () => {
    expect(JSON.stringify(after(1))).not.toMatch(/sealed|challenge/);
  });
});

describe('the read model of people', () => {
  const index = '0'.repeat(64);
  const claim = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
  const registered: UserEvent = {
    type: 'UserRegistered',
    data: { user, role: 'person', email: index, claim, email_sealed: 'aa', profile: 'bb' },
  };
  const after = (...story: UserEvent[]) =>
    given(people, ...along(`user-${user}`, registered, ...story)).get(user);

  it('shows a person, sealed as in the events', () => {
    expect(after()).toEqual({
      user,
      status: 'active',
      role: 'person',
      email: index,
      email_sealed: 'aa',
      email_verified: false,
      profile: 'bb',
      profile_changed_at: at(0),
      has_password: false,
      session_epoch: 1,
      access_epoch: 1,
      passkeys: [],
      registered_at: at(0),
    });
  });

  it('follows profile, address, password, role, sessions and passkeys', () => {
    const passkey = { credential: 'cc', public_key: 'dd', transports: ['usb'] };
    const story: UserEvent[] = [
      { type: 'UserEmailVerified', data: { email: index } },
      { type: 'UserProfileChanged', data: { profile: 'ee' } },
      {
        type: 'UserPasswordChanged',
        data: { version: 1, password_id: claim, session_epoch: 2 },
      },
      { type: 'UserSessionsEnded', data: { session_epoch: 3 } },
      { type: 'UserRoleChanged', data: { role: 'administrator' } },
      { type: 'PasskeyAdded', data: passkey },
      { type: 'PasskeyAdded', data: { ...passkey, credential: 'ff' } },
      { type: 'PasskeyRemoved', data: { credential: 'cc' } },
    ];
    expect(after(...story)).toMatchObject({
      email_verified: true,
      profile: 'ee',
      profile_changed_at: at(2),
      has_password: true,
      session_epoch: 3,
      role: 'administrator',
      passkeys: [{ ...passkey, credential: 'ff', added_at: at(7) }],
    });
  });

  it('shows from when on the consents of sites count, and no passkey that went with a password', () => {
    const passkey = { credential: 'cc', public_key: 'dd', transports: [] };
    const set = { version: 1, password_id: claim, session_epoch: 2 };
    const ended: UserEvent = {
      type: 'UserPasswordChanged',
      data: { ...set, access_epoch: 2, passkeys_removed: true },
    };
    expect(after({ type: 'PasskeyAdded', data: passkey }, ended)).toMatchObject({
      access_epoch: 2,
      passkeys: [],
    });
    const later: UserEvent = { type: 'UserPasswordChanged', data: { ...set, version: 2 } };
    expect(after(ended, later)).toMatchObject({ access_epoch: 2 });
  });

  it('shows another address as not verified, and a lapsed one as nobody’s to be told of', () => {
    const verified: UserEvent = { type: 'UserEmailVerified', data: { email: index } };
    const lapsed: UserEvent = { type: 'EmailClaimLapsed', data: { email: index, claim } };
    const moved: UserEvent = {
      type: 'UserEmailChanged',
      data: { email: '1'.repeat(64), claim, email_sealed: 'cc' },
    };
    expect(after(verified, moved)).toMatchObject({ email_verified: false, email_sealed: 'cc' });
    expect(after(lapsed)).toMatchObject({ email_lapsed: true });
    expect(after(lapsed, moved)).not.toHaveProperty('email_lapsed');
    expect(after(moved, lapsed)).not.toHaveProperty('email_lapsed');
  });

  it('marks an erased person, and shows nobody who never registered', () => {
    expect(after({ type: 'UserErased', data: { email: index } })).toMatchObject({ status: 'erased' });
    const lapsed: UserEvent = { type: 'EmailClaimLapsed', data: { email: index, claim } };
    expect(given(people, [`user-${user}`, lapsed])).toEqual(new Map());
  });
});

describe('the read model of sessions', () => {
  it('shows a session, and marks it when it ends', () => {
    const data = {
      session: '0'.repeat(22),
      user,
      epoch: 1,
      auth_time: 1_700_000_000,
      amr: ['pwd'],
      ends: 1_800_000_000,
      secret_sha256: '0'.repeat(64),
    };
    const story: SessionEvent[] = [
      { type: 'SessionStarted', data },
      { type: 'SessionEnded', data: { session: data.session, user, reason: 'signed_out' } },
    ];
    const after = (n: number) =>
      given(sessions, ...along(`session-${data.session}`, ...story.slice(0, n))).get(data.session);
    expect(after(1)).toEqual({ ...data, status: 'open', started_at: at(0) });
    expect(after(2)).toMatchObject({ status: 'ended', ended_at: at(1) });
  });
});

describe('the read model of members', () => {
  it('shows each person once in each team, and marks who left', () => {
    const joined = (team: string): TeamEvent => ({
      type: 'MemberJoined',
      data: { team, user, role: 'member', person: 'aa' },
    });
    const found = given(
      members,
      ['team-harbour', joined('harbour') as never],
      ['team-bay', joined('bay') as never],
      ['team-harbour', { type: 'MemberRoleChanged', data: { team: 'harbour', user, role: 'admin' } }],
      ['team-bay', { type: 'MemberLeft', data: { team: 'bay', user } }],
    );
    expect(found.get(memberId('harbour', user))).toEqual({
      team: 'harbour',
      user,
      role: 'admin',
      status: 'member',
      person: 'aa',
      joined_at: at(0),
    });
    expect(found.get(memberId('bay', user))).toMatchObject({ status: 'left', left_at: at(3) });
  });
});
