import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { usageTable } from '../../src/audit/stored-key-usage.ts';
import { KeyUsageCounts } from '../../src/audit/key-usage-counts.ts';
import { lastUses, legacyCallers, usageOf } from '../../src/audit/key-usage.ts';
import { StoreError } from '../../src/stores/errors.ts';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import type { SideStore } from '../../src/stores/side/port.ts';
import { temporaryFolder } from '../support/folder.ts';

/** Entries expire by the clock of the machine, so the days of the tests are those around today. */
const today = new Date(`${new Date().toISOString().slice(0, 10)}T10:00:00.000Z`);
const hours = (count: number) => new Date(today.getTime() + count * 3_600_000);
const [key, other] = ['AAAAAAAAAAAA', 'BBBBBBBBBBBB'];

let folder: ReturnType<typeof temporaryFolder>;
let side: SideStore;
let at: Date;
const now = () => at;
beforeEach(() => {
  folder = temporaryFolder();
  side = new EmbeddedSideStore(folder.path);
  at = today;
});
afterEach(async () => {
  await side.close();
  folder.remove();
});

const asked = (keyId = key, days = 30) => usageOf(side, keyId, { days, now: at });
const requestsOf = async (keyId: string) =>
  (await asked(keyId)).totals.reduce((sum, { requests }) => sum + requests, 0);

describe('counts of key usage', () => {
  it('say for each day what was asked, how it ended, how often, and when first and last', async () => {
    const counts = new KeyUsageCounts(side, { now });
    counts.count(key, 'list', 'accepted');
    at = hours(2);
    counts.count(key, 'list', 'accepted');
    counts.count(key, 'list', 'rate_limited');
    await counts.flush();
    at = hours(24);
    counts.count(key, 'read', 'revoked');
    await counts.flush();
    const usage = await asked();
    expect(usage).toMatchObject({
      counted_since: today.toISOString(),
      last_used: hours(2).toISOString(),
      of_unnamed_keys: 0,
    });
    expect(usage.totals[0]).toEqual({
      kind: 'list',
      outcome: 'accepted',
      requests: 2,
      first_at: today.toISOString(),
      last_at: hours(2).toISOString(),
    });
    expect(usage.days).toMatchObject([
      { day: hours(24).toISOString().slice(0, 10), requests: [{ kind: 'read', outcome: 'revoked' }] },
      {
        day: today.toISOString().slice(0, 10),
        requests: [{ requests: 2 }, { kind: 'list', outcome: 'rate_limited', requests: 1 }],
      },
    ]);
    expect((await asked(key, 1)).days).toHaveLength(1);
    expect((await asked(key, 1)).last_used).toBe(hours(2).toISOString());
  });

  it('of several processes and of several runs of one add up', async () => {
    for (let run = 0; run < 3; run++) {
      const both = [new KeyUsageCounts(side, { now }), new KeyUsageCounts(side, { now })];
      for (const counts of both) for (let n = 0; n < 10; n++) counts.count(key, 'list', 'accepted');
      await Promise.all(both.map((counts) => counts.flush()));
      for (const counts of both) counts.count(key, 'list', 'accepted');
      await Promise.all(both.map((counts) => counts.flush()));
    }
    expect(await requestsOf(key)).toBe(66);
    expect(await requestsOf(other)).toBe(0);
  });

  it('are complete when the clock crosses a day and is set back', async () => {
    const counts = new KeyUsageCounts(side, { now });
    for (const to of [today, hours(24), today, hours(-3), hours(24), today]) {
      at = to;
      counts.count(key, 'list', 'accepted');
      await counts.flush();
    }
    at = hours(24);
    const usage = await asked();
    expect(usage.days.map(({ requests }) => requests[0]?.requests)).toEqual([2, 4]);
    expect(usage.days[1]?.requests[0]?.first_at).toBe(hours(-3).toISOString());
  });

  it('are written whole when keys are more than a process keeps at a time', async () => {
    const counts = new KeyUsageCounts(side, { now, mostKeys: 3 });
    const keys = Array.from({ length: 10 }, (_, index) => `Key${String(index).padStart(9, '0')}`);
    for (let round = 0; round < 4; round++)
      for (const each of keys) {
        counts.count(each, 'list', 'accepted');
        await counts.flush();
      }
    for (const each of keys) expect(await requestsOf(each)).toBe(4);
    expect((await asked()).of_unnamed_keys).toBe(0);
  });

  it('of new keys are one sum once the store has been away for long, and none is dropped', async () => {
    const away = new StoreError('unavailable', 'away');
    let isAway = true;
    const real = usageTable(side);
    const put: typeof real.put = (...entry) => (isAway ? Promise.reject(away) : real.put(...entry));
    const flaky = {
      ...side,
      table: (name: string) => (name === 'key-usage' ? { ...real, put } : side.table(name)),
    };
    const counts = new KeyUsageCounts(flaky as SideStore, { now, mostKeys: 3 });
    const keys = Array.from({ length: 20 }, (_, index) => `Key${String(index).padStart(9, '0')}`);
    for (const each of keys) counts.count(each, 'list', 'accepted');
    await expect(counts.flush()).rejects.toThrow('away');
    counts.count(keys[0] ?? '', 'list', 'accepted');
    isAway = false;
    await counts.flush();
    await counts.flush();
    const named = await Promise.all(keys.map(requestsOf));
    const { of_unnamed_keys } = await asked();
    expect(named.reduce((sum, each) => sum + each, of_unnamed_keys)).toBe(21);
    expect(of_unnamed_keys).toBeGreaterThan(0);
    expect((await real.list()).length).toBeLessThanOrEqual(12);
  });

  it('lose nothing of what comes while they are written', async () => {
    const counts = new KeyUsageCounts(side, { now });
    const flushing: Promise<void>[] = [];
    for (let n = 0; n < 500; n++) {
      counts.count(n % 2 === 0 ? key : other, 'list', 'accepted');
      if (n % 50 === 0) flushing.push(counts.flush());
      if (n % 120 === 0) await Promise.resolve();
    }
    await Promise.all([...flushing, counts.flush()]);
    expect([await requestsOf(key), await requestsOf(other)]).toEqual([250, 250]);
  });

  it('are forgotten 90 days after their day', async () => {
    at = hours(-24 * 92);
    const counts = new KeyUsageCounts(side, { now });
    counts.count(key, 'list', 'accepted');
    at = hours(-24 * 80);
    counts.count(key, 'read', 'accepted');
    await counts.flush();
    at = today;
    const usage = await asked(key, 90);
    expect(usage.totals.map(({ kind }) => kind)).toEqual(['read']);
    const oldest = new Date(Date.parse(today.toISOString().slice(0, 10)) - 90 * 86_400_000);
    expect(usage.counted_since).toBe(oldest.toISOString());
  });

  it('tell of many keys when each was last accepted, and which call the legacy endpoint', async () => {
    at = hours(-48);
    const [one, two] = [new KeyUsageCounts(side, { now }), new KeyUsageCounts(side, { now })];
    one.count(key, 'legacy', 'accepted');
    at = hours(-47);
    two.count(key, 'widget', 'accepted');
    two.count(other, 'legacy', 'revoked');
    at = today;
    two.count(key, 'list', 'insufficient_scope');
    two.count('CCCCCCCCCCCC', 'list', 'accepted');
    await Promise.all([one.flush(), two.flush()]);
    const keys = [key, other, 'CCCCCCCCCCCC', 'DDDDDDDDDDDD'];
    expect([...(await lastUses(side, keys))].sort()).toEqual([
      [key, hours(-47).toISOString()],
      ['CCCCCCCCCCCC', today.toISOString()],
    ]);
    expect(await legacyCallers(side, keys, { days: 30, now: at })).toEqual([
      { key_id: key, by_programs: 1, by_web_pages: 1, last_at: hours(-47).toISOString() },
      { key_id: other, by_programs: 1, by_web_pages: 0, last_at: hours(-47).toISOString() },
    ]);
    expect(await legacyCallers(side, keys, { days: 2, now: at })).toEqual([]);
  });
});
