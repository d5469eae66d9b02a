import type { UnsealedPeople } from '../../events/directory/people.ts';
import { resourceFieldRows, type UnsealedFields } from '../../events/directory/resource-fields.ts';
import type { ResourceDocument } from './resources.ts';

/**
 * Whose view of a record: `stored` is the record itself, with what is confidential and with names as they were written;
 * `developer` and `team` are what the read API shows to keys of that kind.
 */
export type View = 'developer' | 'team' | 'stored';

type Members = Record<string, unknown>;

/**
 * The fields of a document as a reader sees them, without what is unknown and without what is derived from others.
 * `people`: what the record says about persons, opened, where the reader may see it.
 */
export function fieldsIn(doc: ResourceDocument, view: View, people: UnsealedPeople = {}): UnsealedFields {
  const card = view === 'stored' ? (doc.whole ?? doc.card) : doc.card;
  const parts = [card, ...(view === 'developer' ? [] : [doc.details])];
  const shown = JSON.parse(`{${parts.filter((part) => part !== '').join(',')}}`) as Members;
  if (view === 'stored' && doc.stored !== undefined) Object.assign(shown, JSON.parse(doc.stored));
  return fieldsOfShown({ ...shown, ...people });
}

/** The fields in a record as the read API shows it. */
export function fieldsOfShown(shown: Readonly<Members>): UnsealedFields {
  const fields: Members = {};
  for (const { name } of resourceFieldRows) {
    const value = shown[name];
    if (value !== undefined && value !== null && !isEmptyList(value)) fields[name] = value;
  }
  return fields as UnsealedFields;
}

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
