import { integerOfOrgId, integerOfSvcId, orgIdOf, svcIdOf } from '../../events/ids.ts';

/** Kinds of entities that belong to one service or one organization. The order of ids of one kind is the order in the record. */
const kinds = {
  organization: 0x01,
  organization_identifier: 0x02,
  additional_website: 0x03,
  service: 0x10,
  service_at_location: 0x11,
  location: 0x12,
  address: 0x13,
  accessibility: 0x14,
  phone: 0x20,
  language: 0x21,
  schedule: 0x30,
  service_area: 0x40,
  required_document: 0x41,
  cost_option: 0x42,
  contact: 0x50,
  attribute: 0x60,
} as const;

export type EntityKind = keyof typeof kinds;

/** `Co`: told from ids of other publishers at a glance. */
const mark = '436f';

/**
 * The UUID of an entity of a resource or an organization: RFC 9562 version 8, made of its kind, its place in the record
 * and the digits of the id. HSDS wants UUIDs, and of locations and phones the record keeps no ids. The same record always has the same
 * ones, and no look-up table is needed to find a service by its UUID.
 */
export function entityId(svcId: string, kind: EntityKind, ...place: readonly number[]): string {
  const [first = 0, second = 0, third = 0] = place;
  const head = ((kinds[kind] * 256 + first) * 256 + second) * 256 + third;
  return head.toString(16).padStart(8, '0') + endOf(svcId);
}

/** Whether an export of ours made this id. Those of organizations without a record are made of their names. */
export const isOwnId = (id: string): boolean => id.slice(8, 14) === `-${mark}-`;

/** Whether an export of ours made this id of a contact. It tells a place in a record, and not who stands there. */
export const isContactPlace = (id: string): boolean =>
  id.startsWith(kinds.contact.toString(16)) && isOwnId(id);

/** What all ids of one resource end with. An export asks for many of one resource after each other. */
function endOf(svcId: string): string {
  if (svcId !== last.svcId) {
    const digits = svcId.slice(2);
    last = { svcId, end: `-${mark}-8${digits.slice(0, 3)}-800${digits.slice(3, 4)}-${digits.slice(4)}` };
  }
  return last.end;
}

let last = { svcId: '', end: '' };

/** The `svc_id` of the service with this UUID. Undefined for every other text. */
export const svcIdOfService = (uuid: string): string | undefined =>
  idIn(uuid, 'service', svcIdOf, integerOfSvcId);

/** The `org_id` of the organization with this UUID. Undefined for every other text. */
export const orgIdOfOrganization = (uuid: string): string | undefined =>
  idIn(uuid, 'organization', orgIdOf, integerOfOrgId);

function idIn(
  uuid: string,
  kind: EntityKind,
  idOf: (number: number) => string,
  numberOf: (id: string) => number | undefined,
): string | undefined {
  const hex = uuid.toLowerCase();
  const number = Number.parseInt(hex.slice(22, 23) + hex.slice(24), 16);
  if (Number.isNaN(number)) return undefined;
  const id = idOf(number);
  return numberOf(id) === number && entityId(id, kind) === hex ? id : undefined;
}
