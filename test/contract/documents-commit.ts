import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  CollectionSpec,
  CollectionWrite,
  CollectionWriter,
  Documents,
} from '../../src/stores/documents/port.ts';
import {
  aPlace,
  placeId,
  placesSpec,
  put,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';

/** What a tail does: the changes of several collections, and the checkpoints of all of them. */
export function documentCommitContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe(`the documents contract, ${adapter}: a commit of several collections`, () => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let specs: readonly CollectionSpec<Place>[];
    let writers: readonly CollectionWriter<Place>[];

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      const run = randomUUID().slice(0, 8);
      specs = ['first', 'second', 'third'].map((name) => placesSpec(`${name}${run}`, name === 'second'));
      writers = await Promise.all(specs.map((spec) => servePlaces(documents, spec)));
    });
    afterEach(async () => {
      await under.dispose();
    });

    const write = (which: number, ...places: [Place, bigint][]): CollectionWrite =>
      ({
        writer: writers[which],
        changes: places.map(([place, position]) => put(place, position)),
      }) as unknown as CollectionWrite;
    const found = (which: number, number: number) =>
      documents.collection(specs[which] as CollectionSpec<Place>).get(placeId(number));
    /** A store may save checkpoints that move alone a little later, many at once. */
    const checkpoints = async () => {
      const progress = await documents.progress();
      return specs.map(({ name }) => progress.get(name)?.checkpoint);
    };

    it('writes the documents of each, and moves the checkpoint of all, those without changes too', async () => {
      await documents.commit([write(0, [aPlace(1), 5n]), write(1, [aPlace(2), 6n]), write(2)], 7n);
      expect(await found(0, 1)).toEqual(aPlace(1));
      expect(await found(1, 2)).toEqual(aPlace(2));
      await expect.poll(checkpoints).toEqual([7n, 7n, 7n]);
      expect(writers.map(({ checkpoint }) => checkpoint)).toEqual([7n, 7n, 7n]);
    });

    it('leaves alone what was last touched later, and may come twice', async () => {
      const twice = [write(0, [aPlace(1, { name: 'Later' }), 9n]), write(1, [aPlace(1), 5n])];
      await documents.commit(twice, 9n);
      await documents.commit(twice, 9n);
      await documents.commit([write(0, [aPlace(1, { name: 'Earlier' }), 8n])], 9n);
      expect(await found(0, 1)).toMatchObject({ name: 'Later' });
      expect((await checkpoints()).slice(0, 2)).toEqual([9n, 9n]);
    });

    it('is refused where one collection cannot hold its change, and the same without it is written', async () => {
      const wrong = {
        writer: writers[1],
        changes: [{ id: 'no-such-place', doc: aPlace(1), position: 5n }],
      } as unknown as CollectionWrite;
      if (adapter === 'embedded') {
        await expect(documents.commit([write(0, [aPlace(1), 5n]), wrong], 5n)).rejects.toMatchObject({
          code: 'misuse',
        });
        // One transaction: nothing of it is there.
        expect(await found(0, 1)).toBeUndefined();
        expect(await checkpoints()).toEqual([1n, 1n, 1n]);
      }
      await documents.commit([write(0, [aPlace(1), 5n]), write(2)], 5n);
      expect(await found(0, 1)).toEqual(aPlace(1));
      await expect.poll(checkpoints).toEqual([5n, 1n, 5n]);
    });

    it('is not taken back by the commit of a stretch that lies before it', async () => {
      await documents.commit([write(0), write(1)], 9n);
      await documents.commit([write(0), write(1)], 4n);
      await expect.poll(async () => (await checkpoints()).slice(0, 2)).toEqual([9n, 9n]);
    });

    it('wakes whoever waits for progress, in another client too', async () => {
      const other = await under.another();
      const moved = other.changed(10_000);
      const began = performance.now();
      // A client that waits for the first time learns what there is with its first look.
      const committing = (async () => {
        for (let position = 10n; position < 200n; position++) {
          await documents.commit([write(0, [aPlace(1), position])], position);
          if (await Promise.race([moved.then(() => true), Promise.resolve(false)])) return;
        }
      })();
      await moved;
      await committing;
      expect(performance.now() - began).toBeLessThan(9_000);
    });
  });
}
