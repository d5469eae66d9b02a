import { eachPerson, sealedPeople, type SealedPeople } from '../../events/directory/people.ts';
import type { PersonalFieldName } from '../../events/directory/resource-fields.ts';

/** A person whom a record names now, has named before, or named until they were erased. */
export interface NamedPerson {
  readonly person: string;
  readonly field: PersonalFieldName;
  readonly standing: 'current' | 'former' | 'erased';
  /** What the record said of them last. */
  readonly sealed: string;
}

/** Everybody a record has ever named, when it has these fields now. */
export function namedIn(fields: SealedPeople, before: readonly NamedPerson[] = []): readonly NamedPerson[] {
  const people = sealedPeople(fields);
  if (!people && before.length === 0) return before;
  const current = eachPerson(people ?? {}).map((each) => ({ ...each, standing: 'current' as const }));
  const now = new Set(current.map(({ person }) => person));
  const others = before.filter(({ person }) => !now.has(person));
  return [...others.map((each) => (each.standing === 'current' ? former(each) : each)), ...current];
}

const former = (person: NamedPerson): NamedPerson => ({ ...person, standing: 'former' });

export const withErased = (people: readonly NamedPerson[], erased: string): readonly NamedPerson[] =>
  people.map((each) => (each.person === erased ? { ...each, standing: 'erased' } : each));
