import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { randomUUID } from 'node:crypto';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { beginning, type Position } from '../../src/stores/event-store/port.ts';
import { lagsOf, type Follower } from '../../src/status/lag.ts';
import { longestStreams } from '../../src/status/longest-streams.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
const began = Date.parse('2026-01-01T00:00:00Z');
const now = new Date(began + 100_000_000);
const total = 25_000;
let store: EmbeddedEventStore;
let head: Position;

/** An event a second: every tenth is a Door, the others are Windows. */
beforeAll(async () => {
  store = new EmbeddedEventStore({ directory: folder.path });
  for (let first = 0; first < total; first += 1_000) {
    const events = Array.from({ length: 1_000 }, (_, index) => ({
      id: randomUUID(),
      type: (first + index) % 10 === 0 ? 'Door' : 'Window',
      data: {},
      metadata: { at: new Date(began + (first + index) * 1_000).toISOString() },
    }));
    await store.append(first < 2_000 ? 'long' : `short-${first}`, events, 'any');
  }
  head = await store.head();
});
afterAll(async () => {
  await store.close();
  folder.remove();
});

const lagOf = async (...followers: readonly Omit<Follower, 'name'>[]) => {
  let read = 0;
  const counting = {
    readAll: async (options: Parameters<EmbeddedEventStore['readAll']>[0]) => {
      const batch = await store.readAll(options);
      read += batch.events.length;
      return batch;
    },
  };
  const named = followers.map((each, index) => ({ ...each, name: String(index) }));
  const lags = await lagsOf(counting, named, head, now);
  return { lags: named.map(({ name }) => lags.get(name)), read };
};

describe('lag', () => {
  it('is nothing for whoever stands at the head, and nothing is read for that', async () => {
    const { lags, read } = await lagOf({ after: head });
    expect(lags).toEqual([{ events: 0, isMinimum: false, seconds: 0 }]);
    expect(read).toBe(0);
  });

  it('counts the events of a follower, and tells the age of the oldest', async () => {
    const { lags } = await lagOf(
      { after: head - 95n },
      { after: head - 95n, types: new Set(['Door']) },
      { after: head - 95n, types: new Set(['Roof']) },
    );
    const seconds = (place: number) => now.getTime() / 1_000 - (began / 1_000 + place);
    expect(lags).toEqual([
      { events: 95, isMinimum: false, seconds: seconds(total - 95) },
      { events: 9, isMinimum: false, seconds: seconds(total - 90) },
      { events: 0, isMinimum: false, seconds: 0 },
    ]);
  });

  it('passes over events that a follower has taken in after the place that is known', async () => {
    const { lags } = await lagOf({ after: head - 95n, skip: 90 });
    expect(lags).toMatchObject([{ events: 5 }]);
  });

  it('reads a bounded part after each place, and says that a count is a minimum', async () => {
    const { lags, read } = await lagOf({ after: beginning }, { after: head - 100n }, { after: head - 10n });
    expect(lags).toMatchObject([
      { isMinimum: true },
      { events: 100, isMinimum: false },
      { events: 10, isMinimum: false },
    ]);
    expect(lags[0]?.events).toBeGreaterThanOrEqual(10_000);
    expect(read).toBeLessThan(13_000);
  });
});

it('finds the longest streams, and leaves out short ones', async () => {
  const pages: Position[] = [];
  const found = await longestStreams(store, ({ position }) => pages.push(position), 3);
  expect(found).toMatchObject([{ stream: 'long', events: 2_000 }, { events: 1_000 }, { events: 1_000 }]);
  expect(pages.at(-1)).toBe(head);
});
