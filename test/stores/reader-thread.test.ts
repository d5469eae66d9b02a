import { truncateSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Worker } from 'node:worker_threads';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import { ReaderClient } from '../../src/stores/documents/embedded/reader-client.ts';
import type { Collection } from '../../src/stores/documents/port.ts';
import { aPlace, buildNew, placeId, put, servePlaces, type Place } from '../contract/places.ts';
import { termsSpec } from '../contract/term-texts.ts';
import { temporaryFolder } from '../support/folder.ts';

const spec = termsSpec('places', true);
const common = { every: [['a']] };

describe('searches of the embedded documents', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let documents: EmbeddedDocuments;
  let places: Collection<Place>;
  const started: Worker[] = [];
  const noticed = (worker: Worker) => started.push(worker);

  beforeEach(() => {
    folder = temporaryFolder();
    documents = new EmbeddedDocuments(folder.path);
    places = documents.collection(spec);
    process.on('worker', noticed);
  });
  afterEach(async () => {
    process.off('worker', noticed);
    started.length = 0;
    await documents.close();
    folder.remove();
  });

  const threads = () => started.filter(({ threadId }) => threadId !== -1).length;
  const numbers = async () =>
    (await places.page({ orderBy: ['number'], matching: common, limit: 9 })).map(({ number }) => number);

  it('run in a thread that the first of them starts, and that closing ends', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a', words: '1word' })]);
    expect(await places.get(placeId(1))).toMatchObject({ terms: 'a' });
    expect(await places.count({})).toBe(1);
    expect(await places.page({ orderBy: ['number'], limit: 1 })).toHaveLength(1);
    expect(started).toHaveLength(0);
    const all = await Promise.all([
      numbers(),
      places.count({ matching: common }),
      places.vocabulary({ beginning: 'w' }, 1),
    ]);
    expect(all).toEqual([[1], 1, ['word']]);
    await documents.startSearches();
    expect([started.length, threads()]).toEqual([1, 1]);
    await documents.close();
    expect(threads()).toBe(0);
  });

  it('do not wait until the thread has started', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    const found = numbers();
    const [starting] = started;
    const isOnline = { value: false };
    starting?.once('online', () => (isOnline.value = true));
    expect([await found, isOnline.value]).toEqual([[1], false]);
  });

  it('that come while the thread is started are answered, and so are those after', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    const running = { ended: false };
    const start = documents.startSearches().then(() => (running.ended = true));
    while (!running.ended) {
      expect(await numbers()).toEqual([1]);
      await new Promise(setImmediate);
    }
    await start;
    expect(await numbers()).toEqual([1]);
    expect([started.length, threads()]).toEqual([1, 1]);
  });

  it('let reads of documents pass, once the thread has started', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    await documents.startSearches();
    const order: string[] = [];
    await Promise.all([
      numbers().then(() => order.push('search')),
      places.get(placeId(1)).then(() => order.push('document')),
    ]);
    expect(order).toEqual(['document', 'search']);
  });

  it('find what was written before them', async () => {
    const writer = await servePlaces(documents, spec);
    for (let number = 1; number <= 20; number++) {
      await writer.write([put(aPlace(number, { terms: 'a' }), BigInt(number + 1))], BigInt(number + 1));
      expect(await places.count({ matching: common })).toBe(number);
    }
  });

  it('read one whole generation, however often another one begins to serve', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' }), aPlace(2, { terms: 'a' })]);
    const switching = { ended: false };
    const searching = (async () => {
      const found: number[][] = [];
      while (!switching.ended) found.push(...(await Promise.all([numbers(), numbers(), numbers()])));
      return found;
    })();
    for (let version = 2; version <= 30; version++) {
      const { generation, writer } = await buildNew(documents, spec, version);
      await writer.write(
        [1, 2].map((number) => put(aPlace(number, { terms: 'a' }), 1n)),
        1n,
      );
      await documents.serve(spec.name, generation);
      await new Promise(setImmediate);
    }
    switching.ended = true;
    const found = await searching;
    expect(found.length).toBeGreaterThan(0);
    expect(found.filter((each) => each.join() !== '1,2')).toEqual([]);
    expect(threads()).toBe(1);
  });

  it('find the generation that serves after any number of switches, each of which drops theirs', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    const read = Reflect.get(ReaderClient.prototype, 'rows') as (...query: unknown[]) => never;
    let switches = 0;
    const rows = vi.spyOn(ReaderClient.prototype, 'rows').mockImplementation(async function (
      this: ReaderClient,
      ...query
    ) {
      if (switches < 6) {
        const { generation, writer } = await buildNew(documents, spec, ++switches + 1);
        await writer.write([put(aPlace(1, { terms: 'a' }), 1n)], 1n);
        await documents.serve(spec.name, generation);
      }
      return read.apply(this, query);
    });
    try {
      expect(await numbers()).toEqual([1]);
      expect(rows).toHaveBeenCalledTimes(7);
    } finally {
      rows.mockRestore();
    }
  });

  it('fail when their thread dies, and the next one starts another', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    await documents.startSearches();
    const [first] = started;
    const ended = Promise.all(
      [numbers(), places.vocabulary({ beginning: 'w' }, 1)].map((each) =>
        expect(each).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringContaining('views.db') as string,
        }),
      ),
    );
    await first?.terminate();
    await ended;
    expect(await numbers()).toEqual([1]);
    expect(started).toHaveLength(2);
  });

  it('that were asked before closing are answered, and those after it fail', async () => {
    await servePlaces(documents, spec, [aPlace(1, { terms: 'a' })]);
    await documents.startSearches();
    const before = numbers();
    await documents.close();
    expect(await before).toEqual([1]);
    await expect(numbers()).rejects.toMatchObject({ code: 'unavailable' });
    await expect(places.vocabulary({ beginning: 'a' }, 1)).rejects.toMatchObject({ code: 'unavailable' });
    expect(started).toHaveLength(1);
  });

  it.each([
    { what: 'cut', damage: (path: string) => truncateSync(path, 65_536) },
    { what: 'overwritten', damage: (path: string) => writeFileSync(path, 'no database') },
  ])('say that the file is damaged when it was $what', async ({ damage }) => {
    const many = Array.from({ length: 500 }, (_, n) => aPlace(n, { terms: 'a', about: 'x'.repeat(1_000) }));
    await servePlaces(documents, spec, many);
    await documents.close();
    const path = join(folder.path, 'views.db');
    damage(path);
    const reader = new ReaderClient(path);
    const read = reader.rows('SELECT _body FROM "places.1"', [], 1);
    await expect(read).rejects.toMatchObject({ code: 'incompatible' });
    await reader.close();
  });
});
