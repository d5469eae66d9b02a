import { isDeepStrictEqual } from 'node:util';
import type { Contact } from '../../events/directory/contact.ts';
import { eachPerson, type SealedPeople, type UnsealedPeople } from '../../events/directory/people.ts';
import {
  personalRows,
  type PersonalFieldName,
  type ResourceFields,
  type UnsealedFields,
} from '../../events/directory/resource-fields.ts';
import type { SealedPerson } from '../../events/directory/field-table.ts';
import { NoDataKey, resourcePersonOf, type PersonalData } from '../../personal/personal-data.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { NamedPerson } from './reviewed-state.ts';

type PeopleInput = { readonly [Name in PersonalFieldName]?: UnsealedFields[Name] | null | undefined };

/** The same with what is about persons sealed. Null stays: it removes a field. */
type SealedIn<Fields> = {
  [Name in keyof Fields]: Name extends PersonalFieldName
    ? ResourceFields[Name] | Extract<Fields[Name], null | undefined>
    : Fields[Name];
};

/**
 * Seals what given fields say about persons, each under a data key of its own. A person whom the record names already
 * keeps their key. What says the same as before stays as it was sealed, so that repeating it changes nothing.
 *
 * `before`: what the record says now. `newId`: the id of a new person, by its place among the given ones; the same for
 * a repeated command.
 *
 * @throws CommandRefused invalid, also for a contact whose id the record does not have (any more)
 */
export async function sealPeople<Fields extends PeopleInput>(
  personal: PersonalData,
  fields: Fields,
  before: SealedPeople,
  newId: (place: string) => string,
): Promise<SealedIn<Fields>> {
  const rows = personalRows.filter(({ name }) => fields[name] !== undefined && fields[name] !== null);
  const sealed: Record<string, unknown> = { ...fields };
  for (const { name, schema } of rows) {
    const { success, data, error } = schema.safeParse(fields[name]);
    if (!success) {
      const [issue] = error.issues;
      const path = [name, ...(issue?.path ?? [])].join('.');
      throw new CommandRefused('invalid', `${path}: ${issue?.message ?? 'is not valid'}.`);
    }
    const values = [data].flat() as readonly Value[];
    const matches = matched(name, values, await openedIn(personal, name, before));
    const people = values.map((value, place) =>
      sealPerson(personal, contentOf(value), matches[place], newId(`${name}/${place}`)),
    );
    const list = await Promise.all(people);
    sealed[name] = Array.isArray(data) ? list : list[0];
  }
  return sealed as SealedIn<Fields>;
}

/**
 * What records say about persons, opened with one read of the vault. A person whose data key is destroyed is left out.
 */
export async function openPeople(
  personal: PersonalData,
  records: readonly SealedPeople[],
): Promise<UnsealedPeople[]> {
  const each = records.map(eachPerson);
  const values = await personal.openMany(each.flat().map(sealedValue));
  let next = 0;
  return records.map((record, place) => {
    const opened = new Map(each[place]?.map(({ person }) => [person, values[next++]]));
    return Object.fromEntries(
      personalRows.flatMap(({ name }) => {
        const sealed = record[name];
        if (sealed === undefined) return [];
        if (!Array.isArray(sealed))
          return opened.get(sealed.person) === undefined ? [] : [[name, opened.get(sealed.person)]];
        return [[name, sealed.flatMap(({ person }) => withId(person, opened.get(person)))]];
      }),
    );
  });
}

/** A person whom a record names or has named, with what it last said of them. Nothing, when that is erased. */
export interface OpenedPerson extends Omit<NamedPerson, 'sealed'> {
  readonly said: Contact | string | undefined;
}

/** What was last said of persons, opened with one read of the vault. */
export async function openNamed(
  personal: PersonalData,
  people: readonly NamedPerson[],
): Promise<OpenedPerson[]> {
  const left = people.filter(({ standing }) => standing !== 'erased');
  const opened = await personal.openMany(left.map(sealedValue));
  const contents = new Map(
    left.map(({ person }, place) => [person, opened[place] as Contact | string | undefined]),
  );
  return people.map(({ person, field, standing }) => ({
    person,
    field,
    standing,
    said: contents.get(person),
  }));
}

const withId = (person: string, contact: unknown): Contact[] =>
  contact === undefined ? [] : [{ id: person, ...(contact as Contact) }];

/** A contact, or a text. */
type Value = Contact | string;

/** A person whom the record names, and what it says of them. */
interface NamedBefore extends SealedPerson {
  readonly content: Value;
}

async function openedIn(
  personal: PersonalData,
  name: PersonalFieldName,
  before: SealedPeople,
): Promise<NamedBefore[]> {
  const people = [before[name] ?? []].flat();
  const contents = await personal.openMany(people.map(sealedValue));
  return people.flatMap((each, place) => {
    const content = contents[place] as Value | undefined;
    return content === undefined ? [] : [{ ...each, content }];
  });
}

const sealedValue = ({ person, sealed }: SealedPerson) => ({ holder: resourcePersonOf(person), sealed });

/** What is sealed: without the id, and as JSON keeps it. */
function contentOf(value: Value): Value {
  if (typeof value === 'string') return value;
  const { id: _, ...content } = value;
  return JSON.parse(JSON.stringify(content)) as Contact;
}

/**
 * For each given value the known person that it is about: the one whose id it has, else one of whom the same is said,
 * else one with the same name, or, where one of the two has no name, with the same address.
 */
function matched(
  field: PersonalFieldName,
  values: readonly Value[],
  namedBefore: readonly NamedBefore[],
): (NamedBefore | undefined)[] {
  const free = new Set(namedBefore);
  const found = new Array<NamedBefore | undefined>(values.length).fill(undefined);
  const match = (isSame: (value: Value, person: NamedBefore) => boolean) => {
    values.forEach((value, place) => {
      const person = found[place] ? undefined : [...free].find((each) => isSame(value, each));
      if (!person) return;
      found[place] = person;
      free.delete(person);
    });
  };
  match((value, { person }) => idOf(value) === person);
  const stranger = values.findIndex((value, place) => idOf(value) !== undefined && !found[place]);
  if (stranger !== -1) {
    throw new CommandRefused(
      'invalid',
      `${field}.${stranger}.id names no contact that the record has now, or one twice. Leave it out for a new contact.`,
    );
  }
  match((value, { content }) => isDeepStrictEqual(contentOf(value), content));
  match((value, { content }) => isSamePerson(value, content));
  return found;
}

const idOf = (value: Value): string | undefined => (typeof value === 'string' ? undefined : value.id);

function isSamePerson(one: Value, other: Value): boolean {
  if (typeof one === 'string' || typeof other === 'string') return false;
  if (one.name !== undefined && other.name !== undefined) return isSameText(one.name, other.name);
  return one.email !== undefined && other.email !== undefined && isSameText(one.email, other.email);
}

const isSameText = (one: string, other: string): boolean => one.toLowerCase() === other.toLowerCase();

async function sealPerson(
  personal: PersonalData,
  content: Value,
  existing: NamedBefore | undefined,
  newId: string,
): Promise<SealedPerson> {
  if (existing) {
    const { person, sealed } = existing;
    if (isDeepStrictEqual(content, existing.content)) return { person, sealed };
    try {
      return { person, sealed: await personal.seal(resourcePersonOf(person), content) };
    } catch (error) {
      // The person was erased meanwhile. The append meets that event and the command is decided again.
      if (!(error instanceof NoDataKey)) throw error;
    }
  }
  await personal.begin(resourcePersonOf(newId));
  return { person: newId, sealed: await personal.seal(resourcePersonOf(newId), content) };
}
