import type { SubjectKind } from '../../events/audit-subjects.ts';
import type { MemberRole } from '../../events/teams.ts';

/** What a reader may know a person by: a name, that the person is erased, or nothing. */
export type PersonName = { readonly name: string } | { readonly erased: true };

/** The names of people and things, as far as the reader of the sentences may see them. */
export interface Names {
  /** Undefined: the reader may not see who it is, or there is no such person. */
  person(id: string): PersonName | undefined;
  /** The name of a thing, such as a team, a client, a resource or a form. */
  thing(kind: SubjectKind, id: string): string | undefined;
  /** The role of a person in a team, for readers who may not see the name. */
  role(team: string, person: string): MemberRole | undefined;
}
