import { breakable } from '../../pages/parts/breakable.ts';
import { line } from '../../../events/define.ts';
import { isUnderWay, type ImportState } from '../../../imports/import-state.ts';
import { UploadRefused } from '../../../imports/uploads.ts';
import { allowSlowBody } from '../../http/sent-file.ts';
import type { PageDependencies } from '../../dashboard-dependencies.ts';
import { button, checkbox, field, form, hidden, notice, time } from '../../pages/controls.ts';
import { html, type Html } from '../../pages/html.ts';
import { peopleNamed } from '../../../actions/accounts/people-named.ts';
import type { Answer, Page, TeamPageContext, View } from '../../pages/page-context.ts';
import { badge } from '../../pages/parts/badge.ts';
import { fileField } from '../../pages/parts/file-field.ts';
import { redirectDone } from '../../pages/parts/notices.ts';
import { table } from '../../pages/parts/table.ts';
import { ofTeam } from '../../pages/paths.ts';
import { mayReview } from './list-page.ts';
import { exampleDirectoryPath, importPath, importsPath } from './import-paths.ts';
import { en } from './import-texts.ts';
import { misleads } from '../../../events/display-name.ts';

/** How long a file may take to arrive: the largest one over a line of 1 Mbit/s. */
const uploadWithinMs = 10 * 60_000;

interface Problems {
  readonly status: number;
  readonly file?: string;
  readonly source?: string;
  readonly notice?: string;
}

/** Where a file is sent that brings the directory of a team up to date, and the imports of the team. */
export function sendImportPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importsPath,
    takesFile: true,
    get: (pageContext) => view(dependencies, pageContext),
    post: (pageContext) => send(dependencies, pageContext),
  };
}

async function send(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<Answer> {
  const { form: sent, file, request, team, currentUser, correlationId: id } = pageContext;
  const refused = (problems: Problems) => view(dependencies, pageContext, problems);
  const source = sent.get('source')?.trim() ?? '';
  if (source !== '' && !line(200).safeParse(source).success)
    return refused({ status: 422, source: en.badSource });
  if (file === undefined || file.name === '') return refused({ status: 422, file: en.problems.missing });
  allowSlowBody(request, uploadWithinMs);
  try {
    const begun = await dependencies.imports.begin(
      {
        id,
        team: team.team,
        file: shownFileName(file.name),
        ...(source === '' ? {} : { source }),
        approve: sent.has('approve') && mayReview(pageContext),
        by: currentUser.person.user,
      },
      file.stream,
    );
    if (begun === 'busy') return await refused({ status: 409, notice: en.busy });
    return redirectDone(importPath(id), pageContext, begun === 'begun' ? 'begun' : 'again');
  } catch (error) {
    if (!(error instanceof UploadRefused)) throw error;
    return refused({ status: statusOf(error), file: en.problems[error.code] });
  }
}

const statusOf = ({ code }: UploadRefused): number =>
  code === 'too_large' ? 413 : code === 'wrong_type' ? 415 : code === 'no_room' ? 507 : 422;

async function view(
  { imports, documents, personal }: PageDependencies,
  pageContext: TeamPageContext,
  { status = 200, notice: said, ...problems }: Partial<Problems> = {},
): Promise<View> {
  const { team, form: sent, formToken: token } = pageContext;
  const all = await imports.ofTeam(team.team);
  const people = await peopleNamed(
    { documents, personal },
    all.map(({ by }) => by),
  );
  const wrong = said ?? ((problems.file ?? problems.source) ? en.wrong : undefined);
  return {
    title: en.title,
    status,
    content: html`<p class="lead">${en.lead}</p>
      ${wrong === undefined ? '' : notice(wrong, 'wrong')} ${present(all, team.team)}
      <section class="card">
        ${form({
          action: importsPath,
          token,
          file: true,
          content: html`${hidden('team', team.team)}
          ${field({
            name: 'source',
            label: en.source,
            hint: en.sourceHint,
            optional: true,
            maxlength: 200,
            value: sent.get('source') ?? '',
            error: problems.source,
          })}
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
            accept: ['.zip', '.json'],
            error: problems.file,
          })}
          ${button(en.compare)}`,
        })}
        <p class="quiet small">${en.again}</p>
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
  const now = all.find((each) => isUnderWay(each) || each.phase === 'compared');
  if (!now) return '';
  const sentence = now.phase === 'compared' ? en.waiting : en.busy;
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

/** Longer names are cut in the middle, so that the ending stays. */
const longest = 100;

/**
 * The name of a file that somebody has sent, to be shown: without folders, without signs that are invisible or turn the
 * direction of text, and short. Files are stored under another name.
 */
function shownFileName(given: string): string {
  const name = given
    .toWellFormed()
    .split(/[/\\]/)
    .at(-1)
    ?.replace(/[\p{Cc}\p{Zl}\p{Zp}\p{DI}]/gu, '')
    .trim();
  if (name === undefined || name === '' || misleads(name)) return 'file';
  return name.length <= longest ? name : `${name.slice(0, longest - 11)}…${name.slice(-10)}`.toWellFormed();
}
