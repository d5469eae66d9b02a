import type { Contact } from '../../events/directory/contact.ts';
import { uuidOf } from '../../events/ids.ts';
import type { SealedPeople, UnsealedPeople } from '../../events/directory/people.ts';
import { personalRows } from '../../events/directory/resource-fields.ts';
import type { ResourceSource } from '../../events/directory/resource.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { NamedPerson } from './reviewed-state.ts';
import { openPeople, sealPeople } from './sealed-people.ts';

/** Where a source names persons. */
interface SourceOfPeople {
  readonly team: string;
  readonly source: ResourceSource;
  /** Services and organizations of a source may have the same ids. Absent: a service. */
  readonly kind?: 'organization';
}

/** The fields of a record of a source, with what they say of persons sealed. */
export interface ImportedPeople<Fields> {
  readonly fields: Fields;
  /** So many contacts are left out because they were erased. */
  readonly erased: number;
}

/**
 * Seals what a source says of persons. A field of which it says the same as `base` or as `mine` is as it is sealed there, so
 * that it is seen to be the same. A contact is the same person in every import: its id is a keyed hash of source, service
 * and contact id. One who was erased is left out.
 */
export async function sealImportedPeople<Fields extends SealedPeople>(
  personal: PersonalData,
  input: UnsealedPeople,
  record: SourceOfPeople,
  stands: {
    readonly base?: Fields | undefined;
    readonly mine?: Fields | undefined;
    readonly people: readonly NamedPerson[];
  },
  newId: (place: string) => string,
): Promise<ImportedPeople<Fields>> {
  if (personalRows.every(({ name }) => input[name] === undefined))
    return { fields: input as unknown as Fields, erased: 0 };
  const gone = new Set(
    stands.people.filter(({ standing }) => standing === 'erased').map(({ person }) => person),
  );
  const contacts = (await withPersons(personal, input.contacts ?? [], record)).filter(
    ({ person }) => person === undefined || !gone.has(person),
  );
  const erased = (input.contacts?.length ?? 0) - contacts.length;
  const namedBefore = peopleNamedIn(stands);
  const isNamedBefore = (person: string) =>
    namedBefore.contacts?.some((each) => each.person === person) === true;
  const unsealed: { -readonly [Name in keyof UnsealedPeople]: UnsealedPeople[Name] } = {
    ...input,
    contacts: contacts.map(({ person, contact }) =>
      person !== undefined && isNamedBefore(person) ? { ...contact, id: person } : contact,
    ),
  };
  if (contacts.length === 0) delete unsealed.contacts;
  const personAt = (place: string): string | undefined =>
    contacts.find((_, index) => place === `contacts/${index}`)?.person;
  const sealed: Record<string, unknown> = {
    ...(await sealPeople(personal, unsealed, namedBefore, (place) => personAt(place) ?? newId(place))),
  };
  const [base, mine] = await openPeople(personal, [peopleOf(stands.base), peopleOf(stands.mine)]);
  for (const { name } of personalRows)
    for (const [opened, fields] of [
      [mine, stands.mine],
      [base, stands.base],
    ] as const)
      if (fields?.[name] !== undefined && areEqual(unsealed[name], opened?.[name]))
        sealed[name] = fields[name];
  return { fields: sealed as unknown as Fields, erased };
}

const peopleOf = (fields: SealedPeople | undefined): SealedPeople =>
  Object.fromEntries(personalRows.map(({ name }) => [name, fields?.[name]]));

/** Everybody whom what stands or what the source said last names, once each. What stands comes first. */
function peopleNamedIn({
  base,
  mine,
}: {
  base?: SealedPeople | undefined;
  mine?: SealedPeople | undefined;
}): SealedPeople {
  const contacts = [...(mine?.contacts ?? []), ...(base?.contacts ?? [])];
  const once = new Map(contacts.toReversed().map((contact) => [contact.person, contact]));
  const verifier = mine?.verified_by ?? base?.verified_by;
  return {
    ...(once.size > 0 ? { contacts: [...once.values()] } : {}),
    ...(verifier ? { verified_by: verifier } : {}),
  };
}

/** The contacts without the ids of their source, each with the id of the person that it is. No person comes twice. */
async function withPersons(
  personal: PersonalData,
  contacts: readonly Contact[],
  { team, source, kind }: SourceOfPeople,
): Promise<{ readonly contact: Contact; readonly person: string | undefined }[]> {
  const found = new Set<string>();
  const all = [];
  for (const { id, ...contact } of contacts) {
    const key = id && JSON.stringify([team, source.system, source.id, id, ...(kind ? [kind] : [])]);
    const person = key && uuidOf('contact', await personal.blindIndex(key));
    all.push({ contact, person: person && !found.has(person) ? person : undefined });
    if (person) found.add(person);
  }
  return all;
}

/** Whether two lists of contacts, or two texts, say the same. Ids do not count. */
const areEqual = (one: unknown, other: unknown): boolean =>
  JSON.stringify(withoutIds(one)) === JSON.stringify(withoutIds(other));

const withoutIds = (value: unknown): unknown => {
  if (!Array.isArray(value)) return value;
  const each = value.map((contact: Contact) => ({ ...contact, id: undefined }));
  return each.length === 0 ? undefined : each;
};
