import { CommandRefused } from '../../commands/errors.ts';
import { endMembership } from '../../commands/teams/member.ts';
import { slug } from '../../events/define.ts';
import { paginateAll } from '../../projections/engine/paginate.ts';
import { members, type MemberDocument } from '../../projections/teams/members.ts';
import { teams } from '../../projections/teams/teams.ts';
import { untilShown } from '../../projections/until-shown.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import { doneText, notice, time } from '../pages/controls.ts';
import { html, type Html } from '../pages/html.ts';
import { redirectTo, type Page, type SignedInPageContext, type View } from '../pages/page-context.ts';
import { ask } from '../pages/parts/ask.ts';
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
export function leaveTeam(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.leaveTeam,
    async post(pageContext) {
      const team = slug.safeParse(pageContext.form.get('team'));
      if (!team.success) return redirectTo(paths.teams);
      const { user } = pageContext.currentUser.person;
      try {
        const leaving = { team: team.data, user };
        await untilShown(
          dependencies.documents,
          await endMembership(dependencies, leaving, pageContext.context()),
        );
      } catch (error) {
        if (!(error instanceof CommandRefused)) throw error;
        const problem =
          error.code === 'conflict'
            ? 'You are the last admin of this team. Make another member an admin first, then leave.'
            : error.message;
        return { ...(await teamsView(dependencies, pageContext, problem)), status: error.status };
      }
      return redirectTo(`${paths.teams}?done=left`);
    },
  };
}

async function teamsView(
  { documents }: PageDependencies,
  { query, formToken, currentUser }: SignedInPageContext,
  problem?: string,
): Promise<View> {
  const own = await paginateAll(documents.collection(members.collection), {
    where: { user: currentUser.person.user, status: 'member' },
    orderBy: ['team'],
  });
  const named = await documents.collection(teams.collection).getMany(own.map(({ team }) => team));
  const done = doneText(query, doneTexts);
  return {
    title: 'Your teams',
    content: html`${problem === undefined ? '' : notice(problem, 'wrong')}
    ${done === undefined ? '' : notice(done)}
    ${
      own.length === 0
        ? html`<p class="card quiet empty">You belong to no team.</p>`
        : html`<ul class="sites">
            ${own.map((each) => entry(each, named.get(each.team)?.name ?? each.team, formToken))}
          </ul>`
    }`,
  };
}

const entry = ({ team, role, joined_at }: MemberDocument, name: string, token: string): Html =>
  html`<li class="card">
    <h2>${name}</h2>
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

const doneTexts = {
  joined: 'You have joined the team.',
  left: 'You have left the team.',
} as const;
