import type { Category } from '../../../events/directory/category.ts';
import { callablePhone, mainLocation } from '../../../events/directory/flat-members.ts';
import type { Location } from '../../../events/directory/location.ts';
import type { Weekday } from '../../../events/directory/local-time.ts';
import type { ImpersonalOrganizationFields } from '../../../events/directory/organization-fields.ts';
import type { Phone } from '../../../events/directory/contact.ts';
import type { OpeningHours } from '../../../events/directory/opening-hours.ts';
import type { UnsealedFields } from '../../../events/directory/resource-fields.ts';
import { Html } from '../../pages/html.ts';
import { phoneLink } from '../../pages/frame/phone-links.ts';

const dayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Monday',
  tue: 'Tuesday',
  wed: 'Wednesday',
  thu: 'Thursday',
  fri: 'Friday',
  sat: 'Saturday',
  sun: 'Sunday',
};

/** Kinds of places of schema.org that are right for all of a category. */
const placeTypes: Partial<Readonly<Record<Category, string>>> = {
  emergency: 'EmergencyService',
  employment: 'EmploymentAgency',
  legal: 'LegalService',
};

/**
 * Kinds of places by what the source's taxonomy calls them, as in that of 211, or by how a name ends: the first that
 * fits.
 */
const placeKinds: readonly (readonly [type: string, term: RegExp, name?: RegExp])[] = [
  ['Library', /^(public )?librar(y|ies)$/i, /\b(library|biblioteca)$/i],
  ['FireStation', /^fire stations?$/i, /\bfire (station|rescue)( \d+)?$/i],
  ['PoliceStation', /^(municipal )?police( stations?)?$/i, /\bpolice (station|department)$/i],
  ['Hospital', /^(general |children's |specialty )?hospitals?$/i, /\bhospital$/i],
  ['Dentist', /^(dental care|(community|general) dent(al|istry).*)$/i, /\bdental (clinic|center)$/i],
  ['Pharmacy', /^(community )?pharmac(y|ies)$/i, /\bpharmacy$/i],
  [
    'MedicalClinic',
    /^(community|urgent care|walk-?in|public health|women's health) (clinics?|centers?)$/i,
    /\b(health )?clinic$/i,
  ],
  [
    'ChildCare',
    /^(child care centers?|extended child care|early head start|head start sites?)$/i,
    /\b(day ?care|child ?care|child development) center$/i,
  ],
  ['School', /^(public|charter|private) schools?$/i, /\b(elementary|middle|high) school$/i],
  ['Museum', /^museums?$/i, /\bmuseum$/i],
  ['AnimalShelter', /^animal shelters?$/i, /\b(humane society|animal shelter)$/i],
  ['Courthouse', /^(county|circuit|state) courts?$/i, /\bcourthouse$/i],
  ['PlaceOfWorship', /^(churches|synagogues|mosques|places of worship)$/i],
];

/** What kind of place of schema.org it is: as exactly as the record says. */
function placeType({ name, category, taxonomy_terms = [] }: UnsealedFields): string {
  const kind =
    placeKinds.find(([, term]) => taxonomy_terms.some((each) => term.test(each))) ??
    placeKinds.find(([, , ending]) => ending?.test(name.replace(/[,.]? (inc|llc)\.?$/i, '')) === true);
  return kind?.[0] ?? placeTypes[category] ?? 'LocalBusiness';
}

type Members = Readonly<Record<string, unknown>>;

/** What search engines read of a record (schema.org), as JSON-LD in a script element that is never run. */
export const structuredData = (fields: UnsealedFields, address: string): Html =>
  scriptOf(schemaOrg(fields, address));

/** The same of an organization. */
export function organizationData(fields: ImpersonalOrganizationFields, address: string): Html {
  const place = mainLocation(fields);
  const phone = callablePhone(fields)?.phone;
  const members = {
    '@context': 'https://schema.org',
    '@type':
      fields.legal_status !== undefined && /government/i.test(fields.legal_status)
        ? 'GovernmentOrganization'
        : 'Organization',
    '@id': address,
    name: fields.name,
    url: fields.url ?? address,
    ...stated({
      alternateName: fields.alternate_name,
      description: fields.description?.slice(0, 5_000),
      telephone: phone && dialled(phone),
      address: place === undefined || place.confidential ? undefined : postalAddress(place),
      foundingDate: fields.year_incorporated === undefined ? undefined : String(fields.year_incorporated),
      parentOrganization: ofOrganization(fields.parent),
    }),
  };
  return scriptOf(members);
}

const scriptOf = (members: Members): Html =>
  new Html(`<script type="application/ld+json">${inScript(JSON.stringify(members))}</script>`);

/** Nothing in it can end the script element or begin a comment (HTML, section 13.2.5.15 and following). */
const inScript = (json: string): string =>
  json.replace(/[<>&\u2028\u2029]/g, (sign) => `\\u${sign.charCodeAt(0).toString(16).padStart(4, '0')}`);

/** A place where there is one that people can go to, else a service. */
export function schemaOrg(fields: UnsealedFields, address: string): Members {
  const place = mainLocation(fields);
  return place === undefined || place.confidential
    ? ofService(fields, address)
    : ofPlace(fields, place, address);
}

const common = (
  { name, alternate_name, description, url, taxonomy_terms }: UnsealedFields,
  address: string,
) => ({
  '@id': address,
  name,
  ...stated({
    alternateName: alternate_name,
    description: description?.slice(0, 5_000),
    keywords: taxonomy_terms?.join(', '),
  }),
  url: url ?? address,
});

function ofPlace(fields: UnsealedFields, place: Location, address: string): Members {
  const { organization, free, service_area, languages } = fields;
  return {
    '@context': 'https://schema.org',
    '@type': placeType(fields),
    ...common(fields, address),
    ...stated({
      knowsLanguage: languages,
      telephone: telephone(fields),
      address: postalAddress(place),
      geo: coordinates(place),
      openingHoursSpecification: openingHours(fields, place),
      location: furtherPlaces(fields, place),
      isAccessibleForFree: free === true || undefined,
      areaServed: service_area,
      parentOrganization: ofOrganization(organization),
    }),
  };
}

function ofService(fields: UnsealedFields, address: string): Members {
  const { organization, service_area, languages } = fields;
  const number = telephone(fields);
  const hours = openingHours(fields);
  const servicePhone = number && {
    '@type': 'ContactPoint',
    telephone: number,
    ...stated({ hoursAvailable: hours }),
  };
  const serviceLocation = furtherPlaces(fields);
  const channel = (number ?? hours ?? serviceLocation[0]) && {
    '@type': 'ServiceChannel',
    ...stated({ availableLanguage: languages, servicePhone, serviceLocation }),
  };
  return {
    '@context': 'https://schema.org',
    '@type': 'Service',
    ...common(fields, address),
    ...stated({
      provider: ofOrganization(organization),
      areaServed: service_area,
      availableChannel: channel,
    }),
  };
}

/**
 * The other places that have their own hours, which differ from those of the record. Confidential places are left out
 * with their hours.
 */
const furtherPlaces = (fields: UnsealedFields, main?: Location): Members[] =>
  (fields.locations ?? [])
    .filter((place) => place !== main && place.virtual !== true && place.confidential !== true)
    .flatMap((place) => {
      const hours = place.opening_hours && openingHours(fields, place);
      return hours === undefined ? [] : [furtherPlace(place, hours)];
    });

const furtherPlace = (place: Location, openingHoursSpecification: Members[]): Members => ({
  '@type': 'Place',
  ...stated({ name: place.name, address: postalAddress(place), geo: coordinates(place) }),
  openingHoursSpecification,
});

const ofOrganization = (organization: UnsealedFields['organization']) =>
  organization && { '@type': 'Organization', name: organization.name, ...stated({ url: organization.url }) };

/** As it is dialled, by RFC 3966. */
function telephone(fields: UnsealedFields): string | undefined {
  const phone = callablePhone(fields)?.phone;
  return phone && dialled(phone);
}

const dialled = (phone: Phone): string | undefined =>
  phoneLink(phone)?.replace(/^tel:/, '').replace(',', ';ext=');

const coordinates = ({ latitude, longitude }: Location): Members | undefined =>
  latitude === undefined ? undefined : { '@type': 'GeoCoordinates', latitude, longitude };

function postalAddress({ street, city, region, postal_code, country }: Location): Members | undefined {
  const parts = stated({
    streetAddress: street,
    addressLocality: city,
    addressRegion: region,
    postalCode: postal_code,
    addressCountry: country,
  });
  return Object.keys(parts).length === 0 ? undefined : { '@type': 'PostalAddress', ...parts };
}

/** Those of a place itself, else of the record. Left out while it is closed. */
function openingHours(
  { opening_hours: ofRecord, availability = 'open' }: UnsealedFields,
  place?: Location,
): Members[] | undefined {
  const opening_hours = place?.opening_hours ?? ofRecord;
  if (opening_hours === undefined || opening_hours.length === 0 || availability !== 'open') return undefined;
  return opening_hours.map(specification);
}

const specification = ({ days, opens, closes, valid_from, valid_to }: OpeningHours): Members => ({
  '@type': 'OpeningHoursSpecification',
  dayOfWeek: days.map((day) => `https://schema.org/${dayNames[day]}`),
  opens,
  // Search engines know no 24:00.
  closes: closes === '24:00' ? '23:59' : closes,
  ...stated({ validFrom: valid_from, validThrough: valid_to }),
});

/** Without what is undefined or an empty list. */
const stated = (members: Members): Members =>
  Object.fromEntries(
    Object.entries(members).filter(([, value]) => value !== undefined && !isEmptyList(value)),
  );

const isEmptyList = (value: unknown): boolean => Array.isArray(value) && value.length === 0;
