import { unsealedFields } from '../events/directory/resource-fields.ts';
import type { Accounting } from './accounting.ts';
import { draftOf } from './draft.ts';
import { availabilityOf } from './fields/availability.ts';
import type { HsdsItem, HsdsWarning } from './item.ts';
import { organizationRowOf } from './organization/organization-of.ts';
import { sourceIdOf } from './own-attributes.ts';
import { ownCells, ownRowOf } from './sheet/own-export.ts';
import { repaired } from './repair.ts';
import type { RelatedRows, Row } from './source/related-rows.ts';
import { cleanLine, quoted } from './text.ts';

/**
 * The items of one row of services, with what the related tables say about it: the record, after a warning for each
 * value that had to be changed or left out. A problem when the row has no usable id or name.
 */
export function itemsOf(row: Row, related: RelatedRows, accounting: Accounting): HsdsItem[] {
  const { file, line } = row;
  const id = row.cell('id');
  if (id === '') return [{ kind: 'problem', file, line, reason: 'has no id' }];
  if (id.length > 200)
    return [{ kind: 'problem', file, line, reason: 'has an id of more than 200 characters' }];
  if (cleanLine(row.cell('name')) === '')
    return [{ kind: 'problem', file, line, reason: `service ${id} has no name` }];

  const warnings: HsdsWarning[] = [];
  const warn = (at: Pick<Row, 'file' | 'line'>, reason: string): void => {
    if (accounting.isNew(at, reason))
      warnings.push({ kind: 'warning', file: at.file, line: at.line, reason });
  };
  const warnOfService = (reason: string): void => warn(row, `service ${id}: ${reason}`);
  accounting.read(row);
  const source = { related, accounting, warn };
  const organization = organizationRowOf(row, source);
  accounting.read(organization);
  const draft = draftOf(row, source, organization);
  const fields = unsealedFields.safeParse(draft).data ?? repaired(draft, warnOfService);
  if (!fields) return [{ kind: 'problem', file, line, reason: `service ${id} has no usable name` }];

  const { state, unknown } = availabilityOf(row.cell('status'));
  if (unknown) warnOfService(`the status ${quoted(row.cell('status'))} is none of HSDS; taken as inactive`);
  return [
    ...warnings,
    {
      kind: 'record',
      source_id: sourceIdOf(source, row),
      ...(organization === undefined ? {} : { organization_source_id: sourceIdOf(source, organization) }),
      status: state,
      file,
      line,
      fields,
      ...(row.cell(ownCells) === '' ? {} : { own: ownRowOf(id, row.cell(ownCells)) }),
    },
  ];
}
