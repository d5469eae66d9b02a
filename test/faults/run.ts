import { parseArgs } from 'node:util';
import { kinds, type Kind } from './round.ts';
import { killingRounds, summaryOf } from './rounds.ts';
import { isEmbedded, missing } from '../support/engine.ts';

/**
 * npm run test:faults -- [--rounds 100] [--seed n] [--only import|projection|dispatch]
 *
 * Kills the real processes at random points, lets them run to the end, and checks that nothing was lost, doubled
 * or left out. Exits with 1, and says how to repeat it, when something was. With COMMONWEAL_ENGINES=servers there is
 * dispatch alone: the others compare read models with those that are built from a copy of the embedded files.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '100' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    only: { type: 'string' },
  },
});
const possible = isEmbedded ? kinds : kinds.filter((kind) => kind === 'dispatch');
const only = possible.find((kind) => kind === (values.only ?? (isEmbedded ? undefined : 'dispatch')));
const rounds = Number(values.rounds);
const seed = Number(values.seed);
if (
  (values.only !== undefined && !only) ||
  !(Number.isInteger(rounds) && rounds > 0) ||
  !Number.isInteger(seed)
) {
  console.error(`--rounds and --seed take whole numbers, --only one of ${possible.join(', ')}.`);
  process.exit(2);
}
if (missing !== undefined) {
  console.error(`${missing}.`);
  process.exit(2);
}
const kind: { only?: Kind } = only ? { only } : {};
console.log(`${rounds} rounds from seed ${seed}`);
const done = await killingRounds({
  rounds,
  seed,
  ...kind,
  services: 2_000,
  approvals: 200,
  tell: (line) => console.log(line),
});
console.log(`\n${summaryOf(done)}`);
process.exitCode = done.some(({ violations }) => violations.length > 0) ? 1 : 0;
