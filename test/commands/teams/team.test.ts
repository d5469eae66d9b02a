import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { commandTeam, requireTeam, team } from '../../../src/commands/teams/team.ts';
import type { TeamEvent } from '../../../src/events/teams.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import { aCommand } from '../../support/context.ts';
import { given } from '../../support/decider.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const created: TeamEvent = { type: 'TeamCreated', data: { team: 'harbour', name: 'Harbour' } };
const enabled = (
  ...scopes: Extract<TeamEvent, { type: 'TeamScopesEnabled' }>['data']['scopes']
): TeamEvent => ({
  type: 'TeamScopesEnabled',
  data: { team: 'harbour', scopes },
});
const enable = (...scopes: Extract<TeamEvent, { type: 'TeamScopesEnabled' }>['data']['scopes']) =>
  ({ kind: 'enable-scopes', team: 'harbour', scopes }) as const;

describe('a team', () => {
  it('is created once', () => {
    const create = { kind: 'create', team: 'harbour', name: 'Harbour' } as const;
    given(team).when(create).then(created);
    given(team, created).when(create).thenRefused('conflict');
    given(team, created)
      .when({ ...create, name: 'Other' })
      .thenRefused('conflict');
  });

  it('has a time zone from when it is set until it is taken away', () => {
    const set = (timeZone?: string) => ({ kind: 'set-time-zone', team: 'harbour', timeZone }) as const;
    const isSet = (time_zone?: string): TeamEvent => ({
      type: 'TeamTimeZoneSet',
      data: { team: 'harbour', ...(time_zone === undefined ? {} : { time_zone }) },
    });
    given(team, created).when(set('America/Chicago')).then(isSet('America/Chicago'));
    given(team, created).when(set()).then();
    given(team, created, isSet('America/Chicago')).when(set('America/Chicago')).then();
    given(team, created, isSet('America/Chicago')).when(set()).then(isSet());
    given(team).when(set('America/Chicago')).thenRefused('not_found');
  });

  it('is not named so that it looks like another', () => {
    given(team).when({ kind: 'create', team: 'harbour', name: 'Harb\u200Bour' }).thenRefused('invalid');
  });

  it('is renamed by whoever has seen the name that it has', () => {
    const rename = { kind: 'rename', team: 'harbour', name: 'Quay' } as const;
    const renamed: TeamEvent = { type: 'TeamRenamed', data: { team: 'harbour', name: 'Quay' } };
    given(team, created).when(rename).then(renamed);
    given(team, created)
      .when({ ...rename, before: 'Harbour' })
      .then(renamed);
    given(team, created, renamed).when(rename).thenNothing();
    given(team, created, renamed)
      .when({ ...rename, name: 'Pier', before: 'Harbour' })
      .thenRefused('conflict');
    given(team, created)
      .when({ ...rename, name: 'Qu\u200Bay' })
      .thenRefused('invalid');
    given(team).when(rename).thenRefused('not_found');
  });

  it('that is closed is opened again, and is left as it is until then', () => {
    const closing = '00000000-0000-4000-8000-00000000000c';
    const close = { kind: 'close', team: 'harbour', closing, name: 'Harbour' } as const;
    const closed: TeamEvent = { type: 'TeamClosed', data: { team: 'harbour', closing } };
    const reopened: TeamEvent = { type: 'TeamReopened', data: { team: 'harbour', closing } };
    const reopen = { kind: 'reopen', team: 'harbour' } as const;
    given(team, created).when(close).then(closed);
    given(team, created)
      .when({ ...close, name: 'Quay' })
      .thenRefused('invalid');
    given(team, created, closed)
      .when({ ...close, closing: '00000000-0000-4000-8000-00000000000d' })
      .thenNothing();
    given(team, created).when(reopen).thenNothing();
    given(team, created, closed).when(reopen).then(reopened);
    given(team, created, closed).when(enable('audit:read')).thenRefused('conflict');
    given(team, created, closed, reopened).when(enable('audit:read')).then(enabled('audit:read'));
    const commons: TeamEvent = { type: 'TeamCreated', data: { team: 'commons', name: 'Commons' } };
    given(team, commons)
      .when({ ...close, team: 'commons', name: 'Commons' })
      .thenRefused('conflict');
  });

  it('that is closed is left by whoever wants to, its last admin too', () => {
    const closed: TeamEvent = {
      type: 'TeamClosed',
      data: { team: 'harbour', closing: '00000000-0000-4000-8000-00000000000c' },
    };
    const user = '2f0c1a52-6d3f-4c55-9a8e-3c8f2f0c7a11';
    const joined: TeamEvent = {
      type: 'MemberJoined',
      data: { team: 'harbour', user, role: 'admin', person: 'sealed' },
    };
    const leave = { kind: 'leave', team: 'harbour', user } as const;
    given(team, created, joined).when(leave).thenRefused('conflict');
    given(team, created, joined, closed)
      .when(leave)
      .then({ type: 'MemberLeft', data: { team: 'harbour', user } });
  });

  it('may use no team scope until some are enabled', () => {
    given(team, created).when(enable()).thenNothing();
    given(team, created).when(enable('audit:read')).then(enabled('audit:read'));
  });

  it('has exactly the scopes that were enabled last', () => {
    const both = [created, enabled('directory:manage', 'audit:read')];
    given(team, ...both)
      .when(enable('audit:read'))
      .then(enabled('audit:read'));
    given(team, ...both)
      .when(enable())
      .then(enabled());
  });

  it('is not enabled the same scopes again, in whatever order and however often they are named', () => {
    given(team, created, enabled('directory:manage', 'audit:read'))
      .when(enable('audit:read', 'directory:manage', 'audit:read'))
      .thenNothing();
  });

  it('keeps scopes in one order', () => {
    given(team, created)
      .when(enable('audit:read', 'directory:manage'))
      .then(enabled('directory:manage', 'audit:read'));
  });

  it('that does not exist can be given no scopes', () => {
    given(team).when(enable('audit:read')).thenRefused('not_found');
  });
});

describe('a team of 5,000 members', () => {
  const size = 5_000;
  let folder: DataFolder;
  let stores: Stores;
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    const stream = 'team-harbour';
    const history: TeamEvent[] = [created];
    const people = Array.from({ length: size }, () => randomUUID());
    for (const user of people) {
      const invitation = randomUUID();
      const role = 'member' as const;
      history.push(
        {
          type: 'MemberInvited',
          data: {
            team: 'harbour',
            invitation,
            role,
            email: 'e'.repeat(64),
            email_sealed: 'sealed',
            expires_at: '2030-01-08T00:00:00.000Z',
          },
        },
        { type: 'MemberJoined', data: { team: 'harbour', user, role, invitation, person: 'sealed' } },
      );
    }
    for (const user of people.slice(0, 100)) {
      history.push({ type: 'MemberRoleChanged', data: { team: 'harbour', user, role: 'admin' } });
    }
    for (const user of people.slice(100, 200)) {
      history.push({ type: 'MemberLeft', data: { team: 'harbour', user } });
    }
    const context = aCommand();
    const events = history.map((event, index) => newEvent(stream, event, index, context));
    await stores.store.append(stream, events, 'no_stream');
  });
  afterEach(() => folder.dispose());

  it('is folded with a few steps for each event, and so is a command on it', async () => {
    const steps = vi.spyOn(Map.prototype, 'set');
    try {
      const { members, invitations } = await requireTeam(stores.store, 'harbour');
      expect(members.size).toBe(size - 100);
      expect([...members.values()].filter((role) => role === 'admin')).toHaveLength(100);
      expect(invitations.size).toBe(0);
      const [user = ''] = [...members.keys()];
      await commandTeam(stores.store, { kind: 'leave', team: 'harbour', user }, aCommand());
      expect(steps.mock.calls.length).toBeLessThan(10 * size);
    } finally {
      steps.mockRestore();
    }
  });

  it('is the same folded at once or event by event, and no state changes under who holds it', async () => {
    const history = (await stores.store.readStream('team-harbour', { limit: 60 })) as unknown as TeamEvent[];
    let state = team.initial;
    for (const event of history) {
      const before = state;
      const seen = before && [...before.members.keys(), ...before.invitations.keys()];
      state = team.evolve(state, event);
      expect(before && [...before.members.keys(), ...before.invitations.keys()]).toEqual(seen);
    }
    expect(team.evolveAll?.(team.initial, history)).toEqual(state);
  });
});
