import { firstStepsOf } from '../actions/teams/first-steps.ts';
import { searchEvents } from '../audit/search.ts';
import { hasRight, type Right } from '../events/teams-rights.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { ownSubmissionsSection } from './directory/dash/own-submissions.ts';
import { feedOf, type FeedLine } from './home-feed.ts';
import { firstStepsSection } from './home-start.ts';
import { tasksOfInstallation, tasksOfTeam, type Task } from './home-tasks.ts';
import { time } from './pages/controls.ts';
import { closedTeamView, otherTeamView } from './pages/frame/common-views.ts';
import { currentTeamOf, teamsOfPerson } from './pages/frame/current-team.ts';
import { requirePasskeyIn } from './pages/frame/passkey-first.ts';
import { html, type Html } from './pages/html.ts';
import { redirectTo, type Page } from './pages/page-context.ts';
import { empty } from './pages/parts/list-controls.ts';
import { ofTeam, paths } from './pages/paths.ts';

/**
 * What needs the person, with numbers; then the first steps of a new team, and what has happened of late. The first steps
 * come first while nothing needs anybody.
 */
export function homePage(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.home,
    async get(pageContext) {
      const { currentUser, query, formToken } = pageContext;
      const { user, role } = currentUser.person;
      const all = await teamsOfPerson(dependencies, currentUser);
      const team = await currentTeamOf(dependencies, currentUser, all, pageContext);
      const requested = query.get('team');
      if (requested !== null && requested !== team?.team) return otherTeamView(requested);
      if (requested === null && team)
        return redirectTo(ofTeam(paths.home, team.team, Object.fromEntries(query)));
      if (team) await requirePasskeyIn(dependencies, pageContext, team.team);
      if (team?.closed) return { ...closedTeamView({ team, currentUser }), status: 200 };
      const administrator = role === 'administrator';
      const may = (right: Right) => team !== undefined && (administrator || hasRight(team.role, right));
      const [submitted, ofTeamAlone, ofAll, steps, feed] = await Promise.all([
        team && ownSubmissionsSection(dependencies, pageContext, team.team),
        team ? tasksOfTeam(dependencies, team, may, administrator) : [],
        tasksOfInstallation(dependencies, pageContext, all),
        team && may('change members')
          ? firstStepsOf(dependencies, {
              team: team.team,
              user,
              backedUp: administrator ? await isBackedUp(dependencies) : undefined,
            })
          : undefined,
        team && may('read the audit log') ? feedOf(dependencies, team.team) : undefined,
      ]);
      const tasks = [...ofTeamAlone, ...ofAll];
      const start = team && steps ? firstStepsSection(steps, { team: team.team, token: formToken }) : '';
      return {
        title: texts.title,
        content: html`${tasks.length === 0 ? start : ''}
        ${tasksSection(tasks, team ? texts.waitingIn(team.name) : texts.waiting)}
        ${tasks.length === 0 ? '' : start} ${submitted ?? ''}
        ${team ? '' : empty(texts.noTeam, html`<a href="${paths.me}">${texts.toAccount}</a>`)}
        ${feed === undefined ? '' : feedSection(feed)}`,
      };
    },
  };
}

/** Whether the log has a backup. */
async function isBackedUp(dependencies: PageDependencies): Promise<boolean> {
  const search = { conditions: { type: 'BackupTaken' }, newestFirst: true, withParts: true, limit: 1 };
  return (await searchEvents(dependencies, search)).found.length > 0;
}

const tasksSection = (tasks: readonly Task[], heading: string): Html =>
  html`<section class="card" aria-labelledby="waiting">
    <h2 id="waiting">${heading}</h2>
    ${
      tasks.length === 0
        ? html`<p class="quiet">${texts.nothing}</p>`
        : html`<ul class="items">
            ${tasks.map(
              ({ sentence, to, act }) =>
                html`<li>
                  <div>${sentence}</div>
                  <a href="${to}">${act}<span class="unseen">: ${sentence}</span></a>
                </li>`,
            )}
          </ul>`
    }
  </section>`;

const feedSection = (feed: readonly FeedLine[]): Html =>
  html`<section class="card" aria-labelledby="recent">
    <h2 id="recent">${texts.recent}</h2>
    ${
      feed.length === 0
        ? html`<p class="quiet">${texts.nothingYet}</p>`
        : html`<ul class="feed">
            ${feed.map(
              ({ sentence, at, to }) =>
                html`<li>
                  <a href="${to}">${sentence}</a>
                  <p class="quiet small">${time(at, 'minute')}</p>
                </li>`,
            )}
          </ul>`
    }
  </section>`;

const texts = {
  title: 'Home',
  waiting: 'What needs you',
  waitingIn: (team: string) => `What needs you at ${team}`,
  nothing: 'Nothing is waiting for you.',
  noTeam: 'You belong to no team yet. An admin of a team can invite you by email.',
  toAccount: 'Go to your account',
  recent: 'What happened',
  nothingYet: 'Nothing has happened yet.',
} as const;
