import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { beginning } from '../../src/stores/event-store/port.ts';
import type { Collection, CollectionSpec, Documents } from '../../src/stores/documents/port.ts';
import {
  aPlace,
  buildNew,
  having,
  placeId,
  placesSpec,
  put,
  remove,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';
import { until } from '../support/until.ts';

/** Building beside what serves, switching in one step, and what tells that something has changed. */
export function documentGenerationsContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe(`the documents contract, ${adapter}: generations and progress`, () => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;
    let places: Collection<Place>;

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      spec = placesSpec(`places${randomUUID().slice(0, 8)}`);
      places = documents.collection(spec);
    });
    afterEach(async () => {
      await under.dispose();
    });

    describe('a collection that nobody has begun', () => {
      it('is empty, and serves nothing', async () => {
        expect(await places.get(placeId(1))).toBeUndefined();
        expect((await places.getMany([placeId(1)])).size).toBe(0);
        expect(await places.page({ orderBy: ['number'], limit: 1 })).toEqual([]);
        expect(await places.select({ orderBy: ['number'], limit: 1 }, ['number'])).toEqual([]);
        expect(await places.count({ matching: having('x') })).toBe(0);
        expect(await documents.generations(spec.name)).toEqual({ serving: undefined, building: [] });
        expect((await documents.progress()).has(spec.name)).toBe(false);
      });

      it('has no generation to write, to serve or to lose', async () => {
        await expect(documents.writer(spec, 1)).rejects.toMatchObject({ code: 'misuse' });
        await expect(documents.serve(spec.name, 1)).rejects.toMatchObject({ code: 'misuse' });
        expect(await documents.generations(spec.name)).toEqual({ serving: undefined, building: [] });
      });
    });

    it('forgets a collection that nobody reads, and begins it anew when asked', async () => {
      await servePlaces(documents, spec, [aPlace(1)]);
      await buildNew(documents, spec, 2);
      await documents.remove(spec.name, 9);
      expect(await documents.generations(spec.name)).toEqual({ serving: undefined, building: [] });
      expect(await places.get(placeId(1))).toBeUndefined();
      expect((await documents.progress()).has(spec.name)).toBe(false);
      await documents.remove(spec.name, 9);
      const again = await documents.build(spec, 1, 9);
      expect(again.checkpoint).toBe(beginning);
      await documents.serve(spec.name, again.generation, 9);
      expect(await places.get(placeId(1))).toBeUndefined();
    });

    describe('a generation being built', () => {
      it('is invisible until it serves, and listed with its version and checkpoint', async () => {
        await servePlaces(documents, spec, [aPlace(1)]);
        const serving = { generation: 1, version: 1, checkpoint: 1n };
        const { generation, writer } = await buildNew(documents, spec, 2);
        await writer.write([put(aPlace(1, { name: 'Of the new one' }), 5n), put(aPlace(2), 6n)], 6n);
        const third = await documents.build(spec, 3);
        const other = await under.another();
        for (const client of [documents, other]) {
          expect(await client.collection(spec).page({ orderBy: ['number'], limit: 9 })).toStrictEqual([
            aPlace(1),
          ]);
          expect(await client.collection(spec).count({ matching: having('new') })).toBe(0);
          expect(await client.generations(spec.name)).toEqual({
            serving: { ...serving, generation: (await documents.progress()).get(spec.name)?.generation },
            building: [
              { generation, version: 2, checkpoint: 6n },
              { generation: third.generation, version: 3, checkpoint: beginning },
            ],
          });
          expect((await client.progress()).get(spec.name)).toMatchObject({ version: 1, checkpoint: 1n });
        }
      });

      it('can be left and taken up again where it was', async () => {
        const { generation, writer } = await buildNew(documents, spec);
        await writer.write([put(aPlace(1), 5n), remove(2, 6n)], 6n);
        const other = await under.another();
        const successor = await other.writer(spec, generation);
        expect(successor.checkpoint).toBe(6n);
        expect((await successor.load([placeId(1), placeId(2)])).size).toBe(2);
        await successor.write([put(aPlace(3), 7n)], 7n);
        await other.serve(spec.name, generation);
        const numbers = async () =>
          (await places.page({ orderBy: ['number'], limit: 9 })).map((each) => each.number);
        expect(await until(async () => ((await numbers()).length > 0 ? numbers() : undefined))).toEqual([
          1, 3,
        ]);
      });

      it('answers the same before and after it is finished', async () => {
        const { generation, writer } = await buildNew(documents, spec);
        await writer.write(
          Array.from({ length: 50 }, (_, n) => put(aPlace(n, { city: n % 2 ? 'Bern' : 'Genf' }), 1n)),
          1n,
        );
        await documents.serve(spec.name, generation);
        const answers = async () => [
          await places.page({ orderBy: ['name', 'number'], descending: true, limit: 20 }),
          await places.page({
            where: { city: 'Bern' },
            orderBy: ['rank', 'number'],
            after: [1, 7],
            limit: 5,
          }),
          await places.page({ orderBy: ['number'], matching: having('place', '4'), limit: 99 }),
          await places.count({ where: { city: 'Bern' }, matching: having('place') }),
        ];
        const before = await answers();
        await writer.finish();
        expect(await answers()).toStrictEqual(before);
        await writer.finish();
        await writer.write([put(aPlace(4, { name: 'After' }), 2n)], 2n);
        expect(await places.page({ where: { name: 'After' }, orderBy: ['number'], limit: 9 })).toHaveLength(
          1,
        );
      });

      it('can be dropped without a trace while another serves', async () => {
        await servePlaces(documents, spec, [aPlace(1)]);
        const { generation } = await buildNew(documents, spec, 2);
        await documents.drop(spec.name, generation);
        expect((await documents.generations(spec.name)).building).toEqual([]);
        await expect(documents.writer(spec, generation)).rejects.toMatchObject({ code: 'misuse' });
        expect(await places.count({})).toBe(1);
      });
    });

    describe('switching', () => {
      it('replaces every document in one step, for every client, and drops all other generations', async () => {
        const old = Array.from({ length: 20 }, (_, n) => aPlace(n, { name: 'Old' }));
        const fresh = Array.from({ length: 30 }, (_, n) => aPlace(n + 10, { name: 'Fresh' }));
        await servePlaces(documents, spec, old);
        const first = (await documents.progress()).get(spec.name)?.generation as number;
        const abandoned = await documents.build(spec, 2);
        const { generation, writer } = await buildNew(documents, spec, 3);
        await writer.write(
          fresh.map((place) => put(place, 7n)),
          7n,
        );
        await writer.finish();

        const other = await under.another();
        const seen = new Set<string>();
        const look = async () => {
          const page = await other.collection(spec).page({ orderBy: ['number'], limit: 99 });
          seen.add(`${[...new Set(page.map((place) => place.name))].join()} ${page.length}`);
          return page.length === 30 ? true : undefined;
        };
        await look();
        const switched = until(look);
        await documents.serve(spec.name, generation);
        await switched;
        expect([...seen]).toEqual(['Old 20', 'Fresh 30']);
        expect(await places.get(placeId(0))).toBeUndefined();
        expect(await other.collection(spec).get(placeId(39))).toStrictEqual(fresh[29]);
        expect(await places.count({ matching: having('old') })).toBe(0);

        expect(await other.generations(spec.name)).toEqual({
          serving: { generation, version: 3, checkpoint: 7n },
          building: [],
        });
        for (const gone of [first, abandoned.generation]) {
          await expect(documents.writer(spec, gone)).rejects.toMatchObject({ code: 'misuse' });
        }
      });

      it('keeps the generations that it is told to keep: they can be written, counted and served again', async () => {
        const first = await servePlaces(documents, spec, [aPlace(1), aPlace(2)]);
        const old = (await documents.progress()).get(spec.name)?.generation as number;
        const abandoned = await documents.build(spec, 2);
        const { generation, writer } = await buildNew(documents, spec, 1);
        await writer.write([put(aPlace(3, { name: 'Of the new one' }), 7n)], 7n);
        await documents.serve(spec.name, generation, undefined, [old]);
        const other = await under.another();
        expect(await other.generations(spec.name)).toEqual({
          serving: { generation, version: 1, checkpoint: 7n },
          building: [{ generation: old, version: 1, checkpoint: 1n }],
        });
        await expect(documents.writer(spec, abandoned.generation)).rejects.toMatchObject({ code: 'misuse' });
        await first.write([put(aPlace(3), 7n), remove(1, 8n)], 8n);
        expect(await first.count()).toBe(2);
        expect(await writer.count()).toBe(1);
        expect(await places.count({})).toBe(1);
        await documents.serve(spec.name, old);
        expect((await places.page({ orderBy: ['number'], limit: 9 })).map((each) => each.number)).toEqual([
          2, 3,
        ]);
        expect((await other.generations(spec.name)).building).toEqual([]);
      });

      it('leaves the writer of the new generation free to go on', async () => {
        const writer = await servePlaces(documents, spec, [aPlace(1)]);
        await writer.write([put(aPlace(2), 2n)], 2n);
        expect(await places.count({})).toBe(2);
      });

      it('never gives two generations of a collection the same number', async () => {
        const seen = new Set<number>();
        for (let version = 1; version <= 4; version++) {
          const { generation } = await documents.build(spec, version);
          expect(seen.has(generation)).toBe(false);
          seen.add(generation);
          await documents.serve(spec.name, generation);
        }
      });

      it('refuses a generation that there is not, and goes on serving', async () => {
        await servePlaces(documents, spec, [aPlace(1)]);
        await expect(documents.serve(spec.name, 99)).rejects.toMatchObject({ code: 'misuse' });
        expect(await places.get(placeId(1))).toStrictEqual(aPlace(1));
      });

      it('refuses to drop the generation that serves', async () => {
        await servePlaces(documents, spec, [aPlace(1)]);
        const generation = (await documents.progress()).get(spec.name)?.generation as number;
        await expect(documents.drop(spec.name, generation)).rejects.toMatchObject({ code: 'misuse' });
        expect(await places.get(placeId(1))).toStrictEqual(aPlace(1));
      });

      it('fails the writer of a generation that is no more', async () => {
        const { generation, writer } = await buildNew(documents, spec);
        await documents.drop(spec.name, generation);
        await expect(writer.write([put(aPlace(1), 1n)], 1n)).rejects.toBeInstanceOf(Error);
        await expect(writer.write([], 2n)).rejects.toBeInstanceOf(Error);
      });
    });

    describe('a stamp', () => {
      it('changes for every client when a document is written or deleted, or another generation serves', async (test) => {
        const writer = await servePlaces(documents, spec, [aPlace(1)]);
        const client = await under.another();
        const others = client.collection(spec);
        const stamps = new Set<string>();
        const next = async () => {
          const stamp = await places.stamp();
          test.skip(stamp === undefined, 'This store gives no stamps.');
          expect(stamps.has(stamp as string)).toBe(false);
          stamps.add(stamp as string);
          await until(async () => ((await others.stamp()) === stamp ? true : undefined));
        };
        await next();
        await writer.write([put(aPlace(2), 5n)], 5n);
        await next();
        await writer.write([remove(2, 6n)], 6n);
        await next();
        await writer.write([put(aPlace(3), 6n)], 6n);
        await next();
        expect(await others.get(placeId(3))).toStrictEqual(aPlace(3));
        await writer.write([put(aPlace(4), 7n)], 7n);
        await next();
        const { generation } = await documents.build(spec, 1);
        await documents.serve(spec.name, generation);
        await next();
      });

      it('stays when only the checkpoint moves, when another collection changes, and while nothing happens', async (test) => {
        const writer = await servePlaces(documents, spec, [aPlace(1)]);
        const neighbour = placesSpec(`${spec.name}neighbour`);
        const beside = await servePlaces(documents, neighbour);
        const client = await under.another();
        const stamp = await places.stamp();
        test.skip(stamp === undefined, 'This store gives no stamps.');
        await writer.write([], 5n);
        await beside.write([put(aPlace(1), 6n)], 6n);
        await documents.build(spec, 2);
        await until(async () =>
          (await client.progress()).get(neighbour.name)?.checkpoint === 6n ? true : undefined,
        );
        expect(await places.stamp()).toBe(stamp);
        expect(await client.collection(spec).stamp()).toBe(stamp);
      });
    });

    describe('waiting for progress', () => {
      // Far beyond the test's own limit: only progress can end these in time.
      const forever = 600_000;

      it('ends when this client writes', async () => {
        const writer = await servePlaces(documents, spec);
        const waiting = documents.changed(forever);
        await writer.write([], 5n);
        await waiting;
      });

      it('ends when another client writes or switches', async () => {
        const other = await under.another();
        const { generation, writer } = await buildNew(other, spec);
        let waiting = documents.changed(forever);
        await other.serve(spec.name, generation);
        await waiting;
        waiting = documents.changed(forever);
        await writer.write([put(aPlace(1), 5n)], 5n);
        await waiting;
        expect((await documents.progress()).get(spec.name)?.checkpoint).toBe(5n);
      });

      it('ends for everybody who waits', async () => {
        const writer = await servePlaces(documents, spec);
        const other = await under.another();
        const waiting = [documents, other, other].map((client) => client.changed(forever));
        await writer.write([], 5n);
        await Promise.all(waiting);
      });

      it('ends after its time when nothing happens, and not before', async () => {
        const began = performance.now();
        await documents.changed(60);
        expect(performance.now() - began).toBeGreaterThan(55);
      });
    });
  });
}
