import type { SourceSummary } from '../../hsds/accounting.ts';
import type { HsdsItem } from '../../hsds/item.ts';
import type { Change } from '../../projections/until-shown.ts';
import { table } from '../print.ts';

/** A place in the source, and why something of it was left out. */
export interface Complaint {
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** The result of importing a datapackage, or, with `dry_run`, what importing it would change. */
export interface ImportReport extends SourceSummary {
  readonly source: string;
  readonly team: string;
  readonly dry_run: boolean;
  readonly services: number;
  readonly new: number;
  readonly revised: number;
  readonly approved: number;
  readonly deactivated: number;
  readonly reactivated: number;
  readonly unchanged: number;
  /** How many revised records differ in a field, by field. Of a dry run alone. */
  readonly revised_fields?: Readonly<Record<string, number>>;
  /** The first records that would change. Of a dry run alone. */
  readonly changes?: readonly ImportChange[];
  readonly problems: readonly Complaint[];
  readonly warnings: readonly Complaint[];
  /** How many changes, problems and warnings are not listed, because there are too many. */
  readonly not_listed: { readonly changes: number; readonly problems: number; readonly warnings: number };
}

/** A record that would change. */
export interface ImportChange {
  readonly file: string;
  readonly line: number;
  readonly svc_id: string;
  readonly source_id: string;
  readonly name: string;
  /** What would happen to it, in this order. */
  readonly events: readonly string[];
  /** The fields that would change. Empty for a new record. */
  readonly fields: readonly string[];
}

/** What importing one item came to. */
export interface ItemOutcome {
  readonly types: readonly string[];
  readonly preview?: Pick<ImportChange, 'svc_id' | 'fields'>;
}

/** So many changes, problems and warnings are listed each: memory must not grow with the source. */
export const mostListed = 10_000;

/** So many lines of each list are shown to people. */
export const mostShown = 50;

/** Counts the outcomes of an import while it runs. */
export class ImportTally {
  readonly #counts = new Map<string, number>();
  readonly #fields = new Map<string, number>();
  readonly #lists = {
    changes: [] as ImportChange[],
    problems: [] as Complaint[],
    warnings: [] as Complaint[],
  };
  readonly #notListed = { changes: 0, problems: 0, warnings: 0 };
  readonly #positions = new Map<string, Change>();
  #unchanged = 0;

  add(item: HsdsItem, outcome?: ItemOutcome): void {
    if (item.kind !== 'record') {
      const { file, line, reason } = item;
      this.#list(item.kind === 'problem' ? 'problems' : 'warnings', { file, line, reason });
      return;
    }
    const types = outcome?.types ?? [];
    if (types.length === 0) this.#unchanged += 1;
    for (const type of new Set(types)) increase(this.#counts, type);
    const preview = outcome?.preview;
    if (!preview) return;
    for (const field of preview.fields) increase(this.#fields, field);
    if (types.length === 0) return;
    const { file, line, source_id, fields } = item;
    this.#list('changes', { file, line, ...preview, source_id, name: fields.name, events: types });
  }

  /** Remembers what must be visible in the end: the latest change of each kind. */
  addChange({ types, position }: Change): void {
    const key = types.join();
    const known = this.#positions.get(key);
    if (!known || known.position < position) this.#positions.set(key, { types, position });
  }

  changes(): readonly Change[] {
    return [...this.#positions.values()];
  }

  report(
    of: Pick<ImportReport, 'source' | 'team' | 'services' | 'dry_run'>,
    summary: SourceSummary,
  ): ImportReport {
    const having = (type: string): number => this.#counts.get(type) ?? 0;
    const previewed = {
      revised_fields: Object.fromEntries([...this.#fields].sort(([, left], [, right]) => right - left)),
      // They are compared side by side, and end in any order.
      changes: this.#lists.changes.toSorted(byPlace),
    };
    return {
      ...of,
      new: having('ResourceSubmitted'),
      revised: having('ResourceRevised'),
      approved: having('ResourceApproved'),
      deactivated: having('ResourceDeactivated'),
      reactivated: having('ResourceReactivated'),
      unchanged: this.#unchanged,
      ...(of.dry_run ? previewed : {}),
      problems: this.#lists.problems,
      warnings: this.#lists.warnings,
      not_listed: this.#notListed,
      ...summary,
    };
  }

  #list(name: 'changes' | 'problems' | 'warnings', entry: ImportChange | Complaint): void {
    const list: unknown[] = this.#lists[name];
    if (list.length < mostListed) list.push(entry);
    else this.#notListed[name] += 1;
  }
}

const byPlace = (one: ImportChange, other: ImportChange): number =>
  one.file < other.file ? -1 : one.file > other.file ? 1 : one.line - other.line;

const increase = (counts: Map<string, number>, key: string): void => {
  counts.set(key, (counts.get(key) ?? 0) + 1);
};

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
