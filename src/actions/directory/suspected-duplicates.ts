import type { UnsealedFields } from '../../events/directory/resource-fields.ts';
import { svcIdOf } from '../../events/ids.ts';
import { fieldsIn } from '../../projections/directory/document-fields.ts';
import { resourceSearch } from '../../projections/directory/resource-search.ts';
import { resources, type ResourceDocument } from '../../projections/directory/resources.ts';
import { cityKey, phoneKeys, postalCodeKey } from '../../projections/directory/search-keys.ts';
import { stemsOf, tellingWords, together, wholeOf } from '../../projections/directory/search-words.ts';
import type { Documents, TermQuery } from '../../stores/documents/port.ts';

/** What two records have in common. */
export type Likeness = 'name' | 'phone' | 'address';

/** A public record that may be the same as another one. */
export interface Suspect {
  readonly svcId: string;
  readonly name: string;
  /** Only records of one team are merged. */
  readonly team: string;
  readonly same: readonly Likeness[];
}

/** So many are read for each phone and each place, and for the name. */
const mostRead = 8;
const mostShown = 5;
/** Of a record with hundreds of places and phones, the first tell enough. */
const mostCompared = 4;

/**
 * Public records with the same name, phone or address, those with most in common first. They are found by the terms of
 * the search, and each is then compared.
 */
export async function suspectedDuplicates(documents: Documents, doc: ResourceDocument): Promise<Suspect[]> {
  const own = tracesOf(fieldsIn(doc, 'developer'));
  const index = documents.collection(resourceSearch.collection);
  const found = await Promise.all(
    queriesFor(own).map((matching) =>
      index.select({ matching, orderBy: ['number'], limit: mostRead }, ['number']),
    ),
  );
  const ids = new Set(found.flat().map(({ number }) => svcIdOf(number)));
  ids.delete(doc.svc_id);
  const docs = await documents.collection(resources.collection).getMany([...ids]);
  return [...docs.values()]
    .filter(({ listed }) => listed === 1)
    .map((other) => {
      const fields = fieldsIn(other, 'developer');
      const { svc_id: svcId, team } = other;
      return { svcId, team, name: fields.name, same: likenesses(own, tracesOf(fields)) };
    })
    .filter(({ same }) => same.length > 0)
    .toSorted((one, other) => other.same.length - one.same.length)
    .slice(0, mostShown);
}

/** By what a record is compared. */
interface Traces {
  readonly name: string;
  readonly phones: readonly string[];
  readonly places: readonly Place[];
}

interface Place {
  readonly street: string;
  readonly city: string;
  readonly code: string;
  readonly words: readonly string[];
}

function tracesOf({ name, phones = [], locations = [] }: UnsealedFields): Traces {
  const all = [...phones, ...locations.flatMap((each) => each.phones ?? [])];
  return {
    name: wholeOf(name),
    phones: [...new Set(all.flatMap(({ number }) => phoneKeys(number).slice(0, 1)))],
    places: locations.flatMap(({ street, city = '', postal_code = '' }) =>
      street === undefined
        ? []
        : [
            {
              street: together(street),
              city: cityKey(city),
              code: postalCodeKey(postal_code),
              words: stemsOf(tellingWords(street)).slice(0, 6),
            },
          ],
    ),
  };
}

function queriesFor({ name, phones, places }: Traces): TermQuery[] {
  const located = places
    .slice(0, mostCompared)
    .map(({ city, code, words }) => [
      ...words.map((word) => [`p${word}`]),
      ...(code === '' && city === ''
        ? []
        : [[...(code === '' ? [] : [`z${code}`]), ...(city === '' ? [] : [`y${city}`])]]),
    ]);
  return [
    ...(name === '' ? [] : [[[`e${name}`]]]),
    ...phones.slice(0, mostCompared).map((phone) => [[`t${phone}`]]),
    ...located.filter((groups) => groups.length > 0),
  ].map((every) => ({ every }));
}

function likenesses(one: Traces, other: Traces): Likeness[] {
  const isSamePlace = (place: Place) =>
    other.places.some(
      ({ street, city, code }) =>
        street === place.street &&
        ((code !== '' && code === place.code) || city === place.city || city === '' || place.city === ''),
    );
  return [
    ...(one.name !== '' && one.name === other.name ? (['name'] as const) : []),
    ...(one.phones.some((phone) => other.phones.includes(phone)) ? (['phone'] as const) : []),
    ...(one.places.some(isSamePlace) ? (['address'] as const) : []),
  ];
}
