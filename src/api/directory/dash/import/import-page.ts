import { cancelImport, startImport } from '../../../../actions/directory/imports.ts';
import { postForm, type Again } from '../../../pages/action-form.ts';
import { breakable } from '../../../pages/parts/breakable.ts';
import { isUnderWay, keepsFile, type ImportState } from '../../../../imports/import-state.ts';
import { changesIn, leftOutOf, type ImportReport } from '../../../../imports/report.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { button, form, hidden, notice, time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { peopleNamed } from '../../../../actions/accounts/people-named.ts';
import { redirectTo, type Page, type TeamPageContext, type View } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { live } from '../../../pages/parts/progress.ts';
import { ofTeam, paths } from '../../../pages/paths.ts';
import { idIn, importOf, noImport } from './addressed-import.ts';
import { sourceAnswer, sourceQuestion } from './import-question.ts';
import { undoing, undoPart } from './import-undo.ts';
import { metOf, removeBox, removing } from './import-met.ts';
import { importColumnsPath, importPath, importProgressPath, importsPath } from './import-paths.ts';
import { progressOf } from './import-progress.ts';
import { cautions, reportView } from './import-report-view.ts';
import { en } from './import-texts.ts';

/** One import: what would change, how far it is, and what has changed. */
export function importPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importPath(':import'),
    async get(pageContext) {
      const state = await importOf(dependencies, pageContext);
      // Its columns have to be chosen first.
      return state?.phase === 'columns'
        ? redirectTo(ofTeam(importColumnsPath(state.id), state.team))
        : view(dependencies, pageContext);
    },
    post: (pageContext) => {
      const does = chosen(pageContext.form, 'do', ['start', 'cancel', 'same', 'other', 'undo']);
      if (does === 'same' || does === 'other')
        return postForm(dependencies, pageContext, {
          ...sourceAnswer,
          fields: does === 'other' ? sourceAnswer.fields : () => [],
          also: () => ({ id: idIn(pageContext), ...(does === 'other' ? { name: '' } : {}) }),
          view,
          done: (_, id) => redirectDone(importPath(id), pageContext, 'answered', { recorded: id }),
        });
      if (does === 'undo')
        return postForm(dependencies, pageContext, {
          ...undoing,
          also: () => ({ id: idIn(pageContext) }),
          view,
          done: () => redirectDone(importPath(idIn(pageContext)), pageContext, 'undone'),
        });
      const cancels = does === 'cancel';
      return postForm(dependencies, pageContext, {
        action: cancels ? cancelImport : startImport,
        also: () => ({ id: idIn(pageContext), ...removing(pageContext) }),
        view,
        done: (_, id) =>
          redirectDone(importPath(id), pageContext, cancels ? 'cancelled' : 'started', { recorded: id }),
      });
    },
  };
}

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const state = await importOf(dependencies, pageContext);
  if (!state) return noImport(pageContext);
  const sentence = again?.refused?.message;
  const { imports, now } = dependencies;
  const [report, request, people, undone] = await Promise.all([
    imports.report(state),
    keepsFile(state) ? imports.request(state) : undefined,
    peopleNamed(dependencies, [state.by]),
    undoPart(dependencies, state, pageContext),
  ]);
  const { team } = pageContext.team;
  const here = ofTeam(importPath(state.id), team);
  const isBusy = isUnderWay(state);
  return {
    title: titleOf(state, undone.status),
    content: html`<p><a href="${ofTeam(importsPath, team)}">${en.back}</a></p>
      ${sentence === undefined ? '' : notice(sentence, 'wrong')}
      ${isBusy || sentence !== undefined || isUndone(undone.status) ? '' : outcome(state, report)}
      ${doneNotice(pageContext, doneTexts(state))}
      ${
        isBusy
          ? html`<section class="card">
              ${live({
                from: ofTeam(importProgressPath(state.id), team),
                page: here,
                content: progressOf(state, now()),
                busy: isBusy,
              })}
              ${cancelButton(state, pageContext)}
            </section>`
          : ''
      }
      ${
        request
          ? notice(
              html`${now().getTime() - Date.parse(request.at) > unansweredMs ? en.unanswered : en.starting}
                <a href="${here}">${en.lookAgain}</a>`,
              'plain',
            )
          : decision(state, report, pageContext, again)
      }
      ${undone.content} ${report && !isBusy ? reportView(state, report) : ''}
      ${about(state, people.get(state.by)?.name ?? en.nobody)}`,
  };
}

type Undone = Awaited<ReturnType<typeof undoPart>>['status'];

const isUndone = (status: Undone): boolean => status === 'undoing' || status === 'undone';

const titleOf = ({ phase }: ImportState, status: Undone): string =>
  status === 'undone' ? en.undo.done_title : status === 'undoing' ? en.undo.title_running : en.titles[phase];

/** After so long, the node that has the file is taken to be away. */
const unansweredMs = 15_000;

/** What a form has done, as far as it still fits the state of the import. */
const doneTexts = ({ phase }: ImportState): Readonly<Record<string, string>> => {
  const { begun, started, cancelled, again, answered } = en.done;
  if (phase === 'importing') return { started };
  if (phase === 'cancelled') return { cancelled };
  return phase === 'comparing' || phase === 'receiving' ? { begun, again, answered } : {};
};

function outcome(state: ImportState, report: ImportReport | undefined): Html | '' {
  switch (state.phase) {
    case 'imported':
      return report && leftOutOf(report) > 0 ? notice(en.importedWithProblems, 'plain') : notice(en.imported);
    case 'failed':
      return notice(
        html`${state.problem ?? ''} ${state.during === 'importing' ? en.failedImporting : en.failedComparing}`,
        'wrong',
      );
    case 'interrupted':
      return notice(en.interrupted, 'wrong');
    case 'cancelled':
      return notice(
        state.during === 'importing' ? en.cancelledImporting(state.done, state.total) : en.cancelledComparing,
        'plain',
      );
    case 'asking':
    case 'columns':
    case 'compared':
    case 'receiving':
    case 'comparing':
    case 'importing':
      return '';
  }
}

const cancelButton = (
  { id, phase, file }: ImportState,
  { formToken: token, team }: TeamPageContext,
): Html | '' =>
  phase === 'receiving'
    ? ''
    : ask({
        label: en.cancel,
        of: file,
        sentence: phase === 'importing' ? en.cancelImporting : en.cancelComparing,
        action: ofTeam(importPath(id), team.team),
        token,
        values: { team: team.team, do: 'cancel' },
      });

/** What the person can do next. */
function decision(
  state: ImportState,
  report: ImportReport | undefined,
  pageContext: TeamPageContext,
  again: Again | undefined,
): Html {
  const {
    formToken: token,
    team: { team },
  } = pageContext;
  const { id, phase, file } = state;
  const values = { team, do: 'start' };
  const begin = (label: string, more: Html | '' = ''): Html =>
    form({
      action: ofTeam(importPath(id), team),
      token,
      inline: more === '',
      content: html`${Object.entries(values).map(([name, value]) => hidden(name, value))}${more}${button(label)}`,
    });
  const giveUp = ask({
    label: en.giveUp,
    of: file,
    sentence: en.giveUpSentence,
    action: ofTeam(importPath(id), team),
    token,
    values: { team, do: 'cancel' },
    weight: 'secondary',
  });
  const another = html`<a class="button secondary" href="${ofTeam(importsPath, team)}">${en.another}</a>`;
  switch (phase) {
    case 'compared': {
      const number = report ? changesIn(report) : 0;
      // What the source says is recorded, also where nothing of it is taken: else it is asked about again next month.
      const decides = report !== undefined && toDecide(report) > 0;
      const box = report ? removeBox(report) : '';
      return html`${
          number > 0
            ? html`<p class="lead">${en.importSentence(number)}</p>`
            : decides
              ? html`<p class="lead">${en.nothingUnlessChosen}</p>`
              : nothingChanges(report)
        }
        ${report && (number > 0 || decides) ? cautions(report) : ''} ${report ? metOf(report, id, team) : ''}
        ${box === '' ? '' : begin(en.import, box)}
        <div class="choices">${box === '' && (number > 0 || decides) ? begin(en.import) : ''} ${giveUp}</div>
        <p class="quiet small">${en.keptUntil}</p>`;
    }
    case 'asking':
      return html`${sourceQuestion(state, pageContext, again?.problems)}
        <div class="choices">${giveUp}</div>
        <p class="quiet small">${en.keptUntil}</p>`;
    case 'interrupted':
      return html`<div class="choices">${begin(en.startAgain)} ${giveUp}</div>`;
    case 'imported':
      return html`<div class="choices">
        <a class="button primary" href="${ofTeam(paths.directory, team)}">${en.directory}</a>
        <a class="button secondary" href="${ofTeam(`${paths.auditWalk}/${id}`, team)}">${en.recorded}</a>
      </div>`;
    case 'failed':
    case 'cancelled':
      return html`<div class="choices">${another}</div>`;
    case 'columns':
    case 'receiving':
    case 'comparing':
    case 'importing':
      return html``;
  }
}

/** What somebody may decide about, or would change beside records. */
function toDecide({ conflicts, missing, organizations }: ImportReport): number {
  const { new: fresh = 0, revised = 0, missing: gone = 0 } = organizations ?? {};
  return conflicts + missing + fresh + revised + gone;
}

/** Nothing would change: all that could be used of the file is here already. */
function nothingChanges(report: ImportReport | undefined): Html {
  const leftOut = report ? leftOutOf(report) : 0;
  return notice(leftOut === 0 ? en.nothing : en.nothingOfTheRest(leftOut), 'plain');
}

const about = (
  { file, source, source_name: name = source, approve, uploaded_at }: ImportState,
  by: string,
): Html =>
  html`<section class="card">
    ${facts([
      [en.about.file, breakable(file)],
      [en.about.source, name],
      [en.about.approve, approve ? en.about.approved : en.about.submitted],
      [en.about.by, by],
      [en.about.at, time(uploaded_at, 'minute')],
    ])}
  </section>`;
