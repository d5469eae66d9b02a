import { hasRight, type Right } from '../../../events/teams-rights.ts';
import { docsPath, paths } from '../paths.ts';
import type { CurrentTeam } from '../page-context.ts';

/** A page that has an entry in the navigation. */
interface Place {
  readonly path: string;
  readonly label: string;
  /** Who sees the entry. A right: whoever has it in the team that is shown. The page itself decides again. */
  readonly for: Right | 'everybody' | 'administrators';
}

/** What a page is about: a team, the person, or the whole service. */
export type About = 'team' | 'you' | 'service';

interface Section {
  /** The heading. That of the team is its name. */
  readonly heading: string;
  readonly about: About;
  readonly places: readonly Place[];
}

/** The section whose heading is the name of the team. */
export const teamHeading = 'Team';

/** Every entry of the navigation, in the order of the menu. */
export const sections: readonly Section[] = [
  {
    heading: 'Overview',
    about: 'team',
    places: [{ path: paths.home, label: 'Home', for: 'everybody' }],
  },
  {
    heading: teamHeading,
    about: 'team',
    places: [
      { path: paths.directory, label: 'Directory', for: 'see the team' },
      { path: paths.review, label: 'Review', for: 'review records' },
      { path: paths.team, label: 'Members', for: 'see the team' },
      { path: paths.forms, label: 'Forms', for: 'see the team' },
      { path: paths.payments, label: 'Payments', for: 'record payments' },
      { path: paths.teamKeys, label: 'API keys', for: 'change keys' },
      { path: paths.webhooks, label: 'Webhooks', for: 'change webhooks' },
      { path: paths.sites, label: 'Sign-in sites', for: 'change sites' },
      { path: paths.audit, label: 'Audit log', for: 'read the audit log' },
      { path: paths.teamSettings, label: 'Settings', for: 'change the team' },
    ],
  },
  {
    heading: 'You',
    about: 'you',
    places: [
      { path: paths.me, label: 'Account', for: 'everybody' },
      { path: paths.apps, label: 'Sites with access', for: 'everybody' },
      { path: paths.developers, label: 'Developer keys', for: 'everybody' },
      { path: paths.widget, label: 'Widget', for: 'everybody' },
    ],
  },
  {
    heading: 'Installation',
    about: 'service',
    places: [
      { path: paths.allTeams, label: 'Teams', for: 'administrators' },
      { path: paths.administrators, label: 'Administrators', for: 'administrators' },
      { path: paths.operations, label: 'Operations', for: 'administrators' },
      { path: paths.outbox, label: 'Outbox', for: 'administrators' },
    ],
  },
  {
    heading: 'Help',
    about: 'service',
    places: [{ path: docsPath, label: 'Guides', for: 'everybody' }],
  },
];

/** Who looks at the navigation. */
export interface Viewer {
  readonly administrator: boolean;
  /** The team that is shown. Undefined: the person belongs to none. */
  readonly team: CurrentTeam | undefined;
  /** False: there are no mails to hand on, because a mail server sends them. */
  readonly outbox: boolean;
}

/** The sections with the entries that the viewer may open. Sections without entries are left out. */
export function sectionsFor({ administrator, team, outbox }: Viewer): readonly Section[] {
  const opens = ({ for: whom, path }: Place): boolean => {
    if (path === paths.outbox && !outbox) return false;
    if (whom === 'everybody') return true;
    if (team?.closed && whom !== 'administrators' && !inClosed.includes(path)) return false;
    if (whom === 'administrators') return administrator;
    return team !== undefined && (administrator || hasRight(team.role, whom));
  };
  return sections
    .map((section) => ({ ...section, places: section.places.filter(opens) }))
    .filter(({ places }) => places.length > 0);
}

/** What there is of a closed team. */
const inClosed: readonly string[] = [paths.audit, paths.teamSettings];

/** What the page at a path is about. `requested`: the team in its address, `shown`: that of the menu. */
export function aboutOf(path: string, requested: string | null, shown: string | undefined): About {
  const place = placeOf(path, sections);
  const about = sections.find(({ places }) => places.some((each) => each.path === place))?.about ?? 'you';
  if (about !== 'team' || (requested !== null && requested === shown)) return about;
  // Without a team, an administrator reads the audit log of the whole service.
  return place === paths.audit && requested === null ? 'service' : 'you';
}

/** The entry under which a page stands: the longest path that leads to it. */
export function placeOf(path: string, shown: readonly Section[]): string | undefined {
  return shown
    .flatMap(({ places }) => places.map((place) => place.path))
    .filter((each) => path === each || path.startsWith(`${each}/`))
    .sort((one, other) => other.length - one.length)
    .find((each) => each !== paths.home || path === paths.home);
}
