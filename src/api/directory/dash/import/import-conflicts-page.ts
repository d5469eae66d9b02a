import { chooseConflicts } from '../../../../actions/directory/imports.ts';
import {
  personalRows,
  type ResourceFieldName,
  type ResourceFields,
} from '../../../../events/directory/resource-fields.ts';
import type { ImportState } from '../../../../imports/import-state.ts';
import type { RecordConflict } from '../../../../imports/report.ts';
import { takenOf, takeNone, type Take } from '../../../../imports/take.ts';
import type { PageDependencies } from '../../../dashboard-dependencies.ts';
import { postForm, type Again } from '../../../pages/action-form.ts';
import { button, form, hidden, notice } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import type { Page, TeamPageContext, View } from '../../../pages/page-context.ts';
import { chosen } from '../../../pages/parts/chosen.ts';
import { empty, pager } from '../../../pages/parts/list-controls.ts';
import { doneNotice, redirectDone } from '../../../pages/parts/notices.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashRecordPath } from '../dash-paths.ts';
import { saidField } from '../record/said-fields.ts';
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
      return postForm(dependencies, pageContext, {
        action: chooseConflicts,
        also: () => ({
          id: idIn(pageContext),
          ...(does === 'save'
            ? { page: { from, records: perPage, take: sent.getAll('take') } }
            : { all: does }),
        }),
        view,
        done: (_, id) => redirectDone(importConflictsPath(id), pageContext, does, { from: String(from) }),
      });
    },
  };
}

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
  const all = report.conflict_records;
  const from = Math.min(placeIn(pageContext.query.get('from')), Math.max(0, all.length - 1));
  const here = (place: number) => ofTeam(importConflictsPath(state.id), team, { from: String(place) });
  const shown = all.slice(from, from + perPage);
  const open = state.phase === 'compared';
  return {
    title: texts.title,
    content: html`<p><a href="${ofTeam(importPath(state.id), team)}">${texts.back}</a></p>
      ${again?.refused ? notice(again.refused.message, 'wrong') : ''} ${doneNotice(pageContext, texts.done)}
      ${
        all.length === 0
          ? empty(texts.none)
          : html`<p class="lead">${open ? texts.lead : texts.leadDone}</p>
              <p>${texts.shown(from + 1, from + shown.length, all.length, report.not_listed.conflicts)}</p>
              ${open ? forAll(state, pageContext) : ''}
              ${
                open
                  ? form({
                      action: importConflictsPath(state.id),
                      token: pageContext.formToken,
                      content: html`${hidden('team', team)}${hidden('from', String(from))}
                      ${hidden('do', 'save')} ${shown.map((each) => record(each, team, take, open))}
                      ${button(texts.save)}`,
                    })
                  : shown.map((each) => record(each, team, take, open))
              }
              ${pager({
                first: from === 0 ? undefined : here(0),
                next: from + perPage < all.length ? here(from + perPage) : undefined,
              })}`
      }`,
  };
}

/** One answer for every conflict. */
const forAll = ({ id }: ImportState, { formToken: token, team: { team } }: TeamPageContext): Html =>
  html`<div class="choices">
    ${(['keep', 'take'] as const).map((does) =>
      form({
        action: importConflictsPath(id),
        token,
        inline: true,
        label: texts.all[does],
        content: html`${hidden('team', team)}${hidden('do', does)}
        ${button(texts.all[does], { weight: 'secondary' })}`,
      }),
    )}
  </div>`;

function record(conflict: RecordConflict, team: string, take: Take, open: boolean): Html {
  const { svc_id, source_id, name, fields } = conflict;
  const taken = takenOf(take, source_id);
  const { columns } = texts;
  return html`<section class="card">
    <h2><a href="${ofTeam(dashRecordPath(svc_id), team)}">${name}</a></h2>
    ${table({
      caption: name,
      columns: [columns.field, columns.before, columns.theirs, columns.mine, columns.what].map((label) => ({
        label,
      })),
      rows: fields.map(({ field, before, theirs, mine, resolved }, place) => {
        const label = ofDirectory.fields[field as ResourceFieldName];
        const isTaken = open ? taken === 'all' || taken?.includes(field) === true : resolved === 'taken';
        const said = (value: unknown): string => (isPersonal(field) ? texts.personal : saidIn(field, value));
        const id = `${svc_id}-${place}`;
        return [
          label,
          said(before),
          said(theirs),
          said(mine),
          open
            ? html`<span class="check"
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

const isPersonal = (field: string): boolean => personalRows.some(({ name }) => name === field);

const saidIn = (field: string, value: unknown): string =>
  value === undefined
    ? texts.nothing
    : saidField(field as ResourceFieldName, { [field]: value } as unknown as ResourceFields);
