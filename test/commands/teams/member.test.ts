import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  inviteMember,
  invitationOf,
  joinTeam,
  type MemberDetails,
} from '../../../src/commands/teams/member.ts';
import { erasePerson, registerPerson, type PersonParts } from '../../../src/commands/accounts/person.ts';
import { commandTeam, requireTeam, team } from '../../../src/commands/teams/team.ts';
import type { MemberRole, TeamEvent } from '../../../src/events/teams/team.ts';
import { PersonalData, personOf } from '../../../src/personal/personal-data.ts';
import { given } from '../../support/decider.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const user = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const invitation = '3f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
const invited: TeamEvent = {
  type: 'MemberInvited',
  data: { team: 'harbour', invitation, role: 'reviewer', email_sealed: 'xx' },
};
const joined = (role: MemberRole, by?: string): TeamEvent => ({
  type: 'MemberJoined',
  data: { team: 'harbour', user, role, person: 'xx', ...(by === undefined ? {} : { invitation: by }) },
});
const join = (event: TeamEvent) =>
  ({ kind: 'join', data: event.data as Extract<TeamEvent, { type: 'MemberJoined' }>['data'] }) as const;
const left: TeamEvent = { type: 'MemberLeft', data: { team: 'harbour', user } };

describe('a member of a team', () => {
  it('joins once, and again after leaving', () => {
    given(team, created)
      .when(join(joined('admin')))
      .then(joined('admin'));
    given(team, created, joined('admin'))
      .when(join(joined('member')))
      .thenRefused('conflict');
    given(team, created, joined('admin'), left)
      .when(join(joined('member')))
      .then(joined('member'));
    given(team)
      .when(join(joined('admin')))
      .thenRefused('not_found');
  });

  it('joins by an invitation once, as what it says', () => {
    given(team, created).when({ kind: 'invite', data: invited.data }).then(invited);
    const by = join(joined('reviewer', invitation));
    given(team, created, invited).when(by).then(joined('reviewer', invitation));
    given(team, created, invited)
      .when(join(joined('admin', invitation)))
      .thenRefused('not_found');
    given(team, created).when(by).thenRefused('not_found');
    given(team, created, invited, joined('reviewer', invitation), left).when(by).thenRefused('not_found');
  });

  it('gets another role, and leaves, each once', () => {
    const change = (role: MemberRole) => ({ kind: 'change-role', team: 'harbour', user, role }) as const;
    const changed: TeamEvent = { type: 'MemberRoleChanged', data: { team: 'harbour', user, role: 'admin' } };
    given(team, created, joined('member')).when(change('admin')).then(changed);
    given(team, created, joined('member'), changed).when(change('admin')).thenNothing();
    given(team, created).when(change('admin')).thenRefused('not_found');
    const leave = { kind: 'leave', team: 'harbour', user } as const;
    given(team, created, joined('member')).when(leave).then(left);
    given(team, created, joined('member'), left).when(leave).thenNothing();
    given(team, created, joined('member'), left).when(change('admin')).thenRefused('not_found');
  });
});

describe('joining', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  let parts: PersonParts;
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
    parts = { store: stores.store, vault: stores.vault, personal: new PersonalData(stores.vault, clock.now) };
    await commandTeam(stores.store, { kind: 'create', team: 'harbour', name: 'Harbour' }, clock.command());
  });
  afterEach(() => folder.dispose());

  it('tells name and address to who may read the person, and to nobody after an erasure', async () => {
    const ada = { email: 'ada@example.org', profile: { name: 'Ada' } };
    const { userId } = await registerPerson(parts, ada, clock.command());
    const wish = { team: 'harbour', user: userId, role: 'admin' } as const;
    const { events } = await joinTeam(parts, wish, clock.command());
    const { person } = events[0]?.data as { person: string };
    expect(await parts.personal.open<MemberDetails>(personOf(userId), person)).toEqual({
      name: 'Ada',
      email: 'ada@example.org',
    });
    expect((await requireTeam(stores.store, 'harbour')).members).toEqual(new Map([[userId, 'admin']]));
    await erasePerson(parts, userId, clock.command());
    expect(await parts.personal.open(personOf(userId), person)).toBeUndefined();
  });

  it('by an invitation makes its address unreadable', async () => {
    const invite = { team: 'harbour', role: 'member', email: 'ada@example.org' } as const;
    const { invitationId, outcome } = await inviteMember(parts, invite, clock.command());
    const { email_sealed } = outcome.events[0]?.data as { email_sealed: string };
    expect(await parts.personal.open(invitationOf(invitationId), email_sealed)).toBe('ada@example.org');
    const ada = { email: 'ada@example.org', profile: { name: 'Ada' } };
    const { userId } = await registerPerson(parts, ada, clock.command());
    const wish = { team: 'harbour', user: userId, role: 'member', invitation: invitationId } as const;
    await joinTeam(parts, wish, clock.command());
    expect(await parts.personal.open(invitationOf(invitationId), email_sealed)).toBeUndefined();
  });
});
