import type { MergesEvent } from '../../events/directory/merges.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import type { Actor } from '../../events/metadata.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { projection } from '../engine/define.ts';
import { pages } from '../engine/paginate.ts';
import { resources, type ResourceDocument } from './resources.ts';

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

/** What a team has decided about duplicates: a merge, or that records are none. */
export interface DuplicateDecisionDocument {
  readonly id: string;
  readonly team: string;
  readonly kind: 'merge' | 'dismissal';
  /** Of a merge: the one that went, and the one that stayed. */
  readonly records: readonly string[];
  readonly in_common: readonly string[];
  readonly at: string;
  readonly by: Actor;
  readonly undone_at?: string;
}

export const duplicateDecisions = projection<DuplicateDecisionDocument, MergesEvent>({
  version: 1,
  events: ['MergeBegun', 'MergeUndone', 'DuplicatesDismissed'],
  collection: {
    name: 'duplicate-decisions',
    fields: ['id', 'team', 'kind', 'at'],
    indexes: [['team', 'kind', 'at', 'id']],
  },
  idOf: (event) => (event.type === 'DuplicatesDismissed' ? event.id : event.data.merge),
  fold(doc, event) {
    const { at, actor: by } = event.metadata;
    const { data } = event;
    if (event.type === 'MergeUndone') return doc && { ...doc, undone_at: at };
    if ('records' in data)
      return {
        ...{ id: event.id, team: data.team, kind: 'dismissal', at, by },
        ...{ records: data.records, in_common: data.in_common },
      };
    const { merge: id, team, duplicate, survivor } = data;
    return { id, team, kind: 'merge', records: [duplicate, survivor], in_common: [], at, by };
  },
});
