/** The middle value; of an even number, the lower of the two in the middle. */
export function median(values: readonly number[]): number {
  const sorted = [...values].sort((a, b) => a - b);
  return sorted[Math.floor((sorted.length - 1) / 2)] ?? Number.NaN;
}

/** Runs baseline and ours in turn, so that what else the machine does hits both; answers the medians. */
export async function alternate(
  rounds: number,
  baseline: () => Promise<number> | number,
  ours: () => Promise<number> | number,
): Promise<{ baseline: number; ours: number }> {
  const of = { baseline: [] as number[], ours: [] as number[] };
  for (let round = 0; round < rounds; round++) {
    of.baseline.push(await baseline());
    of.ours.push(await ours());
  }
  return { baseline: median(of.baseline), ours: median(of.ours) };
}

/** Work done a second, by `count` units. */
export async function perSecond(count: number, work: () => unknown): Promise<number> {
  const began = performance.now();
  await work();
  return (count / (performance.now() - began)) * 1_000;
}

export interface Row {
  readonly what: string;
  readonly baseline: string;
  readonly ours: string;
  readonly ratio: number;
  readonly aim: string;
}

export const inWords = (value: number): string =>
  value >= 100 ? Math.round(value).toLocaleString('en') : value.toPrecision(3);

/** The rows as a Markdown table. */
export function asTable(rows: readonly Row[]): string {
  const lines = rows.map(
    (row) => `| ${row.what} | ${row.baseline} | ${row.ours} | ${row.ratio.toFixed(2)} | ${row.aim} |`,
  );
  return ['| what | baseline | ours | ratio | aim |', '| --- | --- | --- | --- | --- |', ...lines].join('\n');
}
