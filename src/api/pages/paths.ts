import { linkedPages } from '../../actions/linked-pages.ts';

/** The paths of the pages. Those of sign-in and consent are in interaction.ts. */
export const paths = {
  ...linkedPages,
  home: '/dash',
  /** Where the switcher leads: what needs somebody in one team. */
  teamHome: '/dash',
  signInByPasskey: '/dash/sign-in/passkey',
  signOut: '/dash/sign-out',
  register: '/dash/register',
  registered: '/dash/register/sent',
  resetSent: '/dash/reset/sent',
  setUp: '/dash/set-up',
  me: '/dash/me',
  profile: '/dash/me/profile',
  password: '/dash/me/password',
  email: '/dash/me/email',
  askToConfirm: '/dash/me/email/confirm-link',
  passkeys: '/dash/me/passkeys',
  removePasskey: '/dash/me/passkeys/remove',
  sessions: '/dash/me/sessions',
  endSession: '/dash/me/sessions/end',
  endSessions: '/dash/me/sessions/end-all',
  apps: '/dash/me/apps',
  revoke: '/dash/me/apps/revoke',
  revokeAll: '/dash/me/apps/revoke-all',
  teams: '/dash/me/teams',
  leaveTeam: '/dash/me/teams/leave',
  erase: '/dash/me/erase',
  withdrawErasure: '/dash/me/erase/withdraw',
  ownData: '/dash/me/data',
  directory: '/dash/resources',
  review: '/dash/resources/review',
  team: '/dash/team',
  teamSettings: '/dash/team/settings',
  forms: '/dash/team/forms',
  payments: '/dash/team/payments',
  teamKeys: '/dash/integrations/api-tokens',
  webhooks: '/dash/integrations/webhooks',
  audit: '/dash/audit',
  /** Followed by the id of an event. */
  auditEvent: '/dash/audit/events',
  /** Followed by a correlation id: all that belongs to one request. */
  auditWalk: '/dash/audit/walk',
  /** Followed by the id of a key: what it was used for. */
  auditKeys: '/dash/audit/keys',
  auditAsOf: '/dash/audit/as-of',
  auditExports: '/dash/audit/exports',
  developers: '/dash/developers',
  widget: '/dash/developers/widget',
  allTeams: '/dash/teams',
  operations: '/dash/operations',
  sites: '/dash/sites/oauth',
  newSite: '/dash/sites/oauth/new',
} as const;

/** The page that leads to the guides. The reference and the list of errors are below it. */
export const docsPath = '/docs';

/** The guides by who reads them, each by the name of its file in docs/, in the order in which they are read. */
export const guidesByReader = {
  'I run a directory': [
    'running-a-directory',
    'dashboard',
    'importing',
    'freshness',
    'teams',
    'forms',
    'pages',
    'search',
    'words',
  ],
  'I integrate': [
    'first-call',
    'interface',
    'sign-in',
    'webhooks',
    'widget',
    'export',
    'hsds',
    'conformance',
  ],
  'I operate': [
    'operations',
    'settings',
    'backup',
    'updating',
    'watching',
    'runbook',
    'compose',
    'more-machines',
    'erasure',
    'audit',
    'proof-log',
    'example-audit',
    'security',
    'threat-model',
    'asvs',
    'performance',
  ],
  'I change the code': ['architecture', 'internals', 'glossary', 'contributing', 'events', 'dependencies'],
} as const;

export type GuideName = (typeof guidesByReader)[keyof typeof guidesByReader][number];

export const guideNames: readonly GuideName[] = Object.values(guidesByReader).flat();

/** The path of each guide. */
export const guides = Object.fromEntries(guideNames.map((name) => [name, `${docsPath}/${name}`])) as Readonly<
  Record<GuideName, string>
>;

/** The guide about what people do on a page, with its place in it, by the path of the page and of those below it. */
const guidesOfPages: readonly (readonly [path: string, guide: GuideName, place?: string])[] = [
  [paths.home, 'running-a-directory'],
  [paths.directory, 'running-a-directory'],
  [`${paths.directory}/import`, 'importing'],
  [`${paths.directory}/export`, 'export'],
  [`${paths.directory}/duplicates`, 'importing', '#duplicates'],
  [`${paths.directory}/needs`, 'freshness', '#what-people-looked-for-in-vain'],
  [paths.review, 'running-a-directory', '#review'],
  [paths.team, 'teams'],
  [paths.forms, 'forms'],
  [paths.payments, 'dashboard', '#payments'],
  [paths.teamKeys, 'first-call'],
  [paths.developers, 'first-call'],
  [paths.widget, 'widget'],
  [paths.webhooks, 'webhooks'],
  [paths.sites, 'sign-in'],
  [paths.audit, 'audit'],
  [paths.allTeams, 'teams'],
  [paths.administrators, 'operations', '#administrators'],
  [paths.operations, 'watching'],
  [paths.outbox, 'operations', '#administrators'],
];

/** The address of the guide to a page: that of the longest path. Undefined for pages about the person. */
export const guideFor = (page: string): string | undefined =>
  guidesOfPages
    .filter(([path]) => page === path || (path !== paths.home && page.startsWith(`${path}/`)))
    .sort(([one], [other]) => other.length - one.length)
    .map(([, guide, place = '']) => guides[guide] + place)[0];

export const isGuide = (name: string): name is GuideName => Object.hasOwn(guides, name);

/**
 * A path of our own pages, from a text that anybody may have written. Undefined for anything else: nobody is
 * redirected to another site (RFC 9700 section 4.11).
 */
export function ownPath(text: string | null): string | undefined {
  return text !== null && /^\/(dash|docs)(\/[A-Za-z0-9_-]+)*$/.test(withoutOwnQuery(text)) ? text : undefined;
}

/**
 * Two queries go along: the link of an invitation, because who was invited may have to register first, and the team
 * that a page shows.
 */
const withoutOwnQuery = (text: string): string =>
  text
    .replace(/^(\/dash\/join\/[a-z0-9-]+)\?link=lnk_[0-9A-Za-z]{1,100}$/, '$1')
    .replace(/\?team=[a-z0-9-]{1,100}$/, '');

/**
 * The address of a page or form of a team: the path with the team in it, as in /dash/t/harbour/resources. `also`: further
 * parameters. A link that leaves the team out would lead to another team than the page that it stands on.
 */
export function ofTeam(path: string, team: string, also: Readonly<Record<string, string>> = {}): string {
  const query = new URLSearchParams(also).toString();
  return `/dash/t/${encodeURIComponent(team)}${path.slice(paths.home.length)}${query === '' ? '' : `?${query}`}`;
}

const teamInPath = /^\/dash\/t\/([^/?#]+)((?!\/api(?:[/?#]|$))(?:\/[^?#]*)?)(?:\?(.*))?$/;

/**
 * Before a request is routed: /dash/t/harbour/resources is the page /dash/resources with the parameter `team`, which links
 * in older emails have. The service API, which is under /dash too, has no teams in its paths.
 */
export function withTeamAsParameter(url: string): string {
  const [, team, tail, query = ''] = teamInPath.exec(url) ?? [];
  if (team === undefined || tail === undefined) return url;
  const others = query.split('&').filter((each) => each !== '' && !/^team(=|$)/.test(each));
  return `${paths.home}${tail}?${[`team=${team.replace(/[&+]/g, encodeURIComponent)}`, ...others].join('&')}`;
}
