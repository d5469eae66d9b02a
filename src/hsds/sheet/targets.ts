import { z } from 'zod';
import { listCell, readTable } from '../../tables/read-table.ts';

/** What a column of a sheet can say of a service. `once`: one column alone can say it. */
interface Target {
  readonly once: boolean;
}

const several: Target = { once: false };
const one: Target = { once: true };

/** In the order in which people choose among them. */
const table = {
  name: one,
  organization: one,
  description: several,
  notes: several,
  category: several,
  address: several,
  address_2: several,
  city: one,
  region: one,
  postal_code: one,
  country: one,
  phone: several,
  extension: one,
  hours: several,
  hours_mo: one,
  hours_tu: one,
  hours_we: one,
  hours_th: one,
  hours_fr: one,
  hours_sa: one,
  hours_su: one,
  url: one,
  email: one,
  eligibility: several,
  minimum_age: one,
  maximum_age: one,
  cost: several,
  free: one,
  how_to_apply: several,
  documents: several,
  languages: several,
  interpretation: several,
  service_area: several,
  accessibility: several,
  transportation: several,
  capacity: several,
  alert: one,
  status: one,
  alternate_name: one,
  location_name: one,
  latitude: one,
  longitude: one,
  coordinates: one,
  time_zone: one,
  fax: several,
  tty: several,
  text_number: several,
  contact_name: one,
  contact_title: one,
  contact_email: one,
  contact_phone: one,
  organization_description: one,
  organization_url: one,
  last_verified: one,
  last_modified: one,
  id: one,
} as const satisfies Record<string, Target>;

export type SheetTarget = keyof typeof table;

export const sheetTargets = Object.keys(table) as readonly SheetTarget[];

export const sheetTarget = z.enum(sheetTargets as [SheetTarget, ...SheetTarget[]]);

/** Whether one column alone can say it. */
export const isOnce = (target: SheetTarget): boolean => table[target].once;

/** What people call a column that says it, the surest name first. */
export const namesOfTargets: ReadonlyMap<SheetTarget, readonly string[]> = new Map(
  readTable('sheet-columns.tsv', { target: sheetTarget, names: listCell }, ['target']).map(
    ({ target, names }) => [target, names],
  ),
);
