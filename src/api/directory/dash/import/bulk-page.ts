import { beginBulk, bulkList, cancelBulk, draftBulk, undoBulk } from '../../../../actions/directory/bulk.ts';
import { peopleNamed } from '../../../../actions/accounts/people-named.ts';
import { findIn } from '../../../../actions/listing.ts';
import { bulkDecisions } from '../../../../events/directory/bulk.ts';
import type { BulkDraft } from '../../../../imports/bulk-state.ts';
import type { BulkDocument } from '../../../../projections/directory/bulk-actions.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { inputFields, postForm, type Again } from '../../../pages/action-form.ts';
import { button, form, hidden, notice, time } from '../../../pages/controls.ts';
import { notFoundView } from '../../../pages/frame/common-views.ts';
import { html, type Html } from '../../../pages/html.ts';
import { listPage } from '../../../pages/keyset.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { empty } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { live } from '../../../pages/parts/progress.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam, paths } from '../../../pages/paths.ts';
import { readerClock } from '../../../pages/reader-clock.ts';
import { bulkActionsPath, bulkPath, bulkProgressPath } from '../dash-paths.ts';
import { fieldsOfQuestion, resultView, titleOf } from './bulk-view.ts';
import { bulkTexts as texts } from './bulk-texts.ts';
import { jobProgress } from './import-progress.ts';

const right = 'review records';

/** 10,000 ticked records take a quarter of it. */
const formBytes = 1024 * 1024;

/** Where ticked records lead: their question is a page of its own, so that it can be loaded again. Lists what was done. */
export function bulkActionsPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right,
    path: bulkActionsPath,
    formBytes,
    get: (pageContext) => listView(dependencies, pageContext),
    post: (pageContext) => {
      const { form: sent } = pageContext;
      const isAll = sent.get('all') === '1';
      const total = /^\d{1,9}$/.test(sent.get('total') ?? '') ? Number(sent.get('total')) : undefined;
      return postForm(dependencies, pageContext, {
        action: draftBulk,
        also: () => ({
          decision: chosen(sent, 'do', bulkDecisions),
          ...(isAll
            ? { filter: sent.get('filter') ?? '', total, zone: readerClock().zone }
            : { ids: sent.getAll('record') }),
        }),
        view: (_, { team }, { refused }) => ({
          title: texts.nothingTicked,
          content: html`${notice(refused?.message ?? texts.tick, 'wrong')}
            <p><a href="${ofTeam(paths.directory, team.team)}">${texts.back}</a></p>`,
        }),
        done: (_, { id, grown }) => redirectDone(bulkPath(id), pageContext, grown ? 'grown' : 'drafted'),
      });
    },
  };
}

const idIn = ({ request }: TeamPageContext): string => (request.params as { readonly bulk: string }).bulk;

const isId = (id: string): boolean => /^[0-9a-f-]{36}$/.test(id);

/** One decision about many records: its question, how far it is, what it came to, and its undoing. */
export function bulkPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right,
    path: bulkPath(':bulk'),
    get: (pageContext) => view(dependencies, pageContext),
    async post(pageContext) {
      const id = idIn(pageContext);
      const does = chosen(pageContext.form, 'do', ['start', 'cancel', 'undo']);
      const shared = { also: () => ({ id }), view };
      const leads = (done: string) => () => redirectDone(bulkPath(id), pageContext, done, { recorded: id });
      if (does === 'cancel')
        return postForm(dependencies, pageContext, {
          action: cancelBulk,
          ...shared,
          done: leads('stopping'),
        });
      if (does === 'undo')
        return postForm(dependencies, pageContext, { action: undoBulk, ...shared, done: leads('undone') });
      const draft = await draftOf(dependencies, pageContext);
      return postForm(dependencies, pageContext, {
        action: beginBulk,
        fields: () => (draft ? fieldsOfQuestion(draft.decision, dependencies.now()) : []),
        ...shared,
        done: leads('started'),
      });
    },
  };
}

/** How far it is, for the part of its page that follows it. */
export function bulkProgressPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right,
    path: bulkProgressPath(':bulk'),
    async get(pageContext) {
      const job = await underWay(dependencies, pageContext);
      return { fragment: job ? progressOf(job, dependencies.now()) : html`` };
    },
  };
}

const underWay = ({ bulk }: PageDependencies, pageContext: TeamPageContext) =>
  isId(idIn(pageContext))
    ? bulk.underWay({ team: pageContext.team.team, id: idIn(pageContext) })
    : Promise.resolve(undefined);

const draftOf = ({ bulk }: PageDependencies, pageContext: TeamPageContext): Promise<BulkDraft | undefined> =>
  isId(idIn(pageContext))
    ? bulk.records.draft({ team: pageContext.team.team, id: idIn(pageContext) })
    : Promise.resolve(undefined);

type UnderWay = NonNullable<Awaited<ReturnType<typeof underWay>>>;

const progressOf = ({ undoes, state }: UnderWay, now: Date): Html =>
  jobProgress(state, now, undoes ? texts.undoing : texts.decisions[state.change.decision].running);

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const { team } = pageContext.team;
  const [id, refused] = [idIn(pageContext), again?.refused];
  const [job, doc, draft] = await Promise.all([
    underWay(dependencies, pageContext),
    findIn(bulkList, dependencies, team, id),
    draftOf(dependencies, pageContext),
  ]);
  const above = html`<p>
      <a href="${ofTeam(paths.directory, team)}">${texts.back}</a> ·
      <a href="${ofTeam(bulkActionsPath, team)}">${texts.title}</a>
    </p>
    ${refused === undefined ? '' : notice(refused.message, 'wrong')}`;
  if (job) return runningView(dependencies, pageContext, job, above);
  if (doc) return endedView(dependencies, pageContext, doc, above);
  if (draft) return questionView(dependencies, pageContext, draft, above, again);
  return notFoundView(texts.gone, { to: ofTeam(bulkActionsPath, team), label: texts.list });
}

function runningView(
  { now }: PageDependencies,
  pageContext: TeamPageContext,
  job: UnderWay,
  above: Html,
): View {
  const { formToken: token, team } = pageContext;
  const id = idIn(pageContext);
  const title = job.undoes ? texts.undoing : texts.decisions[job.state.change.decision].running;
  return {
    title,
    content: html`${above} ${doneNotice(pageContext, { stopping: texts.stopping })}
      <section class="card">
        ${live({
          from: ofTeam(bulkProgressPath(id), team.team),
          page: ofTeam(bulkPath(id), team.team),
          content: progressOf(job, now()),
          busy: true,
        })}
        ${
          job.undoes
            ? ''
            : ask({
                label: texts.stop,
                of: title,
                sentence: texts.stopSentence,
                action: ofTeam(bulkPath(id), team.team),
                token,
                values: { team: team.team, do: 'cancel' },
              })
        }
      </section>`,
  };
}

async function endedView(
  dependencies: PageDependencies,
  { formToken: token, team }: TeamPageContext,
  doc: BulkDocument,
  above: Html,
): Promise<View> {
  const of = { team: team.team, id: doc.bulk };
  const title = titleOf(doc);
  const [report, undone, people] = await Promise.all([
    dependencies.bulk.report(of),
    dependencies.bulk.undoReport(of),
    peopleNamed(dependencies, [doc.by.id]),
  ]);
  const undo = ask({
    label: texts.undo,
    of: title,
    sentence: texts.undoSentence,
    action: ofTeam(bulkPath(doc.bulk), team.team),
    token,
    values: { team: team.team, do: 'undo' },
    weight: 'secondary',
  });
  return {
    title: doc.status === 'undone' ? texts.undoneTitle(title) : title,
    content: html`${above} ${resultView(doc, { report, undone, by: people.get(doc.by.id)?.name, undo })}`,
  };
}

function questionView(
  { now }: PageDependencies,
  pageContext: TeamPageContext,
  { id, decision, total, filter }: BulkDraft,
  above: Html,
  again?: Again,
): View {
  const { formToken: token, team, form: typed } = pageContext;
  const ofDecision = texts.decisions[decision];
  const fields = fieldsOfQuestion(decision, now());
  return {
    title: ofDecision.question(total),
    content: html`${above}
      ${pageContext.query.get('done') === 'grown' ? notice(texts.grown(total), 'wrong') : ''}
      <section class="card">
        <p>${ofDecision.means}</p>
        ${
          filter === undefined
            ? ''
            : html`<p>
                <a
                  href="${ofTeam(paths.directory, team.team, Object.fromEntries(new URLSearchParams(filter)))}"
                  >${texts.look}</a
                >
              </p>`
        }
        ${form({
          action: ofTeam(bulkPath(id), team.team),
          token,
          label: ofDecision.question(total),
          content: html`${hidden('team', team.team)} ${hidden('do', 'start')}
          ${inputFields(fields, typed, again?.problems)} ${button(ofDecision.button(total))}`,
        })}
      </section>`,
  };
}

async function listView(dependencies: PageDependencies, { team, query }: TeamPageContext): Promise<View> {
  const here = (also: object) => ofTeam(bulkActionsPath, team.team, { ...also });
  const { rows, further } = await listPage(dependencies, bulkList, { team: team.team }, query, here);
  const people = await peopleNamed(
    dependencies,
    rows.map(({ by }) => by.id),
  );
  const { columns } = texts;
  return {
    title: texts.title,
    content: html`<p><a href="${ofTeam(paths.directory, team.team)}">${texts.back}</a></p>
      <p class="lead">${texts.lead}</p>
      ${
        rows.length === 0
          ? empty(texts.none)
          : html`<section class="card">
              ${table({
                caption: texts.list,
                columns: [columns.what, columns.who, columns.when, columns.state].map((label) => ({ label })),
                rows: rows.map((doc) => [
                  html`<a href="${ofTeam(bulkPath(doc.bulk), team.team)}">${titleOf(doc)}</a>`,
                  people.get(doc.by.id)?.name ?? texts.nobody,
                  time(doc.began_at, 'minute'),
                  texts.states[doc.status],
                ]),
              })}
            </section>`
      }
      ${further}`,
  };
}
