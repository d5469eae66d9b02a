import { hasRight } from '../../../events/teams-rights.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { doneText, notice } from '../controls.ts';
import { html, type Html } from '../html.ts';
import {
  redirectTo,
  type PageContext,
  type Redirect,
  type SignedInPageContext,
  type CurrentTeam,
} from '../page-context.ts';
import { ofTeam, paths } from '../paths.ts';

/**
 * Leads to the page that says what was done. `done`: a key of that page's texts. The page links to what the request has
 * recorded. `also`: further parameters of its address.
 */
export function redirectDone(
  path: string,
  { correlationId, team }: PageContext & { readonly team?: CurrentTeam },
  done: string,
  also: Readonly<Record<string, string>> = {},
): Redirect {
  const query = { done, recorded: correlationId, ...also };
  if (team !== undefined) return redirectTo(ofTeam(path, team.team, query));
  return redirectTo(`${path}?${new URLSearchParams(query).toString()}`);
}

/** What is said of an email: where emails are sent, and where they wait for an administrator, as no mail server is set. */
export const byMail = ({ config }: Pick<PageDependencies, 'config'>, sent: string, waits: string): string =>
  config.smtpUrl === undefined ? waits : sent;

/** What was done, where an email about it waits in the outbox, because no mail server is set. Administrators open it. */
export const mailWaits = 'outbox';

/** What the page before this one has done, with a link to its events for those who may read the audit log. `beside`: what can be done about it. */
export function doneNotice<Key extends string>(
  { query, currentUser, team }: SignedInPageContext & { readonly team?: CurrentTeam },
  texts: Readonly<Record<Key, string>>,
  beside: Html | '' = '',
): Html {
  const sentence = doneText(query, texts);
  if (sentence === undefined) return html``;
  const isAdministrator = currentUser.person.role === 'administrator';
  const text =
    query.get('done') === mailWaits && isAdministrator
      ? html`${sentence} <a href="${paths.outbox}">Open the outbox</a>`
      : sentence;
  const recorded = query.get('recorded') ?? '';
  const reads = isAdministrator || hasRight(team?.role, 'read the audit log');
  if (!reads || !/^[\w-]{1,100}$/.test(recorded)) return notice(text, 'done', beside);
  const walk = `${paths.auditWalk}/${recorded}`;
  return notice(
    html`${text} <a href="${team === undefined ? walk : ofTeam(walk, team.team)}">See what was recorded</a>`,
    'done',
    beside,
  );
}
