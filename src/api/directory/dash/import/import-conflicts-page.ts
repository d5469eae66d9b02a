import {
  personalRows,
  resourceFieldRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../../../events/directory/resource-fields.ts';
import { fieldText } from '../record/field-texts.ts';
import { chooseConflicts } from '../../../../actions/directory/imports.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import type { RecordConflict } from '../../../../imports/report.ts';
import { takenOf, takeNone, type Take } from '../../../../imports/take.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { postForm, type Again } from '../../../pages/action-form.ts';
import { button, field as textField, form, hidden, notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { empty, filterBar, pager } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashOrganizationPath, dashRecordPath } from '../dash-paths.ts';
import { en as ofDirectory } from '../texts.ts';
import { idIn, importOf, noImport } from './addressed-import.ts';
import { importConflictsPath, importPath } from './import-paths.ts';
import { en } from './import-texts.ts';

const texts = en.conflicts;

/** So many records are on a page. */
const perPage = 25;

/** What the source and people have both changed: what the source said before, what it says now, and what stands. */
export function importConflictsPage(dependencies: PageDependencies): Page {
  return {
    audience: 'team',
    right: 'import records',
    path: importConflictsPath(':import'),
    get: (pageContext) => view(dependencies, pageContext),
    post(pageContext) {
      const { form: sent } = pageContext;
      const does = chosen(sent, 'do', ['save', 'keep', 'take']);
      const from = placeIn(sent.get('from'));
      const words = sent.get('q') ?? '';
      return postForm(dependencies, pageContext, {
        action: chooseConflicts,
        also: () => ({
          id: idIn(pageContext),
          ...(does === 'save'
            ? { some: { shown: sent.getAll('shown'), take: sent.getAll('take') } }
            : { all: does }),
        }),
        view,
        done: (_, id) => redirectDone(importConflictsPath(id), pageContext, does, addressOf(from, words)),
      });
    },
  };
}

const addressOf = (from: number, words: string): Readonly<Record<string, string>> => ({
  from: String(from),
  ...(words === '' ? {} : { q: words }),
});

const placeIn = (text: string | null): number => (/^\d{1,6}$/.test(text ?? '') ? Number(text) : 0);

async function view(
  dependencies: PageDependencies,
  pageContext: TeamPageContext,
  again?: Again,
): Promise<View> {
  const state = await importOf(dependencies, pageContext);
  const report = state && (await dependencies.imports.report(state));
  if (!report) return noImport(pageContext);
  const { take = takeNone } = await dependencies.imports.choices(state);
  const { team } = pageContext.team;
  const words = (pageContext.query.get('q') ?? '').trim();
  const from = placeIn(pageContext.query.get('from'));
  const { records: shown, all } = await dependencies.imports.conflicts.page(state, {
    ...{ words, from, count: perPage },
  });
  const here = (place: number) => ofTeam(importConflictsPath(state.id), team, addressOf(place, words));
  const beyond = words === '' ? report.not_listed.conflicts : 0;
  const open = state.phase === 'compared';
  return {
    title: texts.title,
    content: html`<p><a href="${ofTeam(importPath(state.id), team)}">${texts.back}</a></p>
      ${again?.refused ? notice(again.refused.message, 'wrong') : ''} ${doneNotice(pageContext, texts.done)}
      ${
        report.conflicts === 0
          ? empty(texts.none)
          : html`<p class="lead">${open ? texts.lead : texts.leadDone}</p>
              ${open ? forAll(state, pageContext) : ''} ${search(state, team, words)}
              ${
                shown.length === 0
                  ? empty(texts.noneFits)
                  : html`<p>${texts.shown(from + 1, from + shown.length, all, beyond)}</p>`
              }
              ${
                open && shown.length > 0
                  ? form({
                      action: ofTeam(importConflictsPath(state.id), team),
                      token: pageContext.formToken,
                      content: html`${hidden('team', team)}${hidden('from', String(from))}
                      ${hidden('q', words)}${hidden('do', 'save')}
                      ${shown.map((each) => record(each, team, take, open))} ${button(texts.save)}`,
                    })
                  : shown.map((each) => record(each, team, take, open))
              }
              ${pager({
                first: from === 0 ? undefined : here(0),
                next: from + perPage < all ? here(from + perPage) : undefined,
              })}`
      }`,
  };
}

/** Finds a record among many. */
const search = ({ id }: ImportState, team: string, words: string): Html =>
  filterBar({
    action: importConflictsPath(id),
    team,
    label: texts.title,
    button: texts.find,
    fields: [textField({ name: 'q', label: texts.words, value: words, optional: true, maxlength: 200 })],
  });

/** One answer for every conflict. */
const forAll = ({ id }: ImportState, { formToken: token, team: { team } }: TeamPageContext): Html =>
  html`<div class="choices">
    ${(['keep', 'take'] as const).map((does) =>
      form({
        action: ofTeam(importConflictsPath(id), team),
        token,
        inline: true,
        label: texts.all[does],
        content: html`${hidden('team', team)}${hidden('do', does)}
        ${button(texts.all[does], { weight: 'secondary' })}`,
      }),
    )}
  </div>`;

const pathOf = (id: string, team: string): string =>
  ofTeam(id.startsWith('o_') ? dashOrganizationPath(id) : dashRecordPath(id), team);

/** Fields that organizations alone have are called by their names. */
function labelOf(field: string): string {
  const labels: Readonly<Record<string, string | undefined>> = ofDirectory.fields;
  return labels[field] ?? field;
}

function record(conflict: RecordConflict, team: string, take: Take, open: boolean): Html {
  const { svc_id, source_id, name, fields } = conflict;
  const taken = takenOf(take, source_id, []);
  const { columns } = texts;
  return html`<section class="card">
    <h2><a href="${pathOf(svc_id, team)}">${name}</a></h2>
    ${table({
      caption: name,
      columns: [columns.field, columns.before, columns.theirs, columns.mine, columns.what].map((label) => ({
        label,
      })),
      rows: fields.map(({ field, before, theirs, mine, resolved }, place) => {
        const label = labelOf(field);
        const isTaken = open ? taken === 'all' || taken?.includes(field) === true : resolved === 'taken';
        const id = `${svc_id}-${place}`;
        return [
          label,
          valueInWords(field, before),
          valueInWords(field, theirs),
          valueInWords(field, mine),
          open
            ? html`${hidden('shown', `${source_id}:${field}`)}<span class="check"
                  ><input
                    type="checkbox"
                    id="${id}"
                    name="take"
                    value="${source_id}:${field}"
                    ${isTaken ? html`checked` : ''}
                  />
                  <label for="${id}"
                    >${texts.take}<span class="unseen"> ${texts.ofField(label, name)}</span></label
                  ></span
                >`
            : isTaken
              ? texts.taken
              : texts.kept,
        ];
      }),
    })}
  </section>`;
}

/** A value of a field in a conflict. Of what is about persons, that it was changed. */
export function valueInWords(field: string, value: unknown): string {
  if (personalRows.some(({ name }) => name === field)) return en.conflicts.personal;
  if (value === undefined) return en.conflicts.nothing;
  // Fields that organizations alone have.
  if (!resourceFieldRows.some(({ name }) => name === field))
    return typeof value === 'string' ? value : JSON.stringify(value);
  return fieldText(field as ResourceFieldName, { [field]: value } as unknown as ResourceFields);
}
