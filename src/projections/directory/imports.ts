import { streamId } from '../../events/define.ts';
import {
  importStream,
  type ImportCounts,
  type ImportEvent,
  type UndoCounts,
} from '../../events/directory/import.ts';
import type { Actor } from '../../events/metadata.ts';
import { projection } from '../engine/read-model.ts';

/** An import into a team's directory, and what came of it. */
export interface ImportDocument {
  readonly import: string;
  readonly team: string;
  /** The id of its source. */
  readonly source: string;
  /** `begun`: it runs, or was cut off. */
  readonly status: 'begun' | 'ended' | 'undoing' | 'undone';
  readonly began_at: string;
  readonly by: Actor;
  readonly counts?: ImportCounts;
  readonly undone_at?: string;
  readonly undone_by?: Actor;
  readonly undo?: UndoCounts;
}

export const imports = projection<ImportDocument, ImportEvent>({
  version: 1,
  events: ['ImportBegun', 'ImportEnded', 'ImportUndoBegun', 'ImportUndone'],
  collection: {
    name: 'imports',
    fields: ['import', 'team', 'began_at'],
    indexes: [['team', 'began_at', 'import']],
  },
  idOf: (event) => streamId(event, importStream),
  fold(doc, event) {
    const { at, actor } = event.metadata;
    if (event.type === 'ImportBegun') {
      const id = streamId(event, importStream);
      return { import: id, ...event.data, status: 'begun', began_at: at, by: actor };
    }
    if (!doc) return undefined;
    switch (event.type) {
      case 'ImportEnded':
        return { ...doc, status: 'ended', counts: event.data };
      case 'ImportUndoBegun':
        return { ...doc, status: 'undoing', undone_at: at, undone_by: actor };
      case 'ImportUndone':
        return { ...doc, status: 'undone', undo: event.data };
    }
  },
});
