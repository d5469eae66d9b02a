import { findTeam } from '../../commands/teams/team.ts';
import { requirePasskeys } from '../../actions/teams/teams.ts';
import { memberList, type Member } from '../../actions/teams/members.ts';
import {
  copyLink,
  invite,
  openInvitations,
  withdraw,
  type OpenInvitation,
} from '../../actions/teams/invitations.ts';
import { hasRight } from '../../events/teams-rights.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { teamForm, type Again } from '../pages/action-form.ts';
import { button, form, hidden, notice, time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { listPage } from '../pages/keyset.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { breakable } from '../pages/parts/breakable.ts';
import { empty } from '../pages/parts/list-controls.ts';
import { byMail, doneNotice, mailWaits, redirectDone } from '../pages/parts/notices.ts';
import { copyable } from '../pages/parts/show-once.ts';
import { table } from '../pages/parts/table.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { inviteForm } from './member-rows.ts';
import { en } from './texts.ts';

const texts = en.members;
const invitePath = `${paths.team}/invite`;
const passkeysPath = `${paths.team}/passkeys`;
const copyLinkPath = `${paths.team}/invitation-link`;
const withdrawPath = `${paths.team}/withdraw`;
export const memberPath = `${paths.team}/members`;

/** Who belongs to a team. Those who change members see addresses and invitations, too. */
export const membersPage = (dependencies: PageDependencies): Page => ({
  audience: 'team',
  right: 'see the team',
  path: paths.team,
  get: (pageContext) => membersView(dependencies, pageContext),
});

const change = {
  get: (_: PageDependencies, { team }: TeamPageContext) => redirectTo(ofTeam(paths.team, team.team)),
  view: membersView,
};

/** Invites somebody by email. */
export const invitePage = teamForm({
  ...change,
  path: invitePath,
  action: invite,
  fields: () => [
    { name: 'email', label: texts.email, read: (typed) => typed },
    { name: 'role', label: texts.role, wrong: texts.chooseRole },
  ],
  done: (pageContext, { waits }) => redirectDone(paths.team, pageContext, waits ? mailWaits : 'invited'),
});

/** Withdraws an invitation. */
export const withdrawPage = teamForm({
  ...change,
  path: withdrawPath,
  action: withdraw,
  also: ({ form }) => ({ invitation: form.get('invitation') ?? '' }),
  done: (pageContext) => redirectDone(paths.team, pageContext, 'withdrawn'),
});

/** Shows the link of an invitation, to be passed on by hand. */
export const copyLinkPage = teamForm({
  ...change,
  path: copyLinkPath,
  action: copyLink,
  also: ({ form }) => ({ invitation: form.get('invitation') ?? '' }),
  done: ({ team }, { link, email = '' }) => ({
    title: texts.link.title,
    content: html`<p class="lead">${texts.link.lead(email)}</p>
      <section class="card">${copyable(link, texts.link.label)}</section>
      <p>${texts.link.proves}</p>
      <p><a href="${ofTeam(paths.team, team.team)}">${texts.link.back}</a></p>`,
  }),
});

/** Says whether the people of the team need a passkey. */
export const passkeysPage = teamForm({
  ...change,
  path: passkeysPath,
  action: requirePasskeys,
  also: ({ form }) => ({ required: form.get('required') === 'yes' }),
  done: (pageContext, { required }) =>
    redirectDone(paths.team, pageContext, required ? 'passkeys' : 'no-passkeys'),
});

/** Whether the person may change who belongs to the team. */
const changesMembers = ({ currentUser, team }: TeamPageContext): boolean =>
  currentUser.person.role === 'administrator' || hasRight(team.role, 'change members');

async function membersView(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, query, form, formToken } = pageContext;
  const changes = changesMembers(pageContext);
  const { rows, further } = await listPage(dependencies, memberList, { team: team.team }, query, (also) =>
    ofTeam(paths.team, team.team, also),
  );
  const waiting = changes ? await openInvitations(dependencies, team.team) : [];
  const typed = { email: form.get('email') ?? '', role: form.get('role') ?? 'member' };
  return {
    title: texts.title,
    content: html`<p class="lead">${texts.lead(team.name)}</p>
      ${when(refused !== undefined, notice(refused?.message ?? '', 'wrong'))}
      ${doneNotice(pageContext, en.done)}
      ${
        rows.length === 0
          ? empty(texts.none, changes ? html`<p>${texts.first}</p>` : undefined)
          : html`<section class="card">${membersTable(pageContext, rows, changes)}</section>`
      }
      ${further}
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
                ${inviteForm({
                  action: ofTeam(invitePath, team.team),
                  team: team.team,
                  token: formToken,
                  hint: byMail(dependencies, texts.inviteHint, texts.inviteByHand),
                  problems,
                  ...typed,
                })}
              </section>
              ${await passkeysSection(dependencies, pageContext)}`
          : ''
      }`,
  };
}

async function passkeysSection(
  { store }: PageDependencies,
  { team, formToken }: TeamPageContext,
): Promise<Html> {
  const required = (await findTeam(store, team.team))?.passkeysRequired ?? false;
  return html`<section class="card">
    <h2>${en.passkeys.title}</h2>
    <p>${required ? en.passkeys.required : en.passkeys.optional}</p>
    <p class="quiet">${en.passkeys.hint}</p>
    ${form({
      action: ofTeam(passkeysPath, team.team),
      token: formToken,
      content: html`${hidden('team', team.team)}${hidden('required', required ? 'no' : 'yes')}
      ${button(required ? en.passkeys.release : en.passkeys.require, { weight: 'secondary' })}`,
    })}
  </section>`;
}

function membersTable(
  { team, currentUser }: TeamPageContext,
  found: readonly Member[],
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
    rows: found.map(({ user, role, joined_at, email, ...person }) => {
      const name = person.name ?? texts.erased;
      return [
        html`${name} ${when(user === own, badge(texts.you))}`,
        ...(changes ? [breakable(email ?? '')] : []),
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
  waiting: readonly OpenInvitation[],
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
      html`<div class="choices">
        ${form({
          action: ofTeam(copyLinkPath, team.team),
          token: formToken,
          inline: true,
          content: html`${hidden('team', team.team)}${hidden('invitation', invitation)}
          ${button(texts.copyLink, { weight: 'secondary', of: email })}`,
        })}
        ${ask({
          label: texts.withdraw,
          of: email,
          sentence: texts.withdrawSentence,
          action: ofTeam(withdrawPath, team.team),
          token: formToken,
          weight: 'secondary',
          fields: html`${hidden('team', team.team)}${hidden('invitation', invitation)}`,
        })}
      </div>`,
    ]),
  });
