import { type Phone, isVoice } from '../events/directory/contact.ts';
import { isNoPhone, phonesOf, type PhoneRow } from './fields/phones.ts';
import { ownAttributes } from './own-attributes.ts';
import type { Place } from './places.ts';
import { isAt, type Source } from './service-rows.ts';
import type { Row } from './source/related-rows.ts';

/** The phones of a service, and those of each of its places. */
export interface ServicePhones {
  readonly service: Phone[];
  readonly places: ReadonlyMap<Place, Phone[]>;
}

/**
 * A phone belongs where its row says: to the service at a location (also by naming both, where the service has several
 * locations), else to the service, else to the location. The number of the main location itself, such as that of its
 * front desk, comes after the service's own where the service has one to call. The organization's are taken where there
 * is no other. What leads people to a confidential location is kept there; a number that names the service is not.
 */
export function servicePhones(
  source: Source,
  ids: { readonly service: string; readonly organization: string },
  places: readonly Place[],
  isHidden: (place: Place) => boolean,
): ServicePhones {
  const { related } = source;
  const phones = (rows: readonly Row[]): Phone[] => phonesOf(rows.map((row) => phoneRow(source, row)));
  const [main] = places;

  const hidden = new Set(places.filter(isHidden));
  const named = places.length < 2 ? [] : places.filter((place) => !hidden.has(place));
  const own = Map.groupBy(related.belongingTo('phones', 'service_id', ids.service), (row) =>
    named.find((place) => isAt(row, place)),
  );
  const service = phones(own.get(undefined) ?? []);

  const there = places.map((place) => {
    const specific = [
      ...(own.get(place) ?? []),
      ...related.belongingTo('phones', 'service_at_location_id', place.serviceAtLocation),
    ];
    const ofLocation = related.belongingTo('phones', 'location_id', place.location);
    const afterOwn = place === main && !hidden.has(place) && service.some(isVoice);
    return {
      place,
      phones: unique([...phones(specific), ...(afterOwn ? [] : phones(ofLocation))]),
      after: afterOwn ? phones(ofLocation) : [],
    };
  });

  const all = unique([...service, ...there.flatMap(({ after }) => after)]);
  const callable =
    all.some(isVoice) || there.some((each) => each.place === main && each.phones.some(isVoice));
  const organization = callable
    ? []
    : phones(related.belongingTo('phones', 'organization_id', ids.organization));
  return {
    service: unique([...all, ...organization]),
    places: new Map(there.map((each) => [each.place, each.phones])),
  };
}

/** A row of phones with its languages, which are now read. */
export function phoneRow(source: Source, row: Row): PhoneRow {
  const { related, accounting } = source;
  const languages = related.rowsOf('languages', 'phone_id', row.cell('id'));
  if (isNoPhone(row)) accounting.leave(row, undefined, 'a pager or a video phone is no number to call');
  accounting.read(row, ...languages);
  return { row, languages, extension: ownAttributes(source, row.cell('id')).values.extension };
}

/** The first of each number, in the order in which they are to be called: voice lines first, fax last. */
const unique = (phones: readonly Phone[]): Phone[] =>
  phones
    .filter((phone, at) => phones.findIndex((other) => isSame(phone, other)) === at)
    .sort((one, other) => order(one) - order(other));

const order = ({ type = 'voice' }: Phone): number => phoneTypesInOrder.indexOf(type);
const phoneTypesInOrder: readonly Phone['type'][] = ['voice', 'text', 'tty', 'fax'];

const isSame = (one: Phone, other: Phone): boolean =>
  one.number === other.number && one.extension === other.extension && one.type === other.type;
