import { mostListed, type Complaint, type ImportChange, type ImportReport } from '../../imports/report.ts';
import { personalRows } from '../../events/directory/resource-fields.ts';
import { counted } from '../../ground/counted.ts';
import type { Mapping } from '../../hsds/sheet/mapping.ts';
import { table } from '../../ground/print.ts';

/** So many lines of each list are shown to people. */
const mostShown = 50;

/** The report for people. */
export function describeImport(report: ImportReport): string[] {
  const { not_listed: more } = report;
  const unusable = report.problems.length + more.problems;
  const counts = (['new', 'revised', 'approved', 'deactivated', 'reactivated', 'unchanged'] as const)
    .filter((name) => name !== 'reactivated' || report.reactivated > 0)
    .map((name) => `${report[name]} ${name}`);
  const lines = [
    `${report.services} services from ${report.source_name ?? report.source} for ${report.team}: ${counts.join(', ')}, ${unusable} not usable.`,
  ];
  const { organizations } = report;
  if (organizations && organizations.new + organizations.revised + organizations.unchanged > 0)
    lines.push(
      `Organizations: ${organizations.new} new, ${organizations.revised} revised, ${organizations.unchanged} unchanged.`,
    );
  if (report.dry_run) lines.push('This was a dry run: nothing was changed.');
  const fields = Object.entries(report.revised_fields ?? {});
  const { emptied_fields: emptied } = report;
  const changed = fields.map(([name, number]) => [name, number, ...(emptied ? [emptied[name] ?? 0] : [])]);
  const headings = ['FIELD', 'RECORDS', ...(emptied ? ['LEFT WITH NONE'] : [])];
  if (changed.length > 0) lines.push('', 'Fields that would change:', table(headings, changed));
  if (report.import !== undefined)
    lines.push(`To take it back: imports undo ${report.import} --team ${report.team}`);
  if (report.erased_left_out > 0)
    lines.push(
      `Left out: erased. ${counted(report.erased_left_out, 'contact')} of the file, whom somebody has had erased.`,
    );
  if (report.sheet) lines.push('', ...describeColumns(report.sheet));
  const list = (title: string, headings: readonly string[], rows: (string | number)[][], left = 0) => {
    if (rows.length === 0) return;
    lines.push('', title, table(headings, rows.slice(0, mostShown)));
    const beyond = Math.max(0, rows.length - mostShown);
    if (beyond > 0)
      lines.push(`… and ${beyond + left} more. With --json, the first ${mostListed} are listed.`);
  };
  list(
    'Would change:',
    ['RESOURCE', 'SOURCE ID', 'CHANGE', 'NAME'],
    (report.changes ?? []).map((each) => [each.svc_id, each.source_id, changeOf(each), each.name]),
    more.changes,
  );
  list(
    report.dry_run
      ? 'Changed here and by the source. What stands here is kept, unless --take says otherwise:'
      : 'Changed here and by the source:',
    ['RESOURCE', 'SOURCE ID', 'FIELD', 'BEFORE', 'THE SOURCE', 'HERE', 'OUTCOME'],
    report.conflict_records.flatMap(({ svc_id, source_id, fields: each }) =>
      each.map(({ field, before, theirs, mine, resolved }) => [
        svc_id,
        source_id,
        field,
        short(before),
        isPersonal(field) ? 'changed' : short(theirs),
        short(mine),
        resolved,
      ]),
    ),
    more.conflicts,
  );
  list(
    `No longer in the source, ${report.missing} of ${report.missing_of}. ${missingSentence(report)}`,
    ['RESOURCE', 'SOURCE ID', 'NAME'],
    report.missing_records.map(({ svc_id, source_id, name }) => [svc_id, source_id, name]),
    more.missing,
  );
  list(
    `Organizations no longer in the source, of which ${organizations?.taken_out ?? 0} were taken out. Those that public records name stay:`,
    ['ORGANIZATION', 'SOURCE ID', 'NAME'],
    (report.missing_organizations ?? []).map(({ org_id, source_id, name }) => [org_id, source_id, name]),
  );
  const rows = (complaints: readonly Complaint[]) =>
    complaints.map(({ file, line, reason }) => [file, line, reason]);
  list('Not usable:', ['FILE', 'LINE', 'REASON'], rows(report.problems), more.problems);
  list('Left out:', ['FILE', 'LINE', 'REASON'], rows(report.warnings), more.warnings);
  list('Not carried:', ['FILE', 'TABLE', 'WHY', 'COLUMNS (ROWS)'], columnsByReason(report.not_carried));
  list(
    'Links that lead nowhere:',
    ['FILE', 'COLUMN', 'ROWS', 'FIRST LINE'],
    report.broken_links.map(({ file, column, rows, first_line }) => [file, column, rows, first_line]),
  );
  list(
    'Links that were missing and could be found:',
    ['FILE', 'COLUMN', 'ROWS', 'HOW'],
    report.repaired_links.map(({ file, column, rows, how }) => [file, column, rows, how]),
  );
  list(
    'Text that had been read in a wrong encoding, and was repaired:',
    ['FILE', 'ROWS', 'PLACES'],
    report.repaired_text.map(({ file, rows, places }) => [file, rows, places]),
  );
  return lines.map(printable);
}

const missingSentence = ({ missing_removed: removed, dry_run: isDry }: ImportReport): string =>
  removed
    ? isDry
      ? 'They would be taken out:'
      : 'They were taken out:'
    : 'They stay. To take them out: --remove-missing.';

/** A value as a cell: short, and in one line. */
function short(value: unknown): string {
  if (value === undefined) return '';
  const text = (typeof value === 'string' ? value : JSON.stringify(value)).replace(/\s+/g, ' ');
  return text.length <= longestCell ? text : `${text.slice(0, longestCell - 1).toWellFormed()}…`;
}

const longestCell = 40;

const isPersonal = (field: string): boolean => personalRows.some(({ name }) => name === field);

/** What the columns of a spreadsheet say. */
export function describeColumns({ sheet, columns }: Mapping): string[] {
  const rows = Object.entries(columns).map(([name, target]) => [name, target ?? 'left out']);
  return [
    `The columns${sheet === undefined ? '' : ` of the sheet ${sheet}`} were read as:`,
    table(['COLUMN', 'READ AS'], rows.slice(0, mostShown)),
    'Where one is wrong, say it: --columns "Column=target". See docs/importing.md.',
  ];
}

/** The columns of one table that are not carried for one reason stand in one line. */
function columnsByReason(entries: ImportReport['not_carried']): string[][] {
  const alike = Map.groupBy(entries, ({ file, table: name, why }) => JSON.stringify([file, name, why]));
  return [...alike.values()].flatMap((group) => {
    const [first] = group;
    if (!first) return [];
    const columns = group.map(({ column = 'whole rows', rows }) => `${column} (${rows})`);
    return [[first.file, first.table ?? '', first.why, columns.join(', ')]];
  });
}

const words: Readonly<Record<string, string>> = {
  ResourceSubmitted: 'new',
  ResourceApproved: 'approved',
  ResourceDeactivated: 'deactivated',
  ResourceReactivated: 'reactivated',
};

const changeOf = ({ events, fields }: ImportChange): string =>
  events
    .map((type) => (type === 'ResourceRevised' ? `revised: ${fields.join(', ')}` : (words[type] ?? type)))
    .join('; ');

/**
 * Without what a terminal would obey, or what changes the order in which a line is read: names come from files of
 * others. Source: Unicode Technical Report 36, 2.5 and the bidirectional controls of UAX 9.
 */
export const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' ? '\n' : '\ufffd',
  );
