import { Command } from 'commander';
import { appendRows } from './append.ts';
import { deliveryRows } from './deliveries.ts';
import { listRows } from './list.ts';
import { asTable, type Row } from './measure.ts';
import { rebuildRows } from './rebuild.ts';
import { signInRows } from './sign-in.ts';

/** Baselines and ours in one run, in turn; medians, as a table of ratios. */
const suites: Readonly<Record<string, () => Promise<Row[]>>> = {
  'list-1k': () => listRows(1_000),
  'list-100k': () => listRows(100_000),
  'list-1m': () => listRows(1_000_000),
  append: appendRows,
  rebuild: () => rebuildRows(100_000),
  deliveries: deliveryRows,
  'sign-in': signInRows,
};

const { only } = new Command('bench')
  .description('Measures against bare Fastify, SQLite and undici on the same machine, in the same run.')
  .option('--only <names>', `some of ${Object.keys(suites).join(', ')}`)
  .parse()
  .opts<{ only?: string }>();

const rows: Row[] = [];
for (const [name, measure] of Object.entries(suites)) {
  if (only !== undefined && !only.split(',').includes(name)) continue;
  console.error(`${name} …`);
  rows.push(...(await measure()));
}
console.log(asTable(rows));
