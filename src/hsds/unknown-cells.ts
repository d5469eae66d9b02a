import { ownAttributes } from './own-attributes.ts';
import type { Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';

/** A row of an export of ours without the columns that it fills in only because HSDS requires them. */
export function withoutUnknown(source: Source, row: Row): Row {
  const unknown = ownAttributes(source, row.cell('id')).values.unknown?.split(' ');
  return unknown ? { ...row, cell: (column) => (unknown.includes(column) ? '' : row.cell(column)) } : row;
}
