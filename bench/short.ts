import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { checkouts, type Checkout } from './checkouts.ts';
import { backlogRows } from './deliveries.ts';
import { listRows } from './list.ts';
import { asTable, inWords, type Row } from './measure.ts';
import { missingPeer } from './missing-peer.ts';
import { ratiosIn, ratiosOf, worse, type Worse } from './ratios.ts';
import { rebuildRows } from './rebuild.ts';
import { signInRows } from './sign-in.ts';

/**
 * The short form for CI: five ratios, of one round each (BENCH_ROUNDS) but for the rebuild, beside those that are kept. A shared machine moves a ratio of one round
 * by a tenth or two, so a third is a warning, and twice fails when a second run finds it again. `--keep` keeps the ratios
 * of this run.
 */
const file = join(import.meta.dirname, 'short-ratios.json');
const share = { warned: 1 / 3, refused: 1 } as const;

type Suite = (measured: readonly Checkout[]) => Promise<Row[]>;

const missing = missingPeer('oidc-provider');
if (missing !== undefined) console.log(`code exchange: not measured, ${missing}.`);

/** Each suite with the rows of it that count. */
const suites: readonly (readonly [Suite, RegExp])[] = [
  [(measured) => listRows(measured, 1_000), /pages .*CPU.*bare Fastify/],
  ...(missing === undefined
    ? [
        [
          (measured: readonly Checkout[]) => signInRows(measured, 500),
          /^code exchange: server CPU.*in memory/,
        ] as const,
      ]
    : []),
  [() => backlogRows([2_000]), /^deliveries\/s/],
  [(measured) => rebuildRows(measured, 20_000, { rounds: 3 }), /^rebuild of all but search/],
];

async function rowsOf(some: readonly (readonly [Suite, RegExp])[]): Promise<Row[]> {
  const rows: Row[] = [];
  for (const [suite, counted] of some)
    rows.push(...(await suite(checkouts(undefined))).filter(({ what }) => counted.test(what)));
  return rows;
}

const line = ({ what, before, now, by }: Worse): string =>
  `${by.toFixed(2)} times: ${what}: ${inWords(now)}, and ${inWords(before)} is kept`;

const rows = await rowsOf(suites);
console.log(asTable(rows, { before: false }));
if (process.argv.includes('--keep')) writeFileSync(file, `${JSON.stringify(ratiosOf(rows), undefined, 2)}\n`);
const kept = ratiosIn(readFileSync(file, 'utf8'));
for (const each of worse(rows, kept, share.warned)) console.log(`Worse by a third or more, ${line(each)}`);
const suspects = worse(rows, kept, share.refused);
const again = await rowsOf(suites.filter(([, counted]) => suspects.some(({ what }) => counted.test(what))));
for (const each of worse(again, kept, share.refused)) {
  console.log(`Twice as bad, in a second run too, ${line(each)}`);
  process.exitCode = 1;
}
