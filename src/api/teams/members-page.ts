import { breakable } from '../pages/parts/breakable.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { withdrawInvitation } from '../../commands/teams/invitation.ts';
import { hasRight } from '../../commands/teams/rights.ts';
import { memberRole } from '../../events/teams/team.ts';
import { members, type MemberDocument } from '../../projections/teams/members.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { hidden, notice, time, when, type Problems } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { afterParameter, keysetPage } from '../pages/keyset.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { empty, pager } from '../pages/parts/list-controls.ts';
import { doneNotice, mailWaits, redirectDone } from '../pages/parts/notices.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { peopleNamed, type NamedPerson } from '../../actions/accounts/people-named.ts';
import { invitationMailKey } from '../../actions/teams/invitation-mails.ts';
import { inviteByMail } from '../../actions/teams/invite.ts';
import { inviteForm, waitingInvitations, type WaitingInvitation } from './member-rows.ts';
import { en } from './texts.ts';

const texts = en.members;
const invitePath = `${paths.team}/invite`;
const withdrawPath = `${paths.team}/withdraw`;
export const memberPath = `${paths.team}/members`;

/** Who belongs to a team. Those who change members see addresses and invitations, too. */
export const membersPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: paths.team,
  get: (pageContext) => membersView(dependencies, pageContext),
});

/** Invites somebody by email. */
export const invitePage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change members',
  path: invitePath,
  get: ({ team }) => redirectTo(ofTeam(paths.team, team.team)),
  async post(pageContext) {
    const { form, team } = pageContext;
    const email = form.get('email') ?? '';
    const role = memberRole.safeParse(form.get('role'));
    if (!role.success)
      return { ...(await membersView(dependencies, pageContext, { role: texts.chooseRole })), status: 422 };
    try {
      const wish = { team: team.team, email, role: role.data };
      const parts = { ...dependencies, issuer: dependencies.issuer() };
      const { outcome } = await inviteByMail(parts, wish, pageContext.onceContext());
      await untilShown(dependencies.documents, outcome);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const view = await membersView(dependencies, pageContext, { email: error.message });
      return { ...view, status: error.status };
    }
    const sent = dependencies.config.smtpUrl === undefined ? mailWaits : 'invited';
    return redirectDone(paths.team, pageContext, sent);
  },
});

/** Withdraws an invitation. */
export const withdrawPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'change members',
  path: withdrawPath,
  get: ({ team }) => redirectTo(ofTeam(paths.team, team.team)),
  async post(pageContext) {
    const { form, team } = pageContext;
    try {
      const which = { team: team.team, invitation: form.get('invitation') ?? '' };
      const outcome = await withdrawInvitation(dependencies, which, pageContext.context());
      await dependencies.outbox.withdraw([invitationMailKey(which.invitation)]);
      await untilShown(dependencies.documents, outcome);
    } catch (error) {
      if (!(error instanceof CommandRefused)) throw error;
      const view = await membersView(dependencies, pageContext, {}, error.message);
      return { ...view, status: error.status };
    }
    return redirectDone(paths.team, pageContext, 'withdrawn');
  },
});

/** Whether the person may change who belongs to the team. */
const changesMembers = ({ currentUser, team }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'change members');

async function membersView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  problems: Problems = {},
  problem?: string,
): Promise<View> {
  const { team, query, form, formToken } = pageContext;
  const changes = changesMembers(pageContext);
  const page = await keysetPage(dependencies.documents.collection(members.collection), {
    where: { team: team.team, status: 'member' },
    orderBy: ['joined_at', 'user'],
    after: query.get(afterParameter),
  });
  const [named, waiting] = await Promise.all([
    peopleNamed(
      dependencies,
      page.docs.map(({ user }) => user),
    ),
    changes ? waitingInvitations(dependencies, team.team) : [],
  ]);
  const here = (after?: string) =>
    ofTeam(paths.team, team.team, after === undefined ? {} : { [afterParameter]: after });
  const typed = { email: form.get('email') ?? '', role: form.get('role') ?? 'member' };
  return {
    title: texts.title,
    content: html`<p class="lead">${texts.lead(team.name)}</p>
      ${when(problem !== undefined, notice(problem ?? '', 'wrong'))} ${doneNotice(pageContext, en.done)}
      ${
        page.docs.length === 0
          ? empty(texts.none, changes ? html`<p>${texts.first}</p>` : undefined)
          : html`<section class="card">${membersTable(pageContext, page.docs, named, changes)}</section>`
      }
      ${pager({
        first: page.isFirst ? undefined : here(),
        next: page.next === undefined ? undefined : here(page.next),
      })}
      ${
        changes
          ? html`<section class="card">
                <h2>${texts.waiting}</h2>
                ${
                  waiting.length === 0
                    ? html`<p class="quiet">${texts.noneWaiting}</p>`
                    : waitingTable(dependencies, pageContext, waiting)
                }
              </section>
              <section class="card">
                <h2>${texts.invite}</h2>
                ${inviteForm({ action: invitePath, team: team.team, token: formToken, problems, ...typed })}
              </section>`
          : ''
      }`,
  };
}

function membersTable(
  { team, currentUser }: TeamPageContext,
  docs: readonly MemberDocument[],
  named: ReadonlyMap<string, NamedPerson>,
  changes: boolean,
): Html {
  const { columns } = texts;
  const own = currentUser.person.user;
  const actionOf = (user: string, name: string): Html => {
    const [to, label] =
      user === own ? [paths.teams, texts.leave] : [ofTeam(`${memberPath}/${user}`, team.team), texts.change];
    return html`<a href="${to}">${label}<span class="unseen"> ${name}</span></a>`;
  };
  return table({
    caption: texts.caption,
    columns: [
      { label: columns.person },
      ...(changes ? [{ label: columns.email }] : []),
      { label: columns.role },
      { label: columns.since },
      ...(changes ? [{ label: '' }] : []),
    ],
    rows: docs.map(({ user, role, joined_at }) => {
      const person = named.get(user);
      const name = person?.name ?? texts.erased;
      return [
        html`${name} ${when(user === own, badge(texts.you))}`,
        ...(changes ? [breakable(person?.email ?? '')] : []),
        en.roles[role].label,
        time(joined_at),
        ...(changes ? [actionOf(user, name)] : []),
      ];
    }),
  });
}

const waitingTable = (
  { now }: PageDependencies,
  { team, formToken }: TeamPageContext,
  waiting: readonly WaitingInvitation[],
): Html =>
  table({
    caption: texts.waitingCaption,
    columns: [
      { label: texts.waitingColumns.email },
      { label: texts.waitingColumns.role },
      { label: texts.waitingColumns.invited },
      { label: texts.waitingColumns.until },
      { label: '' },
    ],
    rows: waiting.map(({ invitation, email = '', role, invited_at, expires_at }) => [
      breakable(email),
      en.roles[role].label,
      time(invited_at),
      Date.parse(expires_at) <= now().getTime()
        ? html`${time(expires_at, 'minute')} ${badge(texts.expired, 'bad')}`
        : time(expires_at, 'minute'),
      ask({
        label: texts.withdraw,
        of: email,
        sentence: texts.withdrawSentence,
        action: withdrawPath,
        token: formToken,
        weight: 'secondary',
        fields: html`${hidden('team', team.team)}${hidden('invitation', invitation)}`,
      }),
    ]),
  });
