import { hash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  compareLeaves,
  type Difference,
  type ExpectedLeaves,
  type LeafBatch,
} from '../../../src/audit/verify/compare-leaves.ts';

const hashOf = (name: string): Buffer => hash('sha256', name, 'buffer');

const leaves = (names: readonly string[]): ExpectedLeaves => ({
  size: names.length,
  // Tiles end where they end, whatever was asked for.
  read: async (from, count) =>
    Buffer.concat(names.slice(from, Math.min(from + count, (Math.floor(from / 7) + 1) * 7)).map(hashOf)),
});

async function* found(names: readonly string[], batch: number): AsyncGenerator<LeafBatch<string>> {
  for (let from = 0; from < names.length; from += batch) {
    const some = names.slice(from, from + batch);
    yield { hashes: Buffer.concat(some.map(hashOf)), refOf: (place) => some[place] as string };
  }
}

const numbered = (count: number, name = 'event'): string[] =>
  Array.from({ length: count }, (_, n) => `${name} ${n}`);

async function compared(actual: readonly string[], expected: readonly string[], batch = 100) {
  const { differences, ...rest } = await compareLeaves(found(actual, batch), leaves(expected));
  return { ...rest, differences: differences.map(told) };
}

function told(difference: Difference<string>): string {
  switch (difference.kind) {
    case 'missing':
      return `missing ${difference.index}${difference.expected.length > 1 ? ` to ${difference.index + difference.expected.length - 1}` : ''}`;
    case 'changed':
      return `changed ${difference.index} to ${difference.found.ref}`;
    case 'added':
      return `added ${difference.found.ref} before ${difference.index}`;
    case 'moved':
    case 'duplicated':
      return `${difference.kind} ${difference.index} before ${difference.before}`;
  }
}

const log = numbered(1_000);

describe('leaves that are compared with those that there must be', () => {
  it('have no differences when they are equal', async () => {
    expect(await compared(log, log)).toEqual({ differences: [], beyond: 0, brokenOff: false });
    expect(await compared([], [])).toEqual({ differences: [], beyond: 0, brokenOff: false });
  });

  it('are counted when they go on beyond those that are expected', async () => {
    expect(await compared([...log, 'a', 'b'], log)).toEqual({ differences: [], beyond: 2, brokenOff: false });
  });

  it.each([
    ['changed', log.with(500, 'other'), ['changed 500 to other']],
    ['changed at both ends', log.with(0, 'a').with(999, 'b'), ['changed 0 to a', 'changed 999 to b']],
    ['left out', log.toSpliced(500, 1), ['missing 500']],
    ['left out at the end', log.slice(0, 998), ['missing 998 to 999']],
    ['added', log.toSpliced(500, 0, 'other'), ['added other before 500']],
    ['duplicated', log.toSpliced(501, 0, 'event 500'), ['added event 500 before 501']],
    ['duplicated far behind', log.toSpliced(900, 0, 'event 5'), ['added event 5 before 900']],
    ['duplicated far before', log.toSpliced(5, 0, 'event 900'), ['duplicated 900 before 5']],
    ['swapped with the next', log.with(500, 'event 501').with(501, 'event 500'), ['moved 501 before 500']],
    [
      'swapped far away',
      log.with(100, 'event 900').with(900, 'event 100'),
      ['moved 900 before 100', 'moved 100 before 900'],
    ],
    ['moved back', log.toSpliced(500, 1).toSpliced(700, 0, 'event 500'), ['moved 500 before 701']],
    ['moved ahead', log.toSpliced(700, 1).toSpliced(500, 0, 'event 700'), ['moved 700 before 500']],
    [
      'several at once',
      log.toSpliced(800, 1).toSpliced(500, 0, 'other').with(20, 'else'),
      ['changed 20 to else', 'added other before 500', 'missing 800'],
    ],
  ])('are named when one is %s', async (_, actual, differences) => {
    for (const batch of [1, 100, 5_000])
      expect((await compared(actual, log, batch)).differences).toEqual(differences);
  });

  it('are aligned again after more are missing, or added, than the window holds', async () => {
    const long = numbered(30_000);
    const without = await compared(long.toSpliced(1_000, 10_000), long, 1_000);
    expect(without.differences).toEqual(['missing 1000 to 10999']);
    const more = await compared(long.toSpliced(1_000, 0, ...numbered(900, 'other')), long, 1_000);
    expect(more.differences).toHaveLength(900);
  });

  it('are moved, not changed, when they are swapped over more than the window', async () => {
    const long = numbered(30_000);
    const swapped = long.with(10, 'event 29000').with(29_000, 'event 10');
    expect((await compared(swapped, long, 1_000)).differences).toEqual([
      'moved 29000 before 10',
      'moved 10 before 29000',
    ]);
  });

  it('of another log end the comparison', async () => {
    const { brokenOff, differences } = await compared(numbered(20_000, 'other'), numbered(20_000), 1_000);
    expect(brokenOff).toBe(true);
    expect(differences).toHaveLength(1_000);
  });

  it('have a difference exactly when they differ', async () => {
    const edit = fc.record({
      kind: fc.constantFrom('drop', 'double', 'swap', 'change', 'add'),
      at: fc.nat(59),
      to: fc.nat(59),
    });
    await fc.assert(
      fc.asyncProperty(
        fc.array(edit, { maxLength: 5 }),
        fc.integer({ min: 1, max: 20 }),
        async (edits, batch) => {
          const before = numbered(60);
          const after = [...before];
          for (const [n, { kind, ...places }] of edits.entries()) {
            // Others may have been dropped before: within what is left.
            const [at, to] = [places.at % after.length, places.to % after.length];
            if (kind === 'drop') after.splice(at, 1);
            if (kind === 'double') after.splice(to, 0, after[at] ?? 'double');
            if (kind === 'swap') [after[at], after[to]] = [after[to] ?? 'x', after[at] ?? 'y'];
            if (kind === 'change') after[at] = `changed ${n}`;
            if (kind === 'add') after.splice(at, 0, `added ${n}`);
          }
          const same = before.every((name, n) => after[n] === name);
          const { differences } = await compared(after, before, batch);
          expect(differences.length === 0).toBe(same);
        },
      ),
    );
  });
});
