import { chooseColumns } from '../../../../actions/directory/import-columns.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import { sheetTargets, type SheetColumns, type SheetTarget } from '../../../../imports/sheet-columns.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { postForm, type Again } from '../../../pages/action-form.ts';
import { button, form, hidden, notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import {
  redirectTo,
  type Answer,
  type Page,
  type TeamPageContext,
  type View,
} from '../../../pages/page-context.ts';
import { ask } from '../../../pages/parts/ask.ts';
import { breakable } from '../../../pages/parts/breakable.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { selectField } from '../../../pages/parts/choices.ts';
import { redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { importColumnsPath, importPath, importsPath } from './import-paths.ts';
import { idIn, importOf, noImport } from './addressed-import.ts';
import { en as importTexts } from './import-texts.ts';
import { sampleView } from './columns-sample.ts';
import { en, targetLabels } from './columns-texts.ts';

/** So many columns have a choice. Further ones are read as guessed. */
const mostShown = 200;

/** What the columns of a spreadsheet say, as guessed, to be put right before anything is compared. */
export function importColumnsPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importColumnsPath(':import'),
    get: (pageContext) => shown(dependencies, pageContext),
    post: (pageContext) =>
      postForm(dependencies, pageContext, {
        action: chooseColumns,
        also: async () => {
          const state = await importOf(dependencies, pageContext);
          return { id: idIn(pageContext), ...chosenIn(pageContext, state?.sheet) };
        },
        view: (_, __, again) => view(dependencies, pageContext, again),
        done: (_, { id, compares }) =>
          compares
            ? redirectDone(importPath(id), pageContext, 'begun')
            : redirectTo(ofTeam(importColumnsPath(id), pageContext.team.team)),
      }),
  };
}

async function shown(dependencies: PageDependencies, pageContext: TeamPageContext): Promise<Answer> {
  const state = await importOf(dependencies, pageContext);
  if (state && state.phase !== 'columns') return redirectTo(ofTeam(importPath(state.id), state.team));
  return view(dependencies, pageContext, { problems: {} });
}

/** The fields are numbered, because columns have names of their own. */
const fieldOf = (column: number): string => `c${column}`;

function chosenIn({ form: sent }: TeamPageContext, sheet: SheetColumns | undefined) {
  const columns = (sheet?.header ?? []).map((name, at): [string, SheetTarget | null] => {
    const value = sent.get(fieldOf(at));
    const before = sheet?.columns[name] ?? null;
    return [name, value === null ? before : (sheetTargets.find((target) => target === value) ?? null)];
  });
  return {
    sheet: sent.get('sheet') ?? undefined,
    columns: Object.fromEntries(columns),
    compares: chosen(sent, 'do', ['compare', 'show']) === 'compare',
  };
}

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  { refused }: Again,
): Promise<View> {
  const state = await importOf(dependencies, pageContext);
  if (!state?.sheet || state.phase !== 'columns') return noImport(pageContext);
  const sample = await dependencies.imports.sample(state);
  const { team } = pageContext.team;
  return {
    title: en.title,
    content: html`<p><a href="${ofTeam(importsPath, team)}">${importTexts.back}</a></p>
      ${refused === undefined ? '' : notice(refused.message, 'wrong')}
      ${sample?.problem === undefined ? '' : notice(sample.problem, 'wrong')}
      <p class="lead">${en.lead}</p>
      ${state.sheet.remembered ? html`<p class="quiet">${en.remembered}</p>` : ''}
      <section class="card">
        ${form({
          action: ofTeam(importColumnsPath(state.id), team),
          token: pageContext.formToken,
          content: html`${hidden('team', team)} ${sheetChoice(state.sheet)}
            ${columnTable(state.sheet, sample?.examples ?? [])}
            <div class="choices">
              ${button(en.compare, { name: 'do', value: 'compare' })}
              ${button(en.show, { name: 'do', value: 'show', weight: 'secondary' })}
            </div>`,
        })}
        ${giveUp(state, pageContext)}
      </section>
      ${sample ? sampleView(sample) : notice(en.elsewhere, 'plain')}`,
  };
}

const sheetChoice = ({ sheet, sheets }: SheetColumns): Html | '' =>
  when(
    sheets.length > 1,
    selectField({
      name: 'sheet',
      label: en.sheet,
      hint: en.sheetHint,
      value: sheet,
      options: sheets.map(({ name, hidden: isHidden }) => ({
        value: name,
        label: isHidden ? en.hidden(name) : name,
      })),
    }),
  );

const columnTable = ({ header, columns }: SheetColumns, examples: readonly (readonly string[])[]): Html =>
  html`${table({
    caption: en.caption,
    columns: [{ label: en.columns.column }, { label: en.columns.holds }, { label: en.columns.means }],
    rows: header
      .slice(0, mostShown)
      .map((name, at) => [
        breakable(name),
        breakable((examples[at] ?? []).join(' · ')),
        targetSelect(fieldOf(at), name, columns[name] ?? undefined),
      ]),
  })}
  ${header.length > mostShown ? html`<p class="quiet">${en.more(header.length - mostShown)}</p>` : ''}`;

const targetSelect = (field: string, column: string, value: SheetTarget | undefined): Html =>
  html`<select name="${field}" aria-label="${`${en.columns.means}: ${column}`}">
    <option value="">${en.leaveOut}</option>
    ${sheetTargets.map(
      (target) =>
        html`<option value="${target}" ${when(target === value, html`selected`)}>
          ${targetLabels[target]}
        </option>`,
    )}
  </select>`;

const giveUp = ({ id, file }: ImportState, { formToken: token, team: { team } }: TeamPageContext): Html =>
  ask({
    label: importTexts.giveUp,
    of: file,
    sentence: importTexts.giveUpSentence,
    action: ofTeam(importPath(id), team),
    token,
    values: { team, do: 'cancel' },
    weight: 'secondary',
  });
