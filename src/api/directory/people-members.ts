import { openPeople } from '../../commands/directory/sealed-people.ts';
import type { SealedPeople } from '../../events/directory/people.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { jsonMembers } from '../../projections/engine/record-json.ts';
import type { ResourceDocument } from '../../projections/directory/resources.ts';

type Doc = Pick<ResourceDocument, 'people'>;

/** The JSON members that tell what a record says about persons. Undefined when it says nothing. */
export type PeopleMembers = (doc: Doc) => string | undefined;

/** Opens what records say about persons, for a caller who may see it. The vault is read once, or not at all. */
export async function openedMembers(personal: PersonalData, docs: readonly Doc[]): Promise<PeopleMembers> {
  const naming = docs.filter(({ people }) => people !== undefined);
  if (naming.length === 0) return () => undefined;
  const sealed = naming.map(({ people = '{}' }) => JSON.parse(people) as SealedPeople);
  const opened = await openPeople(personal, sealed);
  const members = new Map(naming.map((doc, place) => [doc, jsonMembers(opened[place] ?? {})]));
  return (doc) => members.get(doc) || undefined;
}
