import { streamId } from '../../events/define.ts';
import { bulkStream, type BulkChange, type BulkCounts, type BulkEvent } from '../../events/directory/bulk.ts';
import type { UndoCounts } from '../../events/directory/import.ts';
import type { Actor } from '../../events/metadata.ts';
import { projection } from '../engine/read-model.ts';

/** One decision about many records of a team, and what came of it. */
export interface BulkDocument extends BulkChange {
  readonly bulk: string;
  readonly team: string;
  /** Of how many records. */
  readonly number: number;
  /** `begun`: it runs, or was cut off and goes on. */
  readonly status: 'begun' | 'ended' | 'undoing' | 'undone';
  readonly began_at: string;
  readonly by: Actor;
  readonly counts?: BulkCounts;
  readonly undone_at?: string;
  readonly undone_by?: Actor;
  readonly undo?: UndoCounts;
}

export const bulkActions = projection<BulkDocument, BulkEvent>({
  version: 1,
  events: ['BulkBegun', 'BulkEnded', 'BulkUndoBegun', 'BulkUndone'],
  collection: {
    name: 'bulk-actions',
    fields: ['bulk', 'team', 'began_at'],
    indexes: [['team', 'began_at', 'bulk']],
  },
  idOf: (event) => streamId(event, bulkStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'BulkBegun')
      return { bulk: streamId(event, bulkStream), ...event.data, status: 'begun', began_at: at, by: actor };
    if (!doc) return undefined;
    switch (event.type) {
      case 'BulkEnded':
        return { ...doc, status: 'ended', counts: event.data };
      case 'BulkUndoBegun':
        return { ...doc, status: 'undoing', undone_at: at, undone_by: actor };
      case 'BulkUndone':
        return { ...doc, status: 'undone', undo: event.data };
    }
  },
});
