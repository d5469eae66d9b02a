import { describe, expect, test } from 'vitest';
import { AttemptSlots, type SlotTaker } from '../../src/dispatch/lanes/attempt-slots.ts';
import type { AttemptResult } from '../../src/dispatch/attempts/attempt-outcome.ts';
import type { DuePage, PageRequest } from '../../src/dispatch/lanes/due-reader.ts';
import { Lane, laneBuffer } from '../../src/dispatch/lanes/lane.ts';
import { Lanes } from '../../src/dispatch/lanes/lanes.ts';
import { StoreError } from '../../src/stores/errors.ts';
import { clock } from '../support/clock.ts';
import { until } from '../support/until.ts';

/** Lanes beside a read model that shows everything at once, and attempts that do as the test says. */
function world(
  attempt: (delivery: string) => Promise<AttemptResult> | AttemptResult = () => settled,
  places = laneBuffer,
) {
  const time = clock();
  const pending = new Map<string, string>();
  const attempts: string[] = [];
  const parked: string[] = [];
  const pages: PageRequest[] = [];
  let position = 0n;
  const readPage = async (request: PageRequest): Promise<DuePage> => {
    pages.push(request);
    const { place, subscription, limit } = request;
    const after = place?.in === 'read model' ? place.after?.[1] : undefined;
    const all = [...pending].filter(([, of]) => of === subscription).map(([id]) => id);
    const due = all.filter((id) => after === undefined || id > after).slice(0, limit);
    const last = due.at(-1);
    const shown = { due, nextDue: Infinity, shownTo: position };
    return last === undefined || due.length < limit
      ? shown
      : { ...shown, next: { in: 'read model', generation: 1, checkpoint: position, after: ['', last] } };
  };
  const lanes = new Lanes({
    attempt: async ({ delivery }) => {
      attempts.push(delivery);
      const result = await attempt(delivery);
      if (result.kind === 'settled') pending.delete(delivery);
      return result;
    },
    readPage,
    park: async (delivery) => {
      parked.push(delivery);
      pending.delete(delivery);
    },
    isTransient: (error) => error instanceof StoreError,
    onFault: () => undefined,
    slots: new AttemptSlots(200),
    places,
    ...time,
  });
  const add = (delivery: string, subscription = 'one') => {
    position += 1n;
    pending.set(delivery, subscription);
    lanes.add({ subscription, delivery, dueAt: new Date(0), position });
  };
  return { lanes, add, time, pending, attempts, parked, pages, at: () => position };
}

const settled: AttemptResult = { kind: 'settled', receiver: 'well' };
const numbered = (count: number) => Array.from({ length: count }, (_, n) => `d${String(n).padStart(5, '0')}`);

describe('a lane', () => {
  test('keeps a few deliveries, however many are due, and knows that there are more', () => {
    const lane = new Lane('one', 'team');
    for (const delivery of numbered(10_000)) lane.add({ delivery, dueAt: 5, tries: 0 }, 10);
    expect(lane.kept).toBe(laneBuffer);
    expect(lane.nextDue).toBe(5);
    for (const delivery of numbered(10_000))
      lane.add({ delivery: `later ${delivery}`, dueAt: 99, tries: 0 }, 10);
    expect(lane.kept).toBe(laneBuffer);
  });

  test('gives up what is due last for what is due before it, and remembers when to look for it', () => {
    const lane = new Lane('one', 'team');
    for (const [n, delivery] of numbered(laneBuffer).entries())
      lane.add({ delivery, dueAt: 1_000 + n, tries: 0 }, 10);
    lane.add({ delivery: 'soon', dueAt: 500, tries: 0 }, 10);
    expect(lane.waiting.has('soon')).toBe(true);
    expect(lane.kept).toBe(laneBuffer);
    expect(lane.nextDue).toBe(1_000 + laneBuffer - 1);
  });

  test('attempts each of many due deliveries once, reading those that it did not keep', async () => {
    const { add, attempts, lanes, pending } = world();
    const all = numbered(5_000);
    for (const id of all) add(id);
    await until(() => pending.size === 0);
    expect([...attempts].sort()).toEqual(all);
    expect(lanes.size).toBe(0);
  });

  test('keeps more while few subscriptions have something to do, and then reads none of it', async () => {
    const { add, attempts, pages, pending } = world(undefined, 1_000);
    const all = numbered(1_000);
    for (const id of all) add(id);
    await until(() => pending.size === 0);
    expect(attempts).toEqual(all);
    expect(pages).toEqual([]);
  });

  test('keeps as few as before once many have something to do', async () => {
    const { add, attempts, pages, pending } = world(undefined, 1_000);
    const names = Array.from({ length: 10 }, (_, n) => `subscription ${n}`);
    for (const name of names) add(`first of ${name}`, name);
    const all = numbered(500);
    for (const id of all) add(id, names[0]);
    await until(() => pending.size === 0);
    expect(attempts).toHaveLength(510);
    expect(pages.length).toBeGreaterThan(3);
  });

  test('of a paused subscription keeps and reads nothing, and looks for everything when it is resumed', async () => {
    let isPaused = true;
    const { add, attempts, lanes, pages, pending, at } = world(() => (isPaused ? { kind: 'held' } : settled));
    add('first');
    await until(() => attempts.length === 1);
    await Promise.resolve();
    for (const id of numbered(1_000)) add(id);
    expect(attempts).toEqual(['first']);
    expect(pages).toEqual([]);
    isPaused = false;
    lanes.wake('one', 'team', at(), true);
    await until(() => pending.size === 0);
    expect(attempts.slice(1).sort()).toEqual([...numbered(1_000), 'first']);
  });

  test('that was paused and resumed during an attempt attempts that delivery again', async () => {
    const first = Promise.withResolvers<AttemptResult>();
    let calls = 0;
    const { add, attempts, lanes, at, pending } = world(() => (calls++ === 0 ? first.promise : settled));
    add('one');
    lanes.wake('one', 'team', at(), true);
    first.resolve({ kind: 'held' });
    await until(() => pending.size === 0);
    expect(attempts).toEqual(['one', 'one']);
  });

  test('parks a delivery that fails ten times for our own reasons, and others do not wait for it', async () => {
    const { add, attempts, parked, time, pending } = world((delivery) => {
      if (delivery === 'bad') throw new Error('Its source event is gone.');
      return settled;
    });
    add('bad');
    add('good');
    await until(() => !pending.has('good') && attempts.includes('bad'));
    for (let tries = 2; tries <= 10; tries++) {
      await time.settled();
      time.advance(60_000);
      await until(() => attempts.filter((each) => each === 'bad').length === tries);
    }
    await until(() => parked.length === 1);
    time.advance(3_600_000);
    await time.settled();
    expect(parked).toEqual(['bad']);
    expect(attempts.filter((each) => each === 'bad')).toHaveLength(10);
  });

  test('waits while a store is down, parks nothing for it, and then goes on', async () => {
    let isDown = true;
    const { add, attempts, parked, time, pending } = world(() => {
      if (isDown) throw new StoreError('unavailable', 'No answer.');
      return settled;
    });
    for (const id of numbered(200)) add(id);
    for (let round = 0; round < 15; round++) {
      await time.settled();
      time.advance(60_000);
      await time.settled();
    }
    isDown = false;
    for (let round = 0; pending.size > 0; round++) {
      time.advance(60_000);
      await time.settled();
      expect(round).toBeLessThan(100);
    }
    expect(parked).toEqual([]);
    expect(attempts.length).toBeGreaterThan(200);
  });
});

describe('the slots of a dispatcher', () => {
  const taker = (team: string, wants: number, started: string[]): SlotTaker => ({
    team,
    startOne: () => {
      if (wants === 0) return { started: false, more: false };
      wants -= 1;
      started.push(team);
      return { started: true, more: wants > 0 };
    },
  });

  test('leave room for another team, however much one has under way', () => {
    const slots = new AttemptSlots(200);
    const started: string[] = [];
    for (let n = 0; n < 300; n++) slots.ask(taker('a', 10, started));
    expect(started).toHaveLength(100);
    slots.ask(taker('b', 1, started));
    expect(started.at(-1)).toBe('b');
    slots.ask(taker('c', 60, started));
    expect(started.filter((team) => team === 'c').length).toBeGreaterThan(40);
  });

  test('are fewer for attempts that do not wait for their receivers, and one team has half of those', () => {
    const slots = new AttemptSlots(200, 20);
    const started: string[] = [];
    for (let n = 0; n < 30; n++) slots.ask(taker('a', 10, started));
    expect(started).toHaveLength(10);
    slots.ask(taker('b', 1, started));
    expect(started.at(-1)).toBe('b');
    for (let n = 0; n < 40; n++) slots.waits('a', true);
    expect(started).toHaveLength(51);
    // What was answered goes on at once. Others begin when some of it has ended.
    for (let n = 0; n < 40; n++) slots.waits('a', false);
    for (let n = 0; n < 40; n++) slots.ended('a');
    expect(started).toHaveLength(51);
    slots.ended('a');
    expect(started).toHaveLength(52);
  });

  test('are given out in turns among teams, and among the lanes of a team', () => {
    const slots = new AttemptSlots(2);
    const started: string[] = [];
    slots.ask(taker('a', 3, started));
    slots.ask(taker('b', 3, started));
    slots.ask(taker('c', 3, started));
    for (let n = 0; n < 8; n++) slots.ended(started[n] ?? '');
    expect([...started].sort()).toEqual(['a', 'a', 'a', 'b', 'b', 'b', 'c', 'c', 'c']);
    // The first two had no competition. After that each has its turn.
    expect(new Set(started.slice(2, 5)).size).toBe(3);
  });
});
