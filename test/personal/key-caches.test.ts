import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { KeyCaches } from '../../src/personal/key-caches.ts';
import { PersonalData, personOf } from '../../src/personal/personal-data.ts';
import { StoreError } from '../../src/stores/errors.ts';
import type { SideStore, SideTable } from '../../src/stores/side/port.ts';
import { altered } from '../support/altered.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';
import { until } from '../support/until.ts';

/** Processes that share the stores, each with a cache of its own. */
let folder: DataFolder;
let stores: Stores;
let ending: (() => Promise<unknown>)[];
beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
  ending = [];
});
afterEach(async () => {
  for (const end of ending) await end();
  await folder.dispose();
});

/** A process that serves. `stop`: as after a kill, it says nothing more, and its entry stays. */
async function serving(side: SideStore = stores.side, clock?: () => number, ofWaits?: () => number) {
  const personal = new PersonalData(stores.vault, clock, undefined, new KeyCaches(() => side, ofWaits));
  const stopping = new AbortController();
  const looked = Promise.withResolvers<undefined>();
  const running = personal.keepFresh(stopping.signal, () => looked.resolve(undefined));
  const end = () => {
    stopping.abort();
    return running.catch(() => undefined);
  };
  ending.push(end);
  await Promise.race([looked.promise, running]);
  return { personal, end };
}

async function somebody(by: PersonalData) {
  const holder = personOf(randomUUID());
  await by.begin(holder);
  return { holder, sealed: await by.seal(holder, 'Ana Ruiz') };
}

test('who is erased can be read by no process that serves once the erasure is done, whatever it had cached', async () => {
  const all = [await serving(), await serving(), await serving()];
  const [first] = all.map(({ personal }) => personal);
  const { holder, sealed } = await somebody(first as PersonalData);
  for (const { personal } of all) expect(await personal.open(holder, sealed)).toBe('Ana Ruiz');
  await first?.erase(holder);
  for (const { personal } of all) {
    expect(await personal.open(holder, sealed)).toBeUndefined();
    expect(await personal.openMany([{ holder, sealed }])).toEqual([undefined]);
    expect(await personal.keyedDigest(holder, 'a', 'text')).toBeUndefined();
  }
  // A command that runs beside them, and serves nothing, is told of too.
  const another = await somebody(first as PersonalData);
  for (const { personal } of all)
    expect(await personal.open(another.holder, another.sealed)).toBe('Ana Ruiz');
  const command = new PersonalData(stores.vault, undefined, undefined, new KeyCaches(() => stores.side));
  await command.erase(another.holder);
  for (const { personal } of all) expect(await personal.open(another.holder, another.sealed)).toBeUndefined();
});

test('a process that ended in good order is not waited for', async () => {
  const { personal, end } = await serving();
  await end();
  const { holder } = await somebody(personal);
  await personal.erase(holder);
  expect(await stores.side.table('data-key-caches').list()).toEqual([]);
});

test('a process that is cut off stops using what it has cached, and an erasure waits for no longer', async () => {
  let cut = false;
  let passed = 0;
  const side = altered<SideStore>(stores.side, {
    table: <Value>(name: string) =>
      altered<SideTable<Value>>(stores.side.table<Value>(name), {
        list: (options) =>
          cut
            ? Promise.reject(new StoreError('unavailable', 'Cut off.'))
            : stores.side.table<Value>(name).list(options),
      }),
  });
  const cutOff = await serving(side, () => performance.now() + passed);
  /** Twenty seconds of the one who waits are one of ours. */
  const fast = () => performance.now() * 20;
  const here = await serving(undefined, undefined, fast);
  const { holder, sealed } = await somebody(cutOff.personal);
  expect(await cutOff.personal.open(holder, sealed)).toBe('Ana Ruiz');
  cut = true;
  // It has the key in its cache, and asks for it anew: the vault decides.
  passed = 6_000;
  await stores.vault.delete(holder);
  await until(async () => (await cutOff.personal.open(holder, sealed)) === undefined);
  // Its entry says nothing more, and is there for a minute.
  await stores.side
    .table('data-key-caches')
    .put('killed', { beat: 7, seen: [] }, new Date(Date.now() + 60_000));
  const begun = fast();
  await here.personal.erase(personOf(randomUUID()));
  expect(fast() - begun).toBeGreaterThan(5_000);
});

test('a key that is read while it is destroyed is not cached afterwards', async () => {
  const reading = Promise.withResolvers<undefined>();
  const answered = Promise.withResolvers<undefined>();
  const slow = altered(stores.vault, {
    get: async (name: string) => {
      const secret = await stores.vault.get(name);
      reading.resolve(undefined);
      await answered.promise;
      return secret;
    },
  });
  const { personal: other } = await serving();
  const { holder, sealed } = await somebody(other);
  const personal = new PersonalData(slow, undefined, undefined, new KeyCaches(() => stores.side));
  const stopping = new AbortController();
  const running = personal.keepFresh(stopping.signal);
  ending.push(() => (stopping.abort(), running));
  await until(async () => (await stores.side.table('data-key-caches').list()).length === 2);
  const opening = personal.open(holder, sealed);
  await reading.promise;
  await other.erase(holder);
  answered.resolve(undefined);
  // It began before the erasure was done.
  expect(await opening).toBe('Ana Ruiz');
  expect(await personal.open(holder, sealed)).toBeUndefined();
});
