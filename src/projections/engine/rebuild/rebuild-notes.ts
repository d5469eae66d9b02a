import type { Generation } from '../../../stores/documents/port.ts';
import type { SideStore, SideTable } from '../../../stores/side/port.ts';

/** What a projector knows of an unfinished generation. With it, the next one goes on where this one was. */
export interface RebuildNote {
  readonly generation: number;
  /** The id of the event that asked for it. Absent when nobody did: the projection has another version. */
  readonly request?: string;
  /** ISO 8601 UTC. When it was begun, by this projector or an earlier one. */
  readonly since: string;
  /** Events folded so far, and how many a second at the last look. */
  readonly events: number;
  readonly rate: number;
  readonly state: 'building' | 'verifying';
}

/** A generation that was served and is kept, so that it can be served again. */
export interface KeptNote {
  readonly generation: number;
  /** ISO 8601 UTC. */
  readonly until: string;
}

/**
 * Beside the read models, by stored name. A note is written after its generation was made, and removed before it is
 * dropped: so none speaks of another generation with the same number.
 */
export interface RebuildNotes {
  readonly building: SideTable<RebuildNote>;
  readonly kept: SideTable<KeptNote>;
}

export const rebuildNotes = (side: SideStore): RebuildNotes => ({
  building: side.table('rebuilds'),
  kept: side.table('kept-generations'),
});

/** The generation that a note is about, if it is there. */
export const noted = (
  note: { readonly generation: number } | undefined,
  building: readonly Generation[],
): Generation | undefined => building.find(({ generation }) => generation === note?.generation);
