import type { ResourceFields } from '../../events/directory/resource-fields.ts';
import type { Collection } from '../../stores/documents/port.ts';
import { paginate } from '../engine/paginate.ts';
import { fieldsIn, type View } from './document-fields.ts';
import type { ResourceDocument } from './resources.ts';

/** A record as one of its readers sees it. */
export interface ViewedRecord {
  readonly svc_id: string;
  readonly fields: ResourceFields;
  readonly updated_at: string;
  readonly listed: boolean;
  /** What only the operator sees. */
  readonly inside?: {
    readonly status: ResourceDocument['status'];
    readonly team: string;
    readonly source_id?: string;
  };
}

/** Which records. Without a team, those of all directories. */
export interface Records {
  readonly team?: string | undefined;
  readonly view: View;
  /** Public ones alone. */
  readonly listed: boolean;
}

/** How many documents are read for these records: all of them, or more. */
export const countOf = (
  collection: Collection<ResourceDocument>,
  { team, listed }: Records,
): Promise<number> =>
  collection.count({ where: team === undefined ? (listed ? { listed: 1 } : {}) : { team } });

/** Every record, in an order that stays the same, read a page at a time. `onRead` is told how many were read. */
export async function* eachRecord(
  collection: Collection<ResourceDocument>,
  { team, view, listed }: Records,
  onRead: (documents: number) => void = () => undefined,
): AsyncGenerator<ViewedRecord> {
  const query =
    team !== undefined
      ? ({ where: { team }, orderBy: ['number'] } as const)
      : listed
        ? ({ where: { listed: 1 }, orderBy: ['number'] } as const)
        : // A resource stays with its team, so none is met twice when its state changes meanwhile.
          ({ orderBy: ['team', 'number'] } as const);
  let read = 0;
  for await (const doc of paginate(collection, query)) {
    onRead(++read);
    if (!listed || doc.listed === 1) yield viewed(doc, view);
  }
}

/** A document as this reader sees it. */
export function viewed(doc: ResourceDocument, view: View): ViewedRecord {
  const { svc_id, updated_at, status, team, source } = doc;
  return {
    svc_id,
    fields: fieldsIn(doc, view),
    updated_at,
    listed: doc.listed === 1,
    ...(view === 'stored' ? { inside: { status, team, ...(source ? { source_id: source.id } : {}) } } : {}),
  };
}
