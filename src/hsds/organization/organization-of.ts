import { svcIdOfService } from '../export/ids.ts';
import { unknownOrganization } from '../export/required-cells.ts';
import type { Source } from '../service-rows.ts';
import type { RelatedRows, Row } from '../source/related-rows.ts';

/** The most parents that are followed. */
const mostParents = 20;

/**
 * The row of the organization of a service. When `organization_id` names a service or a program instead, that is the parent
 * of the service, and its organization is meant. When it is empty, the organization of the program is taken, else that of
 * the location that the service names (as in Ohana), else the only organization of the source.
 */
export function organizationRowOf(service: Row, { related, accounting }: Source): Row | undefined {
  const named = service.cell('organization_id');
  const program = related.rowOf('programs', service.cell('program_id'));
  accounting.read(program);
  // An export of ours: the table of services has to name one.
  if (named.toLowerCase() === unknownOrganization.id) return undefined;
  const direct = related.rowOf('organizations', named);
  if (direct || svcIdOfService(service.cell('id')) !== undefined) return direct;
  const row =
    (named === '' ? undefined : organizationOfParent(related, named)) ??
    related.rowOf('organizations', program?.cell('organization_id') ?? '') ??
    (named === '' ? (organizationOfLocation(service, related) ?? onlyOrganization(related)) : undefined);
  if (row)
    accounting.repair(
      service,
      'organization_id',
      named === ''
        ? 'that of its program or its location, or the only one there is'
        : 'that of the parent that it names',
    );
  return row;
}

/** The organization of the service or program with this id, however many parents are between. */
function organizationOfParent(related: RelatedRows, parent: string): Row | undefined {
  let id = parent;
  for (let step = 0; step < mostParents && id !== ''; step++) {
    const row = related.rowOf('services', id) ?? related.rowOf('programs', id);
    if (!row) return undefined;
    const next = row.cell('organization_id');
    const organization =
      related.rowOf('organizations', next) ??
      related.rowOf(
        'organizations',
        related.rowOf('programs', row.cell('program_id'))?.cell('organization_id') ?? '',
      );
    if (organization) return organization;
    id = next;
  }
  return undefined;
}

function organizationOfLocation(service: Row, related: RelatedRows): Row | undefined {
  const location = related.rowOf('locations', service.cell('location_id'));
  return related.rowOf('organizations', location?.cell('organization_id') ?? '');
}

function onlyOrganization(related: RelatedRows): Row | undefined {
  const files = related.files.filter(({ table }) => table === 'organizations');
  if (files.reduce((sum, { rows }) => sum + rows, 0) !== 1) return undefined;
  const [only] = related.each('organizations');
  return only;
}
