import { copyFileSync, renameSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { EmbeddedDocuments } from '../../src/stores/documents/embedded/documents.ts';
import { pageSql, table } from '../../src/stores/documents/embedded/table.ts';
import type { CollectionSpec } from '../../src/stores/documents/port.ts';
import { temporaryFolder } from '../support/folder.ts';
import { documentsContract } from './documents.ts';
import { termsSpec } from './term-texts.ts';
import { aPlace, buildNew, having, placesSpec, put, servePlaces, type Place } from './places.ts';

documentsContract('embedded', () => {
  const folder = temporaryFolder();
  const clients: EmbeddedDocuments[] = [];
  const open = () => {
    const client = new EmbeddedDocuments(folder.path);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    documents: open(),
    another: () => Promise.resolve(open()),
    dispose: async () => {
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
});

describe('the embedded documents', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let documents: EmbeddedDocuments;

  beforeEach(() => {
    folder = temporaryFolder();
    documents = new EmbeddedDocuments(folder.path);
  });
  afterEach(async () => {
    vi.useRealTimers();
    await documents.close();
    folder.remove();
  });

  it('write nothing of a batch in which one document cannot be written', async () => {
    const spec = placesSpec('places');
    const writer = await servePlaces(documents, spec, [aPlace(1)]);
    const impossible = { ...aPlace(3), about: 10n } as unknown as Place;
    await expect(writer.write([put(aPlace(2), 2n), put(impossible, 2n)], 2n)).rejects.toThrow(/BigInt/);
    expect(await documents.collection(spec).count({})).toBe(1);
    expect(writer.checkpoint).toBe(1n);
    await writer.write([put(aPlace(2), 2n)], 2n);
    expect(await documents.collection(spec).count({})).toBe(2);
  });

  it('end a load with an index of one segment, however many commits it took', async () => {
    const spec = termsSpec('places', false);
    const { writer, generation } = await buildNew(documents, spec);
    for (let n = 1; n <= 40; n++)
      await writer.write([put(aPlace(n, { terms: `a t${n}` }), BigInt(n))], BigInt(n));
    const segments = () => {
      const file = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
      const sql = 'SELECT count(DISTINCT segid) AS n FROM "places.1.terms_idx"';
      const { n } = file.prepare(sql).get() as { n: number };
      file.close();
      return n;
    };
    expect(segments()).toBeGreaterThan(1);
    await writer.finish();
    expect(segments()).toBe(1);
    await documents.serve('places', generation);
    expect(await documents.collection(spec).count({ matching: { every: [['a']] } })).toBe(40);
  });

  it('refuse a document whose id says no place among the clustered ones', async () => {
    const writer = await servePlaces(documents, placesSpec('places', true));
    const stranger = { id: 'somewhere', doc: aPlace(1), position: 2n };
    await expect(writer.write([stranger], 2n)).rejects.toMatchObject({ code: 'misuse' });
  });

  it('tell two ids apart that are given the same place', async () => {
    const spec: CollectionSpec<Place> = {
      ...placesSpec('places'),
      cluster: { field: 'number', fromId: (id) => Number.parseInt(id.slice('place-'.length), 10) },
    };
    const writer = await servePlaces(documents, spec, [aPlace(1)]);
    expect(await documents.collection(spec).get('place-01')).toBeUndefined();
    expect((await writer.load(['place-01'])).size).toBe(0);
  });

  it.each([
    { what: 'removed', change: (path: string) => rmSync(path) },
    {
      what: 'replaced',
      change: (path: string) => {
        copyFileSync(path, `${path}.copy`);
        renameSync(`${path}.copy`, path);
      },
    },
  ])('write nothing more once their file was $what, and say so', async ({ change }) => {
    const spec = placesSpec('places');
    const writer = await servePlaces(documents, spec, [aPlace(1)]);
    change(join(folder.path, 'views.db'));
    // The file is looked at once a second.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
    const replaced = {
      code: 'replaced',
      message: expect.stringMatching(/views\.db was removed or replaced while in use/) as string,
    };
    await expect(writer.write([put(aPlace(2), 2n)], 2n)).rejects.toMatchObject(replaced);
    vi.advanceTimersByTime(1_000);
    await expect(documents.build(spec, 2)).rejects.toMatchObject(replaced);
    expect(await documents.collection(spec).count({})).toBe(1);
  });

  it('give another stamp to what another version of a projection has built into a new file', async () => {
    const stamps: (string | undefined)[] = [];
    for (const version of [1, 2]) {
      const anew = temporaryFolder();
      const client = new EmbeddedDocuments(anew.path);
      const spec = placesSpec('places');
      const { generation, writer } = await buildNew(client, spec, version);
      await writer.write([put(aPlace(1, { name: `Version ${version}` }), 1n)], 1n);
      await client.serve(spec.name, generation);
      stamps.push(await client.collection(spec).stamp());
      await client.close();
      anew.remove();
    }
    expect(stamps[0]).not.toBe(stamps[1]);
  });

  it('notice the progress of another process, which has no way to tell them', async () => {
    const spec = placesSpec('places');
    await servePlaces(documents, spec, [aPlace(1)]);
    const waiting = documents.changed(600_000);
    const db = new DatabaseSync(join(folder.path, 'views.db'));
    db.exec('UPDATE generations SET checkpoint = 9');
    db.close();
    await waiting;
    expect((await documents.progress()).get(spec.name)?.checkpoint).toBe(9n);
  });

  it('let go of everybody who waits when they close', async () => {
    const waiting = documents.changed(600_000);
    await documents.close();
    await waiting;
  });

  it('seek to the place of a page of terms', async () => {
    const spec = placesSpec('places', true);
    await servePlaces(
      documents,
      spec,
      [1, 2].map((number) => aPlace(number, { terms: 'a' })),
    );
    const matching = having('a');
    for (const place of [{ after: [1] }, { from: 2 }, { after: [3], descending: true }]) {
      const query = { matching, orderBy: ['number'], limit: 1, ...place } as const;
      const { sql } = pageSql(spec, table(spec, 1), query, ['number']);
      // FTS5 ignores a bound that is not an integer, and reads every document before it.
      expect(sql).toMatch(/s\.rowid\)? [<>]=? \(?CAST\(\? AS INTEGER\)/);
      expect(await documents.collection(spec).select(query, ['number'])).toStrictEqual([{ number: 2 }]);
    }
    const between = { matching, orderBy: ['number'], from: 1.5, limit: 1 } as const;
    expect(await documents.collection(spec).select(between, ['number'])).toStrictEqual([{ number: 2 }]);
  });

  it('serve pages along an index, without sorting or reading the whole table', async () => {
    const spec = placesSpec('places');
    const writer = await servePlaces(
      documents,
      spec,
      Array.from({ length: 10 }, (_, n) => aPlace(n, { city: 'Bern' })),
    );
    expect(writer.checkpoint).toBe(1n);
    const db = new DatabaseSync(join(folder.path, 'views.db'), { readOnly: true });
    for (const query of [
      { orderBy: ['number'], after: [3] },
      { orderBy: ['name', 'number'], descending: true, after: ['Place 3', 3] },
      { where: { city: 'Bern' }, orderBy: ['rank', 'number'], after: [1, 3] },
      { where: { city: 'Bern' }, orderBy: ['rank', 'number'], from: 1 },
    ] as const) {
      const { sql, values } = pageSql(spec, table(spec, 1), { ...query, limit: 2 }, ['_body']);
      const plan = db
        .prepare(`EXPLAIN QUERY PLAN ${sql}`)
        .all(...values)
        .map((step) => String(step['detail']));
      expect(plan.join('; ')).toMatch(/^SEARCH t USING INDEX/);
      expect(plan.join('; ')).not.toMatch(/TEMP B-TREE/);
    }
    db.close();
  });
});
