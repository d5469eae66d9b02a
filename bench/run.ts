import { Command } from 'commander';
import { appendRows } from './append.ts';
import { commandRows } from './command-eventstoredb.ts';
import { deliveryRows } from './deliveries.ts';
import { listRows, mongoListRows } from './list.ts';
import { asTable, type Row } from './measure.ts';
import { projectionRows } from './projection-eventstoredb.ts';
import { rebuildRows } from './rebuild.ts';
import { eventStoreUrl, mongoUrl } from './servers.ts';
import { signInRows } from './sign-in.ts';

/** A suite that needs a server is not run without one, and says so. */
type Suite = (() => Promise<Row[]>) | { readonly notRun: string };

const onServer = (
  variable: string,
  url: string | undefined,
  suite: (url: string) => Promise<Row[]>,
): Suite => (url === undefined ? { notRun: `${variable} is not set` } : () => suite(url));

/** Baselines and ours in one run, in turn; medians, as a table of ratios. */
const suites: Readonly<Record<string, Suite>> = {
  'list-1k': () => listRows(1_000),
  'list-100k': () => listRows(100_000),
  'list-1m': () => listRows(1_000_000),
  append: appendRows,
  rebuild: () => rebuildRows(100_000),
  deliveries: deliveryRows,
  'sign-in': signInRows,
  'command-eventstoredb': onServer('EVENTSTORE_URL', eventStoreUrl, commandRows),
  'projection-eventstoredb': onServer('EVENTSTORE_URL', eventStoreUrl, (url) => projectionRows(url, 10_000)),
  'list-mongodb': onServer('MONGODB_URL', mongoUrl, () => mongoListRows(10_000)),
};

const { only } = new Command('bench')
  .description(
    'Measures against bare Fastify, SQLite, undici and the clients of the servers, in the same run.',
  )
  .option('--only <names>', `some of ${Object.keys(suites).join(', ')}`)
  .parse()
  .opts<{ only?: string }>();

const rows: Row[] = [];
const notRun: string[] = [];
for (const [name, suite] of Object.entries(suites)) {
  if (only !== undefined && !only.split(',').includes(name)) continue;
  if (typeof suite !== 'function') {
    notRun.push(`${name}: not run, ${suite.notRun}.`);
    continue;
  }
  if (name === 'projection-eventstoredb' && mongoUrl === undefined)
    notRun.push(`${name} into MongoDB: not run, MONGODB_URL is not set.`);
  console.error(`${name} …`);
  rows.push(...(await suite()));
}
if (rows.length > 0) console.log(asTable(rows));
for (const each of notRun) console.log(each);
