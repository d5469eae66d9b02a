import { parse, CsvError } from 'csv-parse/sync';
import { listedInput, type ListedInput } from '../../commands/teams/listed-member.ts';
import { csvLine, withoutFormula } from '../../ground/csv.ts';
import { paginate } from '../../projections/engine/paginate.ts';
import { listedMembers } from '../../projections/payments.ts';
import type { ActionParts } from '../action.ts';
import { queryOf } from '../listing.ts';
import { isOverdue, listedList, mostAdded, totalsOf, writtenTotals } from './listed-members.ts';

const columns = ['name', 'email', 'phone', 'note', 'paid_until'] as const;

/**
 * Members in the rows of a table, of which the first names the columns: with commas, semicolons or, from a spreadsheet,
 * tabs. Sentences for all rows that are wrong.
 */
export function readListedCsv(
  text: string,
): { readonly members: readonly ListedInput[] } | { readonly problems: readonly string[] } {
  const [head = ''] = text
    .replace(/^\uFEFF/, '')
    .trimStart()
    .split(/\r?\n/, 1);
  const delimiter = ['\t', ';', ','].find((each) => head.includes(each)) ?? ',';
  let rows: readonly Readonly<Record<string, string>>[];
  try {
    rows = parse(text.trimStart(), {
      bom: true,
      delimiter,
      columns: (names: string[]) =>
        names.map((name) =>
          name
            .trim()
            .toLowerCase()
            .replace(/[\s-]+/g, '_'),
        ),
      relax_column_count: true,
      skip_empty_lines: true,
      trim: true,
    });
  } catch (error) {
    if (error instanceof CsvError) return { problems: [`The table cannot be read: ${error.message}`] };
    throw error;
  }
  if (rows.length > mostAdded)
    return { problems: [`At most ${mostAdded.toLocaleString('en')} rows are added at once.`] };
  const problems: string[] = [];
  const members: ListedInput[] = [];
  for (const [place, row] of rows.entries()) {
    const filled = columns.flatMap((name) => {
      const value = Object.hasOwn(row, name) ? row[name] : undefined;
      return value === undefined || value === '' ? [] : [[name, withoutApostrophe(value)]];
    });
    const read = listedInput.safeParse(Object.fromEntries(filled));
    if (read.success) members.push(read.data);
    else {
      const [issue] = read.error.issues;
      problems.push(`Row ${place + 2}, ${issue?.path.join('.') ?? ''}: ${sentenceOf(issue)}`);
    }
  }
  if (problems.length > 0) return { problems };
  return members.length > 0
    ? { members }
    : { problems: ['There are no rows below the names of the columns.'] };
}

const sentenceOf = (issue: { readonly code: string; readonly message: string } | undefined): string =>
  issue?.code === 'invalid_type' ? 'is missing' : (issue?.message ?? 'is not valid');

/** Our own tables have an apostrophe before what a spreadsheet would run. */
const withoutApostrophe = (cell: string): string => cell.replace(/^'(?=[=+\-@\s])/, '');

/** The members without an account of a team as a table, line by line. */
export async function* listedCsv(parts: ActionParts, team: string, now: Date): AsyncGenerator<string> {
  yield csvLine(['member', ...columns, 'overdue', 'paid']);
  const query = queryOf(listedList, { team });
  for await (const doc of paginate(parts.documents.collection(listedMembers.collection), query)) {
    const [each] = await listedList.open(parts, [doc]);
    if (!each?.details) continue;
    const { name, email, phone, note } = each.details;
    const { totals } = await totalsOf(parts, team, each.member);
    yield csvLine([
      each.member,
      ...[name, email, phone, note].map(withoutFormula),
      each.paid_until,
      isOverdue(each, now) ? 'yes' : '',
      writtenTotals(totals),
    ]);
  }
}
