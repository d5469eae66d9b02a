import { randomBytes, randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { beginning, type NewEvent } from '../../src/stores/event-store/port.ts';
import { isEmbedded } from '../support/engine.ts';
import { eventStoreCommand, eventStoreIn, type EventStoreServer } from '../support/event-store-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { OperatedInstallation, startHook, type Hook } from '../support/installation.ts';
import { until } from '../support/until.ts';

interface Status {
  readonly projections: readonly {
    readonly name: string;
    readonly lag: number;
    readonly failure?: unknown;
  }[];
  readonly webhooks: { readonly pending: number; readonly failed: number; readonly parked: number };
  readonly foreign_events?: { readonly count: number };
}

const namesIn = (hook: Hook) => [...hook.acknowledged.values()].map(({ name }) => name).sort();
const listed = async (installation: OperatedInstallation) =>
  (await installation.answerTo<{ name: string }[]>('resources', 'list')).map(({ name }) => name).sort();

async function expectWell(installation: OperatedInstallation): Promise<Status> {
  // The index of the audit log follows a moment later.
  const status = await until(async () => {
    const now = await installation.answerTo<Status>('status');
    return now.projections.every(({ lag, failure }) => lag === 0 || failure) && now;
  });
  expect(status.webhooks).toMatchObject({ pending: 0, failed: 0, parked: 0 });
  expect(status.projections.filter(({ lag, failure }) => lag > 0 || failure)).toEqual([]);
  return status;
}

let folder: ReturnType<typeof temporaryFolder>;
let hooks: [Hook, Hook];

beforeEach(async () => {
  folder = temporaryFolder();
  hooks = [await startHook(), await startHook()];
});
afterEach(async () => {
  for (const hook of hooks) await hook[Symbol.asyncDispose]();
  folder.remove();
});

describe.skipIf(!isEmbedded)(
  'an installation whose log holds a neighbour’s events',
  { timeout: 240_000 },
  () => {
    it('shows, sends and counts its own alone, whatever the neighbour’s streams are called', async () => {
      const ours = new OperatedInstallation(join(folder.path, 'ours'));
      const theirs = new OperatedInstallation(join(folder.path, 'theirs'));
      const names = ['Pantry', 'Kitchen'];
      // The neighbour's has the same teams and types, and a subscription of its own.
      await theirs.subscribe('harbour', hooks[1].url);
      await theirs.approve('harbour', 'Theirs 1', 'Theirs 2');
      await ours.subscribe('harbour', hooks[0].url);
      const put = await putBeside(ours.dataDir, await logOf(theirs.dataDir));

      const serving = await ours.serve();
      await ours.approve('harbour', ...names);
      await until(() => hooks[0].acknowledged.size === names.length);
      await until(async () => (await ours.answerTo<Status>('status')).webhooks.pending === 0);
      expect(await listed(ours)).toEqual([...names].sort());
      const status = await expectWell(ours);
      expect(status.foreign_events?.count).toBe(put.length);
      const shown = await ours.events();
      expect(shown.filter(({ id }) => put.includes(id))).toEqual([]);
      expect(new Set(shown.map(({ metadata }) => metadata['installation'])).size).toBe(1);
      const { stdout } = await ours.run('events', '--json', '--stream', 'north.team-harbour');
      expect(stdout).toBe('');
      expect(await serving.stop()).toBe(0);
      expect(namesIn(hooks[0])).toEqual([...names].sort());
      expect(hooks[1].acknowledged.size).toBe(0);
    });

    async function logOf(dataDir: string) {
      const log = new EmbeddedEventStore({ directory: dataDir });
      const { events } = await log.readAll({ after: beginning, limit: 10_000 });
      await log.close();
      return events;
    }

    /** Puts events into a log as a neighbour has them: under a namespace, from before there were ids, in streams called as ours. */
    async function putBeside(dataDir: string, events: Awaited<ReturnType<typeof logOf>>): Promise<string[]> {
      const log = new EmbeddedEventStore({ directory: dataDir });
      const put: string[] = [];
      const append = async (stream: string, event: Omit<NewEvent, 'id'>) => {
        const id = randomUUID();
        await log.append(stream, [{ ...event, id }], 'any');
        put.push(id);
      };
      for (const { stream, type, data, metadata } of events) {
        const { installation, ...former } = metadata;
        expect(installation).toBeDefined();
        await append(`north.${stream}`, { type, data, metadata });
        await append(`south.${stream}`, { type, data, metadata: former });
        await append(`other-${stream}`, { type, data, metadata: former });
        // As if both had no namespace; but not where our own stand, as no two may share a stream.
        if (stream.startsWith('resource-')) await append(stream, { type, data, metadata });
      }
      await log.close();
      return put;
    }
  },
);

const reason = eventStoreCommand === '' ? 'EVENTSTORE_COMMAND is not set' : undefined;

describe.skipIf(reason)(
  `two installations on one EventStoreDB, one under a namespace and one under none${reason === undefined ? '' : ` (skipped: ${reason})`}`,
  { timeout: 300_000 },
  () => {
    let server: EventStoreServer;
    beforeEach(async () => {
      server = await eventStoreIn(join(folder.path, 'server'));
      await server.start();
    });
    afterEach(() => server.stop());

    it('neither show, nor send, nor move the other’s events', async () => {
      const plain = new OperatedInstallation(join(folder.path, 'plain'), settings());
      const north = new OperatedInstallation(join(folder.path, 'north'), {
        ...settings(),
        EVENTSTORE_NAMESPACE: 'north',
      });
      const both = [plain, north] as const;
      await Promise.all(both.map((each, n) => each.subscribe('harbour', hooks[n]?.url ?? '')));
      const serving = await Promise.all(both.map((each) => each.serve()));
      const names = (n: number) => [`Pantry ${n}`, `Kitchen ${n}`, `Clinic ${n}`];
      await Promise.all(both.map((each, n) => each.approve('harbour', ...names(n))));
      for (const [n, each] of both.entries()) {
        await until(() => (hooks[n] as Hook).acknowledged.size === 3);
        await until(async () => (await each.answerTo<Status>('status')).webhooks.pending === 0);
      }
      const ids = await Promise.all(
        both.map(async (each, n) => {
          expect(await listed(each)).toEqual(names(n).sort());
          const shown = await each.events();
          expect(
            shown.filter(({ stream }) => stream.includes('.') && !stream.startsWith('consent-')),
          ).toEqual([]);
          const [id, ...more] = new Set(shown.map(({ metadata }) => metadata['installation']));
          expect(more).toEqual([]);
          return id;
        }),
      );
      expect(ids[0]).not.toBe(ids[1]);
      expect((await expectWell(plain)).foreign_events?.count).toBeGreaterThan(10);
      expect((await expectWell(north)).foreign_events).toBeUndefined();
      for (const each of serving) expect(await each.stop()).toBe(0);

      // Once more, over what both have written, with read models that are built from the first event.
      const again = await Promise.all(both.map((each) => each.serve()));
      await Promise.all(both.map((each) => each.answerTo('rebuild', 'resources')));
      for (const [n, each] of both.entries()) expect(await listed(each)).toEqual(names(n).sort());
      for (const each of again) expect(await each.stop()).toBe(0);
      for (const [n, hook] of hooks.entries()) expect(namesIn(hook)).toEqual(names(n).sort());

      for (const [n, each] of both.entries()) {
        const shown = await each.events();
        const copy = new OperatedInstallation(join(folder.path, `copy-${n}`), {
          ...each.settings,
          EVENTSTORE_URL: '',
        });
        const { events } = await copy.answerTo<{ events: number }>('transfer', '--from', server.url);
        expect(events).toBe(shown.length);
        const embedded = new OperatedInstallation(copy.dataDir, {
          ...each.settings,
          EVENTSTORE_URL: '',
          EVENTSTORE_NAMESPACE: '',
        });
        expect((await embedded.events()).map(({ id }) => id)).toEqual(shown.map(({ id }) => id));
      }
    });

    const settings = () => ({
      EVENTSTORE_URL: server.url,
      EVENTSTORE_NAMESPACE: '',
      MONGODB_URL: '',
      MASTER_KEY: randomBytes(32).toString('base64'),
    });
  },
);
