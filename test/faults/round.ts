import type { Chance } from './seeded-random.ts';

/** What one round did and found. */
export interface RoundReport {
  /** Processes that were at work when they were killed. */
  readonly kills: number;
  /** Events in the log at the end. */
  readonly events: number;
  /** What else is worth a column or a remark. */
  readonly facts: Readonly<Record<string, number>>;
  readonly violations: readonly string[];
}

export type Kind = 'import' | 'projection' | 'dispatch';
export const kinds: readonly Kind[] = ['import', 'projection', 'dispatch'];

/** Sets a scene in a new folder, kills what is at work there, lets it run to the end, and looks at what came of it. */
export type Round = (chance: Chance) => Promise<RoundReport>;
