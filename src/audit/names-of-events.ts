import { withLabels } from '../commands/keys-label.ts';
import { webhookTitle } from '../events/webhooks/webhook.ts';
import { subjectsOf, type SubjectKind } from '../events/audit-subjects.ts';
import type { ProfileFields } from '../events/accounts/user.ts';
import { personOf, type PersonalData, type SealedValue } from '../personal/personal-data.ts';
import { people } from '../projections/accounts-people.ts';
import { organizations } from '../projections/directory/organizations.ts';
import { resources } from '../projections/directory/resources.ts';
import { forms } from '../projections/forms.ts';
import { apiKeys } from '../projections/keys.ts';
import { clients } from '../projections/oauth-clients.ts';
import { memberId, members } from '../projections/teams-members.ts';
import { teams } from '../projections/teams.ts';
import { subscriptions } from '../projections/webhooks/subscriptions.ts';
import type { CollectionSpec, Documents } from '../stores/documents/port.ts';
import type { PersonName, Names } from './sentences/names.ts';
import type { FoundEvent } from './search.ts';

export interface NameParts {
  readonly documents: Documents;
  readonly personal: PersonalData;
}

/** The people of events whom the reader may see, and the names of their things. */
export interface EventNames extends Names {
  readonly people: ReadonlyMap<string, PersonName>;
}

/**
 * The names of people and things as they are now. A reader of the whole installation sees everybody's name; a team sees
 * the names of its own people, those who have left too.
 */
export async function namesOfEvents(
  { documents, personal }: NameParts,
  found: readonly FoundEvent[],
  team: string | undefined,
): Promise<EventNames> {
  const ids = idsIn(found);
  const idsOfKind = (kind: SubjectKind) => [...(ids.get(kind) ?? [])];
  const read = async <Doc extends object>(
    kind: SubjectKind,
    { collection }: { readonly collection: CollectionSpec<Doc> },
    nameOf: (doc: Doc) => string | undefined,
  ) => {
    const docs = await documents.collection(collection).getMany(idsOfKind(kind));
    return [...docs].map(([id, doc]) => [`${kind}:${id}`, nameOf(doc)] as const);
  };
  const things = new Map(
    (
      await Promise.all([
        read('team', teams, ({ name }) => name),
        read('client', clients, ({ name }) => name),
        keyLabels(documents, personal, idsOfKind('key')),
        read('form', forms, ({ definition: { title, languages } }) => title[languages[0] ?? '']),
        read('subscription', subscriptions, webhookTitle),
        read('organization', organizations, ({ name }) => name),
        read('resource', resources, ({ card }) => (JSON.parse(`{${card}}`) as { name?: string }).name),
      ])
    ).flat(),
  );
  const roles = await rolesIn(documents, found, idsOfKind('person'));
  const sealed = await (team === undefined
    ? sealedProfiles(documents, idsOfKind('person'))
    : sealedMembers(documents, idsOfKind('person'), team));
  const opened = await personal.openMany(sealed.map(({ value }) => value));
  const personNames = new Map<string, PersonName>(
    sealed.map(({ person }, place) => {
      const name = (opened[place] as Pick<ProfileFields, 'name'> | undefined)?.name;
      return [person, name === undefined ? { erased: true } : { name }];
    }),
  );
  return {
    people: personNames,
    person: (id) => personNames.get(id),
    thing: (kind, id) => things.get(`${kind}:${id}`),
    role: (of, person) => roles.get(memberId(of, person)),
  };
}

async function keyLabels(documents: Documents, personal: PersonalData, ids: readonly string[]) {
  const docs = await documents.collection(apiKeys.collection).getMany(ids);
  const labelled = await withLabels(personal, [...docs.values()]);
  return labelled.map(({ key_id, label }) => [`key:${key_id}`, label] as const);
}

function idsIn(found: readonly FoundEvent[]): ReadonlyMap<SubjectKind, ReadonlySet<string>> {
  const ids = new Map<SubjectKind, Set<string>>();
  const add = (kind: SubjectKind, id: string) => ids.set(kind, (ids.get(kind) ?? new Set()).add(id));
  for (const { event, team } of found) {
    if (!event) continue;
    for (const { kind, id } of subjectsOf(event)) add(kind, id);
    if (team !== undefined) add('team', team);
    const { kind, id, on_behalf_of, claims_to_be } = event.metadata.actor;
    if (kind === 'user') add('person', id);
    if (kind === 'key' || kind === 'client') add(kind, id);
    for (const person of [on_behalf_of, claims_to_be]) if (person !== undefined) add('person', person);
  }
  return ids;
}

async function rolesIn(documents: Documents, found: readonly FoundEvent[], persons: readonly string[]) {
  const inTeams = new Set(found.flatMap(({ team }) => (team === undefined ? [] : [team])));
  const memberIds = [...inTeams].flatMap((team) => persons.map((person) => memberId(team, person)));
  const docs = await documents.collection(members.collection).getMany(memberIds);
  return new Map([...docs].map(([id, { role }]) => [id, role]));
}

interface SealedName {
  readonly person: string;
  readonly value: SealedValue;
}

async function sealedProfiles(documents: Documents, ids: readonly string[]): Promise<SealedName[]> {
  const docs = await documents.collection(people.collection).getMany(ids);
  return [...docs].map(([person, { profile }]) => ({
    person,
    value: { holder: personOf(person), sealed: profile },
  }));
}

async function sealedMembers(
  documents: Documents,
  ids: readonly string[],
  team: string,
): Promise<SealedName[]> {
  const docs = await documents
    .collection(members.collection)
    .getMany(ids.map((person) => memberId(team, person)));
  return [...docs.values()].map(({ user, person }) => ({
    person: user,
    value: { holder: personOf(user), sealed: person },
  }));
}
