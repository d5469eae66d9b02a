/** Rows with several rounds have so many. */
export const rounds = Number(process.env['BENCH_ROUNDS'] ?? 5);

/** The middle value; of an even number, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** The value below which this share of the values is. */
export function percentile(values: readonly number[], share: number): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? Number.NaN;
}

/** What a measurement came to over its rounds. */
export interface Medians {
  readonly baseline: number;
  readonly ours: number;
  readonly spread: Spread;
}

/** The lowest and the highest of the ratios of all rounds, or of the values where there is no baseline. */
export type Spread = readonly [number, number];

/** Of each round's own ratio: a round in which the machine was slower was so for both. */
export function spreadOf(ours: readonly number[], baseline?: readonly number[]): Spread {
  const ratios = ours.map((value, round) => value / (baseline?.[round] ?? 1));
  return [Math.min(...ratios), Math.max(...ratios)];
}

/** Runs baseline and ours in turn, so that what else the machine does hits both; answers the medians. */
export async function alternate(
  rounds: number,
  baseline: () => Promise<number> | number,
  ours: () => Promise<number> | number,
): Promise<Medians> {
  const of = { baseline: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    of.baseline.push(await baseline());
    of.ours.push(await ours());
  }
  return { baseline: median(of.baseline), ours: median(of.ours), spread: spreadOf(of.ours, of.baseline) };
}

/** Work done a second, by `count` units. */
export async function perSecond(count: number, work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (count / (performance.now() - began)) * 1_000;
}

/** One measurement; every value is in the unit that `what` names. */
export interface Row {
  readonly what: string;
  /** What ours is divided by; undefined where nothing comparable exists. */
  readonly baseline?: number | undefined;
  /** The older checkout's value in the same run. */
  readonly before?: number | undefined;
  /** The baseline in the older checkout's turn, where that was measured in a process of its own. */
  readonly beforeBaseline?: number | undefined;
  readonly ours: number;
  /** Where there were several rounds. */
  readonly spread?: Spread | undefined;
  readonly aim: string;
}

export const inWords = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

const cell = (value: number | undefined): string => (value === undefined ? '' : inWords(value));

const ratio = (value: number | undefined, by: number | undefined): string =>
  value === undefined || by === undefined ? '' : (value / by).toFixed(2);

/** The rows as a Markdown table; with `before`, the older checkout's values and the gain beside ours. */
export function asTable(rows: readonly Row[], { before }: { readonly before: boolean }): string {
  const columns: readonly (readonly [string, (row: Row) => string])[] = [
    ['what', ({ what }) => what],
    ['baseline', ({ baseline }) => cell(baseline)],
    ...(before
      ? ([
          ['before', ({ before }) => cell(before)],
          [
            'before ÷ baseline',
            ({ before, baseline, beforeBaseline = baseline }) => ratio(before, beforeBaseline),
          ],
        ] satisfies [string, (row: Row) => string][])
      : []),
    ['ours', ({ ours }) => cell(ours)],
    ['ours ÷ baseline', ({ ours, baseline }) => ratio(ours, baseline)],
    ['spread', ({ spread }) => (spread === undefined ? '' : spread.map(inWords).join('–'))],
    ...(before
      ? ([['ours ÷ before', ({ ours, before }) => ratio(ours, before)]] satisfies [
          string,
          (row: Row) => string,
        ][])
      : []),
    ['aim', ({ aim }) => aim],
  ];
  const line = (cells: readonly string[]) => `| ${cells.join(' | ')} |`;
  return [
    line(columns.map(([name]) => name)),
    line(columns.map(() => '---')),
    ...rows.map((row) => line(columns.map(([, value]) => value(row)))),
  ].join('\n');
}
