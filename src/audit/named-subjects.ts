import { withLabels } from '../commands/keys-label.ts';
import { integerOfSvcId, svcIdOf } from '../events/ids.ts';
import type { ProfileFields } from '../events/accounts/user.ts';
import { personOf } from '../personal/personal-data.ts';
import { people } from '../projections/accounts-people.ts';
import { apiKeys } from '../projections/keys.ts';
import { clients } from '../projections/oauth-clients.ts';
import { members } from '../projections/teams-members.ts';
import { teams } from '../projections/teams.ts';
import { lookupQueries, sortKey } from '../projections/directory/lookup-terms.ts';
import { recordLookup } from '../projections/directory/record-lookup.ts';
import type { NameParts } from './names-of-events.ts';

/** A name is compared with at most so many of each kind. Beyond, the address or the id finds whom it is about. */
const mostCompared = 1_000;
/** The most people or things that are found by one name. */
export const mostNamed = 10;
/** The most teams in which a record is looked for, when all teams are searched. */
const mostTeams = 50;

/** What does something without a person: the service in its parts, and the operator at the command line. */
export const partsOfService = [
  'agency-link',
  'agency-mails',
  'backup',
  'backup-drill',
  'claim-link',
  'claim-retention',
  'dispatcher',
  'domains',
  'erasure',
  'following',
  'form-endpoint',
  'form-office',
  'form-page',
  'form-retention',
  'installation',
  'invitations',
  'projector',
  'public-page',
  'register',
  'serve',
  'set-up',
  'sign-in',
  'signing-keys',
  'stale-records',
  'suggestion-retention',
  'token-keys',
] as const;

/** What is typed for the service and for the operator, and what it means. */
const withoutName: Readonly<Record<string, readonly string[]>> = {
  'the service': partsOfService.map((id) => `system:${id}`),
  'an operator': ['system:cli'],
};
const otherwise: Readonly<Record<string, string>> = {
  service: 'the service',
  system: 'the service',
  'the system': 'the service',
  operator: 'an operator',
  'the operator': 'an operator',
};

interface Named {
  /** As actors are written: `kind:id`. */
  readonly actor: string;
  readonly name: string;
}

/** Who does something and has such a name: people, sites and keys, of a team or of the installation, and the service. */
export async function actorsNamed(
  parts: NameParts,
  text: string,
  team: string | undefined,
): Promise<readonly string[]> {
  const typed = plain(text);
  const wording = withoutName[otherwise[typed] ?? typed];
  if (wording) return wording;
  const all = (await Promise.all([peopleOf(parts, team), sitesOf(parts, team), keysOf(parts, team)])).flat();
  const exact = all.filter(({ name }) => plain(name) === typed);
  const words = typed.split(' ');
  const found =
    exact.length > 0
      ? exact
      : all.filter(({ name }) => {
          const own = plain(name).split(' ');
          return words.every((word) => own.some((each) => each.startsWith(word)));
        });
  return found.map(({ actor }) => actor);
}

/** Whom a browser proposes: the people and sites of a team, and who has no name. */
export async function proposedActors(parts: NameParts, team: string | undefined): Promise<readonly string[]> {
  const named = team ? await Promise.all([peopleOf(parts, team, 100), sitesOf(parts, team, 100)]) : [];
  const names = named.flat().map(({ name }) => name);
  return [...new Set(names)]
    .sort((one, other) => one.localeCompare(other))
    .concat('The service', 'An operator');
}

async function peopleOf(
  { documents, personal }: NameParts,
  team: string | undefined,
  limit = mostCompared,
): Promise<Named[]> {
  const sealed = team
    ? (
        await documents.collection(members.collection).page({
          where: { team },
          orderBy: ['status', 'joined_at', 'user'],
          descending: true,
          limit,
        })
      ).map(({ user, person }) => ({ user, sealed: person }))
    : (
        await documents
          .collection(people.collection)
          .page({ orderBy: ['registered_at', 'user'], descending: true, limit })
      ).map(({ user, profile }) => ({ user, sealed: profile }));
  const opened = await personal.openMany(
    sealed.map(({ user, sealed: value }) => ({ holder: personOf(user), sealed: value })),
  );
  return sealed.flatMap(({ user }, place) => {
    // Nobody can read the name of somebody who is erased.
    const name = (opened[place] as Pick<ProfileFields, 'name'> | undefined)?.name;
    return name === undefined ? [] : [{ actor: `user:${user}`, name }];
  });
}

async function sitesOf(
  { documents }: NameParts,
  team: string | undefined,
  limit = mostCompared,
): Promise<Named[]> {
  const found = await documents.collection(clients.collection).page({
    ...(team && { where: { team } }),
    orderBy: ['registered_at', 'client'],
    descending: true,
    limit,
  });
  return found.map(({ client, name }) => ({ actor: `client:${client}`, name }));
}

async function keysOf({ documents, personal }: NameParts, team: string | undefined): Promise<Named[]> {
  const found = await documents.collection(apiKeys.collection).page({
    ...(team && { where: { team } }),
    orderBy: ['created_at', 'key_id'],
    descending: true,
    limit: mostCompared,
  });
  return (await withLabels(personal, found)).flatMap(({ key_id, label }) =>
    label === undefined ? [] : [{ actor: `key:${key_id}`, name: label }],
  );
}

/** The records of a name or with a number, as `resource:{id}`: those that are called exactly so, else those with its words. */
export async function recordsNamed(
  { documents }: Pick<NameParts, 'documents'>,
  text: string,
  team: string | undefined,
): Promise<readonly string[]> {
  if (integerOfSvcId(text) !== undefined) return [`resource:${text}`];
  const of =
    team === undefined
      ? (await documents.collection(teams.collection).page({ orderBy: ['team'], limit: mostTeams })).map(
          (each) => each.team,
        )
      : [team];
  const found = (await Promise.all(of.map((each) => recordsOfTeam(documents, each, text)))).flat();
  const exact = found.filter(({ name }) => name === sortKey(text));
  return (exact.length > 0 ? exact : found).map(({ number }) => `resource:${svcIdOf(number)}`);
}

/** Those that are called so, and otherwise those with the words in their names, some more than may have it. */
async function recordsOfTeam(documents: NameParts['documents'], team: string, words: string) {
  const index = documents.collection(recordLookup.collection);
  for (const matching of lookupQueries({ team, words })?.inTurn.slice(0, 2) ?? []) {
    const found = await index.select({ matching, orderBy: ['number'], limit: mostNamed + 1 }, [
      'number',
      'team',
      'name',
    ]);
    const own = found.filter((each) => each.team === team);
    if (own.length > 0) return own;
  }
  return [];
}

const plain = (text: string): string =>
  text.normalize('NFKC').toLocaleLowerCase('en').trim().replace(/\s+/gu, ' ');
