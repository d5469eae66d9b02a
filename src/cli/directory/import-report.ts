import { mostListed, type Complaint, type ImportChange, type ImportReport } from '../../imports/report.ts';
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
    `${report.services} services from ${report.source} for ${report.team}: ${counts.join(', ')}, ${unusable} not usable.`,
  ];
  if (report.dry_run) lines.push('This was a dry run: nothing was changed.');
  const fields = Object.entries(report.revised_fields ?? {});
  if (fields.length > 0) lines.push('', 'Fields that would change:', table(['FIELD', 'RECORDS'], fields));
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
const printable = (text: string): string =>
  text.replace(/[\p{Cc}\u061c\u200e\u200f\u202a-\u202e\u2066-\u2069]/gu, (character) =>
    character === '\n' ? '\n' : '\ufffd',
  );
