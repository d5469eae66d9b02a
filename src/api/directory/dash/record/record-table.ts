import { categories } from '../../../../events/directory/category.ts';
import {
  periods,
  recordFilter,
  recordStatuses,
  writtenHere,
  type RecordFilter,
} from '../../../../actions/directory/record-filter.ts';
import {
  everyRow,
  recordColumns,
  recordOrder,
  type RecordColumn,
  type RecordOrder,
  type RecordPage,
  type RecordRow,
  type RecordTable,
} from '../../../../actions/directory/record-table.ts';
import { csvLine, withoutFormula } from '../../../../ground/csv.ts';
import { inSteps } from '../../../../ground/throttle.ts';
import type { Documents } from '../../../../stores/documents/port.ts';
import type { SourceDocument } from '../../../../projections/directory/sources.ts';
import { field, form, hidden, time, when } from '../../../pages/controls.ts';
import { calendarDay } from '../../../pages/time.ts';
import { html, type Html } from '../../../pages/html.ts';
import { checkboxGroup, selectField, type Option } from '../../../pages/parts/choices.ts';
import { filterBar, numberedPages } from '../../../pages/parts/list-controls.ts';
import { table } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { bulkActionsPath, dashRecordPath } from '../dash-paths.ts';
import { categoryName, statusBadge } from '../record-as-seen.ts';
import { tableTexts } from '../table-texts.ts';
import { en } from '../texts.ts';

const texts = tableTexts;

/** A table of records as an address asks for it. */
export interface ShownTable {
  /** The path of the page, with what stays in its address whatever is narrowed down and sorted. */
  readonly path: string;
  readonly fixed: Readonly<Record<string, string>>;
  readonly team: string;
  readonly filter: RecordFilter;
  readonly order: RecordOrder;
  readonly columns: readonly RecordColumn[];
}

/** The address of a table: its filter and its order. */
export const tableQuery = ({ fixed, filter, order, columns }: Omit<ShownTable, 'path' | 'team'>) => ({
  ...recordFilter.toQuery(filter),
  ...(order.by === 'fit' ? {} : { sort: recordOrder.toText(order) }),
  ...(columns.length === recordColumns.length ? {} : { columns: columns.join(',') }),
  ...fixed,
});

const addressOf = (shown: ShownTable, also: Readonly<Record<string, string>> = {}): string =>
  ofTeam(shown.path, shown.team, { ...tableQuery(shown), ...also });

/** The order of an address: of words what fits best, else by organization. */
export const orderIn = (query: URLSearchParams, { words }: RecordFilter): RecordOrder =>
  recordOrder.parse(query.get('sort') ?? '') ?? {
    by: words === undefined ? 'organization' : 'fit',
    descending: false,
  };

/** The fields that narrow a table down, with those that are seldom needed behind a word. */
export function filterFields(shown: ShownTable, sources: readonly SourceDocument[], hasStatus = true): Html {
  const { filter, order, path, team, fixed } = shown;
  const isWhole = shown.columns.length === recordColumns.length;
  const further = [filter.place, filter.organization, filter.source, filter.changed, filter.verified];
  return filterBar({
    action: path,
    team,
    label: en.records.filters,
    button: en.records.find,
    folded: texts.folded(setIn(shown, sources, hasStatus)),
    fields: html` ${Object.entries(fixed).map(([name, value]) => hidden(name, value))}
      ${field({ name: 'q', label: texts.words, value: filter.words, optional: true, maxlength: 200 })}
      ${
        hasStatus
          ? choice('status', en.records.status, filter.status, en.records.anyStatus, [
              ...recordStatuses.map((each) => ({ value: each, label: en.statuses[each] })),
            ])
          : ''
      }
      ${choice('category', en.records.category, filter.category, en.records.anyCategory, [
        ...categories.map((each) => ({ value: each, label: categoryName(each) })),
      ])}
      ${selectField({ name: 'sort', label: texts.sort, value: sortValue(order), options: sortOptions(filter) })}
      <details class="more" ${when(!isWhole || further.some((each) => each !== undefined), html`open`)}>
        <summary>${texts.moreFilters}</summary>
        <div class="filters">
          ${field({ name: 'organization', label: texts.columns.organization, value: filter.organization, optional: true, maxlength: 300 })}
          ${field({ name: 'place', label: texts.columns.place, value: filter.place, optional: true, maxlength: 120 })}
          ${choice('source', en.records.source, filter.source, texts.anySource, [
            { value: writtenHere, label: texts.writtenHere },
            ...sources.map(({ source, name }) => ({ value: source, label: name })),
          ])}
          ${choice('changed', texts.changedSince, filter.changed, texts.anyTime, timesOf(filter.changed, texts.since, ['7-days', '30-days', '6-months', '1-year']))}
          ${choice('verified', texts.columns.verified, filter.verified, texts.anyTime, [
            { value: 'never', label: texts.never },
            ...timesOf(filter.verified, texts.notSince, ['6-months', '1-year', '2-years']),
          ])}
        </div>
        ${checkboxGroup({
          name: 'columns',
          label: texts.shownColumns,
          values: shown.columns,
          options: recordColumns.map((each) => ({ value: each, label: texts.columns[each] })),
        })}
      </details>`,
  });
}

/** What narrows a table down, in words. */
function setIn(
  { filter, order }: ShownTable,
  sources: readonly SourceDocument[],
  hasStatus: boolean,
): readonly string[] {
  const { words, status, category, organization, place, source, changed, verified } = filter;
  const nameOf = (id: string) =>
    id === writtenHere ? texts.writtenHere : (sources.find((each) => each.source === id)?.name ?? id);
  const sorted = order.by === 'fit' ? undefined : recordOrder.toText(order);
  return [
    words && `“${words}”`,
    hasStatus && status && en.statuses[status],
    category && categoryName(category),
    organization,
    place,
    source && texts.ofSource(nameOf(source)),
    changed && texts.changedIn(texts.since(periodName(changed))),
    verified && texts.verifiedIn(verified === 'never' ? texts.never : texts.notSince(periodName(verified))),
    sorted && sorted !== 'organization' && texts.orders[sorted as keyof typeof texts.orders],
  ].flatMap((each) => (each ? [each] : []));
}

const choice = (
  name: string,
  label: string,
  value: string | undefined,
  any: string,
  options: readonly Option[],
): Html => selectField({ name, label, value, options: [{ value: '', label: any }, ...options] });

/** Periods, and the day that an address names. */
const timesOf = (
  value: string | undefined,
  label: (time: string) => string,
  offered: readonly string[],
): Option[] =>
  [...offered, ...(value === undefined || value === 'never' || offered.includes(value) ? [] : [value])].map(
    (each) => ({
      value: each,
      label: label(periodName(each)),
    }),
  );

const periodName = (time: string): string =>
  Object.hasOwn(periods, time) ? time.replace(/^1-/, '').replace('-', ' ') : time;

const sortValue = (order: RecordOrder): string => (order.by === 'fit' ? '' : recordOrder.toText(order));

const sortOptions = ({ words }: RecordFilter): Option[] => [
  ...(words === undefined ? [] : [{ value: '', label: texts.bestFirst }]),
  ...Object.entries(texts.orders).map(([value, label]) => ({ value, label })),
];

/** A page of the table. `token`: of the form with which whoever may decide sends what is ticked. */
export function recordTable(shown: ShownTable, found: RecordPage, token: string | undefined): Html {
  const content = html`<section class="card">
    ${table({
      caption: texts.caption(found.total),
      columns: shown.columns.map((each) => ({ label: texts.columns[each], sort: sortOf(shown, each) })),
      names: Math.max(0, shown.columns.indexOf('name')),
      rows: found.rows.map((row) => shown.columns.map((each) => cellOf(shown.team, row, each))),
      ...(token === undefined ? {} : { ticks: found.rows.map(tick) }),
    })}
  </section>`;
  return html`${token === undefined ? content : ticked(shown, found, token, content)}
  ${numberedPages({ ...found, to: (page) => addressOf(shown, { page: String(page) }) })}`;
}

function sortOf(shown: ShownTable, by: RecordColumn) {
  const isNow = shown.order.by === by;
  // What has changed last is looked for first.
  const descending = isNow ? !shown.order.descending : by === 'changed';
  return {
    to: addressOf({ ...shown, order: { by, descending } }),
    now: isNow ? (shown.order.descending ? ('descending' as const) : ('ascending' as const)) : undefined,
  };
}

const cells: Readonly<Record<RecordColumn, (row: RecordRow, team: string) => Html | string>> = {
  organization: ({ organization }) => organization ?? '',
  name: ({ svcId, name }, team) => html`<a href="${ofTeam(dashRecordPath(svcId), team)}">${name}</a>`,
  place: ({ place }) => place ?? '',
  kind: ({ category }) => categoryName(category),
  state: ({ status }) => statusBadge(status),
  changed: ({ updatedAt }) => time(updatedAt),
  verified: ({ verified }) => (verified === undefined ? texts.never : dayOrPeriod(verified)),
};

const dayOrPeriod = (date: string): Html | string =>
  date.length < 10 ? date : calendarDay(date.slice(0, 10));

/** The same cells as texts. Times are in UTC. */
const plainCells: Readonly<Record<RecordColumn, (row: RecordRow) => string>> = {
  organization: ({ organization }) => organization ?? '',
  name: ({ name }) => name,
  place: ({ place }) => place ?? '',
  kind: ({ category }) => categoryName(category),
  state: ({ status }) => en.statuses[status],
  changed: ({ updatedAt }) => updatedAt,
  verified: ({ verified }) => verified ?? texts.never,
};

/** All that a table shows, as CSV: the same filter, order and columns. */
export async function* tableCsv(
  documents: Documents,
  shown: ShownTable & Pick<RecordTable, 'now' | 'zone'>,
): AsyncGenerator<string> {
  yield csvLine(shown.columns.map((each) => texts.columns[each]));
  for await (const row of inSteps(everyRow(documents, shown)))
    yield csvLine(shown.columns.map((each) => withoutFormula(plainCells[each](row))));
}

/** Where the table is a file. */
export const csvOf = (shown: ShownTable): string => addressOf(shown, { format: 'csv' });

const cellOf = (team: string, row: RecordRow, column: RecordColumn): Html | string =>
  cells[column](row, team);

const tick = ({ svcId, name }: RecordRow): Html =>
  html`<label class="tick"
    ><input type="checkbox" name="record" value="${svcId}" /><span class="unseen"
      >${texts.tick(name)}</span
    ></label
  >`;

/** What can be done with records in these states, what is done most first. */
const doable = {
  submitted: ['approve', 'reject', 'kind', 'verified'],
  approved: ['verified', 'take-out', 'kind'],
  rejected: ['approve', 'kind'],
  inactive: ['approve', 'kind', 'verified'],
  any: ['approve', 'reject', 'take-out', 'kind', 'verified'],
} as const;

/** A form with the table in it: what is ticked, or all that fit, and what to do with it. */
function ticked(
  { team, filter, fixed }: ShownTable,
  { total, rows, pages }: RecordPage,
  token: string,
  content: Html,
): Html {
  const [first, second, ...others] = doable[filter.status ?? 'any'];
  return html`<div
    class="ticking"
    data-ticking="${team} ${new URLSearchParams(recordFilter.toQuery(filter)).toString()}"
  >
    ${form({
      action: ofTeam(bulkActionsPath, team),
      token,
      label: texts.tickedForm,
      content: html`${hidden('team', team)}
        ${hidden('filter', new URLSearchParams({ ...recordFilter.toQuery(filter), ...fixed }).toString())}
        ${hidden('total', String(total))} ${content}
        <div class="ticked-bar">
          <p class="ticked-choice">
            <label class="check" hidden
              ><input type="checkbox" data-tick-page /> ${texts.tickPage(rows.length)}</label
            >
            <label class="check"
              ><input type="checkbox" name="all" value="1" data-tick-all /> ${texts.tickAll(total)}</label
            >
            <output data-ticked></output>
            ${when(pages > 1, html`<noscript><span class="quiet small">${texts.noScript}</span></noscript>`)}
          </p>
          <div class="choices">
            ${doButton(first, 'primary')} ${doButton(second, 'secondary')}
            <details class="more">
              <summary>${texts.moreActions}</summary>
              <div class="choices">${others.map((each) => doButton(each, 'secondary'))}</div>
            </details>
          </div>
        </div>`,
    })}
  </div>`;
}

const doButton = (does: keyof typeof texts.does, weight: 'primary' | 'secondary'): Html =>
  html`<button type="submit" class="${weight}" name="do" value="${does}">${texts.does[does]}</button>`;
