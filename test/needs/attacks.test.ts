import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { DayKey } from '../../src/needs/day-key.ts';
import type { Need } from '../../src/needs/need.ts';
import { needsIn } from '../../src/needs/published.ts';
import { keyId, rowsOf, todayTable } from '../../src/needs/stored-counts.ts';
import { rowOfText } from '../../src/needs/stored-row.ts';
import { dateOf, endOfDay } from '../../src/needs/weeks-and-days.ts';
import { Sealer } from '../../src/ground/seal.ts';
import type { SideStore } from '../../src/stores/side/port.ts';
import { chanceOf } from '../faults/seeded-random.ts';
import {
  addressIn,
  firstMonday,
  installation,
  masterKey,
  need,
  noonOf,
  type Installation,
} from './processes.ts';

let running: Installation;
beforeEach(() => {
  running = installation();
});
afterEach(() => running.dispose());

interface Search {
  readonly need: Need;
  readonly address: string;
  readonly found: boolean;
}

/** All that an installation publishes of a week in which these searches were made on its first day. */
async function publishedOf(searches: readonly Search[]): Promise<string> {
  const own = installation();
  try {
    const { side, counts } = own.another();
    own.clock.now = noonOf(0);
    await own.fixKey(side, dateOf(own.clock.now));
    for (const { need: wanted, address, found } of searches) await counts.search(wanted, address, found);
    await counts.flush();
    own.clock.now = noonOf(7);
    await counts.flush();
    return await published(side);
  } finally {
    await own.dispose();
  }
}

const published = async (side: SideStore): Promise<string> =>
  JSON.stringify([await needsIn(side, { weeks: 1 }), await needsIn(side, { weeks: 4 })]);

const dentist = need('dentist');
const by = (network: number, wanted = dentist, found = false): Search => ({
  need: wanted,
  address: addressIn(network),
  found,
});
const networks = (count: number, first = 0): number[] => Array.from({ length: count }, (_, at) => first + at);

/** Every byte that the data folder holds. */
const filesOf = (path: string): Buffer =>
  Buffer.concat(readdirSync(path).map((name) => readFileSync(join(path, name))));

describe('whoever sees what is published', () => {
  it('learns of no network which one it is: any other in its place publishes the same', async () => {
    const others = networks(9).map((network) => by(network));
    const [one, other] = [await publishedOf([...others, by(77)]), await publishedOf([...others, by(200)])];
    expect(other).toBe(one);
  });

  it('has, where they are nine of ten themselves, the one bit that somebody else asked, and nothing of whom or how often', async () => {
    const own = networks(9).map((network) => by(network));
    const none = await publishedOf(own);
    expect(none).not.toContain('dentist');
    const once = await publishedOf([...own, by(77)]);
    expect(await publishedOf([...own, ...Array.from({ length: 30 }, () => by(77))])).toBe(once);
    expect(once).toContain('"searches":10');
  });

  it('sees one network more only where it fills a ten, whatever number of networks is theirs', async () => {
    let seen = 0;
    for (let count = 10; count < 40; count++) {
      const own = networks(count).map((network) => by(network));
      if ((await publishedOf(own)) !== (await publishedOf([...own, by(777)]))) seen++;
    }
    expect(seen).toBe(3);
  });

  it('sees of an outcome the same: what one network found changes a full ten, or nothing', async () => {
    let seen = 0;
    for (let nothing = 0; nothing <= 30; nothing++) {
      const own = networks(30).map((network) => by(network, dentist, network >= nothing));
      const changed = [...own, by(777, dentist, false)];
      const [one, other] = [await publishedOf(own), await publishedOf(changed)];
      if (one !== other) seen++;
    }
    // With nine, nineteen and twenty-nine that found nothing before.
    expect(seen).toBe(3);
  });

  it('finds no two rows with a search in common, so that no difference of rows is of fewer than a crowd', async () => {
    const chance = chanceOf(8);
    const searches = Array.from({ length: 600 }, () =>
      by(
        chance.count(0, 60),
        need(chance.happens(0.5) ? 'dentist' : ['dentist', 'free-clinic'], `33${chance.count(0, 9)}`),
      ),
    );
    const rows = (JSON.parse(await publishedOf(searches)) as [{ needs: { searches: number }[] }])[0].needs;
    expect(rows.length).toBeGreaterThan(5);
    for (const { searches: count } of rows) expect(count).toBeGreaterThanOrEqual(10);
    const pairs = new Set(
      searches.map(({ need: { words, place }, address }) => `${String(words)} ${place} ${address}`),
    );
    expect(rows.reduce((sum, { searches: count }) => sum + count, 0)).toBeLessThanOrEqual(pairs.size);
  });

  it('learns nothing from day to day: until the week is over nothing changes, and afterwards neither', async () => {
    const { side, counts } = running.another();
    const before = await published(side);
    for (let day = 0; day < 7; day++) {
      running.clock.now = noonOf(day);
      for (const network of networks(11 + day)) await counts.search(dentist, addressIn(network), false);
      await counts.flush();
      expect(await published(side)).toBe(before);
    }
    running.clock.now = noonOf(7);
    await counts.flush();
    const ofWeek = (JSON.parse(await published(side)) as [object])[0];
    for (let day = 7; day < 14; day++) {
      running.clock.now = noonOf(day);
      for (const network of networks(20)) await counts.search(dentist, addressIn(network), false);
      await counts.flush();
      expect((JSON.parse(await published(side)) as [object])[0]).toEqual(ofWeek);
    }
  });
});

describe('whoever takes the disk', () => {
  it('finds without the master key, while the day goes on, no need, no network, and nothing to compare one with', async () => {
    const { counts } = running.another();
    for (const network of networks(5))
      await counts.search(need('abortion', 'Homestead'), addressIn(network), false);
    await counts.flush();
    const files = filesOf(running.path).toString('latin1');
    for (const trace of ['abortion', 'Homestead', '10.0.3', 'health|']) expect(files).not.toContain(trace);
    const sealed = await todayTable(running.another().side).get(keyId(firstMonday));
    const other = new Sealer(Buffer.alloc(32, 8), 'needs of a day');
    expect(() => other.unseal(keyId(firstMonday), Buffer.from(sealed ?? '', 'base64'))).toThrow(
      'cannot be opened',
    );
  });

  it('can with the master key try networks while the day goes on, as docs/security.md says, and never after it', async () => {
    const { side, counts } = running.another();
    await counts.search(dentist, addressIn(3), false);
    await counts.flush();
    const table = todayTable(side);
    const taken = await table.list();
    const sealer = new Sealer(masterKey, 'needs of a day');
    const keyOf = async (entries: typeof taken) => {
      const sealed = entries.find(({ id }) => id === keyId(firstMonday))?.value;
      return sealed === undefined
        ? undefined
        : new DayKey(firstMonday, sealer.unseal(keyId(firstMonday), Buffer.from(sealed, 'base64')));
    };
    const key = await keyOf(taken);
    const row = taken.find(({ id }) => id.startsWith(rowsOf(firstMonday)));
    const opened = key && row && rowOfText(key.opened(row.id, row.value));
    const hashes = opened && 'networks' in opened ? [...opened.networks.keys()] : [];
    const candidates = networks(65_536).filter((network) =>
      hashes.includes(key?.hashOf(dentist, addressIn(network).replace(/\.1$/, '.0/24')) ?? -1),
    );
    // The one, and about one more by chance.
    expect(candidates).toContain(3);
    expect(candidates.length).toBeLessThan(8);

    running.clock.now = new Date(endOfDay(firstMonday).getTime() + 3 * 60_000);
    await counts.flush();
    const left = await table.list();
    expect(left).toEqual([]);
    expect(await keyOf(left)).toBeUndefined();
  });

  it('finds in the files after the day neither its key nor a row, and of what fewer than ten asked not a word', async () => {
    const { side, counts } = running.another();
    for (const network of networks(9))
      await counts.search(need('eviction', 'Florida City'), addressIn(network), false);
    for (const network of networks(12)) await counts.search(dentist, addressIn(network), false);
    await counts.flush();
    const sealed = (await todayTable(side).list()).map(({ value }) => value);
    expect(sealed).toHaveLength(3);
    const during = filesOf(running.path).toString('latin1');
    for (const each of sealed) expect(during).toContain(each);

    running.clock.now = new Date(endOfDay(firstMonday).getTime() + 3 * 60_000);
    await counts.flush();
    const after = filesOf(running.path).toString('latin1');
    // A part of it would be enough.
    for (const each of sealed)
      for (const part of [each.slice(0, 24), each.slice(-24)]) expect(after).not.toContain(part);
    for (const trace of ['eviction', 'Florida City', '10.0.3']) expect(after).not.toContain(trace);
    expect(after).toContain('dentist|health|Homestead');
    running.clock.now = noonOf(7);
    await counts.flush();
    const counted = JSON.stringify(await running.another().side.table('needs').list());
    expect(counted).toContain('[10,10,0]');
    expect(counted).not.toContain('12');
  });

  it('finds nothing where the server was killed before midnight, once it was started again', async () => {
    const before = running.another();
    for (const network of networks(9))
      await before.counts.search(need('eviction'), addressIn(network), false);
    await before.counts.flush();
    const sealed = (await todayTable(before.side).list()).map(({ value }) => value);
    await before.kill();
    running.clock.now = noonOf(4);
    const next = running.another();
    await next.counts.flush();
    const after = filesOf(running.path).toString('latin1');
    for (const each of sealed) expect(after).not.toContain(each.slice(0, 24));
  });

  it('finds, where it was not scrubbed because somebody read the files, that the next look does it', async () => {
    const { side, counts } = running.another();
    for (const network of networks(9)) await counts.search(need('eviction'), addressIn(network), false);
    await counts.flush();
    const sealed = (await todayTable(side).list()).map(({ value }) => value);
    const scrub = side.scrub.bind(side);
    let scrubs = 0;
    side.scrub = () => (++scrubs === 1 ? Promise.reject(new Error('busy')) : scrub());
    running.clock.now = new Date(endOfDay(firstMonday).getTime() + 3 * 60_000);
    await expect(counts.flush()).rejects.toThrow('busy');
    // Another process does it as well.
    await running.close(running.another().side);
    const after = filesOf(running.path).toString('latin1');
    for (const each of sealed) expect(after).not.toContain(each.slice(0, 24));
  });
});

describe('around midnight', () => {
  it('a network that searches on both sides counts on each day, under another key', async () => {
    const { side, counts } = running.another();
    running.clock.now = new Date(endOfDay(firstMonday).getTime() - 1_000);
    const links: string[] = [];
    for (const network of networks(10)) links.push(await counts.search(dentist, addressIn(network), false));
    // Restarted at midnight: what was counted is written first, and the key of the day is read again.
    await counts.flush();
    const next = running.another();
    running.clock.now = endOfDay(firstMonday);
    for (const network of networks(10))
      expect(links).not.toContain(await next.counts.search(dentist, addressIn(network), false));
    await next.counts.flush();
    // Nobody closes the day before all have written.
    expect((await todayTable(side).list()).map(({ id }) => id.slice(0, 10))).toContain(firstMonday);
    running.clock.now = noonOf(7);
    await next.counts.flush();
    expect(await published(side)).toContain('"searches":20');
  });

  it('a process that slept through the end of the day adds nothing to it', async () => {
    const [slow, other] = [running.another(), running.another()];
    for (const network of networks(30)) await slow.counts.search(dentist, addressIn(network), false);
    for (const network of networks(10, 100)) await other.counts.search(dentist, addressIn(network), false);
    await other.counts.flush();
    running.clock.now = noonOf(2);
    await other.counts.flush();
    await slow.counts.flush();
    expect(await todayTable(slow.side).list()).toEqual([]);
    running.clock.now = noonOf(7);
    await other.counts.flush();
    expect(await published(other.side)).toContain('"searches":10');
  });
});

describe('whoever floods the counts', () => {
  it('with one network begins fifty rows a day, and the rest is told as left out', async () => {
    const { side, counts } = running.another();
    for (const network of networks(10)) await counts.search(dentist, addressIn(network), false);
    for (let search = 0; search < 5_000; search++)
      await counts.search(need('food', `${search}`), addressIn(500, search % 250), false);
    await counts.flush();
    expect(await todayTable(side).list()).toHaveLength(1 + 1 + 50 + 1);
    running.clock.now = noonOf(7);
    await counts.flush();
    const { needs, leftOut } = await needsIn(side, { weeks: 1 });
    expect(needs).toMatchObject([{ words: ['dentist'], searches: 10 }]);
    expect(leftOut).toBe(4_950);
  });

  it('with many networks drops what fewest asked for, never what a crowd asked for, and memory is bounded', async () => {
    const most = { needs: 200, networks: 1_000, begunByNetwork: 50 };
    const { side, counts } = running.another({ most });
    for (const network of networks(15)) await counts.search(dentist, addressIn(network), false);
    for (let search = 0; search < 20_000; search++) {
      await counts.search(need('food', `${search}`), addressIn(1_000 + (search % 5_000)), false);
      if (search % 1_000 === 0) await counts.flush();
    }
    for (const network of networks(12)) await counts.search(need('rent'), addressIn(network), false);
    await counts.flush();
    expect((await todayTable(side).list()).length).toBeLessThanOrEqual(200 + 2);
    running.clock.now = noonOf(7);
    await counts.flush();
    const { needs, leftOut } = await needsIn(side, { weeks: 1 });
    expect(needs.map(({ words, place }) => [words[0], place])).toEqual(
      expect.arrayContaining([
        ['dentist', 'Homestead'],
        ['rent', 'Homestead'],
      ]),
    );
    expect(leftOut).toBeGreaterThan(19_000);
  });
});
