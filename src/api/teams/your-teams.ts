import { leave } from '../../actions/teams/members.ts';
import { personForm, type Again } from '../pages/action-form.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { members, type MemberDocument } from '../../projections/teams-members.ts';
import { teams, type TeamDocument } from '../../projections/teams.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { doneText, notice, time, when } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type Page, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
import { badge } from '../pages/parts/badge.ts';
import { byMail } from '../pages/parts/notices.ts';
import { ofTeam, paths } from '../pages/paths.ts';
import { roleWords } from '../../actions/teams/role-words.ts';

/** The teams that a person belongs to, and how to leave one. */
export function yourTeams(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.teams,
    get: (pageContext) => teamsView(dependencies, pageContext),
  };
}

/** Leaves a team. */
export const leaveTeam = personForm({
  path: paths.leaveTeam,
  action: leave,
  also: ({ form }) => ({ team: form.get('team') ?? '' }),
  view: teamsView,
  done: () => redirectTo(`${paths.teams}?done=left`),
});

async function teamsView(
  dependencies: PageDependencies,
  { query, formToken, currentUser }: SignedInPageContext,
  { refused }: Again = { problems: {} },
): Promise<View> {
  const { documents } = dependencies;
  const problem = refused?.code === 'conflict' ? lastAdmin : refused?.message;
  const own = await paginateAll(documents.collection(members.collection), {
    where: { user: currentUser.person.user, status: 'member' },
    orderBy: ['team'],
  });
  const named = await documents.collection(teams.collection).getMany(own.map(({ team }) => team));
  const done = doneText(query, doneTextsOf(dependencies));
  return {
    title: 'Your teams',
    content: html`${problem === undefined ? '' : notice(problem, 'wrong')}
    ${done === undefined ? '' : notice(done)}
    ${
      own.length === 0
        ? html`<p class="card quiet empty">You belong to no team.</p>`
        : html`<ul class="sites">
            ${own.map((each) => entry(each, named.get(each.team), formToken))}
          </ul>`
    }`,
  };
}

const entry = (
  { team, role, joined_at }: MemberDocument,
  { name = team, closed_at }: Partial<TeamDocument> = {},
  token: string,
): Html =>
  html`<li class="card">
    <h2>${name} ${when(closed_at !== undefined, badge('closed'))}</h2>
    <p>You are ${roleWords[role]}, since ${time(joined_at)}.</p>
    <div class="choices">
      <a class="button secondary" href="${ofTeam(paths.teamHome, team)}"
        >Open<span class="unseen"> ${name}</span></a
      >
      ${ask({
        label: 'Leave',
        of: name,
        sentence:
          'You can open nothing of the team any more, at once. To come back, you need a new invitation.',
        action: paths.leaveTeam,
        token,
        values: { team },
      })}
    </div>
  </li>`;

const lastAdmin = 'You are the last admin of this team. Make another member an admin first, then leave.';

const doneTextsOf = (dependencies: PageDependencies) => ({
  joined: 'You have joined the team.',
  'joined-unconfirmed': `You have joined the team. Your address is not confirmed yet. ${byMail(
    dependencies,
    'We sent you an email: open the link in it.',
    'An administrator finds the email that confirms it in the outbox.',
  )}`,
  left: 'You have left the team.',
});
