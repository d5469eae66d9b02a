import type { SealedPeople, UnsealedPeople } from '../../events/directory/people.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import type { Confirmed } from '../../events/directory/upkeep/confirmation.ts';
import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { Collection, Documents } from '../../stores/documents/port.ts';
import { pages } from '../engine/paginate.ts';
import { fieldsIn, type View } from './document-fields.ts';
import { defined } from '../../ground/defined.ts';
import { confirmedOf } from './shown-fields.ts';
import { resources, type ResourceDocument } from './resources.ts';

/** A record as one of its readers sees it. */
export interface ViewedRecord {
  readonly svc_id: string;
  readonly fields: UnsealedFields;
  /** When it was confirmed last. Absent: nobody has. */
  readonly confirmed?: Confirmed;
  readonly updated_at: string;
  readonly listed: boolean;
  /** What only the operator sees. */
  readonly inside?: {
    readonly status: ResourceDocument['status'];
    readonly team: string;
    readonly source_id?: string;
  };
}

/** Opens what records say about persons, of a page at once. */
export type OpenPeople = (records: readonly SealedPeople[]) => Promise<UnsealedPeople[]>;

/** Which records, and for whom. Without a team, those of all directories. */
export type Records = {
  readonly team?: string | undefined;
  /** Public ones alone. */
  readonly listed: boolean;
} & (
  | { readonly view: Extract<View, 'developer'>; readonly open?: undefined }
  | { readonly view: Exclude<View, 'developer'>; readonly open: OpenPeople }
);

/** How many documents are read for these records: all of them, or more. */
export const countOf = (
  collection: Collection<ResourceDocument>,
  { team, listed }: Records,
): Promise<number> =>
  collection.count({ where: team === undefined ? (listed ? { listed: 1 } : {}) : { team } });

/** Every record, in an order that stays the same, read a page at a time. `onRead` is told how many were read. */
export async function* eachRecord(
  collection: Collection<ResourceDocument>,
  { team, view, listed, open }: Records,
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
  for await (const page of pages(collection, query)) {
    const people = (await open?.(page.map(peopleOf))) ?? [];
    for (const [place, doc] of page.entries()) {
      onRead(++read);
      if (!listed || doc.listed === 1) yield viewed(doc, view, people[place]);
    }
  }
}

/** What a document says about persons, as it is sealed. */
export const peopleOf = ({ people = '{}' }: ResourceDocument): SealedPeople =>
  JSON.parse(people) as SealedPeople;

/** A record as each of its readers sees it. `people`: what it says about persons, opened. */
export const allViews = (doc: ResourceDocument, people: UnsealedPeople): ViewedRecord[] => [
  viewed(doc, 'stored', people),
  viewed(doc, 'team', people),
  viewed(doc, 'developer'),
];

/** A document as this reader sees it. */
function viewed(doc: ResourceDocument, view: View, people?: UnsealedPeople): ViewedRecord {
  const { svc_id, updated_at, status, team, source } = doc;
  return {
    svc_id,
    fields: fieldsIn(doc, view, people),
    ...defined({ confirmed: confirmedOf(doc) }),
    updated_at,
    listed: doc.listed === 1,
    ...(view === 'stored' ? { inside: { status, team, ...(source ? { source_id: source.id } : {}) } } : {}),
  };
}

type Readable = Pick<Documents, 'collection'>;

/** More merges in a row than this are none that a person made. */
const longestChain = 100;

/** The record that has the place of one that was merged, and was not merged itself. Undefined: it was not merged. */
export async function survivorOf(
  documents: Readable,
  { merged_into }: Pick<ResourceDocument, 'merged_into'>,
): Promise<ResourceDocument | undefined> {
  const collection = documents.collection(resources.collection);
  let found: ResourceDocument | undefined;
  for (let [next, steps] = [merged_into, 0]; next !== undefined && steps < longestChain; steps += 1) {
    found = await collection.get(next);
    next = found?.merged_into;
  }
  return found;
}

/** By the record that has their place: where the records come from that were merged into it, or into one that was. */
export async function sourcesOfMerged(
  documents: Readable,
  team: string,
): Promise<ReadonlyMap<string, readonly ResourceSource[]>> {
  const merged = new Map<string, { readonly into: string; readonly source: ResourceSource | undefined }>();
  const query = { where: { team }, orderBy: ['merged_into', 'number'], after: ['', 0] } as const;
  for await (const page of pages(documents.collection(resources.collection), query))
    for (const { svc_id, merged_into: into, source } of page)
      if (into !== undefined) merged.set(svc_id, { into, source });
  const found = new Map<string, ResourceSource[]>();
  for (const { into, source } of merged.values()) {
    let survivor = into;
    for (let steps = 0; steps < longestChain; steps += 1) survivor = merged.get(survivor)?.into ?? survivor;
    if (source) found.set(survivor, [...(found.get(survivor) ?? []), source]);
  }
  return found;
}
