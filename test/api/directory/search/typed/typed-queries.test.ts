import { describe, expect, it } from 'vitest';
import { searchedDirectory } from '../searched-directory.ts';
import { typedOnes, type Half, type TypedOne } from './half.ts';

/** Folders of datapackages, separated by colons: as SEARCH_DATA, the project does not depend on them. */
const folders = (process.env['JUDGED_DATA'] ?? '').split(':').filter((folder) => folder !== '');

const aims: readonly (readonly [of: string, share: number, isOf: (one: TypedOne) => boolean])[] = [
  ['all', 0.93, () => true],
  ['sentences', 0.85, ({ kind }) => kind === 'sentence'],
  ['Haitian Creole', 0.85, ({ kind }) => kind === 'Creole'],
];

describe('what people type', () => {
  it('is in two halves of about the same size', () => {
    const sizes = (['tuned', 'unseen'] as const).map(
      (half: Half) => typedOnes.filter((one) => one.half === half).length,
    );
    expect(typedOnes.length).toBeGreaterThanOrEqual(150);
    for (const size of sizes) expect(size / typedOnes.length).toBeGreaterThan(0.4);
    expect(new Set(typedOnes.map(({ text }) => text)).size).toBe(typedOnes.length);
  });

  it.skipIf(folders.length === 0).each(folders)(
    'finds among the first five what a person would take, also in the half that nobody looks at: %s',
    async (folder) => {
      await using directory = await searchedDirectory(folder, {}, () => new Date('2026-03-03T15:00:00Z'));
      for (const half of ['tuned', 'unseen'] as const) {
        const answered = new Map<TypedOne, boolean>();
        for (const one of typedOnes) {
          const accepted = new Set(directory.records.filter(one.rule).map(({ id }) => id));
          if (one.half !== half || accepted.size === 0) continue;
          answered.set(
            one,
            (await directory.firstFive(one.text)).some((id) => accepted.has(id)),
          );
        }
        for (const [of, share, isOf] of aims) {
          const some = [...answered].filter(([one]) => isOf(one)).map(([, found]) => found);
          expect([half, of, some.filter(Boolean).length / some.length >= share]).toEqual([half, of, true]);
        }
      }
    },
  );
});
