import { parseArgs } from 'node:util';
import { tamperCampaign } from './tampering/campaign.ts';

/**
 * npm run test:faults:tamper -- [--rounds 1000] [--seed n] [--events 600]
 *
 * Flips one bit, drops, duplicates, swaps or adds an event in a copy of the log and in a copy of an export, and checks
 * that `verify` names it. Exits with 1 when it does not.
 */
const { values } = parseArgs({
  options: {
    rounds: { type: 'string', default: '1000' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
    events: { type: 'string', default: '600' },
  },
});
const [rounds, seed, events] = [values.rounds, values.seed, values.events].map(Number) as [
  number,
  number,
  number,
];
console.log(`${rounds} rounds from seed ${seed}, ${events} events`);
const began = performance.now();
const { done, violations } = await tamperCampaign({
  rounds,
  seed,
  events,
  tell: (line) => console.log(line),
});
for (const [what, times] of Object.entries(done)) console.log(`${String(times).padStart(5)}  ${what}`);
console.log(`${violations.length} violations, ${((performance.now() - began) / 1_000).toFixed(0)} s`);
process.exitCode = violations.length > 0 ? 1 : 0;
