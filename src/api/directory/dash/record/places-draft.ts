import type { Location } from '../../../../events/directory/location.ts';
import { phoneLine, phonesFrom } from './phone-lines.ts';

/** Texts of a place, in the order of the form. */
export const placeTexts = ['street', 'city', 'region', 'postal_code', 'country'] as const;
export const placePoint = ['latitude', 'longitude'] as const;
const placeMembers = [
  'place_name',
  ...placeTexts,
  ...placePoint,
  'pin',
  'place_phones',
  'accessibility',
  'virtual',
  'confidential',
] as const;
export type PlaceMember = (typeof placeMembers)[number];

/** A place as it is typed. `at`: which one of the record it is; empty for one that is added. */
export type PlaceDraft = Readonly<Record<PlaceMember | 'at', string>>;
export type PlacesDraft = readonly PlaceDraft[];

const mostPlaces = 201;

/** The name of an entry. Those of the first place have no number. */
export const placeEntry = (place: number, member: PlaceMember | 'at'): string =>
  place === 0 ? member : `${member}-${place + 1}`;

export const emptyPlace = Object.fromEntries(
  [...placeMembers, 'at'].map((name) => [name, '']),
) as unknown as PlaceDraft;

export const draftOfPlaces = (locations: readonly Location[] = []): PlacesDraft => locations.map(draftOf);

const draftOf = (location: Location, at: number): PlaceDraft => ({
  ...emptyPlace,
  at: String(at),
  place_name: location.name ?? '',
  ...Object.fromEntries(placeTexts.map((name) => [name, location[name] ?? ''])),
  ...Object.fromEntries(placePoint.map((name) => [name, location[name]?.toString() ?? ''])),
  place_phones: (location.phones ?? []).map(phoneLine).join('\n'),
  accessibility: location.accessibility ?? '',
  virtual: location.virtual ? 'yes' : '',
  confidential: location.confidential ? 'yes' : '',
});

/** What was typed. */
export function placesDraftIn(form: URLSearchParams): PlacesDraft {
  // A form has thousands of fields, of which `get` looks at each.
  const entries = new Map(form);
  const places: PlaceDraft[] = [];
  for (let n = 0; n < mostPlaces && entries.has(placeEntry(n, 'street')); n++)
    places.push(
      Object.fromEntries(
        [...placeMembers, 'at' as const].map((name) => [name, entries.get(placeEntry(n, name)) ?? '']),
      ) as unknown as PlaceDraft,
    );
  return places.map(trimmed);
}

const trimmed = (place: PlaceDraft): PlaceDraft =>
  Object.fromEntries(
    Object.entries(place).map(([name, text]) => [name, text.replace(/\r\n?/g, '\n').trim()]),
  ) as unknown as PlaceDraft;

/** The fields that the form sends of places that nobody changes. */
export const placeEntries = (draft: PlacesDraft): [name: string, value: string][] =>
  draft.flatMap((place, n) =>
    [...placeMembers, 'at' as const].map((name): [string, string] => [placeEntry(n, name), place[name]]),
  );

/** Places of which something is said, as they are compared. The tick of the pin alone says nothing. */
export const filledPlaces = (draft: PlacesDraft): PlacesDraft =>
  draft.map((place) => trimmed({ ...place, pin: '' })).filter(isFilled);

const isFilled = (place: PlaceDraft): boolean =>
  place.at !== '' || placeMembers.some((name) => name !== 'pin' && place[name] !== '');

interface PlacedLocation {
  readonly place: number;
  readonly location: Location;
  readonly isNew: boolean;
}

/** The locations that were typed, each with the number of its place in the form. What the form does not show stays. */
export const locationsOf = (draft: PlacesDraft, before: readonly Location[] = []): PlacedLocation[] =>
  draft.flatMap((place, n): PlacedLocation[] => {
    const own = /^\d{1,3}$/.test(place.at) ? before[Number(place.at)] : undefined;
    const shown = own && trimmed(draftOf(own, Number(place.at)));
    if (own && JSON.stringify(shown) === JSON.stringify({ ...place, pin: '' }))
      return Object.keys(own).length === 0 ? [] : [{ place: n, location: own, isNew: false }];
    const location = changed(own, shown ?? emptyPlace, place);
    return Object.keys(location).length === 0 ? [] : [{ place: n, location, isNew: true }];
  });

function changed(own: Location | undefined, shown: PlaceDraft, typed: PlaceDraft): Location {
  const differs = (name: PlaceMember): boolean => shown[name] !== typed[name];
  const next: Record<string, unknown> = { ...own };
  if (differs('place_name')) next['name'] = typed.place_name;
  for (const name of [...placeTexts, 'accessibility'] as const) if (differs(name)) next[name] = typed[name];
  for (const name of ['virtual', 'confidential'] as const)
    if (differs(name)) next[name] = typed[name] === 'yes' ? true : '';
  if (differs('place_phones')) next['phones'] = phonesFrom(typed.place_phones, own?.phones);
  const isPointed = placePoint.some(differs);
  // Without the tick, the coordinates were those of the former place.
  const isMoved = (['street', 'city', 'postal_code', 'country'] as const).some(differs);
  for (const name of placePoint) {
    if (differs(name)) next[name] = numberIn(typed[name]);
    else if (!isPointed && isMoved && typed.pin !== 'yes') next[name] = '';
  }
  return Object.fromEntries(
    Object.entries(next).filter(
      ([, value]) => value !== undefined && value !== '' && !(Array.isArray(value) && value.length === 0),
    ),
  );
}

/** A number of degrees. What is none stays a text, which the schema refuses. */
const numberIn = (text: string): number | string =>
  /^[-+−]?\d{1,3}([.,]\d{1,20})?$/.test(text) ? Number(text.replace('−', '-').replace(',', '.')) : text;
