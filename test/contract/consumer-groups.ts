import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { ReconcilerTimings } from '../../src/stores/event-store/reconciler.ts';
import type {
  ConsumedEvent,
  ConsumeOptions,
  EventStore,
  NewEvent,
  HandlerResult,
} from '../../src/stores/event-store/port.ts';
import { until } from '../support/until.ts';
import type { EventStoreUnderTest } from './event-store.ts';

/** Soon enough for a test, and long enough for a feed to be first. */
export const hurriedReconciler: ReconcilerTimings = { behindMs: 500, retryMs: 20 };

/** A consumer group loses nothing, whatever the store's own consumer group does. */
export function consumerGroupContract(
  adapter: string,
  open: (timings: ReconcilerTimings) => Promise<EventStoreUnderTest>,
): void {
  describe(`the contract of consumer groups, ${adapter}`, () => {
    let under: EventStoreUnderTest;
    let store: EventStore;
    let run: string;
    let group: string;
    let stopping: (() => Promise<unknown>)[];

    beforeEach(async () => {
      under = await open(hurriedReconciler);
      store = under.store;
      run = randomUUID().slice(0, 8);
      group = `group${run}`;
      stopping = [];
    });
    afterEach(async () => {
      for (const stop of stopping) await stop();
      await under.dispose();
    });

    const type = (name: string) => `${name}${run}`;
    const anEvent = (n: number, name = 'Tested', at = new Date()): NewEvent => ({
      id: randomUUID(),
      type: type(name),
      data: { n },
      metadata: { at: at.toISOString() },
    });
    const append = (...events: readonly NewEvent[]) => store.append(`test${run}-a`, events, 'any');
    /** Events of other products, and of ours that the group does not want. */
    const appendOthers = async (count: number) => {
      for (let n = 0; n < count; n += 20) {
        await store.append(
          `other${run}-${n}`,
          Array.from({ length: 20 }, () => anEvent(n, 'Other')),
          'any',
        );
      }
    };
    const filter = (...names: readonly string[]) => ({
      types: (names.length > 0 ? names : ['Tested']).map(type),
    });
    const numberOf = ({ event }: ConsumedEvent) => (event.data as { n: number }).n;

    /** What a handler that finds its own work has done, and how often it was asked. */
    const worker = () => {
      const done = new Set<number>();
      const asked: number[] = [];
      const handle = async (consumed: readonly ConsumedEvent[]): Promise<HandlerResult[]> =>
        consumed.map((each) => {
          const n = numberOf(each);
          asked.push(n);
          const changed = !done.has(n);
          done.add(n);
          return { kind: 'ack', changed };
        });
      return { done, asked, handle };
    };
    /** A process that consumes. */
    const consuming = async (options: Partial<ConsumeOptions> & Pick<ConsumeOptions, 'handle'>) => {
      const own = await under.another();
      const abort = new AbortController();
      const ended = own.consume(group, { filter: filter(), ...options, signal: abort.signal });
      const stop = async () => {
        abort.abort();
        await ended;
      };
      stopping.push(() => Promise.race([stop().catch(() => undefined), own.close()]));
      return { store: own, stop };
    };
    /** Everything that stood in the log has been passed over by the reconciler. */
    const reconciled = async () => {
      const head = await store.head();
      return until(async () => {
        const found = await store.consumerGroup(group);
        return found && found.checkpoint >= head && found;
      });
    };
    /** A group that has worked, and is at rest. */
    const begun = async (options: Partial<ConsumeOptions> = {}) => {
      const { done, handle } = worker();
      await append(anEvent(0));
      const process = await consuming({ handle, ...options });
      await until(() => done.size === 1);
      await process.stop();
      return { done };
    };

    it('is handed only what it asks for, and counts nothing else as lag', async () => {
      const { done, asked, handle } = worker();
      const isEven = ({ data }: { readonly data: unknown }) => (data as { n: number }).n % 2 === 0;
      for (let n = 0; n < 6; n++) await append(anEvent(n));
      // On a busy machine a new group may take longer to begin than the reconciler waits for it.
      const release = await under.holdReconciler(group);
      const process = await consuming({ handle, where: isEven });
      await until(() => done.size === 3);
      await release();
      const found = await reconciled();
      expect(found.repaired).toBe(0);
      await process.stop();
      expect([...new Set(asked)].sort()).toEqual([0, 2, 4]);
      for (let n = 7; n < 10; n++) await append(anEvent(n));
      expect((await store.consumerGroup(group, isEven))?.lag.events).toBe(1);
      expect((await store.consumerGroup(group))?.lag.events).toBe(3);
    });

    it('tells where it stands, by the last event that it was handed', async () => {
      expect(await store.groupPlaces(group)).toEqual([]);
      const { handle } = worker();
      const events = [anEvent(0), anEvent(1)];
      await append(...events);
      await appendOthers(20);
      await consuming({ handle });
      const { checkpoint } = await reconciled();
      const places = await store.groupPlaces(group);
      expect(places.map((each) => each.checkpoint)).toContain(checkpoint);
      const known = places.flatMap(({ lastEvent }) => lastEvent ?? []);
      expect(known.map(({ id }) => id)).toContain(events[1]?.id);
      for (const { position, id } of known) expect(await store.eventIdAt(position)).toBe(id);
    });

    it('notes which log it follows, once and for every client', async () => {
      const noted = await store.recordGroupLog(`log${run}`);
      expect(await (await under.another()).recordGroupLog('another')).toBe(noted);
      expect(await store.recordGroupLog('another')).toBe(noted);
    });

    it('is handed what the store lost at restarts, among events that are none of its own', async () => {
      const { done, handle } = worker();
      let told = 0;
      let broughtFirst = 0;
      const onRepaired = (events: number) => (told += events);
      await append(anEvent(0));
      for (let round = 0; round < 3; round++) {
        const process = await consuming({ handle, onRepaired });
        await until(() => done.size === round * 4 + 1);
        await process.stop();
        // A busy machine may keep the feed from beginning, and then the very first event is brought by the reconciler.
        if (round === 0) broughtFirst = told;
        await appendOthers(60);
        for (let n = 1; n <= 4; n++) {
          await append(anEvent(round * 4 + n));
          await appendOthers(20);
        }
        await under.lose(group, filter());
      }
      await consuming({ handle, onRepaired });
      await until(() => done.size === 13);
      const { lag, repaired, repairedAt } = await reconciled();
      expect([...done].sort((a, b) => a - b)).toEqual(Array.from({ length: 13 }, (_, n) => n));
      expect(lag).toEqual({ events: 0, seconds: 0 });
      expect(broughtFirst).toBeLessThanOrEqual(1);
      expect(repaired).toBe(broughtFirst + 12);
      expect(told).toBe(repaired);
      expect(new Date(repairedAt ?? '').toISOString()).toBe(repairedAt);
    });

    it('says how far behind its reconciler is, in events and in seconds', async () => {
      expect(await store.consumerGroup(group)).toBeUndefined();
      const { done, handle } = worker();
      await append(anEvent(0));
      const process = await consuming({ handle });
      await until(() => done.size === 1);
      await reconciled();
      await process.stop();
      await append(anEvent(1, 'Tested', new Date(Date.now() - 90_000)), anEvent(2));
      const lag = (await store.consumerGroup(group))?.lag;
      expect(lag?.events).toBe(2);
      expect(lag?.seconds).toBeGreaterThan(85);
      expect(lag?.seconds).toBeLessThan(120);
    });

    it('asks its handler for nothing that this process has done already', async () => {
      const { asked, handle } = worker();
      await consuming({ handle });
      await append(anEvent(0));
      await until(() => asked.length > 0);
      for (let n = 1; n <= 30; n++) await append(anEvent(n));
      await until(() => asked.length > 30);
      await reconciled();
      expect(asked.filter((n) => n > 0)).toHaveLength(30);
    });

    it('leaves to the feed what it holds for a retry, and waits for it', async () => {
      const attempts: number[] = [];
      const { handle } = worker();
      const release = await under.holdReconciler(group);
      await consuming({
        handle: async (consumed) => {
          const verdicts = await handle(consumed);
          return consumed.map((each, index) => {
            if (numberOf(each) !== 1) return verdicts[index] ?? { kind: 'ack' };
            attempts.push(each.attempt);
            return each.attempt === 1
              ? { kind: 'retry', afterMs: 1_200, reason: 'not yet' }
              : { kind: 'ack' };
          });
        },
      });
      await append(anEvent(0), anEvent(1));
      await until(() => attempts.length === 1);
      await release();
      expect((await reconciled()).repaired).toBe(0);
      expect(attempts).toEqual([1, 2]);
    });

    it('leaves parked what is parked', async () => {
      const handle = async (consumed: readonly ConsumedEvent[]): Promise<HandlerResult[]> =>
        consumed.map((each) => (numberOf(each) === 1 ? { kind: 'park', reason: 'no' } : { kind: 'ack' }));
      const first = await consuming({ handle });
      await append(anEvent(0), anEvent(1), anEvent(2));
      await until(async () => (await store.parked(group)).length === 1);
      await first.stop();
      const { asked, handle: again } = worker();
      await consuming({ handle: again });
      await reconciled();
      expect(asked).not.toContain(1);
      expect((await store.parked(group)).map(({ event }) => event.data)).toEqual([{ n: 1 }]);
    });

    it('counts the events that a consumer has, until each has its result', async () => {
      expect(await store.inFlight(group)).toBe(0);
      const results = Promise.withResolvers<undefined>();
      const process = await consuming({
        handle: async (consumed) =>
          consumed.map(() => results.promise.then(() => ({ kind: 'ack' }) as const)),
      });
      await append(...[0, 1, 2].map((n) => anEvent(n)));
      await until(async () => (await store.inFlight(group)) === 3);
      results.resolve(undefined);
      await until(async () => (await store.inFlight(group)) === 0);
      await process.stop();
    });

    it('never handles again what was discarded, and still replays the others', async () => {
      const first = await consuming({
        handle: async (consumed) => consumed.map(() => ({ kind: 'park', reason: 'no' })),
      });
      await append(...[0, 1, 2, 3].map((n) => anEvent(n)));
      await until(async () => (await store.parked(group)).length === 4);
      await first.stop();
      const idOf = async (n: number) =>
        (await store.parked(group)).find(({ event }) => numberOf({ event, attempt: 1 }) === n)?.event.id ??
        '';
      const discarded = await idOf(1);
      expect(await store.discardParked(group, [discarded, randomUUID()])).toBe(1);
      expect(await store.discardParked(group, [discarded])).toBe(0);
      expect(await store.replayParked(group, [discarded])).toBe(0);
      const left = (await store.parked(group)).map(({ event }) => numberOf({ event, attempt: 1 }));
      expect(left.sort()).toEqual([0, 2, 3]);
      expect(await store.countParked(group)).toBe(3);
      expect(await store.replayParked(group, [await idOf(2)])).toBe(1);
      const { asked, handle } = worker();
      const second = await consuming({ handle });
      await until(() => asked.includes(2));
      await reconciled();
      expect(new Set(asked)).toEqual(new Set([2]));
      expect(await store.discardParked(group)).toBe(2);
      expect(await store.parked(group)).toEqual([]);
      await second.stop();
    });

    it('parks what was lost and cannot be handled, after as many attempts, and goes on', async () => {
      await begun();
      await append(anEvent(1), anEvent(2));
      await under.lose(group, filter());
      const { done, handle } = worker();
      let broken = true;
      await consuming({
        maximumAttempts: 3,
        handle: async (consumed) => {
          const verdicts = await handle(consumed);
          return consumed.map((each, index) =>
            broken && numberOf(each) === 1
              ? { kind: 'retry', afterMs: 1, reason: 'broken' }
              : (verdicts[index] ?? { kind: 'ack' }),
          );
        },
      });
      await reconciled();
      expect(await store.parked(group)).toMatchObject([
        { event: { data: { n: 1 } }, attempts: 3, reason: 'broken' },
      ]);
      expect(done).toContain(2);
      broken = false;
      done.delete(1);
      expect(await store.replayParked(group)).toBe(1);
      await until(() => done.has(1));
    });

    it('is handed what it was asked to replay, should the store lose that', async () => {
      const first = await consuming({
        handle: async (consumed) => consumed.map(() => ({ kind: 'park', reason: 'no' })),
      });
      await append(anEvent(0), anEvent(1));
      await until(async () => (await store.parked(group)).length === 2);
      await reconciled();
      await first.stop();
      const [parked] = await store.parked(group);
      await store.replayParked(group, [parked?.event.id ?? '']);
      await appendOthers(20);
      await under.lose(group, filter());
      const { done, handle } = worker();
      await consuming({ handle });
      await until(() => done.size === 1);
      expect(done).toContain((parked?.event.data as { n: number }).n);
      expect(await store.parked(group)).toHaveLength(1);
    });

    it('counts a type that is added to its filter from then on, and loses nothing of the others', async () => {
      const { done } = await begun();
      expect(done).toContain(0);
      await append(anEvent(1), anEvent(101, 'Added'), anEvent(2), anEvent(102, 'Added'));
      const { done: now, handle } = worker();
      const grown = await consuming({ filter: filter('Tested', 'Added'), handle });
      await until(() => now.has(1) && now.has(2));
      await append(anEvent(103, 'Added'), anEvent(3));
      await until(() => now.has(103) && now.has(3));
      await reconciled();
      expect([...now].filter((n) => n === 101 || n === 102)).toEqual([]);
      await grown.stop();
      // Lost after the upgrade, a new type's event is found as well.
      await append(anEvent(104, 'Added'), anEvent(4));
      await appendOthers(20);
      await under.lose(group, filter('Tested', 'Added'));
      await consuming({ filter: filter('Added', 'Tested'), handle });
      await until(() => now.has(104) && now.has(4));
      await reconciled();
      expect([...now].filter((n) => n === 101 || n === 102)).toEqual([]);
    });

    it('looks again at what was added when a release without it went on in between', async () => {
      await begun({ filter: filter('Tested', 'Added') });
      const { done: old, handle: oldHandle } = worker();
      const downgraded = await consuming({ handle: oldHandle });
      await append(anEvent(101, 'Added'), anEvent(1));
      await until(() => old.has(1));
      await reconciled();
      await downgraded.stop();
      await under.lose(group, filter('Tested', 'Added'));
      const { done, handle } = worker();
      await consuming({ filter: filter('Tested', 'Added'), handle });
      await until(() => done.has(101));
    });

    it('is looked through for 30 days by the events own time, when a release before worked without', async () => {
      const daysAgo = (days: number) => new Date(Date.now() - days * 24 * 3_600_000);
      await begun();
      await append(anEvent(1, 'Tested', daysAgo(40)), anEvent(2, 'Tested', daysAgo(20)), anEvent(3));
      await append({ ...anEvent(4), metadata: {} });
      await under.lose(group, filter());
      await under.forget(group);
      const { done, handle } = worker();
      await consuming({ handle });
      await until(() => done.size === 4);
      await reconciled();
      expect([...done].sort((a, b) => a - b)).toEqual([0, 2, 3, 4]);
      // Only what stood there at the upgrade is passed over for its age.
      await append(anEvent(5, 'Tested', daysAgo(50)));
      await until(() => done.has(5));
    });

    it('is looked after by one process at a time, and by the next when that one stops in the midst of it', async () => {
      await begun();
      for (let n = 1; n <= 5; n++) await append(anEvent(n));
      await under.lose(group, filter());
      const { done, handle } = worker();
      const entered = Promise.withResolvers<undefined>();
      const leaving = Promise.withResolvers<never>();
      leaving.promise.catch(() => undefined);
      const first = await consuming({
        handle: () => {
          entered.resolve(undefined);
          return leaving.promise;
        },
      });
      await entered.promise;
      const { asked, handle: second } = { ...worker(), handle };
      await consuming({ handle: second });
      leaving.reject(new Error('it is stopped'));
      await first.stop();
      await until(() => [1, 2, 3, 4, 5].every((n) => done.has(n)));
      const { lag } = await reconciled();
      expect(lag.events).toBe(0);
      expect(asked).toEqual([]);
    });

    it('saves its checkpoint after handling: what a crash cut off is handled by the next', async () => {
      await begun();
      const { position } = await append(anEvent(1));
      await appendOthers(20);
      await under.lose(group, filter());
      const entered = Promise.withResolvers<undefined>();
      const dying = await under.another();
      void dying
        .consume(group, {
          filter: filter(),
          signal: new AbortController().signal,
          handle: (consumed) => {
            if (!consumed.some((each) => numberOf(each) === 1)) return Promise.resolve([{ kind: 'ack' }]);
            entered.resolve(undefined);
            return new Promise(() => undefined);
          },
        })
        .catch(() => undefined);
      await entered.promise;
      expect((await store.consumerGroup(group))?.checkpoint ?? -1n).toBeLessThan(position);
      await dying.close();
      const { done, handle } = worker();
      await consuming({ handle });
      await until(() => done.has(1));
      await reconciled();
    });
  });
}
