import { mayReadAnswers } from '../events/forms/readers.ts';
import type { Right } from '../events/teams-rights.ts';
import { commons } from '../events/teams.ts';
import { countedUpTo, timeLeft } from '../ground/counted.ts';
import { pauseOutlook } from '../dispatch/operations/pause-outlook.ts';
import { webhookTitle } from '../events/webhooks/webhook.ts';
import { waitsForAnswer } from '../imports/import-state.ts';
import { recordFilter } from '../actions/directory/record-filter.ts';
import { dueRecords, recordOrder } from '../actions/directory/record-table.ts';
import { freshness } from '../actions/directory/upkeep/freshness.ts';
import { followingsOf } from '../projections/directory/upkeep/followings.ts';
import { mistakes } from '../projections/directory/upkeep/mistakes.ts';
import { claims } from '../projections/directory/upkeep/claims.ts';
import { suggestions } from '../projections/directory/upkeep/suggestions.ts';
import { organizations } from '../projections/directory/organizations.ts';
import { resources } from '../projections/directory/resources.ts';
import { forms, formSubmissions, type FormDocument } from '../projections/forms.ts';
import { invitations } from '../projections/teams-invitations.ts';
import { expiringKeys } from '../projections/keys.ts';
import { subscriptionHealth } from '../projections/webhooks/subscription-health.ts';
import { subscriptions } from '../projections/webhooks/subscriptions.ts';
import type { PageDependencies } from './dashboard-dependencies.ts';
import { claimsOf, mistakesOf, suggestionsOf, waitingOrganizationsOf } from './directory/dash/dash-paths.ts';
import { importPath } from './directory/dash/import/import-paths.ts';
import { followingsPath } from './directory/upkeep/following-card.ts';
import { en as followed } from './directory/upkeep/following-texts.ts';
import { formPagePath } from './forms/dash/form-authority.ts';
import type { CurrentTeam, SignedInPageContext } from './pages/page-context.ts';
import { ofTeam, paths } from './pages/paths.ts';
import { readerClock } from './pages/reader-clock.ts';
import { timeText } from './pages/time.ts';

/** Something that needs the person: how much of it, and where it is done. */
export interface Task {
  readonly sentence: string;
  readonly to: string;
  /** What the link does. */
  readonly act: string;
}

/** What waits is not counted further, so that Home is as fast with 100,000 records. */
const atMost = 1_000;
/** Of a team, so many forms are looked through, and so many webhooks: as many as a team has. */
const [mostForms, mostWebhooks] = [100, 1_000];
/** An invitation that ends within this time needs somebody. */
const soonMs = 2 * 24 * 3_600_000;

/** What needs the person in a team: what is theirs to decide there, with numbers. */
export async function tasksOfTeam(
  dependencies: PageDependencies,
  team: CurrentTeam,
  may: (right: Right) => boolean,
  isAdministrator: boolean,
): Promise<readonly Task[]> {
  const of = { ...dependencies, team: team.team };
  const found = await Promise.all([
    may('review records') ? reviews(of) : [],
    may('review records') ? dueForConfirmation(of) : [],
    may('import records') ? waitingImports(of) : [],
    may('import records') ? pausedFollowings(of) : [],
    newAnswers(of, (form) => isAdministrator || mayReadAnswers(team.role, form)),
    may('change members') ? openInvitations(of) : [],
    may('change keys') ? endingKeys(of, { team: team.team }) : [],
    may('change webhooks') ? failingWebhooks(of) : [],
  ]);
  return found.flat();
}

/** What needs the person whatever team is shown: their own keys, and what is for an administrator of the installation. */
export async function tasksOfInstallation(
  dependencies: PageDependencies,
  { currentUser: { person } }: SignedInPageContext,
  all: readonly CurrentTeam[],
): Promise<readonly Task[]> {
  const { config, outbox } = dependencies;
  const own = await endingKeys(dependencies, { created_by: person.user, kind: 'developer' });
  if (person.role !== 'administrator') return own;
  const mails = config.smtpUrl === undefined ? (await outbox.newest()).length : 0;
  return [
    ...own,
    ...one(mails, texts.mails, paths.outbox, texts.openOutbox),
    ...(all.every(({ team }) => team === commons.team)
      ? [{ sentence: texts.firstTeam, to: paths.allTeams, act: texts.createTeam }]
      : []),
  ];
}

interface OfTeam extends PageDependencies {
  readonly team: string;
}

async function reviews({ documents, team }: OfTeam): Promise<readonly Task[]> {
  const submitted = { where: { team, status: 'submitted' }, atMost } as const;
  const [records, waiting, reported, suggested, claimed] = await Promise.all([
    documents.collection(resources.collection).count(submitted),
    documents.collection(organizations.collection).count(submitted),
    documents.collection(mistakes.collection).count({ where: { team, status: 'open' }, atMost }),
    documents.collection(suggestions.collection).count({ where: { team, status: 'open' }, atMost }),
    documents.collection(claims.collection).count({ where: { team, status: 'proven' }, atMost }),
  ]);
  return [
    ...one(records, texts.records, ofTeam(paths.review, team), texts.review),
    ...one(waiting, texts.organizations, waitingOrganizationsOf(team), texts.reviewOrganizations),
    ...one(reported, texts.mistakes, mistakesOf(team), texts.readReports),
    ...one(suggested, texts.suggestions, suggestionsOf(team), texts.readSuggestions),
    ...one(claimed, texts.claims, claimsOf(team), texts.decideClaims),
  ];
}

/** Public records of which nobody has said for half a year that they are right. */
async function dueForConfirmation({ documents, team, now }: OfTeam): Promise<readonly Task[]> {
  const { due } = await freshness(documents, { team, now: now(), zone: readerClock().zone });
  const { filter, order } = dueRecords;
  const query = { ...recordFilter.toQuery(filter), sort: recordOrder.toText(order) };
  return one(due, texts.due, ofTeam(paths.directory, team, query), texts.seeDue);
}

/** An import that waits for an answer, with what was changed here and by its source. */
async function waitingImports({ imports, team }: OfTeam): Promise<readonly Task[]> {
  const states = (await imports.ofTeam(team)).filter(waitsForAnswer);
  return Promise.all(
    states.map(async (state) => ({
      sentence: texts.imports(state.file, (await imports.report(state))?.conflicts ?? 0),
      to: ofTeam(importPath(state.id), team),
      act: texts.decide,
    })),
  );
}

/** Followed directories that somebody of the team has not paused. */
async function pausedFollowings({ documents, team }: OfTeam): Promise<readonly Task[]> {
  const all = await followingsOf(documents, team);
  const paused = all.filter(({ status, why }) => status === 'paused' && why !== 'team');
  return one(paused.length, followed.task, ofTeam(followingsPath, team), followed.open);
}

async function newAnswers(
  { documents, team }: OfTeam,
  mayRead: (form: FormDocument) => boolean,
): Promise<readonly Task[]> {
  const all = await documents
    .collection(forms.collection)
    .page({ where: { team }, orderBy: ['slug'], limit: mostForms });
  const counted = await Promise.all(
    all.filter(mayRead).map(async ({ form, slug }) => {
      const where = { form, state: 'new' } as const;
      return {
        slug,
        waiting: await documents.collection(formSubmissions.collection).count({ where, atMost }),
      };
    }),
  );
  const some = counted.filter(({ waiting }) => waiting > 0);
  const [first, ...others] = some;
  const to = first && others.length === 0 ? formPagePath(first.slug) : paths.forms;
  const sum = Math.min(
    some.reduce((total, { waiting }) => total + waiting, 0),
    atMost,
  );
  return one(sum, texts.answers, ofTeam(to, team), texts.readAnswers);
}

async function openInvitations({ documents, now, team }: OfTeam): Promise<readonly Task[]> {
  const open = await documents
    .collection(invitations.collection)
    .page({ where: { team, status: 'open' }, orderBy: ['invited_at', 'invitation'], limit: 100 });
  const at = now().getTime();
  const ending = open.filter(({ expires_at }) => Date.parse(expires_at) - at < soonMs).length;
  const sentence = (number: number) => texts.invitations(number, ending);
  return one(open.length, sentence, ofTeam(paths.team, team), texts.seeInvitations);
}

async function failingWebhooks({ documents, team, now }: OfTeam): Promise<readonly Task[]> {
  const own = await documents
    .collection(subscriptions.collection)
    .page({ where: { team }, orderBy: ['subscription'], limit: mostWebhooks });
  const active = new Map(
    own.filter(({ status }) => status === 'active').map((each) => [each.subscription, each] as const),
  );
  const health = await documents.collection(subscriptionHealth.collection).getMany([...active.keys()]);
  const failing = [...health].flatMap(
    ([
      id,
      {
        failing_since = null,
        failing: { length },
      },
    ]) => {
      const outlook = pauseOutlook({ failing_since, failing: length });
      return outlook ? [{ id, ...outlook }] : [];
    },
  );
  const [first] = failing.sort((one, other) => (one.pauses_at < other.pauses_at ? -1 : 1));
  const doc = first && active.get(first.id);
  const paused = own.filter(
    ({ status, paused_because }) => status === 'paused' && paused_because !== undefined,
  ).length;
  const to = ofTeam(paths.webhooks, team);
  return [
    ...one(paused, texts.paused, to, texts.openWebhooks),
    ...(first && doc
      ? [
          {
            sentence: texts.failing(failing.length, {
              name: webhookTitle(doc),
              since: timeText(first.failing_since, 'minute'),
              left: timeLeft(first.pauses_at, now()),
              more: first.more_deliveries,
            }),
            to: failing.length === 1 ? ofTeam(`${paths.webhooks}/${first.id}`, team) : to,
            act: failing.length === 1 ? texts.openWebhook : texts.openWebhooks,
          },
        ]
      : []),
  ];
}

/** Keys of a team or of the person that expire soon. */
async function endingKeys(
  { documents, now }: Pick<PageDependencies, 'documents' | 'now'>,
  of: { readonly team: string } | { readonly created_by: string; readonly kind: 'developer' },
): Promise<readonly Task[]> {
  const ending = await expiringKeys(documents, of, now());
  const path = 'team' in of ? paths.teamKeys : paths.developers;
  const [only] = ending.length === 1 ? ending : [];
  const to = only === undefined ? path : `${path}/${only.key_id}`;
  return one(ending.length, texts.keys, 'team' in of ? ofTeam(to, of.team) : to, texts.openKeys);
}

const one = (
  number: number,
  sentence: (number: number) => string,
  to: string,
  act: string,
): readonly Task[] => (number === 0 ? [] : [{ sentence: sentence(number), to, act }]);

const counted = countedUpTo(atMost);

const texts = {
  records: (number: number) => `${counted(number, 'record waits', 'records wait')} for a decision.`,
  review: 'Review records',
  organizations: (number: number) =>
    `${counted(number, 'organization waits', 'organizations wait')} for a decision.`,
  reviewOrganizations: 'Review organizations',
  mistakes: (number: number) => `${counted(number, 'mistake was', 'mistakes were')} reported.`,
  readReports: 'Read the reports',
  suggestions: (number: number) => `${counted(number, 'change is', 'changes are')} suggested.`,
  claims: (number: number) =>
    `${counted(number, 'agency wants', 'agencies want')} to keep their own records.`,
  decideClaims: 'Decide',
  readSuggestions: 'Compare and decide',
  due: (number: number) =>
    `${number.toLocaleString('en')} ${number === 1 ? 'record is' : 'records are'} due: nobody has confirmed ${number === 1 ? 'it' : 'them'} within six months.`,
  seeDue: 'See what is due',
  imports: (file: string, conflicts: number) =>
    conflicts === 0
      ? `The import of ${file} waits for your decision.`
      : `The import of ${file} waits for your decision: ${counted(conflicts, 'record was', 'records were')} changed here and by the source.`,
  decide: 'Decide about the import',
  answers: (number: number) =>
    `${counted(number, 'answer to a form is', 'answers to forms are')} new: nobody has begun with ${number === 1 ? 'it' : 'them'}.`,
  readAnswers: 'Read the answers',
  invitations: (number: number, ending: number) =>
    `${counted(number, 'person is invited and has', 'people are invited and have')} not joined yet.${
      ending === 0 ? '' : ` ${counted(ending, 'invitation ends', 'invitations end')} soon.`
    }`,
  seeInvitations: 'See the invitations',
  keys: (number: number) => `${counted(number, 'API key expires', 'API keys expire')} within seven days.`,
  openKeys: 'Roll or let it end',
  paused: (number: number) =>
    `${counted(number, 'webhook is paused because its receiver', 'webhooks are paused because their receivers')} did not respond.`,
  failing: (
    number: number,
    {
      name,
      since,
      left,
      more,
    }: {
      readonly name: string;
      readonly since: string;
      readonly left: string | undefined;
      readonly more: number;
    },
  ) =>
    `${number === 1 ? '' : `${counted(number, 'webhook fails', 'webhooks fail')} at the moment. `}The webhook to ${name} has been failing since ${since}, and is paused ${
      more > 0
        ? `once ${counted(more, 'more delivery fails', 'more deliveries fail')}${left === undefined ? '' : `, in ${left} at the earliest`}`
        : left === undefined
          ? 'with the next attempt that fails'
          : `in ${left}`
    }.`,
  openWebhook: 'Open the webhook',
  openWebhooks: 'Open the webhooks',
  mails: (number: number) => `${counted(number, 'email waits', 'emails wait')} to be handed on.`,
  openOutbox: 'Open the outbox',
  firstTeam: `There is no team here yet, beside ${commons.name}.`,
  createTeam: 'Create a team',
} as const;
