import { randomBytes } from 'node:crypto';
import fc from 'fast-check';
import { afterEach, describe, expect, it } from 'vitest';
import { answerAsOf, type AsOfRequest } from '../../../src/audit/as-of/ask.ts';
import { commandApiKey, createApiKey } from '../../../src/commands/keys.ts';
import { commandResource } from '../../../src/commands/directory/resource.ts';
import { mergeRecords, undoMerge } from '../../../src/commands/directory/merge-records.ts';
import { importResource } from '../../../src/commands/directory/import-record.ts';
import { closeTeam, reopenTeam } from '../../../src/commands/teams/closing.ts';
import { commandTeam } from '../../../src/commands/teams/team.ts';
import type { Documents } from '../../../src/stores/documents/port.ts';
import type { EventStore, Position } from '../../../src/stores/event-store/port.ts';
import { aStory, nothingMade, unlessRefused, type Ask } from '../../support/any-story.ts';
import { aCommand } from '../../support/context.ts';
import { caughtUp, startProjector } from '../../support/projector.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

const teams = ['bay', 'harbour', 'inland'] as const;
const everybody = { opens: new Set(['accounts', 'members', 'directory'] as const) };
const wholeList = { limit: 10_000 };

const folders: DataFolder[] = [];
afterEach(async () => {
  for (const folder of folders.splice(0)) await folder.dispose();
});
const open = (): Stores => {
  const folder = dataFolder();
  folders.push(folder);
  return folder.open();
};

const teamOf = fc.constantFrom(...teams);

/** What a story of commands lacks: keys of teams, merges of records, teams that are closed and opened again. */
const aTeamsAsk: fc.Arbitrary<Ask> = fc
  .tuple(teamOf, fc.nat({ max: 6 }))
  .map(([team, what]) => async (stores, made) => {
    const { store } = stores;
    if (what === 0) {
      const key = { kind: 'team', team, scopes: ['resources:read'], domains: [] } as const;
      await createApiKey(stores, key, randomBytes(32), made.command());
    } else if (what === 1) {
      for await (const keyId of keysOf(store)) {
        await commandApiKey(store, keyId, { kind: 'revoke' }, made.command()).catch(unlessRefused);
        break;
      }
    } else if (what < 4) {
      const twins = await Promise.all(['one', 'other'].map((id) => record(stores, made, team, id)));
      const [survivor, duplicate] = twins as [string, string];
      if (what === 2) await mergeRecords(stores, { survivor, duplicate, take: [] }, made.command());
      else await undoMerge(stores, { duplicate }, made.command());
    } else if (what === 4) {
      const command = made.command();
      await closeTeam(store, { team, name: team, closing: command.commandId }, command);
    } else if (what === 5) await reopenTeam(store, { team, closing: crypto.randomUUID() }, made.command());
    else await commandTeam(store, { kind: 'create', team, name: team }, made.command());
  });

async function* keysOf(store: EventStore): AsyncGenerator<string> {
  const filter = { types: ['ApiKeyCreated'] };
  const { events } = await store.readAll({ after: -1n, filter, limit: 100 });
  for (const { data } of events) yield (data as { key_id: string }).key_id;
}

async function record(stores: Stores, made: Parameters<Ask>[1], team: string, id: string): Promise<string> {
  const fields = { name: `Twin ${id}`, category: 'food' } as const;
  const wish = { team, source: { system: 'twins', id }, fields, active: true, approve: true };
  const { state } = await importResource(stores, wish, made.command());
  const svcId = state?.svc_id ?? '';
  if (state?.status === 'submitted')
    await commandResource(stores, svcId, { kind: 'approve' }, made.command()).catch(unlessRefused);
  return svcId;
}

const aHistory = fc.array(
  fc.oneof({ weight: 3, arbitrary: aStory }, { weight: 2, arbitrary: fc.array(aTeamsAsk, { maxLength: 8 }) }),
  {
    minLength: 2,
    maxLength: 4,
  },
);

/** All that can be asked about what is in the log. */
async function questionsAbout({ store }: Stores): Promise<AsOfRequest[]> {
  const names = new Set(
    (await store.readAll({ after: -1n, limit: 100_000 })).events.map(({ stream }) => stream),
  );
  const idsOf = (prefix: string) =>
    [...names].filter((name) => name.startsWith(prefix)).map((name) => name.slice(prefix.length));
  const [people, clients] = [idsOf('user-'), idsOf('client-')];
  const between = [
    ...people.map((person) => ({ person })),
    ...clients.map((client) => ({ client })),
    ...people.flatMap((person) => clients.map((client) => ({ person, client }))),
  ];
  return [
    { question: 'keys' },
    ...teams.flatMap((team) =>
      (['keys', 'directory', 'subscriptions'] as const).map((question) => ({ question, team })),
    ),
    ...between.flatMap((each) =>
      (['consents', 'tokens'] as const).map((question) => ({ question, ...each })),
    ),
  ];
}

type Parts = Pick<Stores, 'store' | 'personal'> & { readonly documents?: Documents | undefined };

const answered = ({ store, personal, documents }: Parts, asked: AsOfRequest, position: Position, at: Date) =>
  answerAsOf({ store, personal, documents }, asked, { position, at }, everybody, wholeList).catch(
    (error: unknown) => (error as Error).message,
  );

/** Every question, at several positions: the streams that it concerns say what the whole log says. */
async function expectTheSame(stores: Stores, documents = stores.documents): Promise<void> {
  const { store, personal } = stores;
  const head = await store.head();
  const at = new Date('2030-01-01T00:00:00.000Z');
  const questions = await questionsAbout(stores);
  for (const position of new Set([head, (head * 2n) / 3n, head / 3n, 1n, 0n]))
    for (const asked of questions) {
      const whole = await answered({ store, personal }, asked, position, at);
      expect(await answered({ store, personal, documents }, asked, position, at)).toEqual(whole);
    }
}

async function tell(stores: Stores, story: readonly Ask[], made: Parameters<Ask>[1]): Promise<void> {
  for (const ask of story) await ask(stores, made).catch(unlessRefused);
}

const begun = async (stores: Stores) => {
  let at = Date.parse('2026-01-01T00:00:00.000Z');
  const made = nothingMade(() => aCommand({ at: new Date((at += 60_000)) }));
  for (const team of teams)
    await commandTeam(stores.store, { kind: 'create', team, name: team }, made.command());
  return made;
};

describe('the streams that a question concerns', () => {
  it('say of any history what the whole log says: before there are read models, behind them, and level with them', async () => {
    await fc.assert(
      fc.asyncProperty(aHistory, async (chapters) => {
        const stores = open();
        const made = await begun(stores);
        const [first = [], second = [], ...rest] = chapters;
        await tell(stores, first, made);
        await expectTheSame(stores);
        const projector = startProjector(stores);
        await tell(stores, second, made);
        await caughtUp(stores);
        await projector.stop();
        await expectTheSame(stores);
        await tell(stores, rest.flat(), made);
        await expectTheSame(stores);
      }),
      { numRuns: 5, endOnFailure: true },
    );
  });

  it('are taken from no read model of another log', async () => {
    const [stores, other] = [open(), open()];
    for (const each of [stores, other]) {
      const made = await begun(each);
      for (const team of teams) await record(each, made, team, each === other ? 'theirs' : 'ours');
      const key = { kind: 'developer', scopes: ['resources:read'], domains: [] } as const;
      await createApiKey(each, key, randomBytes(32), made.command());
    }
    const projector = startProjector(other);
    await caughtUp(other);
    await projector.stop();
    await expectTheSame(stores, other.documents);
    const asked = { question: 'directory', team: 'bay' } as const;
    const answer = await answered(
      { ...stores, documents: other.documents },
      asked,
      await stores.store.head(),
      new Date(),
    );
    expect(answer).toMatchObject({ total: 1 });
  });

  it('are read in place of a read model that is switched while it is asked', async () => {
    const stores = open();
    const made = await begun(stores);
    for (const team of teams) await record(stores, made, team, 'one');
    const projector = startProjector(stores);
    await caughtUp(stores);
    await projector.stop();
    const { documents } = stores;
    let asked = 0;
    // Each time one asks, another generation serves, and it has no document.
    const switched: Pick<Documents, 'collection' | 'generations'> = {
      collection: (spec) => ({ ...documents.collection(spec), select: () => Promise.resolve([]) }),
      generations: async (name) => {
        const { serving, building } = await documents.generations(name);
        asked += 1;
        return { building, serving: serving && { ...serving, generation: serving.generation + asked } };
      },
    };
    await expectTheSame(stores, switched as Documents);
    expect(asked).toBeGreaterThan(1);
  });

  it('are the only ones that are read, and not those of others in the same log', async () => {
    const stores = open();
    const made = await begun(stores);
    const ours = await Promise.all(['one', 'two'].map((id) => record(stores, made, 'bay', id)));
    for (let n = 0; n < 40; n += 1) await record(stores, made, 'inland', String(n));
    const key = { kind: 'team', team: 'bay', scopes: ['resources:read'], domains: [] } as const;
    const { keyId } = await createApiKey(stores, key, randomBytes(32), made.command());
    const projector = startProjector(stores);
    await caughtUp(stores);
    await projector.stop();
    // An event of another installation, in a stream that looks like ours.
    const [first] = await stores.store.readStream(`resource-${ours[0]}`, { limit: 1 });
    const metadata = { ...first?.metadata, installation: crypto.randomUUID() };
    const theirs = { id: crypto.randomUUID(), type: 'ResourceSubmitted', data: first?.data, metadata };
    await stores.wholeLog.append('resource-r_0000000000000001', [theirs], 'no_stream');

    const read = { streams: new Set<string>(), events: 0 };
    const { store } = stores;
    const watched = {
      readStream: async (name: string, options: object) => {
        read.streams.add(name);
        return store.readStream(name, options);
      },
      readStreams: async (names: readonly string[], options: object) => {
        for (const name of names) read.streams.add(name);
        return store.readStreams(names, options);
      },
      readAll: async (options: Parameters<EventStore['readAll']>[0]) => {
        const page = await store.readAll(options);
        read.events += page.events.length;
        return page;
      },
      eventIdAt: (position: Position) => store.eventIdAt(position),
    } as unknown as EventStore;
    const parts = { ...stores, store: watched };
    const head = await store.head();
    const directory = await answered(parts, { question: 'directory', team: 'bay' }, head, new Date());
    expect(directory).toMatchObject({ total: 2 });
    const keys = await answered(parts, { question: 'keys', team: 'bay' }, head, new Date());
    expect(keys).toMatchObject({ total: 1 });
    expect(read.streams).toEqual(
      new Set(['team-bay', `api-key-${keyId}`, ...ours.map((id) => `resource-${id}`)]),
    );
    expect(read.events).toBe(0);
  });
});
