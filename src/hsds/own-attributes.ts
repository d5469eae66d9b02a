import type { Category } from '../events/directory/category.ts';
import { categoryOfTerm, recordTermOf, type RecordTerm } from './export/attributes.ts';
import { isOwnId } from './export/ids.ts';
import type { Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';
import { cleanLine, compareIds } from './text.ts';

/** What our own exports say of one service, organization, location or phone where HSDS has no place for it. */
export interface OwnAttributes {
  readonly values: Readonly<Partial<Record<RecordTerm, string>>>;
  /** The main category first. */
  readonly categories: readonly Category[];
  /** Names of taxonomy terms, in the order of the record. */
  readonly terms: readonly string[];
}

const none: OwnAttributes = { values: {}, categories: [], terms: [] };

/** The attributes of the service, organization, location or phone with this id by the terms of our exports. */
export function ownAttributes({ related, accounting }: Source, id: string): OwnAttributes {
  if (!isOwnId(id)) return none;
  const rows = related.rowsOf('attributes', 'link_id', id).filter((row) => isOwn(row));
  if (rows.length === 0) return none;
  accounting.read(...rows);
  const inOrder = [...rows].sort((one, other) => compareIds(one.cell('id'), other.cell('id')));
  const values: Partial<Record<RecordTerm, string>> = {};
  const terms: string[] = [];
  for (const row of inOrder) {
    const term = recordTermOf(termOf(row));
    if (term === 'taxonomy_term') terms.push(cleanLine(row.cell('value')));
    else if (term !== undefined) values[term] = row.cell('value');
  }
  return { values, categories: inOrder.flatMap((row) => categoryOfTerm(termOf(row)) ?? []), terms };
}

/** A row of an export of ours without the columns that it fills in only because HSDS requires them. */
export function withoutUnknown(source: Source, row: Row): Row {
  const unknown = ownAttributes(source, row.cell('id')).values.unknown?.split(' ');
  return unknown ? { ...row, cell: (column) => (unknown.includes(column) ? '' : row.cell(column)) } : row;
}

/** The id of a service or an organization in the source from which an export of ours has it, else its own. */
export const sourceIdOf = (source: Source, row: Row): string =>
  ownAttributes(source, row.cell('id')).values.source_id ?? row.cell('id');

/** Whether an attribute is by a term of our exports. */
export const isOwn = (row: Row): boolean =>
  recordTermOf(termOf(row)) !== undefined || categoryOfTerm(termOf(row)) !== undefined;

const termOf = (row: Row): string => row.cell('taxonomy_term_id').toLowerCase();
