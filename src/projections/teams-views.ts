import { streamId } from '../events/define.ts';
import { viewStream, type ViewEvent } from '../events/teams-views.ts';
import type { Documents } from '../stores/documents/port.ts';
import { projection } from './engine/define.ts';

/** A view of its directory that a team has saved. */
export interface ViewDocument {
  readonly view: string;
  readonly team: string;
  readonly name: string;
  /** The name without case, by which views are listed. */
  readonly key: string;
  /** As in the address of the table. */
  readonly query: string;
  readonly saved_at: string;
}

export const viewOrder = ['key', 'view'] as const;

export const views = projection<ViewDocument, ViewEvent>({
  version: 1,
  events: ['ViewSaved', 'ViewRemoved'],
  collection: { name: 'views', fields: ['team', 'key', 'view'], indexes: [['team', ...viewOrder]] },
  idOf: (event) => streamId(event, viewStream),
  fold(_, event) {
    if (event.type === 'ViewRemoved') return undefined;
    const { team, name, query } = event.data;
    const view = streamId(event, viewStream);
    return { view, team, name, key: name.toLowerCase(), query, saved_at: event.metadata.at };
  },
});

/** More are not shown above a table, and a team cannot save more. */
export const mostViews = 50;

export const viewsOf = (documents: Pick<Documents, 'collection'>, team: string): Promise<ViewDocument[]> =>
  documents.collection(views.collection).page({ where: { team }, orderBy: viewOrder, limit: mostViews });
