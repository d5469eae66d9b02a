import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Collection, CollectionSpec, Documents, TermQuery } from '../../src/stores/documents/port.ts';
import { aPlace, layouts, put, remove, servePlaces, type DocumentsUnderTest, type Place } from './places.ts';
import { longestTerms, noTerms, operators, termsSpec } from './term-texts.ts';

/** The terms of the places 0, 1, 2, … */
const termsOf = [
  'nfood npantry kfood z33101',
  'nfood nbank nfoodbank kfood',
  'nclinica dfood khealth z33101',
  'n東京 nสวัสดี nпитание n𐌰𐌱 nß',
  'khealth d1 d12 d123',
  '',
  '  kgoods   kgoods  nfood ',
];

const found: readonly (readonly [what: string, query: TermQuery, numbers: readonly number[]])[] = [
  ['a term', { every: [['kfood']] }, [0, 1]],
  ['no part of a term', { every: [['d12']] }, [4]],
  ['no beginning of a term', { every: [['nfoo']] }, []],
  ['one of several terms', { every: [['kgoods', 'khealth']] }, [2, 4, 6]],
  ['a term of each group', { every: [['nfood'], ['z33101']] }, [0]],
  [
    'one of several terms of each group',
    {
      every: [
        ['nfood', 'dfood'],
        ['z33101', 'kgoods'],
      ],
    },
    [0, 2, 6],
  ],
  ['the same term twice as once', { every: [['nfood', 'nfood'], ['nfood']] }, [0, 1, 6]],
  ['nothing by an empty group', { every: [['nfood'], []] }, []],
  ['nothing by a term that nobody has', { every: [['nfood'], ['nnobody']] }, []],
  ['all but what matches a query', { every: [['nfood']], except: [[['kfood']]] }, [6]],
  [
    'all but what matches each group of a query',
    { every: [['nfood']], except: [[['kfood'], ['z33101']]] },
    [1, 6],
  ],
  [
    'all but what matches one of several queries',
    { every: [['nfood', 'khealth']], except: [[['npantry', 'nbank']], [['d1'], ['d12', 'x']]] },
    [2, 6],
  ],
  [
    'all where a query to leave out has an empty group',
    { every: [['kfood']], except: [[['nfood'], []]] },
    [0, 1],
  ],
  ['all where nothing is to be left out', { every: [['kfood']], except: [] }, [0, 1]],
  ['nothing where everything is left out', { every: [['kfood']], except: [[['kfood']]] }, []],
  ['Chinese', { every: [['n東京']] }, [3]],
  ['Thai', { every: [['nสวัสดี'], ['n東京']] }, []],
  ['Cyrillic', { every: [['nпитание']] }, [3]],
  ['letters beyond the Basic Multilingual Plane', { every: [['n𐌰𐌱']] }, [3]],
  ['no other letters beyond the Basic Multilingual Plane', { every: [['n𐌰𐌲']] }, []],
  ['a term apart from that without its accent', { every: [['nclínica']] }, []],
  ['sharp s apart from double s', { every: [['nss']] }, []],
];

/** Search by terms, exactly as `TermQuery` says. */
export function documentTermsContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe.each(layouts)(`the documents contract, ${adapter}: terms, $layout`, ({ clustered }) => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;
    let places: Collection<Place>;

    beforeAll(async () => {
      under = await open();
      documents = under.documents;
    });
    afterAll(async () => {
      await under.dispose();
    });
    beforeEach(() => {
      spec = termsSpec(`terms${randomUUID().slice(0, 8)}`, clustered);
      places = documents.collection(spec);
    });

    const search = async (matching: TermQuery) =>
      (await places.page({ orderBy: ['number'], matching, limit: 99 })).map((place) => place.number);
    const having = (...terms: string[]) => search({ every: [terms] });

    describe('finds', () => {
      let served: Collection<Place>;

      beforeAll(async () => {
        const shared = termsSpec(`terms${randomUUID().slice(0, 8)}`, clustered);
        await servePlaces(
          documents,
          shared,
          termsOf.map((terms, number) => aPlace(number, { terms })),
        );
        served = documents.collection(shared);
      });

      it.each(found)('%s', async (_what, matching, numbers) => {
        const page = await served.page({ orderBy: ['number'], matching, limit: 99 });
        expect(page).toStrictEqual(numbers.map((number) => aPlace(number, { terms: termsOf[number] ?? '' })));
        expect(await served.count({ matching })).toBe(numbers.length);
        expect(await served.count({ matching, atMost: 1 })).toBe(Math.min(1, numbers.length));
        const ranked = { orderBy: ['rank', 'number'], matching, limit: 99 } as const;
        const sorted = page.toSorted((one, other) => one.rank - other.rank || one.number - other.number);
        expect(await served.page({ ...ranked, inOrder: true })).toStrictEqual(sorted);
        expect(await served.page({ ...ranked, among: true })).toStrictEqual(sorted);
        expect(await served.page({ ...ranked, among: true, skip: 1, limit: 2 })).toStrictEqual(
          sorted.slice(1, 3),
        );
        expect(await served.count({ matching, among: true })).toBe(numbers.length);
        const also = [{ field: 'name', before: 'Place 4' }] as const;
        const before = sorted.filter(({ name }) => name < 'Place 4');
        for (const among of [{}, { among: true }] as const) {
          expect(await served.page({ ...ranked, ...among, also })).toStrictEqual(before);
          expect(await served.count({ matching, ...among, also })).toBe(before.length);
        }
      });

      it('pages forwards and backwards, from a place, past some, in the order of the numbers', async () => {
        const numbers = async (query: Partial<Parameters<typeof served.select>[0]>) =>
          (
            await served.select(
              { orderBy: ['number'], matching: { every: [['nfood', 'khealth']] }, limit: 99, ...query },
              ['number'],
            )
          ).map((place) => ({ ...place }));
        expect(await numbers({})).toStrictEqual([0, 1, 2, 4, 6].map((number) => ({ number })));
        expect(await numbers({ limit: 2 })).toStrictEqual([{ number: 0 }, { number: 1 }]);
        expect(await numbers({ limit: 0 })).toStrictEqual([]);
        expect(await numbers({ after: [1], limit: 2 })).toStrictEqual([{ number: 2 }, { number: 4 }]);
        expect(await numbers({ after: [1], skip: 1, limit: 1 })).toStrictEqual([{ number: 4 }]);
        expect(await numbers({ from: 4 })).toStrictEqual([{ number: 4 }, { number: 6 }]);
        expect(await numbers({ descending: true, limit: 2 })).toStrictEqual([{ number: 6 }, { number: 4 }]);
        expect(await numbers({ descending: true, after: [4] })).toStrictEqual(
          [2, 1, 0].map((number) => ({ number })),
        );
        expect(await numbers({ descending: true, from: 2, skip: 1 })).toStrictEqual([
          { number: 1 },
          { number: 0 },
        ]);
        expect(await numbers({ after: [6] })).toStrictEqual([]);
      });

      it('pages in the order of an index, up to a place', async () => {
        const ranked = { orderBy: ['rank', 'number'], matching: { every: [['nfood', 'khealth']] } } as const;
        for (const inOrder of [{}, { inOrder: true }, { among: true }] as const) {
          const numbers = async (query: Partial<Parameters<typeof served.select>[0]>) =>
            (await served.select({ ...ranked, ...inOrder, limit: 99, ...query }, ['number'])).map(
              ({ number }) => number,
            );
          // Their ranks are 0, 0, 1, 1, 2.
          expect(await numbers({})).toEqual([0, 6, 1, 4, 2]);
          expect(await numbers({ upTo: [1, 1] })).toEqual([0, 6, 1]);
          expect(await numbers({ upTo: [1, 3] })).toEqual([0, 6, 1]);
          expect(await numbers({ after: [0, 0], upTo: [1, 4] })).toEqual([6, 1, 4]);
          expect(await numbers({ after: [0, 0], upTo: [1, 4], limit: 2 })).toEqual([6, 1]);
          expect(await numbers({ from: 1, upTo: [1, 9] })).toEqual([1, 4]);
          expect(await numbers({ descending: true, upTo: [1, 1] })).toEqual([2, 4, 1]);
          expect(await numbers({ descending: true, after: [2, 2], upTo: [0, 6], skip: 1 })).toEqual([1, 6]);
          const where = { where: { rank: 1 }, orderBy: ['number'], upTo: [3] } as const;
          expect(await numbers(where)).toEqual([1]);
        }
        const all = await served.select({ orderBy: ['number'], upTo: [3], limit: 9 }, ['number']);
        expect(all.map(({ number }) => number)).toEqual([0, 1, 2, 3]);
        for (const wrong of [{ upTo: [1] }, { orderBy: ['city', 'number'], inOrder: true }] as const)
          await expect(served.page({ ...ranked, limit: 9, ...wrong })).rejects.toMatchObject({
            code: 'misuse',
          });
        await expect(
          served.page({ ...ranked, inOrder: true, matching: { every: [] }, limit: 9 }),
        ).rejects.toMatchObject({ code: 'misuse' });
      });

      it('takes a query of eight groups of 64 terms, and leaves out eight of the same size', async () => {
        const group = (first: string) => [first, ...Array.from({ length: 63 }, (_, n) => `${first}${n}x`)];
        const groups = (first: string) => Array.from({ length: 8 }, () => group(first));
        const except = Array.from({ length: 8 }, (_, n) => groups(n === 7 ? 'npantry' : `none${n}`));
        const page = await served.page({
          orderBy: ['number'],
          matching: { every: groups('nfood'), except },
          limit: 9,
        });
        expect(page.map(({ number }) => number)).toEqual([1, 6]);
      });

      it('takes groups of thousands of terms, and thousands of groups', async () => {
        const many = Array.from({ length: 3_000 }, (_, n) => `none${n}`);
        expect(await served.count({ matching: { every: [[...many, 'kgoods']] } })).toBe(1);
        expect(await served.count({ matching: { every: [['nfood'], ...many.map(() => ['kfood'])] } })).toBe(
          2,
        );
        const except = many.map((term) => [[term], ['nfood']]);
        expect(
          await served.count({ matching: { every: [['nfood']], except: [...except, [['kfood']]] } }),
        ).toBe(1);
      });
    });

    it('takes no text for anything else than a term', async () => {
      await servePlaces(documents, spec, [
        aPlace(1, { terms: [...noTerms.filter((text) => text.isWellFormed()), 'nfood'].join(' ') }),
        aPlace(2, { terms: [...longestTerms, ...operators].join(' ') }),
        aPlace(3, { terms: 'nfood' }),
      ]);
      const wanted = new Map<string, number[]>([...longestTerms, ...operators].map((term) => [term, [2]]));
      for (const text of [...noTerms, ...wanted.keys()]) {
        expect(await having(text), text.slice(0, 20)).toEqual(wanted.get(text) ?? []);
        expect(await search({ every: [['nfood', text]], except: [[[text]]] })).toEqual([1, 3]);
      }
      const kept = await documents.collection(spec).get('place-1');
      expect(kept?.terms).toContain('"nfood"');
      expect(await having('nfood', 'kfood')).toEqual([1, 3]);
    });

    it('finds a document by the terms that it has now', async () => {
      const writer = await servePlaces(documents, spec, [aPlace(1, { terms: 'a1 b1', words: '1one' })]);
      await writer.load(['place-1', 'place-2']);
      await writer.write([put(aPlace(1, { terms: 'a2 b1' }), 2n), put(aPlace(2, { terms: 'a2' }), 2n)], 2n);
      expect([await having('a1'), await having('a2'), await having('b1')]).toEqual([[], [1, 2], [1]]);
      await writer.load(['place-1']);
      await writer.write([put(aPlace(1, { terms: 'a2 b1', rank: 9 }), 3n)], 3n);
      expect([await having('a2'), await having('b1')]).toEqual([[1, 2], [1]]);
      // Not loaded before.
      await writer.write([put(aPlace(1, { terms: 'a3' }), 4n), remove(2, 4n)], 4n);
      expect([await having('a2'), await having('b1'), await having('a3')]).toEqual([[], [], [1]]);
      await writer.load(['place-1']);
      await writer.write([put(aPlace(1), 5n)], 5n);
      expect([await having('a3'), await places.count({ matching: { every: [['a3']] } })]).toEqual([[], 0]);
      await writer.load(['place-1', 'place-2']);
      await writer.write([put(aPlace(1, { terms: 'a4' }), 6n), put(aPlace(2, { terms: 'a4' }), 6n)], 6n);
      expect(await having('a4')).toEqual([1, 2]);
    });

    it('does not go back to the terms of an earlier change, nor mixes those of one batch', async () => {
      const writer = await servePlaces(documents, spec);
      await writer.load(['place-1']);
      const named = (terms: string) => aPlace(1, { terms });
      await writer.write([put(named('a1 b'), 5n), put(named('a3 b'), 7n), put(named('a2 b'), 6n)], 7n);
      expect([await having('a1'), await having('a2'), await having('a3', 'b')]).toEqual([[], [], [1]]);
      await writer.load(['place-1']);
      await writer.write([put(named('a9'), 6n)], 8n);
      expect([await having('a9'), await having('a3')]).toEqual([[], [1]]);
    });

    it('combines terms with equality and other orders', async () => {
      await servePlaces(
        documents,
        spec,
        Array.from({ length: 20 }, (_, n) =>
          aPlace(n, { terms: n % 2 ? 'nodd' : 'neven', city: n % 4 < 2 ? 'Bern' : 'Genf' }),
        ),
      );
      const odd = { every: [['nodd']] };
      const numbers = async (query: Partial<Parameters<typeof places.page>[0]>) =>
        (await places.page({ orderBy: ['number'], matching: odd, limit: 99, ...query })).map(
          (place) => place.number,
        );
      expect(await numbers({ where: { city: 'Bern', rank: 1 } })).toEqual([1, 13]);
      expect(await numbers({ where: { city: 'Bern' }, orderBy: ['rank', 'number'], after: [0, 9] })).toEqual([
        1, 13, 5, 17,
      ]);
      expect(await numbers({ orderBy: ['rank', 'number'], descending: true, limit: 2 })).toEqual([17, 11]);
      expect(await places.count({ where: { city: 'Bern' }, matching: odd })).toBe(5);
    });

    it('refuses a query without a group, and one of a collection without terms', async () => {
      const silent: CollectionSpec<Place> = {
        name: `${spec.name}silent`,
        fields: ['number', 'rank'],
        indexes: [['number']],
      };
      await servePlaces(documents, silent, [aPlace(1)]);
      await servePlaces(documents, spec, [aPlace(1)]);
      const misuse = { code: 'misuse' };
      const matching = { every: [['a']] };
      const mute = documents.collection(silent);
      await expect(mute.page({ orderBy: ['number'], matching, limit: 1 })).rejects.toMatchObject(misuse);
      await expect(mute.count({ matching })).rejects.toMatchObject(misuse);
      await expect(mute.vocabulary({ beginning: 'a' }, 1)).rejects.toMatchObject(misuse);
      await expect(search({ every: [] })).rejects.toMatchObject(misuse);
      await expect(places.count({ matching: { every: [] } })).rejects.toMatchObject(misuse);
      await expect(search({ every: [['a']], except: [[]] })).rejects.toMatchObject(misuse);
      const undeclared = places.page({ orderBy: ['city'], matching, limit: 1, where: { name: 'x' } });
      await expect(undeclared).rejects.toMatchObject(misuse);
    });

    it('pages by the clustering field without a declared index', async () => {
      const bare: CollectionSpec<Place> = { ...spec, name: `${spec.name}bare`, indexes: [] };
      await servePlaces(
        documents,
        bare,
        [3, 1, 2].map((number) => aPlace(number, { terms: 'a' })),
      );
      const page = documents
        .collection(bare)
        .select({ orderBy: ['number'], matching: { every: [['a']] }, after: [1], limit: 9 }, [
          'number',
          'name',
        ]);
      if (!clustered) await expect(page).rejects.toMatchObject({ code: 'misuse' });
      else {
        expect((await page).map((row) => ({ ...row }))).toStrictEqual([
          { number: 2, name: 'Place 2' },
          { number: 3, name: 'Place 3' },
        ]);
      }
    });
  });
}
