import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { needsIn, countedWeeks } from '../../src/needs/published.ts';
import { countsTable, todayTable } from '../../src/needs/stored-counts.ts';
import type { Need } from '../../src/needs/need.ts';
import { dateOf, weeksBefore } from '../../src/needs/weeks-and-days.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { SideStore, SideTable } from '../../src/stores/side/port.ts';
import { chanceOf } from '../faults/seeded-random.ts';
import { addressIn, firstWeek, installation, need, noonOf, type Installation } from './processes.ts';

let running: Installation;
beforeEach(() => {
  running = installation();
});
afterEach(() => running.dispose());

const rowsOf = async (side: SideStore, weeks = 1, until?: string) =>
  (await needsIn(side, { weeks, until })).needs.map((row) => [
    `${row.words.join('+')}|${row.kind}|${row.place}`,
    row.searches,
    row.foundNothing,
    row.openedNothing,
  ]);

/** Begins a day with a key that every run has. */
async function begin(side: SideStore, day: number): Promise<void> {
  running.clock.now = noonOf(day);
  await running.fixKey(side, dateOf(running.clock.now));
}

describe('counts of searches', () => {
  it('are, over two weeks, two processes, kills and restarts, what a count by hand gives', async () => {
    const chance = chanceOf(35);
    const random = (): number => chance.number();
    const pick = <Item>(items: readonly Item[]): Item => items[Math.floor(random() * items.length)] as Item;
    const needs = [
      need('dentist'),
      need('dentist', '331'),
      need('dentist', ''),
      need(['food', 'children'], 'Homestead', 'food'),
      need('food', 'Hialeah', 'food'),
      need([], 'Hialeah', 'housing'),
    ];
    interface Did {
      readonly day: number;
      readonly need: Need;
      readonly network: number;
      readonly found: boolean;
      readonly opened: boolean;
    }
    const all: Did[] = [];
    let processes = [running.another(), running.another()];
    for (let day = 0; day < 14; day++) {
      await begin(pick(processes).side, day);
      for (let search = 0; search < 150; search++) {
        const did = {
          day,
          need: pick(needs),
          network: Math.floor(random() * 30),
          found: random() < 0.3,
          opened: random() < 0.2,
        };
        all.push(did);
        const { counts } = pick(processes);
        const address = addressIn(did.network, 1 + Math.floor(random() * 250));
        const via = await counts.search(did.need, address, did.found);
        // The page may be served by another process.
        if (did.opened) await pick(processes).counts.opened(via, address);
        if (random() < 0.02) await counts.flush();
      }
      for (const { counts } of processes) await counts.flush();
      // One is killed after its last flush, and another one begins.
      if (random() < 0.5) {
        await processes[0]?.kill();
        processes = [running.another(), processes[1] as (typeof processes)[0]];
      }
    }
    running.clock.now = noonOf(14);
    for (const { counts } of processes) await counts.flush();

    const byHand = (first: number): (readonly [string, number, number, number])[] => {
      const sums = new Map<string, [number, number, number]>();
      for (let day = first; day < first + 7; day++) {
        const ofDay = all.filter((did) => did.day === day);
        const few = new Map<string, Did[]>();
        const add = (row: string, dids: readonly Did[]): boolean => {
          const networks = [...new Set(dids.map(({ network }) => network))];
          if (networks.length < 10) return false;
          const of = (network: number) => dids.filter((did) => did.network === network);
          const nothing = networks.filter((network) => !of(network).some(({ found }) => found));
          const unopened = networks.filter(
            (network) => of(network).some(({ found }) => found) && !of(network).some(({ opened }) => opened),
          );
          const sum = sums.get(row) ?? [0, 0, 0];
          sums.set(row, [sum[0] + networks.length, sum[1] + nothing.length, sum[2] + unopened.length]);
          return true;
        };
        for (const each of needs) {
          const dids = ofDay.filter((did) => did.need === each);
          const start = `${each.words.join('+')}|${each.kind}|`;
          if (!add(`${start}${each.place}`, dids)) few.set(start, [...(few.get(start) ?? []), ...dids]);
        }
        for (const [start, dids] of few) add(`${start}*`, dids);
      }
      const tens = (count: number) => Math.floor(count / 10) * 10;
      return [...sums].map(([row, [a, b, c]]) => [row, tens(a), tens(b), tens(c)] as const);
    };
    const inOrder = (rows: readonly (readonly unknown[])[]) =>
      rows.toSorted((one, other) => (String(one[0]) < String(other[0]) ? -1 : 1));
    const { side } = processes[0] as (typeof processes)[0];
    const second = weeksBefore(firstWeek, -1);
    expect(await countedWeeks(side)).toEqual([second, firstWeek]);
    const [one, other] = [byHand(0), byHand(7)];
    // Otherwise this would compare little.
    expect(one.length).toBeGreaterThan(5);
    expect(inOrder(await rowsOf(side, 1, firstWeek))).toEqual(inOrder(one));
    expect(inOrder(await rowsOf(side, 1))).toEqual(inOrder(other));
    const sum = (await needsIn(side, { weeks: 4 })).needs.reduce((total, row) => total + row.searches, 0);
    expect(sum).toBe([...one, ...other].reduce((total, row) => total + row[1], 0));
  });

  it('appear with the tenth network of a day, and only when the week is over', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    for (let network = 0; network < 10; network++)
      await counts.search(need('dentist'), addressIn(network), false);
    for (let network = 0; network < 9; network++)
      await counts.search(need('food'), addressIn(network), false);
    await counts.flush();
    for (let day = 1; day < 7; day++) {
      running.clock.now = noonOf(day);
      await counts.flush();
      expect(await rowsOf(side)).toEqual([]);
    }
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await rowsOf(side)).toEqual([['dentist|health|Homestead', 10, 10, 0]]);
  });

  it('never have nine networks of one day, however many days or addresses they search', async () => {
    const { side, counts } = running.another();
    for (let day = 0; day < 7; day++) {
      await begin(side, day);
      for (let network = 0; network < 9; network++)
        for (let host = 0; host < 20; host++)
          await counts.search(need('dentist'), addressIn(network + 9 * day, host), false);
      await counts.flush();
    }
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await countedWeeks(side)).toEqual([]);
    expect(await rowsOf(side)).toEqual([]);
  });

  it('have one for all addresses of an IPv6 line, /48', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    for (let line = 0; line < 40; line++) {
      await counts.search(need('dentist'), `2001:db8:1:${line.toString(16)}::1`, false);
      await counts.search(need('food'), `2001:db8:${line.toString(16)}::1`, false);
    }
    await counts.flush();
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await rowsOf(side)).toEqual([['food|health|Homestead', 40, 40, 0]]);
  });

  it('put places together from which too few asked, each network once', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    for (let network = 0; network < 12; network++)
      await counts.search(need('dentist', `33${network % 4}`), addressIn(network), network < 5);
    // Nine networks that ask in ten places each are nine.
    for (let network = 0; network < 9; network++)
      for (let place = 0; place < 10; place++)
        await counts.search(need('food', `33${place}`), addressIn(network), false);
    await counts.flush();
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await rowsOf(side)).toEqual([['dentist|health|*', 10, 0, 0]]);
  });

  it('are closed by whoever starts next, where no process ran at midnight, and by two at once as by one', async () => {
    const before = running.another();
    await begin(before.side, 0);
    for (let network = 0; network < 23; network++)
      await before.counts.search(need('dentist'), addressIn(network), network < 11);
    await before.counts.flush();
    await before.kill();
    running.clock.now = noonOf(9);
    const processes = [running.another(), running.another(), running.another()];
    await Promise.all(processes.map(({ side }) => running.close(side)));
    const { side } = processes[1] as (typeof processes)[0];
    expect(await rowsOf(side, 4)).toEqual([['dentist|health|Homestead', 20, 10, 10]]);
    expect(await todayTable(side).list()).toEqual([]);
  });

  it('lose nothing where closing is killed at any write, and add nothing', async () => {
    for (let fatal = 1; ; fatal++) {
      const own = installation();
      const { side, counts } = own.another();
      own.clock.now = noonOf(0);
      await own.fixKey(side, dateOf(own.clock.now));
      for (let network = 0; network < 31; network++) {
        await counts.search(need('dentist'), addressIn(network), false);
        if (network < 14) await counts.search(need('food'), addressIn(network), true);
      }
      await counts.flush();
      own.clock.now = noonOf(7);
      const { side: dying, survived } = dyingAfter(fatal, own.another().side);
      await own.close(dying).catch(() => undefined);
      await own.close(own.another().side);
      expect(await rowsOf(own.another().side), `killed at write ${fatal}`).toEqual([
        ['dentist|health|Homestead', 30, 30, 0],
        ['food|health|Homestead', 10, 0, 10],
      ]);
      await own.dispose();
      if (survived()) {
        expect(fatal).toBeGreaterThan(8);
        return;
      }
    }
  });

  it('wait in memory while the store is away', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    await counts.search(need('dentist'), addressIn(0), false);
    const put = todayTable(side).put.bind(todayTable(side));
    todayTable(side).put = () => Promise.reject(new StoreError('unavailable', 'away'));
    for (let network = 1; network < 12; network++)
      await counts.search(need('dentist'), addressIn(network), false);
    await expect(counts.flush()).rejects.toThrow('away');
    todayTable(side).put = put;
    await counts.flush();
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await rowsOf(side)).toEqual([['dentist|health|Homestead', 10, 10, 0]]);
  });

  it('of what is opened are of networks that searched for it today, by a link that was given out today', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    const links: string[] = [];
    for (let network = 0; network < 20; network++)
      links.push(await counts.search(need('dentist'), addressIn(network), true));
    for (const [network, link] of links.entries()) {
      if (network < 10) await counts.opened(link, addressIn(network));
      // Somebody whom it was sent to.
      await counts.opened(link, addressIn(network + 100));
    }
    for (const forged of ['', 'x', 'A'.repeat(80), `${links[0] ?? ''}A`, (links[0] ?? '').slice(2)])
      await counts.opened(forged, addressIn(15));
    await counts.flush();
    running.clock.now = noonOf(1);
    await running.fixKey(side, dateOf(running.clock.now));
    for (let network = 10; network < 20; network++)
      await counts.opened(links[network] ?? '', addressIn(network));
    running.clock.now = noonOf(7);
    await counts.flush();
    expect(await rowsOf(side)).toEqual([['dentist|health|Homestead', 20, 0, 10]]);
  });

  it('are kept for two years', async () => {
    const { side, counts } = running.another();
    await begin(side, 0);
    for (let network = 0; network < 10; network++)
      await counts.search(need('dentist'), addressIn(network), false);
    await counts.flush();
    const put = countsTable(side).put.bind(countsTable(side));
    const until = new Map<string, Date | undefined>();
    countsTable(side).put = (id, value, expiresAt) => {
      until.set(id, expiresAt);
      return put(id, value, expiresAt);
    };
    running.clock.now = noonOf(7);
    await counts.flush();
    const kept = until.get(`week/${firstWeek}/dentist|health|Homestead`);
    expect(Math.round(((kept?.getTime() ?? 0) - noonOf(6).getTime()) / 86_400_000)).toBe(731);
  });
});

/** A store whose process is killed at a write: that one and all after it do not happen. */
function dyingAfter(
  writes: number,
  side: SideStore,
): { readonly side: SideStore; readonly survived: () => boolean } {
  let left = writes;
  const alive = async <Result>(write: () => Promise<Result>): Promise<Result> => {
    if (--left <= 0) throw new StoreError('unavailable', 'killed');
    return write();
  };
  return {
    survived: () => left > 0,
    side: {
      ...{ journal: (name) => side.journal(name), close: () => side.close() },
      scrub: () => alive(() => side.scrub()),
      table: <Value>(name: string): SideTable<Value> => {
        const table = side.table<Value>(name);
        return {
          ...table,
          put: (id, value, until) => alive(() => table.put(id, value, until)),
          delete: (id) => alive(() => table.delete(id)),
        };
      },
    },
  };
}
