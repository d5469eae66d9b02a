import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import type {
  Collection,
  CollectionSpec,
  Documents,
  PageQuery,
  Scalar,
} from '../../src/stores/documents/port.ts';
import {
  aPlace,
  compare,
  layouts,
  placesSpec,
  put,
  remove,
  servePlaces,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';

type Query = PageQuery<Place>;
type Field = Query['orderBy'][number];

/** Every order that the declared indexes serve, with the equalities that may stand before it. */
const orders: readonly {
  readonly where?: NonNullable<Query['where']>;
  readonly orderBy: readonly Field[];
}[] = [
  { orderBy: ['number'] },
  { orderBy: ['name', 'number'] },
  { orderBy: ['rank', 'number'] },
  { orderBy: ['city', 'rank', 'number'] },
  { where: { city: 'Zürich' }, orderBy: ['rank', 'number'] },
  { where: { city: 'Zürich', rank: 0.5 }, orderBy: ['number'] },
  { where: { rank: 2 }, orderBy: ['number'] },
];

const cities = ['Zürich', 'Basel', 'Łódź', 'القاهرة', 'zürich'];
const names = ['Ä', 'a', 'Z', '🏠', '～', '', 'a b', "o'clock"];
const thePlaces: readonly Place[] = Array.from({ length: 61 }, (_, n) =>
  aPlace(n * 3, {
    name: names[n % 8] as string,
    rank: (n % 4) - 1.5 + (n % 2) / 2,
    city: cities[n % 5] as string,
  }),
);

/** Keyset pages, and how a database must serve them: along a declared index, or not at all. */
export function documentPagesContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe.each(layouts)(`the documents contract, ${adapter}: pages, $layout`, ({ clustered }) => {
    let under: DocumentsUnderTest;
    let documents: Documents;
    let spec: CollectionSpec<Place>;
    let places: Collection<Place>;

    beforeEach(async () => {
      under = await open();
      documents = under.documents;
      spec = placesSpec(`places${randomUUID().slice(0, 8)}`, clustered);
      places = documents.collection(spec);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const expected = (
      { where, orderBy, descending }: Omit<Query, 'limit'>,
      places: readonly Place[] = thePlaces,
    ): Place[] =>
      places
        .filter((place) =>
          Object.entries(where ?? {}).every(([field, value]) => place[field as Field] === value),
        )
        .sort((one, other) => {
          const first = orderBy.map((field) => compare(valueOf(one, field), valueOf(other, field)));
          return (first.find((each) => each !== 0) ?? 0) * (descending ? -1 : 1);
        });

    for (const order of orders) {
      for (const descending of [false, true]) {
        const along = [...Object.keys(order.where ?? {}), '→', ...order.orderBy].join(' ');
        const query = { ...order, descending };

        it(`gives every document once along ${along} ${descending ? 'downwards' : 'upwards'}, whatever the page size`, async () => {
          await servePlaces(documents, spec, thePlaces);
          const all = expected(query);
          expect(all.length).toBeGreaterThan(2);
          for (const limit of [1, 2, 7, 61, 1_000]) {
            expect(await following(places, query, limit)).toStrictEqual(all);
          }
        });

        it(`starts along ${along} ${descending ? 'downwards' : 'upwards'} at a value, after a place, or some further on`, async () => {
          await servePlaces(documents, spec, thePlaces);
          const all = expected(query);
          const first = order.orderBy[0] as Field;
          for (const index of [0, Math.floor(all.length / 2), all.length - 1]) {
            const place = all[index] as Place;
            const from = valueOf(place, first);
            const since = all.filter(
              (each) => compare(valueOf(each, first), from) * (descending ? -1 : 1) >= 0,
            );
            const after = order.orderBy.map((field) => valueOf(place, field));
            expect(await places.page({ ...query, from, limit: 99 })).toStrictEqual(since);
            expect(await places.page({ ...query, after, limit: 99 })).toStrictEqual(all.slice(index + 1));
            expect(await places.page({ ...query, from, after, limit: 99 })).toStrictEqual(
              all.slice(index + 1),
            );
            expect(await places.page({ ...query, after, skip: 2, limit: 3 })).toStrictEqual(
              all.slice(index + 3, index + 6),
            );
            expect(await places.page({ ...query, skip: index, limit: 2 })).toStrictEqual(
              all.slice(index, index + 2),
            );
          }
        });
      }
    }

    it('starts at a value that no document has', async () => {
      await servePlaces(documents, spec, thePlaces);
      const numbers = async (query: Partial<Query>) =>
        (await places.page({ orderBy: ['number'], limit: 2, ...query })).map((place) => place.number);
      expect(await numbers({ from: 4 })).toEqual([6, 9]);
      expect(await numbers({ from: 4, descending: true })).toEqual([3, 0]);
      expect(await numbers({ after: [4] })).toEqual([6, 9]);
      expect(await numbers({ from: 1_000 })).toEqual([]);
      expect(await numbers({ skip: 1_000 })).toEqual([]);
      expect(await numbers({ limit: 0 })).toEqual([]);
    });

    it('never misses or doubles a document that was there all along, while others come, change and go', async () => {
      const writer = await servePlaces(documents, spec, thePlaces);
      const other = (await under.another()).collection(spec);
      for (const order of orders.filter(({ where }) => !where)) {
        for (const descending of [false, true]) {
          const seen: number[] = [];
          let after: readonly Scalar[] | undefined;
          for (let round = 0; round < 100; round++) {
            const position = writer.checkpoint + 1n;
            // Passers-by sort all over the place and have numbers that the others have not.
            const passers = Array.from({ length: 8 }, (_, n) =>
              put(
                aPlace(n * 21 + 1, {
                  name: names[(n + round) % 8] as string,
                  rank: (round % 4) - 2,
                  city: cities[n % 5] as string,
                }),
                position,
              ),
            );
            const gone = remove((round % 8) * 21 + 1, position);
            const writing = writer.write(
              [...passers, gone].filter((_, n) => n % 2 === round % 2),
              position,
            );
            const page = await other.page({ ...order, descending, limit: 5, ...(after ? { after } : {}) });
            await writing;
            seen.push(...page.map((place) => place.number).filter((number) => number % 3 === 0));
            const last = page.at(-1);
            if (!last) break;
            after = order.orderBy.map((field) => valueOf(last, field));
          }
          expect(seen).toEqual(expected({ ...order, descending }).map((place) => place.number));
        }
      }
    });

    it('passes over what does not fit further conditions, along the index, in pages and in counts', async () => {
      const cityless = aPlace(1_000, { name: 'Ä', rank: 9 });
      await servePlaces(documents, spec, [...thePlaces, cityless]);
      const conditions: readonly (readonly [
        also: NonNullable<Query['also']>,
        fits: (place: Place) => boolean,
      ])[] = [
        [[{ field: 'name', oneOf: ['Ä', ''] }], ({ name }) => ['Ä', ''].includes(name)],
        [[{ field: 'name', oneOf: [] }], () => false],
        [[{ field: 'name', from: 'a' }], ({ name }) => compare(name, 'a') >= 0],
        [
          [{ field: 'name', from: 'a', before: 'Ä' }],
          ({ name }) => compare(name, 'a') >= 0 && compare(name, 'Ä') < 0,
        ],
        [
          [
            { field: 'name', before: '～' },
            { field: 'city', oneOf: ['Basel', 'Łódź'] },
          ],
          ({ name, city = 'none' }) => compare(name, '～') < 0 && ['Basel', 'Łódź'].includes(city),
        ],
        // Whoever has no city is in none of them.
        [[{ field: 'city', before: 'zz' }], ({ city }) => city !== undefined && compare(city, 'zz') < 0],
      ];
      for (const [also, fits] of conditions)
        for (const descending of [false, true]) {
          const query = { orderBy: ['rank', 'number'], also, descending } as const;
          const all = expected(query, [...thePlaces, cityless]).filter(fits);
          expect(await following(places, query, 7)).toStrictEqual(all);
          expect(await places.page({ ...query, skip: 2, limit: 3 })).toStrictEqual(all.slice(2, 5));
          expect(await places.count({ also })).toBe(all.length);
        }
      const basel = { where: { city: 'Basel' }, also: [{ field: 'name', oneOf: ['a'] }] } as const;
      const inBasel = thePlaces.filter(({ city, name }) => city === 'Basel' && name === 'a');
      expect(await places.count(basel)).toBe(inBasel.length);
      expect(await places.count({ ...basel, atMost: 1 })).toBe(Math.min(1, inBasel.length));
      const unserved = { also: [{ field: 'rank', from: 1 }] } as const;
      await expect(places.page({ ...unserved, orderBy: ['name', 'number'], limit: 1 })).rejects.toMatchObject(
        {
          code: 'misuse',
        },
      );
    });

    it('selects some fields alone, and leaves absent what the document has not', async () => {
      await servePlaces(documents, spec, [aPlace(1), aPlace(2, { city: 'Bern', about: 'x' })]);
      const rows = await places.select({ orderBy: ['number'], limit: 9 }, ['number', 'city']);
      expect(rows.map((row) => ({ ...row }))).toStrictEqual([{ number: 1 }, { number: 2, city: 'Bern' }]);
      const one = await places.select({ where: { city: 'Bern' }, orderBy: ['rank'], limit: 9 }, ['name']);
      expect(one.map((row) => ({ ...row }))).toStrictEqual([{ name: 'Place 2' }]);
    });

    it('finds a document by the value of a field only where it has that field', async () => {
      const writer = await servePlaces(documents, spec, [
        aPlace(1),
        aPlace(2, { city: '' }),
        aPlace(3, { city: 'null' }),
      ]);
      const inCity = (city: string) =>
        places.page({ where: { city }, orderBy: ['rank', 'number'], limit: 9 });
      expect(await inCity('')).toStrictEqual([aPlace(2, { city: '' })]);
      expect(await inCity('null')).toStrictEqual([aPlace(3, { city: 'null' })]);
      await writer.write([put(aPlace(2), 2n), put(aPlace(1, { city: 'Bern' }), 2n)], 2n);
      expect(await inCity('')).toEqual([]);
      expect(await inCity('Bern')).toStrictEqual([aPlace(1, { city: 'Bern' })]);
      expect(await places.count({ where: { city: 'Bern' } })).toBe(1);
    });

    it('counts all documents, or those that equal along the beginning of an index', async () => {
      await servePlaces(documents, spec, thePlaces);
      expect(await places.count({})).toBe(61);
      expect(await places.count({ where: { city: 'Basel' } })).toBe(
        thePlaces.filter((each) => each.city === 'Basel').length,
      );
      expect(await places.count({ where: { rank: 2, city: 'Basel' } })).toBe(
        thePlaces.filter((each) => each.city === 'Basel' && each.rank === 2).length,
      );
      expect(await places.count({ where: { city: 'basel' } })).toBe(0);
      expect(await places.count({ where: { number: 3 } })).toBe(1);
    });

    it('counts no further than it is asked to', async () => {
      await servePlaces(documents, spec, thePlaces);
      const inBasel = thePlaces.filter((each) => each.city === 'Basel').length;
      expect(inBasel).toBeGreaterThan(3);
      for (const [atMost, counted] of [
        [1, 1],
        [3, 3],
        [inBasel, inBasel],
        [inBasel + 1, inBasel],
        [1_000, inBasel],
      ] as const) {
        expect(await places.count({ where: { city: 'Basel' }, atMost })).toBe(counted);
      }
      expect(await places.count({ atMost: 60 })).toBe(60);
    });

    it('takes a value for a value, whatever stands in it', async () => {
      const hostile = [`' OR 1=1 --`, `"`, '$ne', '{"$gt":""}', '%', 'x\u0000y', 'x'];
      await servePlaces(
        documents,
        spec,
        hostile.map((name, number) => aPlace(number, { name })),
      );
      for (const [number, name] of hostile.entries()) {
        expect(await places.page({ where: { name }, orderBy: ['number'], limit: 9 })).toStrictEqual([
          aPlace(number, { name }),
        ]);
      }
      expect(await places.count({ where: { name: `' OR '1'='1` } })).toBe(0);
    });

    it('refuses a page or a count that no declared index serves', async () => {
      await servePlaces(documents, spec, [aPlace(1)]);
      const refused: Omit<Query, 'limit'>[] = [
        { orderBy: ['about'] },
        { orderBy: ['number', 'name'] },
        { orderBy: ['city', 'number'] },
        { where: { name: 'x' }, orderBy: ['rank'] },
        { where: { city: 'x' }, orderBy: ['number'] },
        { where: { rank: 1 }, orderBy: ['city'] },
        { orderBy: ['name"; --' as 'name'] },
      ];
      for (const query of refused) {
        await expect(places.page({ ...query, limit: 1 }), JSON.stringify(query)).rejects.toMatchObject({
          code: 'misuse',
        });
        await expect(places.select({ ...query, limit: 1 }, ['name'])).rejects.toMatchObject({
          code: 'misuse',
        });
      }
      await expect(places.count({ where: { about: 'x' } })).rejects.toMatchObject({ code: 'misuse' });
      await expect(places.count({ where: { name: 'x', city: 'x' } })).rejects.toMatchObject({
        code: 'misuse',
      });
    });

    it('refuses a place that has not one value for each field of the order', async () => {
      await servePlaces(documents, spec, [aPlace(1)]);
      for (const after of [[], ['x'], ['x', 1, 2]]) {
        const page = places.page({ orderBy: ['name', 'number'], after, limit: 1 });
        await expect(page).rejects.toMatchObject({ code: 'misuse' });
      }
    });
  });
}

const valueOf = (place: Place, field: Field): Scalar => place[field] as Scalar;

/** All pages one after another, each after the last document of the one before. */
async function following(
  places: Collection<Place>,
  query: Omit<Query, 'limit'>,
  limit: number,
): Promise<Place[]> {
  const all: Place[] = [];
  while (all.length <= thePlaces.length) {
    const last = all.at(-1);
    const after = last && { after: query.orderBy.map((field) => valueOf(last, field)) };
    const page = await places.page({ ...query, ...after, limit });
    expect(page.length).toBeLessThanOrEqual(limit);
    if (page.length === 0) break;
    all.push(...page);
  }
  return all;
}
