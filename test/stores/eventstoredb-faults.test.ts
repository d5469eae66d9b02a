import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { EventStoreDbStore } from '../../src/stores/event-store/eventstoredb/store.ts';
import { beginning, type Appended, type NewEvent } from '../../src/stores/event-store/port.ts';
import { StoreError, WrongExpectedRevision } from '../../src/stores/errors.ts';
import { eventStoreCommand, eventStoreIn, type EventStoreServer } from '../support/event-store-server.ts';
import { temporaryFolder } from '../support/folder.ts';
import { groupsIn } from '../support/groups.ts';
import { until } from '../support/until.ts';

if (eventStoreCommand === '') {
  describe.skip('an EventStoreDB that goes and comes back (skipped: EVENTSTORE_COMMAND is not set)', () => {
    it('needs a node of its own', () => undefined);
  });
} else {
  describe('an EventStoreDB that goes and comes back', { timeout: 120_000 }, () => {
    const folder = temporaryFolder();
    let node: EventStoreServer;
    let store: EventStoreDbStore;
    let abort: AbortController;

    const { groups, close } = groupsIn(folder.path);
    const open = (namespace: string) => new EventStoreDbStore({ url: node.url, namespace, groups });

    beforeAll(async () => {
      node = await eventStoreIn(folder.path);
      await node.start();
    });
    beforeEach(async () => {
      store = open(`t${randomUUID().slice(0, 8)}`);
      await untilItWorks(() => store.append('ready', [{ ...anEvent(), type: 'Ready' }], 'no_stream'));
      abort = new AbortController();
    });
    afterEach(async () => {
      abort.abort();
      await store.close();
    });
    afterAll(async () => {
      await node.kill();
      await close();
      folder.remove();
    });

    it('says within its time that it is away, and what became of the append', async () => {
      await store.append('a-1', [anEvent()], 'no_stream');
      await node.kill();
      const began = performance.now();
      const [append, any, read] = await Promise.all([
        store.append('a-1', [anEvent()], 0).catch((error: unknown) => error),
        store.append('b-1', [anEvent()], 'any').catch((error: unknown) => error),
        store.readStream('a-1').catch((error: unknown) => error),
      ]);
      expect(performance.now() - began).toBeLessThan(8_000);
      for (const error of [append, any, read]) {
        expect(error).toBeInstanceOf(StoreError);
        expect(error).toMatchObject({ code: 'unavailable' });
      }
      // The connection was gone, so nothing can have been sent by the later attempts.
      const late = await store.append('a-1', [anEvent()], 0).catch((error: unknown) => error);
      expect(late).toMatchObject({ code: 'unavailable', outcome: 'none' });
      await node.start();
      const { revision } = await untilItWorks(() => store.append('a-1', [anEvent()], 0));
      expect(revision).toBe(1);
    });

    it('says that the outcome is unknown when a server takes an append and does not answer', async () => {
      await store.append('a-1', [anEvent()], 'no_stream');
      node.signal('SIGSTOP');
      const began = performance.now();
      const hung = await Promise.all([
        store.append('a-1', [anEvent()], 0).catch((error: unknown) => error),
        store.append('b-1', [anEvent()], 'any').catch((error: unknown) => error),
        store.readStream('a-1').catch((error: unknown) => error),
      ]);
      expect(performance.now() - began).toBeLessThan(12_000);
      node.signal('SIGCONT');
      expect(hung[0]).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
      expect(hung[1]).toMatchObject({ code: 'unavailable', outcome: 'unknown' });
      expect(hung[2]).toMatchObject({ code: 'unavailable' });
      expect((await untilItWorks(() => store.readStream('a-1'))).length).toBeGreaterThan(0);
    });

    it('loses nothing and doubles nothing under writers and subscribers, killed twice', async () => {
      const acknowledged = new Map<string, Appended & { stream: string }>();
      const seen: { id: string; position: bigint }[] = [];
      const following = (async () => {
        const filter = { streamPrefixes: ['w-'] };
        for await (const { events } of store.subscribe({ after: beginning, filter, signal: abort.signal }))
          seen.push(...events.map(({ id, position }) => ({ id, position })));
      })();
      const consumed = new Set<string>();
      const consuming = store.consume('group', {
        filter: { types: ['Tested'] },
        signal: abort.signal,
        handle: async (events) => {
          for (const { event } of events) consumed.add(event.id);
          return events.map(() => ({ kind: 'ack' }));
        },
      });
      const stop = new AbortController();
      const unknown: string[] = [];
      const writers = Array.from({ length: 20 }, async (_, writer) => {
        const stream = `w-${writer}`;
        let revision = -1;
        while (!stop.signal.aborted) {
          const event = anEvent({ writer });
          try {
            const at = await store.append(stream, [event], revision === -1 ? 'no_stream' : revision);
            expect(at.revision).toBe(revision + 1);
            acknowledged.set(event.id, { ...at, stream });
            revision = at.revision;
          } catch (error) {
            if (!(error instanceof StoreError)) throw error;
            if (error instanceof WrongExpectedRevision || error.outcome === 'unknown') {
              unknown.push(event.id);
              const newest = await untilItWorks(() =>
                store.readStream(stream, { direction: 'backwards', limit: 1 }),
              );
              revision = newest[0]?.revision ?? -1;
            }
          }
          // The pace of the load is part of the scene: it leaves the server some of the machine.
          await pause(5);
        }
      });
      const backAfter: number[] = [];
      for (let round = 0; round < 2; round++) {
        const before = acknowledged.size;
        await until(() => acknowledged.size > before + 300);
        await node.kill();
        // How long the server is away is what is tested.
        await pause(round * 2_500);
        await node.start();
        const up = performance.now();
        const [appended, had, done] = [acknowledged.size, seen.length, consumed.size];
        await until(() => acknowledged.size > appended && seen.length > had && consumed.size > done);
        backAfter.push(performance.now() - up);
      }
      stop.abort();
      await Promise.all(writers);
      expect(Math.max(...backAfter)).toBeLessThan(10_000);

      const head = await store.head();
      const log = await store.readAll({
        after: beginning,
        filter: { streamPrefixes: ['w-'] },
        limit: 1_000_000,
      });
      const inLog = new Map(log.events.map((event) => [event.id, event]));
      expect(inLog.size).toBe(log.events.length);
      for (const [id, { stream, revision, position }] of acknowledged)
        expect(inLog.get(id)).toMatchObject({ stream, revision, position });
      // What nobody was told of may stand there, and nothing else.
      const surplus = [...inLog.keys()].filter((id) => !acknowledged.has(id));
      expect(surplus.filter((id) => !unknown.includes(id))).toEqual([]);
      await until(() => seen.length >= log.events.length && consumed.size >= log.events.length);
      expect(seen.map(({ id }) => id)).toEqual(log.events.map(({ id }) => id));
      expect([...inLog.keys()].filter((id) => !consumed.has(id))).toEqual([]);
      expect(head > beginning).toBe(true);
      abort.abort();
      await Promise.all([following, consuming]);
    });

    it('keeps what was set aside, and what was asked for again, when it is killed', async () => {
      const events = [anEvent({ n: 1 }), anEvent({ n: 2 })];
      await store.append('a-1', events, 'no_stream');
      const consume = (kind: 'ack' | 'park', signal: AbortSignal, seen: string[]) =>
        store.consume('group', {
          filter: { types: ['Tested'] },
          signal,
          handle: async (consumed) => {
            seen.push(...consumed.map(({ event }) => event.id));
            return consumed.map(() => ({ kind, reason: 'a reason' }));
          },
        });
      const first = new AbortController();
      const parking = consume('park', first.signal, []);
      await until(async () => (await store.parked('group')).length === 2);
      first.abort();
      await parking;
      expect(await store.replayParked('group', [events[0]?.id ?? ''])).toBe(1);
      await node.kill();
      await node.start();
      await untilItWorks(() => store.readStream('a-1'));
      const seen: string[] = [];
      const again = consume('ack', abort.signal, seen);
      await until(() => seen.includes(events[0]?.id ?? ''));
      expect((await store.parked('group')).map(({ event }) => event.id)).toEqual([events[1]?.id]);
      abort.abort();
      await again;
    });

    it('lets itself be closed while the server is away, in the middle of everything', async () => {
      await store.append('a-1', [anEvent()], 'no_stream');
      const following = (async () => {
        for await (const _ of store.subscribe({ after: beginning, signal: abort.signal }));
      })();
      const consuming = store.consume('group', {
        filter: { types: ['Tested'] },
        signal: abort.signal,
        handle: async (events) => events.map(() => ({ kind: 'ack' })),
      });
      const appends = Array.from({ length: 20 }, () =>
        store.append('b-1', [anEvent()], 'any').then(
          () => 'appended',
          () => 'failed',
        ),
      );
      await node.kill();
      const began = performance.now();
      await store.close();
      await Promise.all([following, consuming, ...appends]);
      expect(performance.now() - began).toBeLessThan(8_000);
      await node.start();
    });
  });
}

const anEvent = (data: unknown = {}): NewEvent => ({
  id: randomUUID(),
  type: 'Tested',
  data,
  metadata: { at: '2026-01-01T00:00:00.000Z' },
});

/** A node that has just started refuses for a while. */
async function untilItWorks<Result>(work: () => Promise<Result>): Promise<Result> {
  for (;;) {
    try {
      return await work();
    } catch (error) {
      if (!(error instanceof StoreError) || error.code !== 'unavailable') throw error;
    }
  }
}
