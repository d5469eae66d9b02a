import { undo } from '../../../../actions/directory/past-imports.ts';
import type { UndoCounts } from '../../../../events/directory/import.ts';
import type { ResourceFieldName } from '../../../../events/directory/resource-fields.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import type { UndoneRecords } from '../../../../imports/undo-records.ts';
import { imports, type ImportDocument } from '../../../../projections/directory/imports.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { TeamPageContext } from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { notice } from '../../../pages/controls.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { live } from '../../../pages/parts/progress.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashRecordPath } from '../dash-paths.ts';
import { en as ofDirectory } from '../texts.ts';
import { importPath, importProgressPath } from './import-paths.ts';
import { jobProgress } from './import-progress.ts';
import { en } from './import-texts.ts';

const texts = en.undo;

/** So many records that stay are on the page. */
const mostShown = 200;

export const undoing = { action: undo } as const;

/** The button that takes an import back, or what came of it. */
export async function undoPart(
  dependencies: PageDependencies,
  { id, file, phase }: ImportState,
  pageContext: TeamPageContext,
): Promise<{ readonly status?: ImportDocument['status']; readonly content: Html }> {
  const { team } = pageContext.team;
  if (phase === 'receiving' || phase === 'comparing' || phase === 'importing') return { content: html`` };
  const run = await dependencies.documents.collection(imports.collection).get(id);
  if (run?.team !== team) return { content: html`` };
  const { status } = run;
  if (status === 'undone') {
    const report = await dependencies.imports.undos.report(team, id);
    return { status, content: html`${notice(texts.done)} ${undoneView(run.undo, report, team)}` };
  }
  if (status !== 'undoing') return { status, content: undoButton(id, file, pageContext, texts.button) };
  const running = await dependencies.imports.undos.get(team, id);
  // It was begun by a release whose undoings did not go on by themselves.
  if (!running) return { status, content: undoButton(id, file, pageContext, texts.again) };
  const content = html`<section class="card">
    ${live({
      from: ofTeam(importProgressPath(id), team),
      page: ofTeam(importPath(id), team),
      content: jobProgress(running, dependencies.now()),
      busy: true,
    })}
  </section>`;
  return { status, content };
}

const undoButton = (
  id: string,
  file: string,
  { formToken: token, team: { team } }: TeamPageContext,
  label: string,
): Html =>
  ask({
    label,
    of: file,
    sentence: texts.sentence,
    action: ofTeam(importPath(id), team),
    token,
    values: { team, do: 'undo' },
  });

/** What undoing came to, with the records that stay. */
export const undoneView = (
  undone: UndoCounts | undefined,
  report: UndoneRecords | undefined,
  team: string,
): Html =>
  html`${undone ? counts(undone) : ''} ${report ? html`${organizations(report)} ${left(report, team)}` : ''}`;

const counts = (undone: UndoCounts): Html =>
  html`<section class="card">
    <h2>${texts.title}</h2>
    ${facts(
      (['taken_out', 'revised', 'returned', 'left'] as const).map((name) => [
        texts[name],
        undone[name].toLocaleString('en'),
      ]),
    )}
  </section>`;

function organizations({ organizations: of }: UndoneRecords): Html | '' {
  if (!of || of.taken_out + of.revised + of.returned + of.left === 0) return '';
  return html`<p>${texts.organizations(of)}</p>`;
}

function left({ left_records: all, not_listed: beyond }: UndoneRecords, team: string): Html {
  if (all.length === 0) return html``;
  const more = Math.max(0, all.length - mostShown) + beyond;
  return html`<section class="card">
    <h2>${texts.leftTitle}</h2>
    ${table({
      caption: texts.leftTitle,
      columns: [en.heads.record, texts.what].map((label) => ({ label })),
      rows: all
        .slice(0, mostShown)
        .map(({ svc_id, name, left: what }) => [
          html`<a href="${ofTeam(dashRecordPath(svc_id), team)}">${name}</a>`,
          what.map(wordFor).join(', '),
        ]),
    })}
    ${more > 0 ? html`<p class="quiet small">${en.andMore(more)}</p>` : ''}
  </section>`;
}

const wordFor = (what: string): string =>
  what === 'record'
    ? texts.record
    : what === 'status'
      ? texts.status
      : Object.hasOwn(ofDirectory.fields, what)
        ? ofDirectory.fields[what as ResourceFieldName]
        : what;
