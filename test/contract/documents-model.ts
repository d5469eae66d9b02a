import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Change, Collection, Documents, Stored, TermQuery } from '../../src/stores/documents/port.ts';
import {
  aPlace,
  buildNew,
  compare,
  layouts,
  placeId,
  placesSpec,
  type DocumentsUnderTest,
  type Place,
} from './places.ts';
import { until } from '../support/until.ts';

const aTerm = fc.constantFrom('nfood', 'dfood', 'nviet', 'nمركز', 'z12', 'no term', '-');
const someTerms = fc.array(aTerm, { maxLength: 4 });
const someGroups = fc.array(fc.array(aTerm, { maxLength: 3 }), { minLength: 1, maxLength: 3 });

const someChange = fc.record({
  number: fc.nat({ max: 7 }),
  position: fc.bigInt({ min: 1n, max: 40n }),
  rest: fc.option(
    fc.record(
      {
        name: fc.constantFrom('a', 'Z', 'é', '🏠', '～', 'food foot', ''),
        rank: fc.oneof(fc.integer({ min: -2, max: 2 }), fc.constantFrom(0.5, 1e15)),
        city: fc.constantFrom('', 'A', 'a'),
        terms: someTerms.map((terms) => terms.join(' ')),
      },
      { requiredKeys: ['name', 'rank', 'terms'] },
    ),
    { nil: undefined },
  ),
});
const someBatches = fc.array(fc.array(someChange, { maxLength: 8 }), { minLength: 1, maxLength: 8 });
const somePage = fc.record({
  limit: fc.integer({ min: 1, max: 4 }),
  descending: fc.boolean(),
  order: fc.constantFrom('number', 'name', 'rank', 'city'),
  matching: fc.option(
    fc.record(
      { every: someGroups, except: fc.array(someGroups, { maxLength: 2 }) },
      { requiredKeys: ['every'] },
    ),
    { nil: undefined },
  ),
});

/** Any sequence of changes, compared with the plainest thing that can hold documents. */
export function documentModelContract(adapter: string, open: () => Promise<DocumentsUnderTest>): void {
  describe.each(layouts)(`the documents contract, ${adapter}: against a model, $layout`, ({ clustered }) => {
    let under: DocumentsUnderTest;
    let other: Documents;

    beforeAll(async () => {
      under = await open();
      other = await under.another();
    });
    afterAll(async () => {
      await under.dispose();
    });

    it(
      'answers as a map of documents would after any sequence of changes',
      { timeout: 300_000 },
      async () => {
        await fc.assert(
          fc.asyncProperty(
            someBatches,
            fc.array(somePage, { maxLength: 6 }),
            fc.nat(),
            async (batches, pages, finishAt) => {
              const spec = placesSpec(`places${randomUUID()}`, clustered);
              const { generation, writer } = await buildNew(under.documents, spec);
              await under.documents.serve(spec.name, generation);
              const model = new Map<string, Stored<Place>>();
              for (const [index, batch] of batches.entries()) {
                const changes = batch.map(({ number, position, rest }): Change<Place> => {
                  return { id: placeId(number), doc: rest && aPlace(number, rest), position };
                });
                await writer.write(changes, BigInt(index));
                for (const change of changes) apply(model, change);
                if (index === finishAt % batches.length) await writer.finish();
                await sameAsModel(under.documents.collection(spec), model, pages);
              }
              expect(new Map(await writer.load([...model.keys()]))).toStrictEqual(model);
              const checkpoint = BigInt(batches.length - 1);
              await until(async () =>
                (await other.progress()).get(spec.name)?.checkpoint === checkpoint ? true : undefined,
              );
              await sameAsModel(other.collection(spec), model, pages);
              await under.documents.serve(spec.name, (await under.documents.build(spec, 2)).generation);
            },
          ),
          { numRuns: 60 },
        );
      },
    );
  });
}

function apply(model: Map<string, Stored<Place>>, { id, doc, position }: Change<Place>): void {
  const before = model.get(id);
  if (!before || position > before.position) model.set(id, { doc, position });
}

async function sameAsModel(
  places: Collection<Place>,
  model: ReadonlyMap<string, Stored<Place>>,
  pages: readonly (typeof somePage extends fc.Arbitrary<infer Page> ? Page : never)[],
): Promise<void> {
  const alive = [...model.values()].flatMap(({ doc }) => doc ?? []);
  const ids = Array.from({ length: 9 }, (_, number) => placeId(number));
  const one = await Promise.all(ids.map((id) => places.get(id)));
  expect(one).toStrictEqual(ids.map((id) => model.get(id)?.doc));
  const many = await places.getMany(ids);
  expect([...many.keys()].sort()).toEqual(alive.map(({ number }) => placeId(number)).sort());
  expect(await places.count({})).toBe(alive.length);
  for (const { order, limit, descending, matching } of pages) {
    for (const city of order === 'city' ? ['', 'A', 'a', 'b'] : [undefined]) {
      const where = city === undefined ? {} : { city };
      const narrowed = { where, ...(matching ? { matching } : {}) };
      const wanted = alive.filter(
        (place) => (city === undefined || place.city === city) && matches(place, matching),
      );
      expect(await places.count(narrowed)).toBe(wanted.length);
      const orderBy =
        order === 'city'
          ? (['rank', 'number'] as const)
          : order === 'number'
            ? (['number'] as const)
            : ([order, 'number'] as const);
      wanted.sort((one, another) => {
        const first =
          orderBy.map((field) => compare(one[field], another[field])).find((each) => each !== 0) ?? 0;
        return descending ? -first : first;
      });
      const found: Place[] = [];
      while (found.length <= wanted.length) {
        const last = found.at(-1);
        const after = last && { after: orderBy.map((field) => last[field]) };
        const page = await places.page({ ...narrowed, orderBy, descending, limit, ...after });
        found.push(...page);
        if (page.length < limit) break;
      }
      expect(found).toStrictEqual(wanted);
    }
  }
}

function matches(place: Place, matching: TermQuery | undefined): boolean {
  const there = place.terms?.split(' ').filter((term) => /^[\p{L}\p{N}]+$/u.test(term)) ?? [];
  const hasEach = (groups: readonly (readonly string[])[]) =>
    groups.every((group) => group.some((term) => there.includes(term)));
  return !matching || (hasEach(matching.every) && !(matching.except ?? []).some(hasEach));
}
