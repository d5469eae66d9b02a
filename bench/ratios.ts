import { z } from 'zod';
import type { Row } from './measure.ts';

/** The ratios of a run, by what was measured. What has no baseline is kept as it was measured. */
const ratios = z.record(z.string(), z.number());
export type Ratios = z.output<typeof ratios>;

export const ratiosOf = (rows: readonly Row[]): Ratios =>
  Object.fromEntries(rows.map(({ what, ours, baseline = 1 }) => [what, ours / baseline]));

/** @throws Error for a text that is no ratios of a run */
export function ratiosIn(text: string): Ratios {
  const read = ratios.safeParse(JSON.parse(text));
  if (!read.success) throw new Error('This is no file of ratios, as --json writes it.');
  return read.data;
}

/** A measurement that is worse than in another run. */
export interface Worse {
  readonly what: string;
  readonly before: number;
  readonly now: number;
  /** How many times as much it costs, or as little it does. Above 1. */
  readonly by: number;
}

/** What is worse than before by more than this, the worst first. `share`: 0.1 is a tenth. */
export function worse(rows: readonly Row[], before: Ratios, share: number): readonly Worse[] {
  const now = ratiosOf(rows);
  return rows
    .flatMap((row): Worse[] => {
      const [then, ratio] = [before[row.what], now[row.what]];
      if (then === undefined || ratio === undefined) return [];
      const by = moreIsBetter(row) ? then / ratio : ratio / then;
      return by > 1 + share ? [{ what: row.what, before: then, now: ratio, by }] : [];
    })
    .sort((one, other) => other.by - one.by);
}

/** The aim says it; without one, what is counted in a time. */
const moreIsBetter = ({ what, aim }: Row): boolean =>
  aim.startsWith('≥') || (aim === '' && /\/s\b|a second/.test(what));
