import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { mergeThreeWay } from '../../../src/commands/directory/three-way.ts';

interface Fields {
  readonly a?: number;
  readonly b?: number;
  readonly c?: number;
}
const value = fc.option(fc.nat(2), { nil: undefined });
const fields = fc
  .record({ a: value, b: value, c: value })
  .map((all) => JSON.parse(JSON.stringify(all)) as Fields);

describe('a three-way merge', () => {
  it('keeps what stands where the source says the same, and takes the source where nobody has changed', () => {
    const base = { a: 1, b: 1, c: 1 };
    expect(mergeThreeWay({ base, theirs: { a: 2, b: 1 }, mine: { a: 1, b: 3, c: 1 } })).toEqual({
      fields: { a: 2, b: 3 },
      conflicts: [],
    });
  });

  it('keeps what stands in a conflict, and names the three, unless it is to be taken', () => {
    const ways = { base: { a: 1 }, theirs: { a: 2 }, mine: { a: 3 } };
    const conflict = { field: 'a', before: 1, theirs: 2, mine: 3 };
    expect(mergeThreeWay(ways)).toEqual({
      fields: { a: 3 },
      conflicts: [{ ...conflict, resolved: 'kept' }],
    });
    expect(mergeThreeWay(ways, () => 'take')).toEqual({
      fields: { a: 2 },
      conflicts: [{ ...conflict, resolved: 'taken' }],
    });
  });

  it('merges fields that belong together as one', () => {
    const ways = { base: { a: 1, b: 1 }, theirs: { a: 2, b: 1 }, mine: { a: 1, b: 3 } };
    expect(mergeThreeWay<Fields>(ways).fields).toEqual({ a: 2, b: 3 });
    expect(mergeThreeWay<Fields>(ways, undefined, [['a', 'b']]).fields).toEqual({ a: 1, b: 3 });
    expect(mergeThreeWay<Fields>(ways, () => 'take', [['a', 'b']]).fields).toEqual({ a: 2, b: 1 });
  });

  it('is what stands where the source says the same, what the source says where nothing was changed, and repeats itself', () => {
    fc.assert(
      fc.property(fields, fields, fields, (base, theirs, mine) => {
        expect(mergeThreeWay({ base, theirs: base, mine }).fields).toEqual(mine);
        expect(mergeThreeWay({ base, theirs, mine: base }).fields).toEqual(theirs);
        const { fields: merged } = mergeThreeWay({ base, theirs, mine });
        expect(mergeThreeWay({ base: theirs, theirs, mine: merged })).toEqual({
          fields: merged,
          conflicts: [],
        });
        expect(mergeThreeWay({ base, theirs, mine }, () => 'take').fields).toMatchObject(
          Object.fromEntries(Object.entries(theirs).filter(([name, now]) => base[name as 'a'] !== now)),
        );
      }),
    );
  });
});
