import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  changeMemberRole,
  endMembership,
  joinTeam,
  type MemberDetails,
} from '../../../src/commands/teams/member.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import { registerPerson, type PersonParts } from '../../../src/commands/accounts/person.ts';
import { commandTeam, requireTeam, team } from '../../../src/commands/teams/team.ts';
import type { MemberRole, TeamEvent } from '../../../src/events/teams.ts';
import { PersonalData, personOf } from '../../../src/personal/personal-data.ts';
import { given } from '../../support/decider.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const user = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const other = '4f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
type Joined = Extract<TeamEvent, { type: 'MemberJoined' }>;
const joined = (role: MemberRole, who = user): Joined => ({
  type: 'MemberJoined',
  data: { team: 'harbour', user: who, role, person: 'xx' },
});
const join = ({ data }: Joined) => ({ kind: 'join', data }) as const;
const left: TeamEvent = { type: 'MemberLeft', data: { team: 'harbour', user } };
const leave = { kind: 'leave', team: 'harbour', user } as const;
const change = (role: MemberRole) => ({ kind: 'change-role', team: 'harbour', user, role }) as const;
const changed = (role: MemberRole): TeamEvent => ({
  type: 'MemberRoleChanged',
  data: { team: 'harbour', user, role },
});

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

  it('gets another role, and leaves, each once', () => {
    given(team, created, joined('member')).when(change('admin')).then(changed('admin'));
    given(team, created, joined('member'), changed('admin')).when(change('admin')).thenNothing();
    given(team, created).when(change('admin')).thenRefused('not_found');
    given(team, created, joined('member')).when(leave).then(left);
    given(team, created, joined('member'), left).when(leave).thenNothing();
    given(team, created, joined('member'), left).when(change('admin')).thenRefused('not_found');
  });
});

describe('the last admin of a team', () => {
  const alone = [created, joined('admin'), joined('reviewer', other)];

  it('can neither leave nor be given another role', () => {
    given(team, ...alone)
      .when(leave)
      .thenRefused('conflict');
    for (const role of ['reviewer', 'member'] as const) {
      given(team, ...alone)
        .when(change(role))
        .thenRefused('conflict');
    }
    given(team, ...alone)
      .when(change('admin'))
      .thenNothing();
  });

  it('can, once there is another', () => {
    const two = [created, joined('admin'), joined('admin', other)];
    given(team, ...two)
      .when(leave)
      .then(left);
    given(team, ...two)
      .when(change('member'))
      .then(changed('member'));
  });

  it('is the one whose account is not erased', () => {
    const two = [created, joined('admin'), joined('admin', other)];
    given(team, ...two)
      .when({ ...leave, erased: [other] })
      .thenRefused('conflict');
    given(team, ...two)
      .when({ ...change('member'), erased: [other] })
      .thenRefused('conflict');
    given(team, ...alone)
      .when({ ...leave, erased: [user] })
      .then(left);
  });
});

describe('joining and leaving', () => {
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

  const member = async (name: string, role: MemberRole) => {
    const person = { email: `${name.toLowerCase()}@example.org`, profile: { name } };
    const { userId } = await registerPerson(parts, person, clock.command());
    const { events } = await joinTeam(parts, { team: 'harbour', user: userId, role }, clock.command());
    return { userId, person: (events[0]?.data as { person: string }).person };
  };
  const roles = async () => (await requireTeam(stores.store, 'harbour')).members;

  it('tells name and address to who may read the person, and to nobody after an erasure', async () => {
    const { userId, person } = await member('Ada', 'admin');
    expect(await parts.personal.open<MemberDetails>(personOf(userId), person)).toEqual({
      name: 'Ada',
      email: 'ada@example.org',
    });
    expect(await roles()).toEqual(new Map([[userId, 'admin']]));
    await erasePerson(parts, userId, clock.command());
    expect(await parts.personal.open(personOf(userId), person)).toBeUndefined();
  });

  it('leaves a team no admin behind whose account is erased, and lets the membership of such a one end', async () => {
    const { userId: ada } = await member('Ada', 'admin');
    const { userId: grace } = await member('Grace', 'admin');
    await erasePerson(parts, ada, clock.command());
    const asGrace = { team: 'harbour', user: grace };
    await expect(endMembership(parts, asGrace, clock.command())).rejects.toThrow(/the last admin/);
    await expect(changeMemberRole(parts, { ...asGrace, role: 'member' }, clock.command())).rejects.toThrow(
      /Make another member an admin first/,
    );
    await endMembership(parts, { team: 'harbour', user: ada }, clock.command());
    expect(await roles()).toEqual(new Map([[grace, 'admin']]));
  });

  it('lets one of two admins who leave at the same moment go', async () => {
    const both = [await member('Ada', 'admin'), await member('Grace', 'admin')];
    const went = await Promise.allSettled(
      both.map(({ userId: user }) => endMembership(parts, { team: 'harbour', user }, clock.command())),
    );
    expect(went.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await roles()).size).toBe(1);
  });
});
