import { Command } from 'commander';
import { readFileSync, writeFileSync } from 'node:fs';
import { messageOf } from '../src/ground/store-error.ts';
import { appendRows } from './append.ts';
import { asOfRows } from './as-of.ts';
import { askedAgencyRows } from './asked-agencies.ts';
import { auditSearchRows } from './audit-search.ts';
import { checkouts, type Checkout } from './checkouts.ts';
import { commandRows } from './command-eventstoredb.ts';
import { missingForBullMq } from './bullmq.ts';
import { countedSearchRows } from './counted-searches.ts';
import { deliveryRows } from './deliveries.ts';
import { fairnessRows } from './fairness.ts';
import { fanOutRows } from './fan-out.ts';
import { freshnessRows } from './freshness.ts';
import { heldRows } from './held-deliveries.ts';
import { importRows } from './import.ts';
import { listRows, mongoListRows } from './list.ts';
import { asTable, inWords, type Row } from './measure.ts';
import { ownRun, withPrinted } from './own-run.ts';
import { stopServers } from './process.ts';
import { projectionRows } from './projection-eventstoredb.ts';
import { pageRows } from './pages.ts';
import { missingPeer } from './missing-peer.ts';
import { proofLogRows } from './proof-log.ts';
import { isQuiet, takenByOthers } from './quiet.ts';
import { ratiosIn, ratiosOf, worse, type Worse } from './ratios.ts';
import { rebuildRows } from './rebuild.ts';
import { rebuildServingRows } from './rebuild-serving.ts';
import { eventStoreUrl, mongoUrl } from './servers.ts';
import { searchRows } from './search.ts';
import { signInBytesRows } from './sign-in-bytes.ts';
import { signInRows } from './sign-in.ts';
import { traceRows } from './traces.ts';
import { verifyRows } from './verify.ts';
import { writeRows } from './writes.ts';

interface Options {
  readonly only?: string;
  readonly before?: string;
  readonly full?: true;
  readonly size: string;
  readonly json?: string;
  readonly against?: string;
}

/** A suite that needs a server is not run without one, and says so. */
type Suite = ((measured: readonly Checkout[]) => Promise<Row[]>) | { readonly notRun: string };

const onServer = (variable: string, url: string | undefined, suite: (url: string) => Suite): Suite =>
  url === undefined ? { notRun: `${variable} is not set` } : suite(url);

/** Beside a package that is installed in this folder alone. */
const beside = (peer: string, suite: Suite): Suite => {
  const notRun = missingPeer(peer);
  return notRun === undefined ? suite : { notRun };
};

/** Measures within this process; an older checkout does it in a run of its own bench, first. */
const here =
  (name: string, rows: () => Promise<Row[]>): Suite =>
  async (measured) => {
    const [before] = measured.filter((each) => each.name === 'before');
    const printed = before ? await ownRun(before, name) : {};
    return withPrinted(await rows(), printed);
  };

const suitesOf = ({ full, size }: Options): Readonly<Record<string, Suite>> => ({
  'list-1k': (measured) => listRows(measured, 1_000),
  'list-100k': (measured) => listRows(measured, 100_000),
  ...(full ? { 'list-1m': (measured) => listRows(measured, 1_000_000) } : {}),
  append: here('append', appendRows),
  'proof-log': here('proof-log', () => proofLogRows(full ? 1_000_000 : 200_000)),
  rebuild: (measured) => rebuildRows(measured, full ? 1_000_000 : 100_000, { rounds: full ? 1 : 3 }),
  'rebuild-serving': () => rebuildServingRows(full ? 1_000_000 : 100_000),
  'as-of': here('as-of', () => asOfRows(full ? 1_000_000 : 100_000)),
  freshness: here('freshness', () => freshnessRows(full ? 1_000_000 : 100_000)),
  'asked-agencies': here('asked-agencies', () => askedAgencyRows(full ? 40_000 : 4_000, 1_200)),
  'audit-search': here('audit-search', () => auditSearchRows(full ? 1_000_000 : 100_000)),
  import: importRows,
  deliveries: here('deliveries', deliveryRows),
  held: here('held', () => heldRows(full ? 1_000_000 : 100_000)),
  'fan-out': here('fan-out', fanOutRows),
  fairness: here('fairness', fairnessRows),
  pages: here('pages', () => pageRows(full ? 100_000 : 10_000)),
  'counted-searches': here('counted-searches', () => countedSearchRows(full ? 100_000 : 10_000)),
  search: beside('minisearch', (measured) => searchRows(measured.at(-1) as Checkout, Number(size))),
  'sign-in': beside('oidc-provider', (measured) => signInRows(measured)),
  'sign-in-bytes': signInBytesRows,
  traces: (measured) => traceRows(measured),
  writes: writeRows,
  verify: here('verify', () => verifyRows(full ? 1_000_000 : 100_000)),
  'command-eventstoredb': onServer('EVENTSTORE_URL', eventStoreUrl, (url) =>
    here('command-eventstoredb', () => commandRows(url)),
  ),
  'projection-eventstoredb': onServer('EVENTSTORE_URL', eventStoreUrl, (url) =>
    here('projection-eventstoredb', () => projectionRows(url, 10_000)),
  ),
  'rebuild-eventstoredb': onServer(
    'EVENTSTORE_URL',
    eventStoreUrl,
    (url) => (measured) => rebuildRows(measured, full ? 1_000_000 : 100_000, { rounds: 1, eventStore: url }),
  ),
  'list-mongodb': onServer('MONGODB_URL', mongoUrl, () => () => mongoListRows(10_000)),
});

const inPercent = (share: number): string => `${Math.round(100 * share)} %`;

const options = new Command('bench')
  .description(
    'Measures against bare Fastify, SQLite, undici, oidc-provider and the clients of the servers, in the same run.',
  )
  .option('--only <names>', `some of ${Object.keys(suitesOf({ full: true, size: '' })).join(', ')}`)
  .option('--before <path>', 'an older checkout, with its node_modules, whose server is measured in turn')
  .option('--full', 'a million resources in the list, events in the rebuild, and held deliveries')
  .option('--json <file>', 'writes the ratios of this run, for --against')
  .option('--against <file>', 'names what is worse by more than a tenth than in the run that wrote this file')
  .option('--size <resources>', 'how many resources the search has', '100000')
  .parse()
  .opts<Options>();

/** Baselines, the older checkout where there is one, and ours, in turn; medians, as a table of ratios. */
const { only, before, json, against } = options;
const suites = suitesOf(options);
const asked = only?.split(',') ?? Object.keys(suites);
const unknown = asked.filter((name) => !(name in suites));
if (unknown.length > 0) throw new Error(`There is no suite ${unknown.join(', ')} (list-1m needs --full).`);
const rows: Row[] = [];
const notRun: string[] = [];
const busy: string[] = [];
for (const name of asked) {
  const suite = suites[name] as Suite;
  if (typeof suite !== 'function') {
    notRun.push(`${name}: not run, ${suite.notRun}.`);
    continue;
  }
  if (name === 'projection-eventstoredb' && mongoUrl === undefined)
    notRun.push(`${name} into MongoDB: not run, MONGODB_URL is not set.`);
  const missing = name === 'deliveries' ? missingForBullMq() : undefined;
  if (missing !== undefined) notRun.push(`${name} ÷ BullMQ + Redis: not run, ${missing}.`);
  console.error(`${name} …`);
  const taken = [await takenByOthers()];
  try {
    rows.push(...(await suite(checkouts(before))));
  } catch (error) {
    // The other suites have their results.
    console.error(error);
    notRun.push(`${name}: failed, ${messageOf(error)}`);
    process.exitCode = 1;
    await stopServers();
  }
  taken.push(await takenByOthers());
  if (!taken.every(isQuiet))
    busy.push(`${name}: others took ${taken.map(inPercent).join(' and ')} of the processors.`);
}
if (rows.length > 0) console.log(asTable(rows, { before: before !== undefined }));
for (const each of notRun) console.log(each);
for (const each of busy) console.log(`Not quiet before and after ${each}`);
if (json !== undefined) writeFileSync(json, `${JSON.stringify(ratiosOf(rows), undefined, 2)}\n`);
if (against !== undefined) {
  const found = worse(rows, ratiosIn(readFileSync(against, 'utf8')), 0.1);
  const line = ({ what, before: then, now, by }: Worse) =>
    `Worse, ${by.toFixed(2)} times: ${what}: ${inWords(now)}, and ${inWords(then)} before`;
  console.log(found.map(line).join('\n') || `Nothing is worse by more than a tenth than in ${against}.`);
}
