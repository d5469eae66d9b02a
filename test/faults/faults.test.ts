import { expect, test } from 'vitest';
import { kinds } from './round.ts';
import { killingRounds } from './rounds.ts';

test.each(kinds)(
  'kill -9 during %s loses nothing, doubles nothing and leaves nothing undone',
  { timeout: 60_000 },
  async (only) => {
    const rounds = await killingRounds({
      rounds: 2,
      seed: 7,
      only,
      services: 300,
      approvals: 40,
      tell: () => undefined,
    });
    expect(rounds.flatMap(({ violations }) => violations)).toEqual([]);
    expect(rounds.reduce((sum, { kills }) => sum + kills, 0)).toBeGreaterThan(0);
  },
);
