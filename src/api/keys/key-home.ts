import { withLabel } from '../../commands/keys/key-label.ts';
import { publicScopes, teamScopes, type KeyScope } from '../../events/teams/team.ts';
import { apiKeys, type ApiKeyDocument } from '../../projections/keys/api-keys.ts';
import { teams } from '../../projections/teams/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { EarlyAnswer, type SignedInPageContext, type TeamPageContext } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

/** Whose keys a page shows: those of a person, or those of a team. */
export interface KeyHome {
  readonly kind: 'developer' | 'team';
  readonly path: string;
  /** The slug of the team. */
  readonly team?: string;
  readonly lead: string;
  /** What a new key can be given. */
  readonly scopes: readonly KeyScope[];
  /** Which keys are theirs. */
  readonly where: { readonly kind?: 'developer'; readonly created_by?: string; readonly team?: string };
  /** The hidden fields of every form. */
  readonly values: Readonly<Record<string, string>>;
}

/** The own developer keys of a person. */
export const developerHome = ({ currentUser }: SignedInPageContext): KeyHome => ({
  kind: 'developer',
  path: paths.developers,
  lead: en.developer.lead,
  scopes: publicScopes,
  where: { created_by: currentUser.person.user, kind: 'developer' },
  values: {},
});

/** The keys of a team. They can be given what an administrator has enabled for it. */
export async function teamHome({ documents }: PageDependencies, { team }: TeamPageContext): Promise<KeyHome> {
  const enabled = (await documents.collection(teams.collection).get(team.team))?.scopes ?? [];
  return {
    kind: 'team',
    path: paths.teamKeys,
    team: team.team,
    lead: en.team.lead(team.name),
    scopes: [...publicScopes, ...teamScopes.filter((scope) => enabled.includes(scope))],
    where: { team: team.team },
    values: { team: team.team },
  };
}

/** The address of a page about these keys. */
export function addressIn(
  { team }: KeyHome,
  path: string,
  also: Readonly<Record<string, string>> = {},
): string {
  if (team !== undefined) return ofTeam(path, team, also);
  const query = new URLSearchParams(also).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** The key that the address names. @throws EarlyAnswer when it does not exist or is another's */
export async function requireKey(
  { documents, personal }: PageDependencies,
  { request }: SignedInPageContext,
  home: KeyHome,
): Promise<ApiKeyDocument> {
  const { key: keyId = '' } = request.params as { readonly key?: string };
  const found = /^[0-9A-Za-z]{12}$/.test(keyId)
    ? await documents.collection(apiKeys.collection).get(keyId)
    : undefined;
  const { kind, created_by, team } = home.where;
  if (
    found &&
    found.team === team &&
    (kind === undefined || found.kind === kind) &&
    (created_by === undefined || found.created_by === created_by)
  )
    return withLabel(personal, found);
  const { other, back } = en[home.kind];
  throw new EarlyAnswer(notFoundView(other, { to: addressIn(home, home.path), label: back }));
}

/** How a key is called on pages. */
export const nameOf = ({ label, key_id }: Pick<ApiKeyDocument, 'label' | 'key_id'>): string =>
  label ?? `${en.list.unlabelled} (${key_id})`;
