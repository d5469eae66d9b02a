import type { ImportEvent } from '../../events/directory/import.ts';
import type { ResourceEvent } from '../../events/directory/resource.ts';
import { sourceStreamId, type SourceEvent } from '../../events/directory/source.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { FieldGroup } from '../../events/directory/upkeep/precedence.ts';
import { projection, type ProjectedEvent } from '../engine/read-model.ts';
import { paginateAll } from '../engine/paginate.ts';

/** Where records of a team come from. */
export interface SourceDocument {
  readonly team: string;
  /** As it stands in the records. */
  readonly source: string;
  readonly name: string;
  /** The day of the newest record that came from it. Absent while it has none. */
  readonly newest_record_on?: string;
  /** The day on which it was imported last. Absent while it was only before imports were recorded. */
  readonly last_import_on?: string;
  /** The fields for which its word counts before what was changed otherwise. Absent: none. */
  readonly counts_first?: readonly FieldGroup[];
}

type Event =
  | SourceEvent
  | Extract<ResourceEvent, { type: 'ResourceSubmitted' }>
  | Extract<ImportEvent, { type: 'ImportBegun' }>;

export const sources = projection<SourceDocument, Event>({
  version: 3,
  // Sources from before there were names are known by their records alone.
  events: ['SourceNamed', 'SourceRenamed', 'SourcePrecedenceChosen', 'ResourceSubmitted', 'ImportBegun'],
  collection: { name: 'sources', fields: ['team', 'source', 'name'], indexes: [['team', 'source']] },
  idOf: (event) => {
    const source = sourceOf(event);
    return source === undefined ? 'none' : streamIdOf(event.data.team, source);
  },
  fold(doc, event) {
    const source = sourceOf(event);
    if (source === undefined) return undefined;
    const { team } = event.data;
    if (event.type === 'SourceNamed' || event.type === 'SourceRenamed')
      return { team, source, ...doc, name: event.data.name };
    if (event.type === 'SourcePrecedenceChosen')
      return { team, source, name: source, ...doc, counts_first: event.data.groups };
    const day = event.metadata.at.slice(0, 10);
    if (event.type === 'ImportBegun') return { team, source, name: source, ...doc, last_import_on: day };
    if (doc?.newest_record_on === day) return doc;
    return { team, source, name: source, ...doc, newest_record_on: day };
  },
});

/** Undefined for a record that came from no source. */
const sourceOf = (event: ProjectedEvent<Event>): string | undefined =>
  event.type === 'ResourceSubmitted' ? event.data.source?.system : event.data.source;

let last = { team: '', source: '', id: '' };

/** Records of one source follow each other, so the hash is made once for all of them. */
function streamIdOf(team: string, source: string): string {
  if (last.team !== team || last.source !== source) last = { team, source, id: sourceStreamId(team, source) };
  return last.id;
}

/** All sources of a team. */
export const sourcesOf = (
  documents: Pick<Documents, 'collection'>,
  team: string,
): Promise<SourceDocument[]> =>
  paginateAll(documents.collection(sources.collection), { where: { team }, orderBy: ['source'] });

/** What a source of a team is called, by its id. */
export async function sourceNameOf(
  documents: Pick<Documents, 'collection'>,
  team: string,
  source: string,
): Promise<string> {
  const found = await documents.collection(sources.collection).get(sourceStreamId(team, source));
  return found?.name ?? source;
}
