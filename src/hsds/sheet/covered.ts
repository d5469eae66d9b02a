import type { ResourceFieldName } from '../../events/directory/resource-fields.ts';
import type { SheetTarget } from './targets.ts';

type Names = readonly ResourceFieldName[];

const place: Names = ['locations'];
const hours: Names = ['hours', 'opening_hours'];
const contact: Names = ['contacts'];

/** Of which fields of a record each column says something. */
const fieldsOf: Readonly<Record<SheetTarget, Names>> = {
  name: ['name'],
  organization: ['organization', 'name'],
  description: ['description'],
  notes: ['description'],
  category: ['category', 'categories', 'taxonomy_terms'],
  address: place,
  address_2: place,
  city: place,
  region: place,
  postal_code: place,
  country: place,
  phone: ['phones'],
  extension: ['phones'],
  hours,
  hours_mo: hours,
  hours_tu: hours,
  hours_we: hours,
  hours_th: hours,
  hours_fr: hours,
  hours_sa: hours,
  hours_su: hours,
  url: ['url'],
  email: ['email'],
  eligibility: ['eligibility'],
  minimum_age: ['ages', 'eligibility'],
  maximum_age: ['ages', 'eligibility'],
  cost: ['cost', 'free'],
  free: ['cost', 'free'],
  how_to_apply: ['how_to_apply'],
  documents: ['documents'],
  languages: ['languages'],
  interpretation: ['interpretation'],
  service_area: ['service_area'],
  accessibility: place,
  transportation: place,
  capacity: ['capacity'],
  alert: ['alert'],
  status: ['availability'],
  alternate_name: ['alternate_name'],
  location_name: place,
  latitude: place,
  longitude: place,
  coordinates: place,
  time_zone: ['time_zone'],
  fax: ['phones'],
  tty: ['phones'],
  text_number: ['phones'],
  contact_name: contact,
  contact_title: contact,
  contact_email: contact,
  contact_phone: contact,
  organization_description: ['description'],
  organization_url: ['organization', 'url'],
  last_verified: ['last_verified'],
  last_modified: [],
  id: [],
};

/** The fields of which a sheet says something. What it has no column for, it leaves as it stands. */
export const coveredBy = (targets: readonly (SheetTarget | undefined)[], hasHeadings: boolean): string[] => [
  ...new Set([
    ...targets.flatMap((target) => (target === undefined ? [] : fieldsOf[target])),
    ...(hasHeadings ? fieldsOf.category : []),
    // The days of the source are told of each record anew.
    'last_modified',
  ]),
];
