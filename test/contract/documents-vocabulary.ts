import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, CollectionSpec, Documents } from '../../src/stores/documents/port.ts';
import { aPlace, buildNew, put, remove, servePlaces, type DocumentsUnderTest, type Place } from './places.ts';
import { longestTerms, noTerms, termsSpec } from './term-texts.ts';

/** The words of a collection, exactly as `Collection.vocabulary` says. */
export function documentVocabularyContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe(`the documents contract, ${adapter}: the vocabulary`, () => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;
    let places: Collection<Place>;

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      spec = termsSpec(`words${randomUUID().slice(0, 8)}`, true);
      places = documents.collection(spec);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const beginning = (text: string, limit = 99, lengths?: { atLeast: number; atMost: number }) =>
      places.vocabulary({ beginning: text }, limit, lengths);
    const ending = (text: string, limit = 99, lengths?: { atLeast: number; atMost: number }) =>
      places.vocabulary({ ending: text }, limit, lengths);

    it('has words by their beginning and ending: the best rank first, the shortest, by code point', async () => {
      await servePlaces(documents, spec, [
        aPlace(1, { words: '3pantry 1pan 1pal 0panther 2pa 1food 1foo' }),
        aPlace(2, { words: '1past 3pa é 9pañal 3pa東京 3pa～' }),
      ]);
      const all = ['panther', 'pal', 'pan', 'past', 'pa', 'pa東京', 'pantry', 'pañal'];
      expect(await beginning('pa')).toEqual(all);
      expect(await beginning('pa', 4)).toEqual(all.slice(0, 4));
      expect(await beginning('pan')).toEqual(['panther', 'pan', 'pantry']);
      expect(await beginning('pan', 99, { atLeast: 4, atMost: 6 })).toEqual(['pantry']);
      expect(await beginning('pa', 1, { atLeast: 3, atMost: 3 })).toEqual(['pal']);
      expect(await beginning('pantry')).toEqual(['pantry']);
      expect(await beginning('pantryx')).toEqual([]);
      expect(await ending('an')).toEqual(['pan']);
      expect(await ending('st', 99, { atLeast: 5, atMost: 9 })).toEqual([]);
      expect(await ending('try', 99, { atLeast: 6, atMost: 6 })).toEqual(['pantry']);
      expect(await ending('oo')).toEqual(['foo']);
      expect(await ending('京')).toEqual(['pa東京']);
      expect(await beginning('', 3)).toEqual(['panther', 'foo', 'pal']);
      expect(await ending('', 3)).toEqual(['panther', 'foo', 'pal']);
      expect(await beginning('pa', 0)).toEqual([]);
    });

    it('orders letters beyond the Basic Multilingual Plane after all others, and counts each as one', async () => {
      await servePlaces(documents, spec, [aPlace(1, { words: '1a𐌰 1aﬀ 1aｚ 1a東 1az 1𐌰𐌱𐌲' })]);
      expect(await beginning('a')).toEqual(['az', 'a東', 'aﬀ', 'aｚ', 'a𐌰']);
      expect(await beginning('a𐌰')).toEqual(['a𐌰']);
      expect(await beginning('𐌰', 9, { atLeast: 3, atMost: 3 })).toEqual(['𐌰𐌱𐌲']);
      expect(await ending('𐌱𐌲')).toEqual(['𐌰𐌱𐌲']);
      expect(await ending('𐌰')).toEqual(['a𐌰']);
    });

    it('gives a word the best rank that any document has given it, also later', async () => {
      const writer = await servePlaces(documents, spec, [
        aPlace(1, { words: '3one 2two 2two 1two' }),
        aPlace(2, { words: '2one 1three' }),
      ]);
      expect(await beginning('')).toEqual(['two', 'three', 'one']);
      await writer.load(['place-1', 'place-2']);
      await writer.write([put(aPlace(1, { words: '0one 9two' }), 2n), remove(2, 2n)], 2n);
      expect(await beginning('')).toEqual(['one', 'two', 'three']);
      const later = await (await under.another()).writer(spec, 1);
      await later.write([put(aPlace(3, { words: '5one 0three 0four' }), 3n)], 3n);
      expect(await beginning('')).toEqual(['one', 'four', 'three', 'two']);
    });

    it('has a stamp of the words with a beginning, which changes when one is added and by nothing else', async () => {
      const none = await places.vocabularyStamp('pa');
      const writer = await servePlaces(documents, spec, [aPlace(1, { words: '1pan 1foo' })]);
      const one = await places.vocabularyStamp('pa');
      expect(one).not.toBe(none);
      await writer.load(['place-2', 'place-3']);
      await writer.write([put(aPlace(2, { words: '0pan 1food' }), 2n)], 2n);
      expect(await places.vocabularyStamp('pa')).toBe(one);
      await writer.write([put(aPlace(3, { words: '1past' }), 3n)], 3n);
      expect(await places.vocabularyStamp('pa')).not.toBe(one);
    });

    it('takes no text for anything else than a word', async () => {
      await servePlaces(documents, spec, [
        aPlace(1, {
          words: noTerms
            .map((text) => `1${text}`)
            .filter((text) => text.isWellFormed())
            .join(' '),
        }),
        aPlace(2, { words: `word 1 x1word 12 1Word 1wörd 1${longestTerms[0]} 1${longestTerms[0]}x` }),
      ]);
      const words = new Set(await beginning(''));
      expect(words.size).toBeLessThan(10);
      for (const word of words) expect(word).toMatch(/^[a-zö0-9]{1,100}$/);
      expect(words).toContain('wörd');
      expect(words).toContain(longestTerms[0]);
      for (const text of noTerms.filter((each) => each !== '')) {
        expect(await beginning(text), text.slice(0, 20)).toEqual([]);
        expect(await ending(text), text.slice(0, 20)).toEqual([]);
      }
    });

    it('belongs to its generation', async () => {
      await servePlaces(documents, spec, [aPlace(1, { words: '1old' })]);
      const { generation, writer } = await buildNew(documents, spec, 2);
      await writer.write([put(aPlace(1, { words: '1new' }), 1n)], 1n);
      expect(await beginning('')).toEqual(['old']);
      await writer.finish();
      await documents.serve(spec.name, generation);
      expect(await beginning('')).toEqual(['new']);
      await documents.remove(spec.name);
      expect(await beginning('')).toEqual([]);
      await servePlaces(documents, spec, [aPlace(1, { words: '1again' })]);
      expect(await beginning('')).toEqual(['again']);
    });
  });
}
