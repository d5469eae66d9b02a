import type { UnsealedFields } from '../events/directory/resource-fields.ts';
import type { UnsealedOrganizationFields } from '../events/directory/organization-fields.ts';

/** One service, converted to our fields. */
export interface HsdsRecord {
  readonly kind: 'record';
  /** The service's `id` in its source. */
  readonly source_id: string;
  /** The `id` of its organization in its source. Absent where none is known. */
  readonly organization_source_id?: string;
  /** `inactive` when the source gives a status other than "active" (HSDS: inactive, defunct, temporarily closed). */
  readonly status: 'active' | 'inactive';
  readonly file: string;
  /** The line on which the service's row begins; the header is line 1. */
  readonly line: number;
  /** What their schema, `unsealedFields`, made of what the source says. */
  readonly fields: UnsealedFields;
  /** It is a row of a spreadsheet that was exported here: the record that it is, and what its cells say, by column. */
  readonly own?: { readonly svc_id: string; readonly cells: Readonly<Record<string, string>> };
  /** Of all that the source says of it: see `ReadBefore`. Absent where it has to be read each time. */
  readonly digest?: string;
}

/** One organization, converted to our fields. They come before the services. */
export interface HsdsOrganization {
  readonly kind: 'organization';
  /** The organization's `id` in its source. */
  readonly source_id: string;
  readonly file: string;
  readonly line: number;
  readonly fields: UnsealedOrganizationFields;
  readonly digest?: string;
}

/** A service or an organization of which the source says what it said before. */
export interface HsdsUnchanged {
  readonly kind: 'unchanged';
  readonly of: 'service' | 'organization';
  readonly digest: string;
}

/** A row that was left out. */
export interface HsdsProblem {
  readonly kind: 'problem';
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

/** Something was left out or shortened. The rest of the row was imported. */
export interface HsdsWarning {
  readonly kind: 'warning';
  readonly file: string;
  readonly line: number;
  readonly reason: string;
}

export type HsdsItem = HsdsRecord | HsdsOrganization | HsdsUnchanged | HsdsProblem | HsdsWarning;
