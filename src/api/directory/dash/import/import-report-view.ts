import type { ImportState } from '../../../../imports/import-state.ts';
import {
  leftOutOf,
  type Complaint,
  type ImportChange,
  type ImportReport,
} from '../../../../imports/report.ts';
import type { ResourceFieldName } from '../../../../events/directory/resource-fields.ts';
import { notice, when } from '../../../pages/controls.ts';
import { html, type Html } from '../../../pages/html.ts';
import { facts } from '../../../pages/parts/facts.ts';
import { table, type Column } from '../../../pages/parts/table.ts';
import { ofTeam } from '../../../pages/paths.ts';
import { dashOrganizationPath, dashRecordPath } from '../dash-paths.ts';
import { en as ofDirectory } from '../texts.ts';
import { importConflictsPath, importReportPath } from './import-paths.ts';
import { en } from './import-texts.ts';

/** So many rows of each list are on the page. All that are kept are in the files. */
const mostShown = 50;

/** What an import has changed, or would change, and what of the file was left out. */
export function reportView(state: ImportState, report: ImportReport): Html {
  const { heads, lists } = en;
  const fields = Object.entries(report.revised_fields ?? {});
  const emptied = report.emptied_fields;
  return html`${counts(report)}
    ${list(
      lists.fields,
      [
        { label: heads.field },
        { label: heads.records, numbers: true },
        ...(emptied === undefined ? [] : [{ label: heads.emptied, numbers: true } as const]),
      ],
      fields.map(([name, number]) => [
        fieldName(name),
        number,
        ...(emptied === undefined ? [] : [emptied[name] ?? 0]),
      ]),
    )}
    ${list(
      lists.changes,
      [{ label: heads.record }, { label: heads.number }, { label: heads.change }],
      (report.changes ?? []).map((each) => [recordLink(each, report.team), each.source_id, changeOf(each)]),
      report.not_listed.changes,
    )}
    ${list(
      en.missing.title,
      [{ label: heads.record }, { label: heads.number }],
      report.missing_records.map(({ svc_id, name, source_id }) => [
        html`<a href="${ofTeam(dashRecordPath(svc_id), report.team)}">${name}</a>`,
        source_id,
      ]),
      report.not_listed.missing,
    )}
    ${when(
      report.conflicts > 0 && !report.dry_run,
      html`<p>
        <a href="${ofTeam(importConflictsPath(state.id), report.team)}"
          >${en.conflicts.linkDone(report.conflicts)}</a
        >
      </p>`,
    )}
    ${when(!report.dry_run && report.erased_left_out > 0, html`<p>${en.erased(report.erased_left_out)}</p>`)}
    ${organizations(report)}
    ${list(
      en.missingOrganizations.title(report.organizations?.taken_out ?? 0),
      [{ label: heads.record }, { label: heads.number }],
      (report.missing_organizations ?? []).map(({ org_id, name, source_id }) => [
        html`<a href="${ofTeam(dashOrganizationPath(org_id), report.team)}">${name}</a>`,
        source_id,
      ]),
      0,
    )}
    ${complaints(lists.problems, report.problems, report.not_listed.problems)}
    ${complaints(lists.warnings, report.warnings, report.not_listed.warnings)} ${more(report)}
    <p class="quiet small">
      ${en.downloads}:
      ${(['csv', 'json'] as const).map(
        (format) =>
          html`<a href="${ofTeam(importReportPath(state.id), report.team, { format })}" download
            >${en[format]}</a
          > `,
      )}
    </p>`;
}

/** So much of a file that empties a field may be wrong with it, such as a table that is cut off. */
const mostEmptied = 1 / 5;

/** What somebody should know before they import the file. */
export function cautions(report: ImportReport): Html {
  const leftOut = leftOutOf(report);
  const emptied = Object.entries(report.emptied_fields ?? {}).filter(
    ([, number]) => number > report.services * mostEmptied,
  );
  return html`${emptied.map(([name, number]) => notice(en.emptied(fieldName(name), number), 'wrong'))}
  ${when(leftOut > 0, notice(en.leftOut(leftOut), 'plain'))}`;
}

function counts(report: ImportReport): Html {
  const { caption: title, unusable, ...names } = en.counts;
  const rows = (Object.keys(names) as (keyof typeof names)[])
    .map((name) => [names[name], report[name]] as const)
    .filter(([name, number]) => number > 0 || name === names.services || name === names.new)
    .map(([name, number]) => [name, number.toLocaleString('en')] as const);
  const leftOut = leftOutOf(report);
  return html`<section class="card">
    <h2>${title}</h2>
    ${facts([...rows, [unusable, leftOut === 0 ? undefined : leftOut.toLocaleString('en')]])}
  </section>`;
}

function organizations({ organizations: of }: ImportReport): Html | '' {
  if (!of || of.new + of.revised + of.unchanged === 0) return '';
  return html`<p>${en.organizations(of)}</p>`;
}

const fieldName = (name: string): string =>
  Object.hasOwn(ofDirectory.fields, name) ? ofDirectory.fields[name as ResourceFieldName] : name;

/** A new record has no page yet. */
const recordLink = ({ svc_id, name, events }: ImportChange, team: string): Html | string =>
  events.includes('ResourceSubmitted')
    ? name
    : html`<a href="${ofTeam(dashRecordPath(svc_id), team)}">${name}</a>`;

const changeOf = ({ events, fields }: ImportChange): string =>
  events
    .map((type) => {
      const what = en.changes[type] ?? type;
      return type === 'ResourceRevised' ? `${what}: ${fields.map(fieldName).join(', ')}` : what;
    })
    .join('; ');

const placeColumns: readonly Column[] = [
  { label: en.heads.file },
  { label: en.heads.line, numbers: true },
  { label: en.heads.why },
];

const complaints = (title: string, all: readonly Complaint[], beyond: number): Html | '' =>
  list(
    title,
    placeColumns,
    all.map(({ file, line, reason }) => [file, line, reason]),
    beyond,
  );

function list(
  title: string,
  columns: readonly Column[],
  rows: readonly (readonly (Html | string | number)[])[],
  beyond = 0,
): Html | '' {
  if (rows.length === 0) return '';
  const left = Math.max(0, rows.length - mostShown) + beyond;
  return html`<section class="card">
    <h2>${title}</h2>
    ${table({ caption: title, columns, rows: rows.slice(0, mostShown) })}
    ${when(left > 0, html`<p class="quiet small">${en.more(left)}</p>`)}
  </section>`;
}

/** What hardly anybody asks for, folded. */
function more({ not_carried, broken_links, repaired_links, repaired_text }: ImportReport): Html | '' {
  if (not_carried.length + broken_links.length + repaired_links.length + repaired_text.length === 0)
    return '';
  const { heads, lists } = en;
  return html`<details>
    <summary>${en.details}</summary>
    ${list(
      lists.notCarried,
      [
        { label: heads.file },
        { label: heads.table },
        { label: heads.column },
        { label: heads.rows, numbers: true },
        { label: heads.why },
      ],
      not_carried.map(({ file, table: name = '', column = en.wholeRows, rows, why }) => [
        file,
        name,
        column,
        rows,
        why,
      ]),
    )}
    ${list(
      lists.broken,
      [
        { label: heads.file },
        { label: heads.column },
        { label: heads.rows, numbers: true },
        { label: heads.firstLine, numbers: true },
      ],
      broken_links.map(({ file, column, rows, first_line }) => [file, column, rows, first_line]),
    )}
    ${list(
      lists.repaired,
      [
        { label: heads.file },
        { label: heads.column },
        { label: heads.rows, numbers: true },
        { label: heads.how },
      ],
      repaired_links.map(({ file, column, rows, how }) => [file, column, rows, how]),
    )}
    ${list(
      lists.text,
      [{ label: heads.file }, { label: heads.rows, numbers: true }, { label: heads.places, numbers: true }],
      repaired_text.map(({ file, rows, places }) => [file, rows, places]),
    )}
  </details>`;
}
