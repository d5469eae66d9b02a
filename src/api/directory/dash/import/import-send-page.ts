import { beginImport, FileRefused } from '../../../../actions/directory/imports.ts';
import { breakable } from '../../../pages/parts/breakable.ts';
import { isUnderWay, waitsForAnswer, type ImportState } from '../../../../imports/import-state.ts';
import { allowSlowBody } from '../../../http/sent-file.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import {
  inputFields,
  postForm,
  type ActionForm,
  type Again,
  type InputField,
} from '../../../pages/action-form.ts';
import { button, checkbox, form, hidden, notice, time } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { peopleNamed } from '../../../../actions/accounts/people-named.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { badge } from '../../../pages/parts/badge.ts';
import { fileField } from '../../../pages/parts/file-field.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { mayReview } from '../list-page.ts';
import { exampleDirectoryPath, importPath, importsPath, sourcesPath, templatePath } from './import-paths.ts';
import { en } from './import-texts.ts';

/** How long a file may take to arrive: the largest one over a line of 1 Mbit/s. */
const uploadWithinMs = 10 * 60_000;

/** Where a file is sent that brings the directory of a team up to date, and the imports of the team. */
export function sendImportPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importsPath,
    takesFile: true,
    get: (pageContext) => view(dependencies, pageContext),
    post: (pageContext) => postForm(dependencies, pageContext, sending),
  };
}

const sourceField: InputField = {
  name: 'source',
  label: en.source,
  hint: en.sourceHint,
  optional: true,
  maxlength: 200,
  wrong: en.badSource,
};

const sending: Omit<ActionForm<typeof beginImport.input, 'begun' | 'repeated', TeamPageContext>, 'path'> = {
  action: beginImport,
  fields: (_, { file }) => [
    sourceField,
    {
      name: 'file',
      label: en.file,
      read: () => (file?.name === '' ? undefined : file),
      wrong: en.problems.missing,
    },
  ],
  also({ request, form: sent, correlationId: id }) {
    allowSlowBody(request, uploadWithinMs);
    return { id, approve: sent.has('approve') };
  },
  view,
  done: (pageContext, begun) =>
    redirectDone(importPath(pageContext.correlationId), pageContext, begun === 'begun' ? 'begun' : 'again'),
};

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { problems, refused }: Again = { problems: {} },
): Promise<View> {
  const { team, form: sent, formToken: token } = pageContext;
  const all = await dependencies.imports.ofTeam(team.team);
  const people = await peopleNamed(
    dependencies,
    all.map(({ by }) => by),
  );
  const wrongFile = refused instanceof FileRefused ? en.problems[refused.problem] : problems['file'];
  const wrong =
    refused?.code === 'conflict' ? en.busy : (wrongFile ?? problems['source']) ? en.wrong : refused?.message;
  return {
    title: en.title,
    content: html`<p class="lead">${en.lead}</p>
      ${wrong === undefined ? '' : notice(wrong, 'wrong')} ${present(all, team.team)}
      <section class="card">
        ${form({
          action: ofTeam(importsPath, team.team),
          token,
          file: true,
          content: html`${hidden('team', team.team)} ${inputFields([sourceField], sent, problems)}
          ${
            mayReview(pageContext)
              ? html`${checkbox({ name: 'approve', label: en.approve, ticked: sent.has('approve') })}
                  <p class="hint">${en.approveHint}</p>`
              : ''
          }
          ${fileField({
            name: 'file',
            label: en.file,
            hint: en.fileHint,
            accept: ['.xlsx', '.csv', '.zip', '.json'],
            error: wrongFile,
          })}
          ${button(en.compare)}`,
        })}
        <p class="quiet small">${en.again}</p>
        <p class="quiet small">
          <a href="${ofTeam(sourcesPath, team.team)}">${en.sources.link}</a>
        </p>
        <p class="quiet small">
          ${en.template} <a href="${ofTeam(templatePath, team.team)}" download>${en.templateLink}</a>
        </p>
        <p class="quiet small">
          ${en.example}
          <a href="${ofTeam(exampleDirectoryPath, team.team)}" download>${en.exampleLink}</a>
        </p>
      </section>
      ${past(all, people, team.team)}`,
  };
}

/** What runs or waits for a decision now. */
function present(all: readonly ImportState[], team: string): Html | '' {
  const now = all.find((each) => isUnderWay(each) || waitsForAnswer(each));
  if (!now) return '';
  const sentence = waitsForAnswer(now) ? en.waiting : en.busy;
  return notice(
    html`${sentence} <a href="${ofTeam(importPath(now.id), team)}">${en.waitingLink}</a>`,
    'plain',
  );
}

const past = (
  all: readonly ImportState[],
  people: Awaited<ReturnType<typeof peopleNamed>>,
  team: string,
): Html | '' =>
  all.length === 0
    ? ''
    : html`<section class="card">
        <h2>${en.past}</h2>
        ${table({
          caption: en.past,
          columns: [
            { label: en.columns.file },
            { label: en.columns.when },
            { label: en.columns.by },
            { label: en.columns.phase },
          ],
          rows: all.map((each) => [
            html`<a href="${ofTeam(importPath(each.id), team)}">${breakable(each.file)}</a>`,
            time(each.uploaded_at, 'minute'),
            people.get(each.by)?.name ?? en.nobody,
            phaseBadge(each),
          ]),
        })}
      </section>`;

const phaseBadge = ({ phase }: ImportState): Html =>
  badge(
    en.phases[phase],
    phase === 'imported' ? 'good' : phase === 'failed' || phase === 'interrupted' ? 'bad' : 'plain',
  );
