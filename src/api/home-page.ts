import { knownNames } from '../audit/known-names.ts';
import { shownLines } from '../audit/operation-lines.ts';
import { searchEvents } from '../audit/search.ts';
import type { ShownEvent } from '../audit/shown-event.ts';
import { hasRight, type Right } from '../events/teams-rights.ts';
import { commons } from '../events/teams.ts';
import { auditAccessStream } from '../events/audit.ts';
import { beginsOperation, isBulk } from '../events/operations.ts';
import { deliveryStream } from '../events/webhooks/webhook.ts';
import { mistakes } from '../projections/directory/mistakes.ts';
import { resources } from '../projections/directory/resources.ts';
import { invitations } from '../projections/teams-invitations.ts';
import { subscriptionHealth } from '../projections/webhooks/subscription-health.ts';
import { subscriptions } from '../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { ownSubmissionsSection } from './directory/dash/own-submissions.ts';
import { time } from './pages/controls.ts';
import { currentTeamOf, teamsOfPerson } from './pages/frame/current-team.ts';
import { otherTeamView } from './pages/frame/common-views.ts';
import { requirePasskeyIn } from './pages/frame/passkey-first.ts';
import { html, type Html } from './pages/html.ts';
import { redirectTo, type Page, type SignedInPageContext, type CurrentTeam } from './pages/page-context.ts';
import { empty } from './pages/parts/list-controls.ts';
import { ofTeam, paths } from './pages/paths.ts';

/** What needs the person, and what has happened of late. */
export function homePage(dependencies: PageDependencies): Page {
  return {
    audience: 'signed in',
    path: paths.home,
    async get(pageContext) {
      const { currentUser, query } = pageContext;
      const all = await teamsOfPerson(dependencies, currentUser);
      const team = await currentTeamOf(dependencies, currentUser, all, pageContext);
      const asked = query.get('team');
      if (asked !== null && asked !== team?.team) return otherTeamView(asked);
      if (asked === null && team) return redirectTo(ofTeam(paths.home, team.team, Object.fromEntries(query)));
      if (team) await requirePasskeyIn(dependencies, pageContext, team.team);
      const may = (right: Right) =>
        team !== undefined && (currentUser.person.role === 'administrator' || hasRight(team.role, right));
      const [submitted, tasks, recent] = await Promise.all([
        team && ownSubmissionsSection(dependencies, pageContext, team.team),
        tasksOf(dependencies, pageContext, { all, team }, may),
        team && may('read the audit log') ? recentEvents(dependencies, team) : undefined,
      ]);
      return {
        title: texts.title,
        content: html`<section class="card" aria-labelledby="waiting">
            <h2 id="waiting">${team ? texts.waitingIn(team.name) : texts.waiting}</h2>
            ${
              tasks.length === 0
                ? html`<p class="quiet">${texts.nothing}</p>`
                : html`<ul class="items">
                    ${tasks}
                  </ul>`
            }
          </section>
          ${submitted ?? ''}
          ${team ? '' : empty(texts.noTeam, html`<a href="${paths.me}">${texts.toAccount}</a>`)}
          ${recent === undefined ? '' : recentSection(recent, team)}`,
      };
    },
  };
}

/** An invitation that ends within this time needs somebody. */
const soonMs = 2 * 24 * 3_600_000;
/** What waits is not counted further. */
const atMost = 1_000;
/** Subscriptions of a team that are looked at. A team has at most 1,000 unless a setting says otherwise. */
const mostSubscriptions = 1_000;

async function tasksOf(
  { documents, config, outbox, now }: PageDependencies,
  { currentUser: { person } }: SignedInPageContext,
  { all, team }: { readonly all: readonly CurrentTeam[]; readonly team: CurrentTeam | undefined },
  may: (right: Right) => boolean,
): Promise<Html[]> {
  const slug = team?.team ?? '';
  const at = now().getTime();
  const tasks: (Html | undefined)[] = [];
  if (may('review records')) {
    const [waiting, reported] = await Promise.all([
      documents
        .collection(resources.collection)
        .count({ where: { team: slug, status: 'submitted' }, atMost }),
      documents.collection(mistakes.collection).count({ where: { team: slug, status: 'open' }, atMost }),
    ]);
    if (waiting > 0) tasks.push(task(texts.reviews(waiting), ofTeam(paths.review, slug), texts.review));
    if (reported > 0) tasks.push(task(texts.mistakes(reported), ofTeam(paths.review, slug), texts.look));
  }
  if (may('change webhooks')) {
    const own = await documents
      .collection(subscriptions.collection)
      .page({ where: { team: slug }, orderBy: ['subscription'], limit: mostSubscriptions });
    const active = own.filter(({ status }) => status === 'active').map(({ subscription }) => subscription);
    const health = await documents.collection(subscriptionHealth.collection).getMany(active);
    const failing = [...health.values()].filter(({ failing_since }) => failing_since !== undefined).length;
    const paused = own.filter(
      ({ status, paused_because }) => status === 'paused' && paused_because !== undefined,
    ).length;
    if (paused > 0) tasks.push(task(texts.paused(paused), ofTeam(paths.webhooks, slug), texts.look));
    if (failing > 0) tasks.push(task(texts.failing(failing), ofTeam(paths.webhooks, slug), texts.look));
  }
  if (may('change members')) {
    const open = await documents
      .collection(invitations.collection)
      .page({ where: { team: slug, status: 'open' }, orderBy: ['invited_at', 'invitation'], limit: 100 });
    const ending = open.filter(({ expires_at }) => Date.parse(expires_at) - at < soonMs).length;
    if (ending > 0) tasks.push(task(texts.invitations(ending), ofTeam(paths.team, slug), texts.look));
  }
  if (person.role === 'administrator' && config.smtpUrl === undefined) {
    const mails = (await outbox.newest()).length;
    if (mails > 0) tasks.push(task(texts.mails(mails), paths.outbox, texts.handOn));
  }
  if (person.role === 'administrator' && all.every(({ team: each }) => each === commons.team))
    tasks.push(task(texts.firstTeam, paths.allTeams, texts.createTeam));
  return tasks.filter((each) => each !== undefined);
}

const task = (sentence: string, to: string, act: string): Html =>
  html`<li>
    <div>${sentence}</div>
    <a href="${to}">${act}<span class="unseen">: ${sentence}</span></a>
  </li>`;

/** Events that are looked at, and of those the ones that are shown. */
const [lookedAt, mostShown] = [40, 10];
/** There are many of them, and they have pages of their own: webhooks, and the audit log. */
const frequent = [deliveryStream, auditAccessStream].map(({ name }) => `${name}-`);

/** What the people of the team did last, in sentences; the frequent events where there are no others. */
async function recentEvents(dependencies: PageDependencies, { team }: CurrentTeam): Promise<ShownEvent[]> {
  const { found } = await searchEvents(dependencies, {
    conditions: {},
    team,
    newestFirst: true,
    withParts: false,
    limit: lookedAt,
  });
  const rare = found.filter(({ recorded: { stream } }) => !frequent.some((each) => stream.startsWith(each)));
  const newest = (rare.length > 0 ? rare : found).slice(0, mostShown);
  const names = await knownNames(dependencies, newest, team);
  return shownLines(dependencies, newest, names);
}

const recentSection = (recent: readonly ShownEvent[], team: CurrentTeam | undefined): Html =>
  html`<section class="card" aria-labelledby="recent">
    <h2 id="recent">${texts.recent}</h2>
    ${
      recent.length === 0
        ? html`<p class="quiet">${texts.nothingYet}</p>`
        : html`<ul class="feed">
            ${recent.map(
              ({ sentence, at, type, correlation_id: correlation }) =>
                html`<li>
                  <a
                    href="${
                      isBulk(type)
                        ? ofTeam(`${paths.directory}/bulk/${correlation}`, team?.team ?? '')
                        : beginsOperation(type)
                          ? ofTeam(paths.audit, team?.team ?? '', { correlation })
                          : ofTeam(`${paths.auditWalk}/${correlation}`, team?.team ?? '')
                    }"
                    >${sentence}</a
                  >
                  <p class="quiet small">${time(at, 'minute')}</p>
                </li>`,
            )}
          </ul>`
    }
  </section>`;

const counted = (number: number, one: string, many: string): string =>
  number === 1 ? `One ${one}` : `${number.toLocaleString('en')}${number >= atMost ? ' or more' : ''} ${many}`;

const texts = {
  title: 'Home',
  waiting: 'What needs you',
  waitingIn: (team: string) => `What needs you at ${team}`,
  nothing: 'Nothing is waiting for you.',
  noTeam: 'You belong to no team yet. An admin of a team can invite you by email.',
  toAccount: 'Go to your account',
  reviews: (number: number) => `${counted(number, 'record waits', 'records wait')} for a decision.`,
  review: 'Review',
  mistakes: (number: number) => `${counted(number, 'mistake was', 'mistakes were')} reported.`,
  paused: (number: number) =>
    `${counted(number, 'webhook is paused because its receiver', 'webhooks are paused because their receivers')} did not respond.`,
  failing: (number: number) => `${counted(number, 'webhook fails', 'webhooks fail')} at the moment.`,
  invitations: (number: number) => `${counted(number, 'invitation ends', 'invitations end')} soon.`,
  mails: (number: number) => `${counted(number, 'email waits', 'emails wait')} to be handed on.`,
  handOn: 'Open the outbox',
  firstTeam: `No organization has a team here yet, beside ${commons.name}.`,
  createTeam: 'Create a team',
  look: 'See them',
  recent: 'What happened',
  nothingYet: 'Nothing has happened yet.',
} as const;
