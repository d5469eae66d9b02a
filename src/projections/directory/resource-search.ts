import { numberIn } from '../../events/ids.ts';
import { resourceStream, type ResourceEvent, type ResourceFields } from '../../events/directory/resource.ts';
import { resourceFieldRows, resourceFieldsVersion } from '../../events/directory/resource-fields.ts';
import { streamId } from '../../events/define.ts';
import { projection } from '../engine/define.ts';
import { publicFields } from './public-fields.ts';
import { resources } from './resources.ts';

/**
 * The words by which a public resource is found. A read model of its own, because indexing words costs ten times what
 * a list entry costs, and neither should wait for the other.
 */
export interface ResourceSearchDocument {
  readonly svc_id: string;
  readonly number: number;
  readonly listed: 0 | 1;
  readonly category: string;
  readonly updated_at: string;
  readonly words: string;
}

export const resourceSearch = projection<ResourceSearchDocument, ResourceEvent>({
  version: resourceFieldsVersion + 1,
  deferred: true,
  events: resources.events,
  collection: {
    name: 'resource-search',
    fields: ['number', 'listed', 'category', 'updated_at'],
    indexes: [
      ['listed', 'number'],
      ['listed', 'category', 'number'],
      ['listed', 'updated_at', 'number'],
      ['listed', 'category', 'updated_at', 'number'],
    ],
    search: ['words'],
    cluster: { field: 'number', fromId: numberIn },
  },
  idOf: (event) => streamId(event, resourceStream),
  fold(doc, event) {
    const updated_at = event.metadata.at;
    switch (event.type) {
      case 'ResourceSubmitted': {
        const { svc_id, id, fields } = event.data;
        return { svc_id, number: id, listed: 0, updated_at, category: fields.category, words: words(fields) };
      }
      case 'ResourceRevised':
        return (
          doc && { ...doc, updated_at, category: event.data.fields.category, words: words(event.data.fields) }
        );
      case 'ResourcePersonErased':
        return doc && { ...doc, updated_at };
      case 'ResourceApproved':
      case 'ResourceReactivated':
        return doc && { ...doc, updated_at, listed: 1 };
      case 'ResourceRejected':
      case 'ResourceDeactivated':
        return doc && { ...doc, updated_at, listed: 0 };
    }
  },
});

const searched = resourceFieldRows
  .filter((row) => row.searched !== undefined)
  .sort((one, other) => (one.searched ?? 0) - (other.searched ?? 0));

const words = (fields: ResourceFields): string => {
  const open = publicFields(fields);
  return searched.flatMap(({ name, searchedMembers }) => textsOf(open[name], searchedMembers)).join(' ');
};

/** Every text in a value, however deep; of objects only these members, where they are given. */
function textsOf(value: unknown, members?: readonly string[]): string[] {
  if (typeof value === 'string') return [value];
  if (typeof value !== 'object' || value === null) return [];
  if (Array.isArray(value)) return value.flatMap((each) => textsOf(each, members));
  const parts: [string, unknown][] = Object.entries(value);
  return parts.flatMap(([name, part]) => (members?.includes(name) === false ? [] : textsOf(part)));
}
