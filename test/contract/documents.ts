import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginning } from '../../src/stores/event-store/port.ts';
import type { CollectionSpec, Documents } from '../../src/stores/documents/port.ts';
import { documentCommitContract } from './documents-commit.ts';
import { documentGenerationsContract } from './documents-generations.ts';
import { documentModelContract } from './documents-model.ts';
import { documentPagesContract } from './documents-pages.ts';
import { documentTermsContract } from './documents-terms.ts';
import { documentVocabularyContract } from './documents-vocabulary.ts';
import {
  aPlace,
  buildNew,
  having,
  layouts,
  placeId,
  placesSpec,
  put,
  remove,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';
import { until } from '../support/until.ts';

/** Every adapter of the Documents port passes this. Collections are unique to a run: the store may be shared. */
export function documentsContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  documentAccessContract(adapter, open);
  documentPagesContract(adapter, open);
  documentTermsContract(adapter, open);
  documentVocabularyContract(adapter, open);
  documentGenerationsContract(adapter, open);
  documentCommitContract(adapter, open);
  documentModelContract(adapter, open);
}

/** Ids as somebody would write them who means no good. */
const hostileIds = [
  '',
  ' ',
  'place-01',
  'place-1 ',
  'PLACE-1',
  'place-1e0',
  '1',
  '__proto__',
  'constructor',
  '$where',
  '{"$gt":""}',
  `' OR '1'='1`,
  `"; DROP TABLE places; --`,
  '%',
  '_',
  '*',
  'a\u0000b',
  'a',
  '../../etc/passwd',
  'ünï©ode 🏠',
  'x'.repeat(10_000),
];

function documentAccessContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe.each(layouts)(`the documents contract, ${adapter}: documents, $layout`, ({ clustered }) => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      spec = placesSpec(`places${randomUUID().slice(0, 8)}`, clustered);
    });
    afterEach(async () => {
      await under.dispose();
    });

    describe('reading by id', () => {
      it('gives back what was written, whatever it holds, and leaves absent what was absent', async () => {
        const full: Place = {
          number: 1,
          name: 'Ünï©ode 🏠 "quoted" \\ \u0000',
          rank: -0.1,
          city: '',
          about: 'line\nline',
          phones: [{ number: '1', extension: null }, { number: '2' }],
        };
        const sparse: Place = { number: 2, name: 'x', rank: Number.MAX_SAFE_INTEGER };
        await servePlaces(documents, spec, [full, sparse]);
        const places = documents.collection(spec);
        expect(await places.get(placeId(1))).toStrictEqual(full);
        expect(await places.get(placeId(2))).toStrictEqual(sparse);
        expect(await places.page({ orderBy: ['number'], limit: 9 })).toStrictEqual([full, sparse]);
      });

      it('gives back every number, and whatever stands under whichever key, as JSON has it', async () => {
        const numbers = [0, -1, 2 ** 31 - 1, 2 ** 31, -(2 ** 31) - 1, 2 ** 53 - 1, 1e300, 5e-324, 0.1];
        const odd = {
          $set: { $gt: '', 'a.b': 1, '': null },
          'x.y': [[], {}, [null, [true, false]]],
          _id: 7,
          _p: 'p',
          _a: { _b: 0 },
          constructor: 'c',
          numbers,
        };
        const all = numbers.map((rank, number) => ({ ...aPlace(number, { rank }), ...odd }));
        await servePlaces(documents, spec, all);
        const places = documents.collection(spec);
        for (const place of all) expect(await places.get(placeId(place.number))).toStrictEqual(place);
        expect(await places.page({ orderBy: ['number'], limit: 99 })).toStrictEqual(all);
        const ranks = await places.select({ orderBy: ['rank', 'number'], limit: 99 }, ['rank']);
        expect(ranks.map(({ rank }) => rank)).toStrictEqual(numbers.toSorted((one, other) => one - other));
      });

      it('answers nothing for ids that are not there, however hostile', async () => {
        await servePlaces(documents, spec, [aPlace(1)]);
        const places = documents.collection(spec);
        for (const id of [...hostileIds, placeId(2)]) expect(await places.get(id), id).toBeUndefined();
        expect((await places.getMany([...hostileIds, placeId(2)])).size).toBe(0);
      });

      it('answers of many ids those that are there, each once', async () => {
        await servePlaces(documents, spec, [aPlace(1), aPlace(2), aPlace(3)]);
        const places = documents.collection(spec);
        const found = await places.getMany([placeId(3), placeId(9), placeId(1), placeId(3), 'nothing']);
        expect(Object.fromEntries(found)).toStrictEqual({ [placeId(1)]: aPlace(1), [placeId(3)]: aPlace(3) });
        expect((await places.getMany([])).size).toBe(0);
      });

      it('answers many thousand ids at once', async () => {
        const all = Array.from({ length: 3_000 }, (_, number) => aPlace(number));
        await servePlaces(documents, spec, all);
        const found = await documents.collection(spec).getMany(all.map(({ number }) => placeId(number)));
        expect(found.size).toBe(3_000);
        expect(found.get(placeId(2_999))).toStrictEqual(aPlace(2_999));
      });

      it('sees what was written after it has looked, also from another client', async () => {
        const writer = await servePlaces(documents, spec, [aPlace(1)]);
        const other = (await under.another()).collection(spec);
        const places = documents.collection(spec);
        expect(await places.get(placeId(1))).toMatchObject({ name: 'Place 1' });
        expect(await other.get(placeId(2))).toBeUndefined();
        await writer.write([put(aPlace(1, { name: 'Renamed' }), 2n), put(aPlace(2), 2n)], 2n);
        expect(await places.get(placeId(1))).toMatchObject({ name: 'Renamed' });
        expect(await until(() => other.get(placeId(2)))).toStrictEqual(aPlace(2));
        await writer.write([remove(1, 3n)], 3n);
        expect(await places.get(placeId(1))).toBeUndefined();
        await until(async () => ((await other.get(placeId(1))) ? undefined : true));
      });
    });

    it('notes from which log it is made, once and for every client', async () => {
      expect(await documents.recordSourceLog('one')).toBe('one');
      expect(await (await under.another()).recordSourceLog('two')).toBe('one');
      expect(await documents.recordSourceLog('one')).toBe('one');
    });

    describe('writing', () => {
      it('loads documents and tombstones with the position that last touched them', async () => {
        const writer = await servePlaces(documents, spec);
        await writer.write([put(aPlace(1), 5n), put(aPlace(2), 6n)], 6n);
        await writer.write([remove(2, 8n)], 8n);
        const stored = await writer.load([placeId(1), placeId(2), placeId(3), 'nothing', '']);
        expect(new Map(stored)).toStrictEqual(
          new Map([
            [placeId(1), { doc: aPlace(1), position: 5n }],
            [placeId(2), { doc: undefined, position: 8n }],
          ]),
        );
      });

      it('leaves a document alone that a later change or the same has touched', async () => {
        const writer = await servePlaces(documents, spec);
        const places = documents.collection(spec);
        await writer.write([put(aPlace(1), 10n)], 10n);
        await writer.write([put(aPlace(1, { name: 'Same position' }), 10n)], 11n);
        await writer.write([put(aPlace(1, { name: 'Earlier' }), 9n)], 12n);
        await writer.write([remove(1, 10n)], 13n);
        expect(await places.get(placeId(1))).toStrictEqual(aPlace(1));
        expect(await places.count({ matching: having('earlier') })).toBe(0);
        expect(writer.checkpoint).toBe(13n);
        await writer.write([put(aPlace(1, { name: 'Later' }), 14n)], 14n);
        expect(await places.get(placeId(1))).toMatchObject({ name: 'Later' });
      });

      it('keeps a deleted document deleted until something later than the deletion writes it', async () => {
        const writer = await servePlaces(documents, spec);
        const places = documents.collection(spec);
        await writer.write([put(aPlace(1), 10n)], 10n);
        await writer.write([remove(1, 12n)], 12n);
        await writer.write([put(aPlace(1), 11n)], 13n);
        await writer.write([put(aPlace(1), 12n)], 14n);
        expect(await places.get(placeId(1))).toBeUndefined();
        expect(await places.page({ orderBy: ['number'], limit: 9 })).toEqual([]);
        expect(await places.count({})).toBe(0);
        await writer.write([put(aPlace(1), 15n)], 15n);
        expect(await places.get(placeId(1))).toStrictEqual(aPlace(1));
      });

      it('notes the last event that was folded in, for as long as none comes after it', async () => {
        const writer = await servePlaces(documents, spec);
        const lastEvent = async () => (await documents.progress()).get(spec.name)?.lastEvent;
        expect(await lastEvent()).toBeUndefined();
        await writer.write([put(aPlace(1), 5n)], 6n, { position: 5n, id: 'five' });
        expect(await lastEvent()).toStrictEqual({ position: 5n, id: 'five' });
        await writer.write([], 9n);
        // Folded, and no document touched.
        await writer.write([], 12n, { position: 11n, id: 'eleven' });
        await until(async () => (await lastEvent())?.position === 11n || undefined);
        expect(await lastEvent()).toStrictEqual({ position: 11n, id: 'eleven' });
        const later = 1;
        const again = await (await under.another()).writer(spec, 1, later);
        await again.write([put(aPlace(2), 13n)], 13n);
        expect(await lastEvent()).toStrictEqual({ position: 11n, id: 'eleven' });
        const next = await documents.build(spec, 2, later);
        await documents.serve(spec.name, next.generation, later);
        expect(await lastEvent()).toBeUndefined();
      });

      it('remembers the deletion of what it never held', async () => {
        const writer = await servePlaces(documents, spec);
        await writer.write([remove(1, 5n)], 5n);
        await writer.write([put(aPlace(1), 4n)], 6n);
        expect(await documents.collection(spec).get(placeId(1))).toBeUndefined();
        expect((await writer.load([placeId(1)])).get(placeId(1))).toStrictEqual({
          doc: undefined,
          position: 5n,
        });
      });

      it('lets the latest of several changes to one document in a batch stand, in whatever order they come', async () => {
        const writer = await servePlaces(documents, spec);
        const named = (name: string) => aPlace(1, { name });
        await writer.write([put(named('a'), 5n), put(named('c'), 7n), put(named('b'), 6n)], 7n);
        expect(await documents.collection(spec).get(placeId(1))).toStrictEqual(named('c'));
      });

      it('comes to the same when a batch is written again', async () => {
        const writer = await servePlaces(documents, spec, [aPlace(2)]);
        const batch = [put(aPlace(1), 5n), remove(2, 6n)];
        await writer.write(batch, 6n);
        await writer.write(batch, 6n);
        const places = documents.collection(spec);
        expect(await places.page({ orderBy: ['number'], limit: 9 })).toStrictEqual([aPlace(1)]);
        expect(await places.count({ matching: having('place') })).toBe(1);
        expect(writer.checkpoint).toBe(6n);
      });

      it('moves the checkpoint on, also without a document, for every client and never back', async () => {
        const { generation, writer } = await buildNew(documents, spec);
        await documents.serve(spec.name, generation);
        expect(writer.checkpoint).toBe(beginning);
        await writer.write([put(aPlace(1), 5n)], 5n);
        await writer.write([], 9n);
        await writer.write([], 7n);
        expect(writer.checkpoint).toBe(9n);
        expect((await documents.writer(spec, generation)).checkpoint).toBe(9n);
        const other = await under.another();
        await until(async () =>
          (await other.progress()).get(spec.name)?.checkpoint === 9n ? true : undefined,
        );
        expect((await other.writer(spec, generation)).checkpoint).toBe(9n);
      });
    });
  });

  describe(`the documents contract, ${adapter}: names`, () => {
    let under: DocumentsUnderTest;
    let name: string;

    beforeEach(async () => {
      under = await open();
      name = `names${randomUUID().slice(0, 8)}`;
    });
    afterEach(async () => {
      await under.dispose();
    });

    it('keeps any text as an id and tells every two apart', async () => {
      const spec: CollectionSpec<{ id: string }> = { name, fields: ['id'], indexes: [['id']] };
      const { generation, writer } = await buildNew(under.documents, spec);
      await writer.write(
        hostileIds.map((id) => ({ id, doc: { id }, position: 1n })),
        1n,
      );
      await under.documents.serve(name, generation);
      const collection = under.documents.collection(spec);
      for (const id of hostileIds) expect(await collection.get(id)).toStrictEqual({ id });
      expect((await collection.getMany(hostileIds)).size).toBe(hostileIds.length);
      expect(await collection.count({})).toBe(hostileIds.length);
      expect((await writer.load(hostileIds)).size).toBe(hostileIds.length);
    });

    it('lets a document have fields that a store might want for itself', async () => {
      interface Doc {
        readonly id: string;
        readonly key: number;
        readonly position: number;
        readonly deleted: number;
        readonly body: string;
        readonly order: string;
        readonly generation: number;
      }
      const doc: Doc = { id: 'i', key: 7, position: 99, deleted: 1, body: 'b', order: 'o', generation: 3 };
      const fields = ['id', 'key', 'position', 'deleted', 'body', 'order', 'generation'] as const;
      const spec: CollectionSpec<Doc> = {
        name,
        fields,
        indexes: [['deleted', 'order', 'id']],
        terms: 'body',
      };
      const { generation, writer } = await buildNew(under.documents, spec);
      await writer.write([{ id: 'other', doc, position: 2n }], 2n);
      await writer.finish();
      await under.documents.serve(name, generation);
      const collection = under.documents.collection(spec);
      expect(await collection.get('other')).toStrictEqual(doc);
      const query = {
        where: { deleted: 1 },
        orderBy: ['order', 'id'],
        matching: having('b'),
        limit: 1,
      } as const;
      expect(await collection.page(query)).toStrictEqual([doc]);
      expect((await collection.select(query, fields)).map((row) => ({ ...row }))).toStrictEqual([doc]);
      expect((await writer.load(['other'])).get('other')).toStrictEqual({ doc, position: 2n });
    });

    it('keeps the collections of a store apart', async () => {
      const specs = [placesSpec(`${name}a`), placesSpec(`${name}b`)] as const;
      await servePlaces(under.documents, specs[0], [aPlace(1)]);
      await servePlaces(under.documents, specs[1], [aPlace(2)]);
      expect(await under.documents.collection(specs[0]).get(placeId(2))).toBeUndefined();
      expect(await under.documents.collection(specs[1]).count({})).toBe(1);
    });
  });
}
