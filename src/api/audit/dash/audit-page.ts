import { readsAudit } from '../../../actions/audit-log.ts';
import { allowedIn } from '../../../commands/teams/rights.ts';
import { hasRight } from '../../../events/teams-rights.ts';
import { auditEvents } from '../../../projections/audit.ts';
import type { SignedTree } from '../../../stores/side/proof-log-port.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { time } from '../../pages/controls.ts';
import { otherTeamView } from '../../pages/frame/common-views.ts';
import { teamWithRight } from '../../pages/frame/current-team.ts';
import { requirePasskeyIn } from '../../pages/frame/passkey-first.ts';
import { html, type Html } from '../../pages/html.ts';
import { tabs } from '../../pages/parts/list-controls.ts';
import {
  EarlyAnswer,
  redirectTo,
  type Answer,
  type Page,
  type PageContext,
  type SignedInPageContext,
  type CurrentTeam,
} from '../../pages/page-context.ts';
import { ofTeam, paths } from '../../pages/paths.ts';
import { en } from './texts.ts';

/** For a page about the events of one team, or for an administrator about those of the whole installation. */
export interface AuditPageContext extends SignedInPageContext {
  /** Undefined: an administrator looks at all events. */
  readonly team: CurrentTeam | undefined;
}

interface AuditPage {
  readonly path: string;
  readonly get: (pageContext: AuditPageContext) => Promise<Answer>;
}

/**
 * A page of the audit log. With a team: for those who may read its audit log. Without one, an administrator sees all
 * events, and others are sent to the team that they looked at last, or one of which they may read it.
 */
export const auditPage = (dependencies: PageDependencies, { path, get }: AuditPage): Page => ({
  audience: 'signed in',
  recordsViews: true,
  path,
  async get(pageContext) {
    const { query, currentUser, request } = pageContext;
    const { user, role } = currentUser.person;
    const slug = query.get('team');
    if (slug === null) {
      if (role === 'administrator') return get({ ...pageContext, team: undefined });
      const found = await teamWithRight(dependencies, pageContext, right);
      if (!found || !hasRight(found.role, right)) return otherTeamView(undefined);
      const [here = ''] = (request.raw.url ?? '').split('?', 1);
      return redirectTo(ofTeam(here, found.team, Object.fromEntries(query)));
    }
    const allowed = await allowedIn(dependencies.store, { user, team: slug, right });
    if (!allowed) return otherTeamView(slug);
    await requirePasskeyIn(dependencies, pageContext, slug);
    return get({ ...pageContext, team: { team: slug, ...allowed } });
  },
});

const { right } = readsAudit;

/** The address of a page of the audit log, of the same team. */
export function inAudit(
  path: string,
  { team }: Pick<AuditPageContext, 'team'>,
  also: Readonly<Record<string, string>> = {},
): string {
  if (team) return ofTeam(path, team.team, also);
  const query = new URLSearchParams(also).toString();
  return query === '' ? path : `${path}?${query}`;
}

/** Whose events are shown, and the pages of the audit log. */
export function auditHead(path: string, pageContext: AuditPageContext): Html {
  const { team, currentUser } = pageContext;
  const whole =
    team && currentUser.person.role === 'administrator' ? html` <a href="${path}">${en.showAll}</a>` : '';
  return html`<p class="lead">
      ${team ? html`${en.ofTeam} <strong>${team.name}</strong>.` : en.ofAll}${whole}
    </p>
    ${tabs({
      label: en.title,
      here: inAudit(path, { team }),
      entries: [
        { to: inAudit(paths.audit, { team }), label: en.events },
        { to: inAudit(paths.auditAsOf, { team }), label: en.asOf },
        { to: inAudit(paths.auditExports, { team }), label: en.exports },
      ],
    })}`;
}

/** While the index of the audit log is being built, a page says so. @throws EarlyAnswer */
export async function requireIndex({ documents }: PageDependencies): Promise<void> {
  const { serving } = await documents.generations(auditEvents.collection.name);
  if (serving) return;
  throw new EarlyAnswer({
    title: en.title,
    status: 503,
    content: html`<p>${en.indexIsBuilt}</p>`,
    headers: { 'retry-after': '30' },
  });
}

/** The newest state of the log that is signed: of how many events, and since when. */
export const signedState = ({ size, signedAt }: Pick<SignedTree, 'size' | 'signedAt'>): Html =>
  html`${size.toLocaleString('en')} ${size === 1 ? 'event' : 'events'}, ${time(signedAt, 'second')}`;

/** A part of the path of the request. */
export const parameterOf = ({ request }: PageContext, name: string): string =>
  (request.params as Readonly<Record<string, string>>)[name] ?? '';
