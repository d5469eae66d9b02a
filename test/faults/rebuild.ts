import { parseArgs } from 'node:util';
import { engines, missing } from '../support/engine.ts';
import { rebuildCampaign } from './rebuild-campaign.ts';

/**
 * npm run test:faults:rebuild -- [--services 5000] [--kills 5] [--seed n]
 *
 * Rebuilds every read model under read and write load, kills the projector in the middle, and looks whether a request
 * saw an error or a half-built read model, whether each unfinished generation was gone on with, and whether the read
 * models are in the end what a fold from zero makes. With COMMONWEAL_ENGINES=servers on EVENTSTORE_URL and MONGODB_URL.
 */
const { values } = parseArgs({
  options: {
    services: { type: 'string', default: '5000' },
    kills: { type: 'string', default: '5' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [services, kills, seed] = [values.services, values.kills, values.seed].map(Number) as [
  number,
  number,
  number,
];
if (![services, kills, seed].every((value) => Number.isInteger(value) && value > 0)) {
  console.error('--services, --kills and --seed take whole numbers from 1.');
  process.exit(2);
}
if (missing !== undefined) {
  console.error(`${missing}.`);
  process.exit(2);
}
console.log(`${services} services, ${kills} kills, ${engines}, seed ${seed}`);
const { violations, ...facts } = await rebuildCampaign({
  services,
  kills,
  seed,
  patienceMs: 900_000,
  tell: (line) => console.log(line),
});
console.log(JSON.stringify(facts));
for (const each of violations.slice(0, 20)) console.error(each);
console.log(violations.length === 0 ? 'ok' : `VIOLATED ${violations.length} times`);
process.exit(violations.length === 0 ? 0 : 1);
