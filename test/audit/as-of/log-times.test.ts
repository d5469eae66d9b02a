import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { LogTimes, scanForLastNotAfter } from '../../../src/audit/as-of/log-times.ts';
import { Moments } from '../../../src/audit/as-of/moment.ts';
import { newEvent } from '../../../src/events/new-event.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
});
afterEach(() => folder.dispose());

const minute = (n: number) => new Date(Date.UTC(2026, 0, 1, 12, n));

/** Appends an event whose node's clock said this minute. */
async function happens(store: EventStore, n: number): Promise<bigint> {
  const event = { type: 'TeamCreated', data: { team: 'bay', name: 'Bay' } } as const;
  const made = newEvent('team-bay', event, 0, aCommand({ at: minute(n) }));
  return (await store.append('team-bay', [made], 'any')).position;
}

describe('the last event not after a time', () => {
  it('is the one that a scan of the whole log finds, however clocks ran and however the pages fall', async () => {
    const aTime = fc.integer({ min: 0, max: 30 });
    await fc.assert(
      fc.asyncProperty(
        fc.array(fc.array(aTime, { maxLength: 12 }), { minLength: 1, maxLength: 5 }),
        fc.array(aTime, { minLength: 1, maxLength: 8 }),
        fc.integer({ min: 1, max: 7 }),
        async (spells, questions, pageEvents) => {
          const own = dataFolder();
          try {
            const { store, side } = own.open();
            const kept = new LogTimes({ store, side }, pageEvents);
            for (const spell of spells) {
              for (const n of spell) await happens(store, n);
              const anew = new LogTimes({ store, side }, pageEvents);
              for (const n of questions) {
                const at = minute(n).getTime();
                const scanned = await scanForLastNotAfter(store, at);
                expect(await kept.lastNotAfter(at)).toEqual(scanned);
                expect(await anew.lastNotAfter(at)).toEqual(scanned);
              }
            }
          } finally {
            await own.dispose();
          }
        },
      ),
      { numRuns: 30 },
    );
  });

  it('does not read the log again that it has read', async () => {
    for (let n = 0; n < 30; n++) await happens(stores.store, n);
    let read = 0;
    const store = altered(stores.store, {
      readAll: async (options) => {
        const page = await stores.store.readAll(options);
        read += page.events.length;
        return page;
      },
    });
    await new LogTimes({ store, side: stores.side }, 5).lastNotAfter(minute(3).getTime());
    expect(read).toBe(30 + 5);
    read = 0;
    const found = await new LogTimes({ store, side: stores.side }, 5).lastNotAfter(minute(3).getTime());
    expect(found?.event.revision).toBe(3);
    // The page of the answer alone.
    expect(read).toBe(5);
    expect(found).toMatchObject({ laterBefore: 0, countedAll: true });
  });

  it('is found in the log that is there, when the table of times is that of another log', async () => {
    for (let n = 0; n < 20; n++) await happens(stores.store, n);
    await new LogTimes(stores, 4).lastNotAfter(minute(3).getTime());
    const other = dataFolder();
    try {
      const { store } = other.open();
      for (let n = 10; n < 19; n++) await happens(store, n);
      const times = new LogTimes({ store, side: stores.side }, 4);
      expect(await times.lastNotAfter(minute(9).getTime())).toBeUndefined();
      expect((await times.lastNotAfter(minute(14).getTime()))?.event.revision).toBe(4);
      expect((await stores.side.table('log-times').list()).length).toBe(2);
    } finally {
      await other.dispose();
    }
  });

  it('says how many events before it have a later time', async () => {
    for (const n of [1, 9, 8, 2, 7, 3, 10]) await happens(stores.store, n);
    const found = await new LogTimes(stores, 3).lastNotAfter(minute(3).getTime());
    expect(found).toMatchObject({ event: { revision: 5 }, laterBefore: 3, countedAll: true });
  });
});

describe('a moment', () => {
  const now = () => minute(59);

  it('of a time is the position of the last event not after it; of a position, the time of its event', async () => {
    const positions = [];
    for (const n of [1, 5, 3]) positions.push(await happens(stores.store, n));
    const moments = new Moments({ ...stores, now });
    const at = await moments.of({ at: '2026-01-01T12:04:00Z' });
    expect(at).toMatchObject({ position: positions[2], at: minute(4), laterBefore: 1 });
    expect(await moments.of({ at: '2026-01-01T14:04:00+02:00' })).toEqual(at);
    const scanned = await moments.of({ at: '2026-01-01T12:04:00Z' }, { scan: true });
    expect(scanned).toEqual(at);
    const placed = await moments.of({ position: String(positions[1]) });
    expect(placed).toMatchObject({ position: positions[1], at: minute(5), event: { revision: 1 } });
  });

  it.each([
    [{}, 'Say as of when: a time (at), such as 2026-01-31T12:00:00Z, or a position of the log.'],
    [{ at: '2026-01-01T12:00:00Z', position: '1' }, 'Give a time (at) or a position, not both.'],
    [{ at: 'yesterday' }, 'at must be a time with its zone, such as 2026-01-31T12:00:00Z.'],
    [{ at: '2026-01-01T12:00:00' }, 'at must be a time with its zone, such as 2026-01-31T12:00:00Z.'],
    [{ at: '2026-02-30T12:00:00Z' }, 'at must be a time with its zone, such as 2026-01-31T12:00:00Z.'],
    [{ at: '2026-13-01T12:00:00Z' }, 'at must be a time with its zone, such as 2026-01-31T12:00:00Z.'],
    [
      { at: '2030-01-01T12:00:00Z' },
      '2030-01-01T12:00:00.000Z is in the future: it is 2026-01-01T12:59:00.000Z now. Nobody knows what will be true then.',
    ],
    [
      { at: '2025-01-01T12:00:00Z' },
      '2025-01-01T12:00:00.000Z is before the first event of the log, which is of 2026-01-01T12:01:00.000Z. Nothing had happened by then.',
    ],
    [{ position: '-1' }, 'position must be a position of the log: a whole number.'],
    [{ position: '1e3' }, 'position must be a position of the log: a whole number.'],
    [{ position: '999' }, 'Position 999 is beyond the end of the log, which is at 1.'],
  ])('is refused with a sentence: %j', async (asked, sentence) => {
    await happens(stores.store, 1);
    await expect(new Moments({ ...stores, now }).of(asked)).rejects.toThrow(sentence);
  });

  it('does not exist in an empty log', async () => {
    const moments = new Moments({ ...stores, now });
    await expect(moments.of({ at: '2026-01-01T12:00:00Z' })).rejects.toThrow('The log has no events yet.');
    await expect(moments.of({ position: '0' })).rejects.toThrow('The log has no events yet.');
  });
});
