import { randomBytes, randomUUID } from 'node:crypto';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import type { CollectionSpec } from '../../src/stores/documents/port.ts';
import { EmbeddedEventStore } from '../../src/stores/event-store/embedded/store.ts';
import { EventWriter, type AppendRequest } from '../../src/stores/event-store/embedded/writer.ts';
import { beginning, type NewEvent } from '../../src/stores/event-store/port.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';
import { EmbeddedSideStore } from '../../src/stores/side/embedded.ts';
import { EmbeddedVault } from '../../src/stores/vault/embedded.ts';
import {
  readOnlyFolder,
  smallDisk,
  withoutReadOnlyFolder,
  withoutSmallDisk,
  type SmallDisk,
} from './fixtures/small-disk.ts';

const masterKey = randomBytes(32);
const long = 'x'.repeat(50_000);
const noRoom = {
  code: 'full',
  outcome: 'none',
  message: expect.stringMatching(/\.db: no room left on the device$/) as string,
};
const named = (name: string, reason: string | undefined) => (reason ? `${name} (${reason})` : name);

describe.skipIf(withoutSmallDisk)(named('on a full disk', withoutSmallDisk), () => {
  let disk: SmallDisk;

  beforeEach(() => {
    disk = smallDisk();
  });
  afterEach(() => disk.remove());

  const anAppend = (stream: string, count = 1, text = long): AppendRequest => ({
    stream,
    expected: 'no_stream',
    events: Array.from(
      { length: count },
      () => [randomUUID(), 'Tested', JSON.stringify(text), '{}'] as const,
    ),
  });

  it.each([
    { group: 'small', appends: () => [anAppend('b-1'), anAppend('b-2', 1, ''), anAppend('b-3')] },
    {
      group: 'larger than the page cache',
      appends: () => [anAppend('b-1', 2, ''), anAppend('b-2', 60, long.repeat(2)), anAppend('b-3')],
    },
  ])(
    'a $group group of appends writes no event, again and again, and once there is room each of them',
    async ({ appends }) => {
      const writer = new EventWriter(join(disk.path, 'events.db'));
      expect(writer.append([anAppend('a-1')])).toEqual([{ revision: 0, position: 1 }]);
      const group = appends();
      disk.fill();
      for (let round = 0; round < 3; round++) {
        expect(writer.append(group)).toEqual(group.map(() => expect.objectContaining(noRoom) as Error));
      }
      const store = new EmbeddedEventStore({ directory: disk.path });
      expect(await store.count({ after: beginning })).toBe(1);
      disk.free();
      const small = [group[0], group[2]] as AppendRequest[];
      const count = small[0]?.events.length as number;
      expect(writer.append(small)).toEqual([
        { revision: count - 1, position: 1 + count },
        { revision: 0, position: 2 + count },
      ]);
      const { events } = await store.readAll({ after: beginning, limit: 99 });
      expect(events.map((event) => event.stream)).toEqual([
        'a-1',
        ...Array.from({ length: count }, () => 'b-1'),
        'b-3',
      ]);
      await store.close();
      writer.close();
    },
  );

  it('an event store says that there is no room, still reads, and appends when there is room again', async () => {
    const store = new EmbeddedEventStore({ directory: disk.path });
    const anEvent = (data: unknown): NewEvent => ({ id: randomUUID(), type: 'Tested', data, metadata: {} });
    await store.append('a-1', [anEvent(1)], 'no_stream');
    disk.fill();
    const event = anEvent(long);
    const outcomes = await Promise.allSettled([
      store.append('a-1', [anEvent(2), event], 0),
      store.append('a-2', [anEvent(long)], 'no_stream'),
    ]);
    for (const outcome of outcomes) expect(outcome).toMatchObject({ status: 'rejected', reason: noRoom });
    expect(await store.readStream('a-1')).toHaveLength(1);
    disk.free();
    expect(await store.append('a-1', [event], 0)).toEqual({ revision: 1, position: 2n });
    expect((await store.readStream('a-1')).map((each) => each.data)).toEqual([1, long]);
    expect(await store.readStream('a-2')).toEqual([]);
    await store.close();
  });

  it('a batch of documents writes none of them and leaves the checkpoint; the same again is right', async () => {
    interface Doc {
      readonly n: number;
      readonly text: string;
    }
    const spec: CollectionSpec<Doc> = { name: 'd', fields: ['n'], indexes: [['n']], terms: 'text' };
    const documents = new EmbeddedDocuments(disk.path);
    const { generation } = await documents.build(spec, 1);
    const writer = await documents.writer(spec, generation);
    await documents.serve('d', generation);
    const change = (n: number, text: string, position: bigint) => ({
      id: String(n),
      doc: { n, text },
      position,
    });
    await writer.write([change(1, 'one', 1n)], 1n);
    const stamp = await documents.collection(spec).stamp();
    const batch = [change(1, 'changed', 2n), change(2, long, 2n), change(3, long, 3n)];
    disk.fill();
    await expect(writer.write(batch, 3n)).rejects.toMatchObject(noRoom);
    await expect(documents.build({ ...spec, name: 'e' }, 1)).rejects.toMatchObject(noRoom);
    const collection = documents.collection(spec);
    expect(await collection.page({ orderBy: ['n'], limit: 9 })).toEqual([{ n: 1, text: 'one' }]);
    expect(await collection.count({ matching: { every: [['changed']] } })).toBe(0);
    expect(writer.checkpoint).toBe(1n);
    expect((await documents.progress()).get('d')?.checkpoint).toBe(1n);
    expect(await collection.stamp()).toBe(stamp);
    expect(await documents.generations('e')).toEqual({ serving: undefined, building: [] });
    disk.free();
    await writer.write(batch, 3n);
    expect(await collection.count({})).toBe(3);
    expect(await collection.count({ matching: { every: [['changed']] } })).toBe(1);
    expect(writer.checkpoint).toBe(3n);
    await documents.close();
  });

  it('a vault keeps what it had, whether a secret is put, replaced or deleted', async () => {
    const vault = new EmbeddedVault(disk.path, masterKey);
    await vault.put('a', Buffer.from('first'));
    disk.fill();
    await expect(vault.put('a', Buffer.from(long))).rejects.toMatchObject(noRoom);
    await expect(vault.put('b', Buffer.from(long))).rejects.toMatchObject(noRoom);
    expect(Buffer.from((await vault.get('a')) ?? '').toString()).toBe('first');
    expect(await vault.names('')).toEqual(['a']);
    disk.free();
    await vault.put('b', Buffer.from(long));
    await vault.delete('a');
    expect(await vault.names('')).toEqual(['b']);
    await vault.close();
  });

  it('a side store writes none of the entries that were put together, and all of them later', async () => {
    const side = new EmbeddedSideStore(disk.path);
    const table = side.table<string>('t');
    await table.put('a', 'first');
    const putAll = () =>
      Promise.allSettled([table.put('a', 'second'), table.put('b', long), table.delete('a')]);
    disk.fill();
    for (const outcome of await putAll())
      expect(outcome).toMatchObject({ status: 'rejected', reason: noRoom });
    expect(await table.list()).toEqual([{ id: 'a', value: 'first' }]);
    disk.free();
    for (const outcome of await putAll()) expect(outcome.status).toBe('fulfilled');
    expect((await table.list()).map((entry) => entry.id)).toEqual(['b']);
    await side.close();
  });

  it.each([
    { store: 'an event store', open: (path: string) => new EmbeddedEventStore({ directory: path }) },
    { store: 'documents', open: (path: string) => new EmbeddedDocuments(path) },
    { store: 'a vault', open: (path: string) => new EmbeddedVault(path, masterKey) },
    { store: 'a side store', open: (path: string) => new EmbeddedSideStore(path) },
  ])('$store cannot be begun, and can when there is room again', async ({ open }) => {
    const folder = join(disk.path, 'data');
    mkdirSync(folder);
    disk.fill();
    expect(() => open(folder)).toThrow(expect.objectContaining(noRoom) as Error);
    disk.free();
    await open(folder).close();
  });
});

describe.skipIf(withoutReadOnlyFolder)(named('in a read-only folder', withoutReadOnlyFolder), () => {
  const anEvent = (): NewEvent => ({ id: randomUUID(), type: 'Tested', data: {}, metadata: {} });
  const spec: CollectionSpec<{ n: number }> = { name: 'd', fields: ['n'], indexes: [['n']] };

  /** Opens the store and writes something to it. */
  const uses: readonly { readonly store: string; readonly use: (path: string) => Promise<void> }[] = [
    {
      store: 'an event store',
      use: (path) =>
        using(new EmbeddedEventStore({ directory: path }), (store) =>
          store.append('a-1', [anEvent()], 'any'),
        ),
    },
    {
      store: 'documents',
      use: (path) => using(new EmbeddedDocuments(path), (documents) => documents.build(spec, 1)),
    },
    {
      store: 'a vault',
      use: (path) => using(new EmbeddedVault(path, masterKey), (vault) => vault.put('a', Buffer.from('x'))),
    },
    {
      store: 'a side store',
      use: (path) => using(new EmbeddedSideStore(path), (side) => side.table('t').put('a', 1)),
    },
    { store: 'leases', use: (path) => using(new EmbeddedLeases(path), (leases) => leases.tryAcquire('job')) },
  ];

  for (const { store, use } of uses) {
    it.each([
      { folder: 'that is empty', prepare: () => Promise.resolve() },
      { folder: 'that it has used before', prepare: use },
    ])(
      `${store} refuses to write in one $folder, in a sentence that says what to look at`,
      async ({ prepare }) => {
        const folder = await readOnlyFolder(prepare);
        try {
          await expect((async () => use(folder.path))()).rejects.toMatchObject({
            name: 'StoreError',
            code: 'unavailable',
            outcome: 'none',
            message: expect.stringMatching(
              /: (the data folder is read-only|cannot be (opened|made|held); is the data folder there and writable\?)$/,
            ) as string,
          });
        } finally {
          folder.remove();
        }
      },
    );
  }
});

async function using<Store extends { close(): Promise<void> }>(
  store: Store,
  work: (store: Store) => Promise<unknown>,
): Promise<void> {
  try {
    await work(store);
  } finally {
    await store.close();
  }
}
