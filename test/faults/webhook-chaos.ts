import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { engines, missing } from '../support/engine.ts';
import { webhookCampaign } from './webhooks/campaign.ts';

/**
 * node test/faults/webhook-chaos.ts [--deliveries 10000] [--kills 20] [--seed n]
 *
 * Kills the dispatcher while it sends to a receiver that accepts, refuses, resets, waits and says nothing at random. In the end
 * every delivery must be delivered or failed after its whole schedule, with one body, and the log must account for every
 * request that the receiver saw. Exits with 1 when something is wrong. Runs embedded, and then on the servers when
 * EVENTSTORE_URL and MONGODB_URL are set.
 */
const { values } = parseArgs({
  options: {
    deliveries: { type: 'string', default: '10000' },
    subscribers: { type: 'string', default: '20' },
    kills: { type: 'string', default: '20' },
    seed: { type: 'string', default: String(Date.now() % 1_000_000) },
  },
});
const [deliveries, subscribers, kills, seed] = [
  values.deliveries,
  values.subscribers,
  values.kills,
  values.seed,
].map(Number) as [number, number, number, number];
if (![deliveries, subscribers, kills, seed].every((value) => Number.isInteger(value) && value > 0)) {
  console.error('--deliveries, --subscribers, --kills and --seed take whole numbers from 1.');
  process.exit(2);
}
if (missing !== undefined) {
  console.error(`${missing}.`);
  process.exit(2);
}
console.log(`${deliveries} deliveries, ${kills} kills, ${engines}, seed ${seed}`);
const { violations, seconds, ...counts } = await webhookCampaign({
  deliveries,
  subscribers,
  kills,
  seed,
  patienceMs: 1_800_000,
  tell: (line) => console.log(line),
});
const facts = Object.entries(counts).map(([what, count]) => `${count} ${what}`);
console.log(`${violations.length === 0 ? 'ok' : 'VIOLATED'} in ${seconds.toFixed(0)} s: ${facts.join(', ')}`);
for (const each of violations.slice(0, 20)) console.log(`  ${each}`);
if (violations.length > 20) console.log(`  and ${violations.length - 20} more`);
if (violations.length > 0) process.exitCode = 1;

const { EVENTSTORE_URL, MONGODB_URL } = process.env;
if (
  process.env['COMMONWEAL_ENGINES'] === undefined &&
  EVENTSTORE_URL !== undefined &&
  MONGODB_URL !== undefined
) {
  const env = { ...process.env, COMMONWEAL_ENGINES: 'servers' };
  const { status } = spawnSync(process.execPath, process.argv.slice(1), { env, stdio: 'inherit' });
  if (status !== 0) process.exitCode = 1;
}
