import type { SideStore, SideTable } from '../stores/side/port.ts';

/** Written before an attempt is made, removed when its outcome is an event: what remains was cut off. */
export interface AttemptNote {
  readonly attempt: number;
  readonly started_at: string;
  /** Tells whose note it is to settle. Absent in those written before there were shards. */
  readonly subscription?: string;
}

/** By delivery id: a delivery has one attempt at a time. */
export const notes = (side: SideStore): SideTable<AttemptNote> =>
  side.table<AttemptNote>('webhook-attempt-notes');
