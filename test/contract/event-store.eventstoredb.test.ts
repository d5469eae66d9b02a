import { EventStoreDBClient, jsonEvent } from '@eventstore/db-client';
import { randomUUID } from 'node:crypto';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterAll, afterEach, beforeEach, describe, expect, it } from 'vitest';
import { addressOf } from '../../src/stores/event-store/eventstoredb/connection.ts';
import { Namespace } from '../../src/stores/event-store/eventstoredb/namespace.ts';
import { Server } from '../../src/stores/event-store/eventstoredb/server.ts';
import { EventStoreDbStore } from '../../src/stores/event-store/eventstoredb/store.ts';
import {
  beginning,
  type EventBatch,
  type EventFilter,
  type EventStore,
  type NewEvent,
  type RecordedEvent,
} from '../../src/stores/event-store/port.ts';
import type { StoreError } from '../../src/stores/errors.ts';
import { altered } from '../support/altered.ts';
import { temporaryFolder } from '../support/folder.ts';
import { groupsIn, noGroups } from '../support/groups.ts';
import { until } from '../support/until.ts';
import { reconcilerLease, type ReconcilerTimings } from '../../src/stores/event-store/reconciler.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';
import { eventStoreContract } from './event-store.ts';

const url = process.env['EVENTSTORE_URL'] ?? '';

if (url === '') {
  describe.skip('the event store contract, EventStoreDB (skipped: EVENTSTORE_URL is not set)', () => {
    it('needs a server', () => undefined);
  });
} else {
  const opening = (namespace: string | undefined) => async (timings?: ReconcilerTimings) => {
    const stores: EventStore[] = [];
    const folder = temporaryFolder();
    const open = () => {
      // Each with its own hold on the leases, as processes have.
      const { groups, close } = groupsIn(folder.path, timings);
      const named = namespace === undefined ? {} : { namespace };
      const store = new EventStoreDbStore({ url, groups, ...named });
      const process = altered<EventStore>(store, {
        close: async () => {
          await store.close();
          await close();
        },
      });
      stores.push(process);
      return process;
    };
    const names = new Namespace(namespace);
    const store = open();
    return {
      store,
      another: async () => open(),
      lose: async (group: string, filter: EventFilter) => {
        const name = names.groupName(group, filter);
        const raw = EventStoreDBClient.connectionString(url);
        await raw.deletePersistentSubscriptionToAll(name).catch(() => undefined);
        await new Server(addressOf(url)).createGroup(name, names.forGroup(group, filter), await store.head());
        await raw.dispose();
      },
      forget: async (group: string) => {
        const db = new DatabaseSync(join(folder.path, 'consumers.db'));
        db.prepare("DELETE FROM notes WHERE id = ?1 OR id LIKE ?1 || '.%'").run(names.outer(group));
        db.close();
      },
      holdReconciler: async (group: string) => {
        const leases = new EmbeddedLeases(folder.path);
        const lease = await leases.tryAcquire(reconcilerLease(names.outer(group)));
        expect(lease).toBeDefined();
        return () => leases.close();
      },
      dispose: async () => {
        await Promise.all(stores.map((store) => store.close()));
        folder.remove();
      },
    };
  };
  eventStoreContract('EventStoreDB', (timings) => opening(`t${randomUUID().slice(0, 8)}`)(timings));
  eventStoreContract('EventStoreDB without a namespace', opening(undefined));

  describe('the EventStoreDB adapter', () => {
    const raw = EventStoreDBClient.connectionString(url);
    const folder = temporaryFolder();
    const { groups, close } = groupsIn(folder.path);
    const { groups: groupsOfAnother, close: closeAnother } = groupsIn(folder.path);
    let namespace: string;
    let store: EventStoreDbStore;
    let abort: AbortController;

    beforeEach(() => {
      namespace = `t${randomUUID().slice(0, 8)}`;
      store = new EventStoreDbStore({ url, namespace, groups });
      abort = new AbortController();
    });
    afterEach(async () => {
      abort.abort();
      await store.close();
    });
    afterAll(async () => {
      await removeGroupsOfTests(raw);
      await raw.dispose();
      await close();
      await closeAnother();
      folder.remove();
    });

    const belongsToInstallation = ({ groupName }: { groupName: string }) =>
      groupName.startsWith(`${namespace}.group-`);
    const anEvent = (type = 'Tested', data: unknown = {}): NewEvent => ({
      id: randomUUID(),
      type,
      data,
      metadata: { at: '2026-01-01T00:00:00.000Z' },
    });
    const foreign = (stream: string, type = 'Tested') =>
      raw.appendToStream(stream, jsonEvent({ type, data: {} }), { credentials: anybody });

    it('is ready when the server answers', async () => {
      await store.ready();
    });

    it('sees nothing of what stands outside its namespace', async () => {
      await foreign(`${namespace}x.a-1`);
      await foreign(`a-${namespace}`);
      const { position } = await store.append('a-1', [anEvent()], 'no_stream');
      const { events } = await store.readAll({ after: beginning, limit: 10 });
      expect(events.map((each) => [each.stream, each.position])).toEqual([['a-1', position]]);
      expect(await store.count({ after: beginning })).toBe(1);
      expect(await store.count({ after: beginning, filter: { types: ['Tested'] } })).toBe(1);
      const [seen] = await take(store.subscribe({ after: beginning, signal: abort.signal }), 1);
      expect(seen?.stream).toBe('a-1');
    });

    it('leaves system streams out where there is no namespace', async () => {
      const all = new EventStoreDbStore({ url, groups: noGroups });
      await raw.setStreamMetadata(`${namespace}.a-1`, { truncateBefore: 0 }, { credentials: anybody });
      await store.append('a-1', [anEvent()], 'no_stream');
      const { events } = await all.readAll({ after: beginning, limit: 500 });
      expect(events.length).toBeGreaterThan(0);
      expect(events.filter(({ stream }) => stream.startsWith('$'))).toEqual([]);
      const batches = all.subscribe({ after: beginning, signal: abort.signal, batchSize: 500 });
      const first = await take(batches, 500);
      expect(first.slice(0, events.length)).toEqual(events.slice(0, first.length));
      await all.close();
    });

    it('says of a stream that was deleted by hand that it was', async () => {
      await store.append('a-1', [anEvent()], 'no_stream');
      await store.append('b-1', [anEvent()], 'no_stream');
      await raw.tombstoneStream(`${namespace}.a-1`);
      await raw.deleteStream(`${namespace}.b-1`);
      await expect(store.append('a-1', [anEvent()], 0)).rejects.toMatchObject({ code: 'stream_deleted' });
      await expect(store.readStream('a-1')).rejects.toMatchObject({ code: 'stream_deleted' });
      expect(await store.readStream('b-1')).toEqual([]);
    });

    it('tells every stream of ours on which somebody has set that the server drops events', async () => {
      const limit = (stream: string, metadata: Record<string, unknown>) =>
        raw.setStreamMetadata(stream, metadata, { credentials: anybody });
      for (const name of ['aged', 'counted', 'cut', 'kept', 'mended', 'gone', 'hidden'])
        await store.append(`${name}-1`, [anEvent(), anEvent()], 'no_stream');
      await limit(`${namespace}.aged-1`, { maxAge: 60, maxCount: 7 });
      await limit(`${namespace}.counted-1`, { maxCount: 1 });
      await limit(`${namespace}.cut-1`, { truncateBefore: 1 });
      await limit(`${namespace}.kept-1`, { truncateBefore: 0, team: 'harbor' });
      await limit(`${namespace}.mended-1`, { maxCount: 1 });
      await limit(`${namespace}.mended-1`, {});
      await limit(`${namespace}x.counted-1`, { maxCount: 1 });
      await raw.tombstoneStream(`${namespace}.gone-1`);
      await raw.deleteStream(`${namespace}.hidden-1`);
      const found = (await store.streamLimits()).filter(({ stream }) => stream !== '$all');
      expect(found.map(({ stream, kind, value }) => [stream, kind, kind === 'deleted' || value])).toEqual([
        ['aged-1', 'maxAge', 60],
        ['aged-1', 'maxCount', 7],
        ['counted-1', 'maxCount', 1],
        ['cut-1', 'truncateBefore', 1],
        ['gone-1', 'deleted', true],
        ['hidden-1', 'deleted', true],
      ]);
    });

    it('says of a batch that is larger than the server takes that it is', async () => {
      const large = Array.from({ length: 3 }, () => anEvent('Tested', { text: 'x'.repeat(400_000) }));
      await expect(store.append('a-1', large, 'no_stream')).rejects.toMatchObject({
        code: 'event_too_large',
      });
      expect(await store.readStream('a-1')).toEqual([]);
    });

    it('answers each of many appends under way for itself, whatever becomes of the others', async () => {
      await store.append('taken-1', [anEvent()], 'no_stream');
      await store.append('deleted-1', [anEvent()], 'no_stream');
      await raw.tombstoneStream(`${namespace}.deleted-1`);
      const large = Array.from({ length: 3 }, () => anEvent('Tested', { text: 'x'.repeat(400_000) }));
      const answer = (stream: string, events = [anEvent()]) =>
        store.append(stream, events, 'no_stream').then(
          ({ revision }) => revision,
          (error: unknown) => (error as StoreError).code,
        );
      const rounds = Array.from({ length: 40 }, (_, n) => n);
      const answers = await Promise.all(
        rounds.map((n) =>
          Promise.all([
            answer(`new-${n}`, [anEvent(), anEvent()]),
            answer('taken-1'),
            answer('deleted-1'),
            n % 10 === 0 ? answer(`large-${n}`, large) : 'event_too_large',
          ]),
        ),
      );
      expect(answers).toEqual(
        rounds.map(() => [1, 'wrong_expected_revision', 'stream_deleted', 'event_too_large']),
      );
    });

    it('hands on what lies behind by the thousand, and what is new at once', async () => {
      const made = Array.from({ length: 2_500 }, () => anEvent('Tested', { text: 'x'.repeat(1_000) }));
      for (let n = 0; n < made.length; n += 500) {
        await store.append('a-1', made.slice(n, n + 500), n === 0 ? 'no_stream' : n - 1);
      }
      const batches = store.subscribe({ after: beginning, signal: abort.signal });
      const sizes: number[] = [];
      for (let sum = 0; sum < made.length;) {
        const { value } = (await batches.next()) as { value: EventBatch };
        if (value.events.length > 0) sizes.push(value.events.length);
        sum += value.events.length;
      }
      expect(sizes.reduce((sum, size) => sum + size)).toBe(made.length);
      // Neither by what one read of the socket brings, nor more at once than the reader takes.
      expect(sizes.length).toBeLessThanOrEqual(10);
      expect(Math.max(...sizes)).toBeLessThanOrEqual(1_000);
      const next = take(batches, 1);
      const { position } = await store.append('b-1', [anEvent()], 'no_stream');
      expect((await next)[0]?.position).toBe(position);
    });

    it('moves the position on over what others append, and over what its filter leaves out', async () => {
      const { position: from } = await store.append('a-1', [anEvent()], 'no_stream');
      const batches = store.subscribe({
        after: from,
        filter: { types: ['Never'] },
        signal: abort.signal,
      });
      let seen = from;
      const following = (async () => {
        for await (const batch of batches) {
          expect(batch.events).toEqual([]);
          expect(batch.position > seen).toBe(true);
          seen = batch.position;
        }
      })();
      for (let n = 0; n < 3; n++) {
        await foreign(`other-${namespace}`);
        const head = await store.head();
        const began = performance.now();
        await until(() => seen >= head);
        expect(performance.now() - began).toBeLessThan(2_000);
      }
      const { position } = await store.append('a-1', [anEvent()], 0);
      await until(() => seen >= position);
      abort.abort();
      await following;
    });

    it('loses and doubles nothing while its position moves over the log of others', async () => {
      const taken: RecordedEvent[] = [];
      const following = (async () => {
        for await (const { events } of store.subscribe({
          after: beginning,
          filter: { types: ['Wanted'] },
          signal: abort.signal,
        })) {
          taken.push(...events);
        }
      })();
      const total = 60;
      for (let n = 0; n < total; n++) {
        await foreign(`other-${namespace}`, 'Wanted');
        await store.append('a-1', [anEvent('Unwanted'), anEvent('Wanted', { n })], 'any');
        if (n % 10 === 0) await until(() => taken.length === n + 1);
      }
      await until(() => taken.length >= total);
      expect(taken.map(({ data }) => (data as { n: number }).n)).toEqual(
        Array.from({ length: total }, (_, n) => n),
      );
      abort.abort();
      await following;
    });

    it('says of a position between two events that none stands there', async () => {
      const { position } = await store.append('a-1', [anEvent(), anEvent()], 'no_stream');
      expect(await store.eventIdAt(position - 1n)).toBeUndefined();
      await expect(store.readAll({ after: position - 1n, limit: 1 })).rejects.toMatchObject({
        code: 'misuse',
      });
      await expect(
        take(store.subscribe({ after: position - 1n, signal: abort.signal }), 1),
      ).rejects.toMatchObject({ code: 'misuse' });
    });

    it('makes a new group for a new filter, with the same parked list', async () => {
      await store.append('a-1', [anEvent('One')], 'no_stream');
      const consume = async (types: string[], verdict: 'ack' | 'park', count: number) => {
        const seen: string[] = [];
        const done = new AbortController();
        await store.consume('group', {
          filter: { types },
          signal: done.signal,
          handle: async (events) => {
            seen.push(...events.map(({ event }) => event.type));
            if (seen.length >= count) done.abort();
            return events.map(() => ({ kind: verdict, reason: 'a reason' }) as const);
          },
        });
        return seen;
      };
      expect(await consume(['One'], 'park', 1)).toEqual(['One']);
      const grown = consume(['Two', 'One'], 'ack', 2);
      await until(
        async () => (await raw.listPersistentSubscriptionsToAll()).filter(belongsToInstallation).length === 2,
      );
      await store.append('a-1', [anEvent('Two')], 0);
      expect((await grown).sort()).toEqual(['One', 'Two']);
      expect((await store.parked('group')).map(({ event }) => event.type)).toEqual(['One']);
      expect(await store.replayParked('group')).toBe(1);
      expect(await consume(['Two', 'One'], 'ack', 1)).toEqual(['One']);
      expect((await raw.listPersistentSubscriptionsToAll()).filter(belongsToInstallation)).toHaveLength(2);
    });

    it('hands over to another consumer what one had and did not settle when it went', async () => {
      await store.append('a-1', [anEvent()], 'no_stream');
      const dying = new EventStoreDbStore({ url, namespace, groups: groupsOfAnother });
      const started = new Promise<void>((resolve) => {
        void dying.consume('group', {
          filter: { types: ['Tested'] },
          signal: abort.signal,
          handle: () => {
            resolve();
            return new Promise(() => undefined);
          },
        });
      });
      await started;
      const attempts: number[] = [];
      const consuming = store.consume('group', {
        filter: { types: ['Tested'] },
        signal: abort.signal,
        handle: async (events) => {
          attempts.push(...events.map(({ attempt }) => attempt));
          return events.map(() => ({ kind: 'ack' }));
        },
      });
      await dying.close();
      await until(() => attempts.length > 0);
      expect(attempts).toEqual([2]);
      abort.abort();
      await consuming;
    });

    it('comes back to a group that was deleted under it', async () => {
      const seen: string[] = [];
      const consuming = store.consume('group', {
        filter: { types: ['Tested'] },
        signal: abort.signal,
        handle: async (events) => {
          seen.push(...events.map(({ event }) => event.id));
          return events.map(() => ({ kind: 'ack' }));
        },
      });
      const event = anEvent();
      await store.append('a-1', [event], 'no_stream');
      await until(() => seen.includes(event.id));
      const [group] = (await raw.listPersistentSubscriptionsToAll()).filter(({ groupName }) =>
        groupName.startsWith(`${namespace}.group-`),
      );
      await raw.deletePersistentSubscriptionToAll(group?.groupName ?? '');
      const next = anEvent();
      await store.append('a-1', [next], 0);
      await until(() => seen.includes(next.id));
      abort.abort();
      await consuming;
    });
  });
}

/** Without TLS a server does not look whom it has before it. */
const anybody = { username: 'admin', password: 'changeit' };

/** Groups live as long as their server, and each costs it a little with every event. */
async function removeGroupsOfTests(raw: EventStoreDBClient): Promise<void> {
  const groups = await raw.listPersistentSubscriptionsToAll().catch(() => []);
  for (const { groupName, connections } of groups) {
    const ofTests = /^t[0-9a-f]{8}\./.test(groupName) || /^[a-z]+[0-9a-f]{8}-[0-9a-f]{8}$/.test(groupName);
    if (ofTests && connections.length === 0)
      await raw.deletePersistentSubscriptionToAll(groupName).catch(() => undefined);
  }
}

async function take(batches: AsyncIterable<EventBatch>, count: number): Promise<RecordedEvent[]> {
  const events: RecordedEvent[] = [];
  for await (const batch of batches) {
    events.push(...batch.events);
    if (events.length >= count) break;
  }
  return events;
}
