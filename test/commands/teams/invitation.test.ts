import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { commandPerson, registerPerson, requirePerson } from '../../../src/commands/accounts/person.ts';
import { CommandRefused } from '../../../src/ground/refusals.ts';
import {
  expireInvitation,
  inviteMember,
  withdrawInvitation,
  type InvitingParts,
} from '../../../src/commands/teams/invitation.ts';
import { invitationOf } from '../../../src/commands/teams/invitation-keys.ts';
import { readInvitationLink, writeInvitationLink } from '../../../src/commands/teams/invitation-link.ts';
import { acceptInvitation, endMembership, joinTeam } from '../../../src/commands/teams/member.ts';
import { commandTeam, requireTeam, team } from '../../../src/commands/teams/team.ts';
import type { MemberRole, TeamEvent } from '../../../src/events/teams.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';
import type { Vault } from '../../../src/stores/vault/port.ts';
import { given } from '../../support/decider.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';
import { memoryLimits } from '../../support/limits.ts';

const user = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const invitation = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const newer = '5f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const ada = 'a'.repeat(64);
const grace = 'b'.repeat(64);
const expires_at = '2030-01-08T00:00:00.000Z';
const before = new Date('2030-01-07T23:59:59.999Z');
const after = new Date(expires_at);

type Invited = Extract<TeamEvent, { type: 'MemberInvited' }>;
const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
const invited = (rest: Partial<Invited['data']> = {}): Invited => ({
  type: 'MemberInvited',
  data: {
    team: 'harbour',
    invitation,
    role: 'reviewer',
    email: ada,
    email_sealed: 'xx',
    expires_at,
    ...rest,
  },
});
const joined = (role: MemberRole, by?: string): TeamEvent => ({
  type: 'MemberJoined',
  data: { team: 'harbour', user, role, person: 'xx', ...(by === undefined ? {} : { invitation: by }) },
});
const withdrawn = (reason: 'withdrawn' | 'replaced' | 'joined'): TeamEvent => ({
  type: 'InvitationWithdrawn',
  data: { team: 'harbour', invitation, reason },
});
const expired: TeamEvent = { type: 'InvitationExpired', data: { team: 'harbour', invitation } };
const left: TeamEvent = { type: 'MemberLeft', data: { team: 'harbour', user } };
const accept = (rest: { email?: string; at?: Date; invitation?: string } = {}) => {
  const { email = ada, at = before, invitation: by = invitation } = rest;
  return {
    kind: 'accept',
    data: { team: 'harbour', user, invitation: by, person: 'xx' },
    email,
    at,
  } as const;
};
const withdraw = { kind: 'withdraw', team: 'harbour', invitation } as const;
const expire = (at: Date) => ({ kind: 'expire', team: 'harbour', invitation, at }) as const;

describe('an invitation', () => {
  it('is made for an address, and a newer one to it replaces it', () => {
    given(team, created).when({ kind: 'invite', data: invited().data }).then(invited());
    const again = invited({ invitation: newer, role: 'member' });
    given(team, created, invited())
      .when({ kind: 'invite', data: again.data })
      .then(withdrawn('replaced'), again);
    const another = invited({ invitation: newer, email: grace });
    given(team, created, invited()).when({ kind: 'invite', data: another.data }).then(another);
    given(team).when({ kind: 'invite', data: invited().data }).thenRefused('not_found');
  });

  it('is not made for the address of a member', () => {
    given(team, created, joined('member'))
      .when({ kind: 'invite', data: invited().data, user })
      .thenRefused('conflict');
    given(team, created, joined('member'), left)
      .when({ kind: 'invite', data: invited().data, user })
      .then(invited());
  });

  it('makes somebody a member once, in the role that it says', () => {
    given(team, created, invited()).when(accept()).then(joined('reviewer', invitation));
    given(team, created).when(accept()).thenRefused('not_found');
    given(team, created, invited(), joined('reviewer', invitation)).when(accept()).thenRefused('conflict');
    given(team, created, invited(), joined('reviewer', invitation), left)
      .when(accept())
      .thenRefused('conflict');
  });

  it('is good for its address alone', () => {
    given(team, created, invited())
      .when(accept({ email: grace }))
      .thenRefused('forbidden');
    const unconfirmed = { ...accept(), email: undefined };
    given(team, created, invited()).when(unconfirmed).thenRefused('forbidden');
  });

  it('is good until its time, whether somebody has recorded that it is over or not', () => {
    given(team, created, invited())
      .when(accept({ at: after }))
      .thenRefused('conflict');
    given(team, created, invited(), expired).when(accept()).thenRefused('conflict');
    given(team, created, invited()).when(expire(before)).thenNothing();
    given(team, created, invited()).when(expire(after)).then(expired);
    given(team, created, invited(), expired).when(expire(after)).thenNothing();
  });

  it('can be withdrawn before it is used', () => {
    given(team, created, invited()).when(withdraw).then(withdrawn('withdrawn'));
    given(team, created, invited(), withdrawn('withdrawn')).when(withdraw).thenNothing();
    given(team, created, invited(), expired).when(withdraw).thenNothing();
    given(team, created, invited(), withdrawn('withdrawn')).when(accept()).thenRefused('conflict');
    given(team, created, invited(), joined('reviewer', invitation)).when(withdraw).thenRefused('conflict');
    given(team, created).when(withdraw).thenRefused('not_found');
  });

  it('of a role that a newer one has replaced gives nobody that role', () => {
    const admin = invited({ role: 'admin' });
    const member = invited({ invitation: newer, role: 'member' });
    const replaced = [created, admin, withdrawn('replaced'), member];
    given(team, ...replaced)
      .when(accept())
      .thenRefused('conflict');
    given(team, ...replaced)
      .when(accept({ invitation: newer }))
      .then(joined('member', newer));
  });

  it('ends when its person is added without it', () => {
    const join = { kind: 'join', data: { team: 'harbour', user, role: 'member', person: 'xx' } } as const;
    given(team, created, invited())
      .when({ ...join, email: ada })
      .then(joined('member'), withdrawn('joined'));
    given(team, created, invited())
      .when({ ...join, email: grace })
      .then(joined('member'));
  });
});

describe('inviting', () => {
  const lifeSeconds = 7 * 86_400;
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  let parts: InvitingParts & { readonly vault: Vault };
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
    const personal = new PersonalData(stores.vault, clock.now);
    const limits = memoryLimits({ 'invitations-team': 20 });
    parts = { store: stores.store, vault: stores.vault, personal, limits, lifeSeconds };
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, clock.command());
  });
  afterEach(() => folder.dispose());

  const invite = (email: string, role: MemberRole = 'member') =>
    inviteMember(parts, { team: 'harbour', role, email }, clock.command());
  const account = async (email: string, { confirmed = true } = {}) => {
    const { userId } = await registerPerson(parts, { email, profile: { name: 'Sample' } }, clock.command());
    const { email: index } = await requirePerson(parts, userId);
    const confirm = { kind: 'verify-email', email: index } as const;
    if (confirmed) await commandPerson(parts, userId, confirm, clock.command());
    return userId;
  };
  const join = (id: string, who: string) =>
    acceptInvitation(parts, { team: 'harbour', invitation: id, user: who }, clock.command());
  const addressOf = async ({ invitation: id, outcome }: Awaited<ReturnType<typeof inviteMember>>) => {
    const made = outcome.events.find(({ type }) => type === 'MemberInvited') as Invited;
    return parts.personal.open<string>(invitationOf(id), made.data.email_sealed);
  };
  const state = () => requireTeam(stores.store, 'harbour');

  it('keeps the address readable until it is used, withdrawn, replaced or expired', async () => {
    const used = await invite(' Ada@Example.org ');
    expect(await addressOf(used)).toBe('Ada@Example.org');
    await join(used.invitation, await account('ada@example.org'));
    expect(await addressOf(used)).toBeUndefined();

    const first = await invite('grace@example.org');
    const second = await invite('GRACE@example.org');
    expect(await addressOf(first)).toBeUndefined();
    expect(await addressOf(second)).toBe('GRACE@example.org');
    await withdrawInvitation(parts, { team: 'harbour', invitation: second.invitation }, clock.command());
    expect(await addressOf(second)).toBeUndefined();

    const third = await invite('joan@example.org');
    const late = { team: 'harbour', invitation: third.invitation };
    await expireInvitation(parts, late, clock.command());
    expect(await addressOf(third)).toBe('joan@example.org');
    await expireInvitation(parts, late, { ...clock.command(), at: new Date(third.expiresAt) });
    expect(await addressOf(third)).toBeUndefined();
    expect((await state()).closed).toEqual(
      new Map([
        [used.invitation, 'used'],
        [first.invitation, 'replaced'],
        [second.invitation, 'withdrawn'],
        [third.invitation, 'expired'],
      ]),
    );
    expect(await stores.vault.names('invitation/')).toEqual([]);
  });

  it('ends an invitation whose person an operator adds', async () => {
    const made = await invite('ada@example.org', 'admin');
    const who = await account('ada@example.org');
    await joinTeam(parts, { team: 'harbour', user: who, role: 'member' }, clock.command());
    expect(await addressOf(made)).toBeUndefined();
    expect((await state()).members.get(who)).toBe('member');
    await endMembership(parts, { team: 'harbour', user: who }, clock.command());
    await expect(join(made.invitation, who)).rejects.toThrow(/added to the team without this invitation/);
  });

  it('lets one of two uses at the same moment join', async () => {
    const { invitation: id } = await invite('ada@example.org');
    const who = await account('ada@example.org');
    const uses = await Promise.allSettled(Array.from({ length: 6 }, () => join(id, who)));
    expect(uses.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = uses.flatMap((use) => (use.status === 'rejected' ? [use.reason as unknown] : []));
    for (const error of refused) expect(error).toBeInstanceOf(CommandRefused);
    const history = await stores.store.readStream('team-harbour');
    expect(history.filter(({ type }) => type === 'MemberJoined')).toHaveLength(1);
  });

  it('lets nobody join whose confirmed address is another, or who has confirmed none', async () => {
    const { invitation: id } = await invite('ada@example.org', 'admin');
    await expect(join(id, await account('mallory@example.org'))).rejects.toThrow(/another email address/);
    const squatter = await account('ada@example.org', { confirmed: false });
    await expect(join(id, squatter)).rejects.toThrow(/another email address/);
    expect((await state()).members.size).toBe(0);
  });

  it('refuses the address of a member in words, and sends an erased one’s address an invitation again', async () => {
    const who = await account('ada@example.org');
    await joinTeam(parts, { team: 'harbour', user: who, role: 'member' }, clock.command());
    await expect(invite('ADA@example.org')).rejects.toThrow(/is a member of the team already/);
    expect(await stores.vault.names('invitation/')).toEqual([]);
    await erasePerson(parts, who, clock.command());
    expect(await addressOf(await invite('ada@example.org'))).toBe('ada@example.org');
  });

  it.each([
    '',
    'nobody',
    '@',
    'a@x',
    'a@@example.org',
    'a b@example.org',
    'a@example.org\r\nBcc: b@example.org',
    'a@example.org,b@example.org',
    '<a@example.org>',
    'a@192.0.2.1',
    'a@example.org/x',
    'a\u0000@example.org',
    `${'a'.repeat(64)}@${'b'.repeat(63)}.${'c'.repeat(63)}.${'d'.repeat(60)}.org`,
  ])('takes %j for no address', async (email) => {
    await expect(invite(email)).rejects.toThrow(/This is not an email address/);
    expect(await stores.vault.names('invitation/')).toEqual([]);
  });

  it('bounds the invitations of a team in a day, and those to one address, counting no refused one', async () => {
    const who = await account('member@example.org');
    await joinTeam(parts, { team: 'harbour', user: who, role: 'member' }, clock.command());
    for (let time = 0; time < 30; time++) {
      await expect(invite('member@example.org')).rejects.toThrow(/member of the team already/);
    }
    for (let time = 0; time < 5; time++) await invite('ada@example.org');
    await expect(invite('ada@example.org')).rejects.toThrow(/^This address .* Try again in 24 hours\.$/);
    for (let place = 0; place < 15; place++) await invite(`someone-${place}@example.org`);
    const tries = Array.from({ length: 100 }, (_, place) => invite(`another-${place}@example.org`));
    for (const each of await Promise.allSettled(tries)) {
      expect(each).toMatchObject({ status: 'rejected', reason: { code: 'conflict' } });
    }
    const { invitations } = await state();
    expect(invitations.size).toBe(16);
  });

  it('is repeated without effect: no second invitation, and no key for one that is used', async () => {
    const again = clock.command();
    const wish = { team: 'harbour', role: 'member', email: 'ada@example.org' } as const;
    const first = await inviteMember(parts, wish, again);
    expect((await inviteMember(parts, wish, again)).invitation).toBe(first.invitation);
    await join(first.invitation, await account('ada@example.org'));
    await expect(inviteMember(parts, wish, again)).resolves.toMatchObject({ invitation: first.invitation });
    expect(await stores.vault.names('invitation/')).toEqual([]);
    expect((await state()).invitations.size).toBe(0);
  });
});

describe('the link of an invitation', () => {
  let folder: DataFolder;
  let vault: Vault;
  beforeEach(() => {
    folder = dataFolder();
    vault = folder.open().vault;
  });
  afterEach(() => folder.dispose());

  it('names its invitation, for its team alone', async () => {
    const link = await writeInvitationLink(vault, { team: 'harbour', invitation });
    expect(link).toMatch(/^lnk_[0-9A-Za-z]{49}$/);
    expect(await readInvitationLink(vault, { team: 'harbour', link })).toBe(invitation);
    expect(await readInvitationLink(vault, { team: 'bay', link })).toBeUndefined();
  });

  it('is refused when any character of it is changed, added or missing', async () => {
    const link = await writeInvitationLink(vault, { team: 'harbour', invitation });
    const altered = Array.from(link).map((character, at) => {
      const another = character === 'a' ? 'b' : 'a';
      return link.slice(0, at) + another + link.slice(at + 1);
    });
    for (const text of [...altered, link.slice(0, -1), `${link}0`, link.slice(4), '', 'lnk_']) {
      expect(await readInvitationLink(vault, { team: 'harbour', link: text }), text).toBeUndefined();
    }
  });
});
