import type { SideStore, SideTable } from '../stores/side/port.ts';

/** Written before an attempt is made and removed when its outcome is an event. What remains was interrupted. */
export interface StartedAttempt {
  readonly attempt: number;
  readonly started_at: string;
  /** Decides which shard settles the entry. Absent in entries from before there were shards. */
  readonly subscription?: string;
}

/** By delivery id: a delivery has one attempt at a time. */
export const attemptJournal = (side: SideStore): SideTable<StartedAttempt> =>
  side.table<StartedAttempt>('webhook-attempt-notes');
