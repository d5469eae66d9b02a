import { findKey, type Key } from '../../actions/keys.ts';
import { publicScopes, teamScopes, type KeyScope } from '../../events/teams.ts';
import { teams } from '../../projections/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { whoOf } from '../pages/action-form.ts';
import { notFoundView } from '../pages/frame/common-views.ts';
import { EarlyAnswer, type SignedInPageContext, type TeamPageContext } from '../pages/page-context.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { en } from './texts.ts';

/** A page about the own keys of a person, or about those of a team. */
export type KeyPageContext = SignedInPageContext | TeamPageContext;

/** Whose keys a page shows: those of a person, or those of a team. */
export interface KeyHome {
  readonly kind: 'developer' | 'team';
  readonly path: string;
  /** The slug of the team. */
  readonly team?: string;
  readonly lead: string;
  /** The hidden fields of every form. */
  readonly values: Readonly<Record<string, string>>;
}

export function homeOf(pageContext: KeyPageContext): KeyHome {
  if (!('team' in pageContext))
    return { kind: 'developer', path: paths.developers, lead: en.developer.lead, values: {} };
  const { team, name } = pageContext.team;
  return { kind: 'team', path: paths.teamKeys, team, lead: en.team.lead(name), values: { team } };
}

/** What a new key can be given. That of a team: what an administrator has enabled for it, too. */
export async function scopesFor(
  { documents }: PageDependencies,
  { team }: KeyHome,
): Promise<readonly KeyScope[]> {
  if (team === undefined) return publicScopes;
  const enabled = (await documents.collection(teams.collection).get(team))?.scopes ?? [];
  return [...publicScopes, ...teamScopes.filter((scope) => enabled.includes(scope))];
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

/** The id in the address. */
export const keyIdIn = ({ request }: KeyPageContext): string =>
  (request.params as { readonly key?: string }).key ?? '';

/** The key that the address names. @throws EarlyAnswer when it does not exist or is another's */
export async function requireKey(
  dependencies: PageDependencies,
  pageContext: KeyPageContext,
  home: KeyHome,
): Promise<Key> {
  const key = await findKey(dependencies, whoOf(pageContext), keyIdIn(pageContext));
  if (key) return key;
  const { other, back } = en[home.kind];
  throw new EarlyAnswer(notFoundView(other, { to: addressIn(home, home.path), label: back }));
}

/** How a key is called on pages. */
export const nameOf = ({ label, key_id }: Pick<Key, 'label' | 'key_id'>): string =>
  label ?? `${en.list.unlabelled} (${key_id})`;
