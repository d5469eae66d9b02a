import { expect, it } from 'vitest';
import { DecidedDirectory } from './decided-directory.ts';
import { liveAYear } from './made-up-year.ts';

/** More lives: LIFE_SEEDS=400. */
const seeds = Number(process.env['LIFE_SEEDS'] ?? 8);

it('imports, people and undone imports decide what a plain model says, whatever happens in a year', async () => {
  for (let seed = 1; seed <= seeds; seed++) await liveAYear(new DecidedDirectory(), seed, 25);
  expect.hasAssertions();
});
