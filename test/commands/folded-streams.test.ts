import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FoldedStreams } from '../../src/commands/folded-streams.ts';
import { allowedIn } from '../../src/commands/teams/rights.ts';
import { commandTeam, team } from '../../src/commands/teams/team.ts';
import type { MemberRole, TeamEvent } from '../../src/events/teams.ts';
import type { EventStore, ReadStreamOptions } from '../../src/stores/event-store/port.ts';
import { registerPerson } from '../../src/commands/accounts/person.ts';
import { appending } from '../support/append.ts';
import { aCommand } from '../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

const slug = 'harbour';
const stream = `team-${slug}`;
let folder: DataFolder;
let here: Stores;
let elsewhere: Stores;

beforeEach(async () => {
  folder = dataFolder();
  here = folder.open();
  elsewhere = folder.open();
  await commandTeam(here.store, { kind: 'create', team: slug, name: 'Harbour' }, aCommand());
});
afterEach(() => folder.dispose());

const user = (n: number): string => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const joined = (who: string, role: MemberRole = 'member'): TeamEvent => ({
  type: 'MemberJoined',
  data: { team: slug, user: who, role, person: 'c2VhbGVk' },
});

describe('the state of a team that is read with many requests', () => {
  it('has a change of another process with the next reading, so that a right ends at once', async () => {
    const wish = { email: 'ada@example.org', password: 'seven quiet herons', profile: { name: 'Ada' } };
    const { userId } = await registerPerson(here, { ...wish, role: 'person' }, aCommand());
    const asked = { user: userId, team: slug, right: 'see the team' } as const;
    expect(await allowedIn(here.store, asked)).toBeUndefined();
    for (let round = 0; round < 3; round++) {
      await appending(elsewhere.store, stream, joined(userId));
      expect(await allowedIn(here.store, asked)).toEqual({ name: 'Harbour', role: 'member', closed: false });
      const left = { type: 'MemberLeft', data: { team: slug, user: userId } } as const;
      await appending(elsewhere.store, stream, left);
      expect(await allowedIn(here.store, asked)).toBeUndefined();
    }
  });

  it('folds no event twice', async () => {
    for (let n = 0; n < 20; n++) await appending(here.store, stream, joined(user(n)));
    const reads: number[] = [];
    const counting = {
      readStream: async (name: string, options?: ReadStreamOptions) => {
        const events = await here.store.readStream(name, options);
        reads.push(events.length);
        return events;
      },
    } as EventStore;
    const streams = new FoldedStreams(team);
    await streams.load(counting, slug);
    await streams.load(counting, slug);
    await appending(elsewhere.store, stream, joined(user(99)));
    const state = await streams.load(counting, slug);
    expect(state?.members.size).toBe(21);
    expect(reads).toEqual([21, 1, 2]);
  });

  it('is folded anew where the log says something else than before', async () => {
    const other = dataFolder();
    try {
      const { store: restored } = other.open();
      await commandTeam(restored, { kind: 'create', team: slug, name: 'Restored' }, aCommand());
      let log = here.store;
      const replaced = { readStream: (...asked) => log.readStream(...asked) } as EventStore;
      const streams = new FoldedStreams(team);
      await appending(here.store, stream, joined(user(1), 'admin'));
      expect((await streams.load(replaced, slug))?.members.size).toBe(1);
      log = restored;
      expect(await streams.load(replaced, slug)).toMatchObject({ name: 'Restored', members: new Map() });
      await appending(restored, stream, joined(user(2)));
      expect([...((await streams.load(replaced, slug))?.members.keys() ?? [])]).toEqual([user(2)]);
    } finally {
      await other.dispose();
    }
  });

  it('is nothing for a team that does not exist, until it does', async () => {
    const streams = new FoldedStreams(team);
    expect(await streams.load(here.store, 'new-team')).toBeUndefined();
    const create = { kind: 'create', team: 'new-team', name: 'New' } as const;
    await commandTeam(elsewhere.store, create, aCommand());
    expect(await streams.load(here.store, 'new-team')).toMatchObject({ name: 'New' });
  });
});
