import {
  callablePhone,
  flatMemberNames,
  flatMembers,
  mainLocation,
  type FlatMember,
} from '../../events/directory/flat-members.ts';
import type { Location } from '../../events/directory/location.ts';
import type { Phone } from '../../events/directory/contact.ts';
import type { ResourceFields } from '../../events/directory/resource.ts';
import { CommandRefused } from '../../ground/refusals.ts';

/** Flat members to replace. Null removes. */
export type FlatChange = { readonly [Member in FlatMember]?: string | null | undefined };

/** The lists that a flat member is written into. */
const writtenInto = {
  phone: ['locations', 'phones'],
  address: ['locations'],
  city: ['locations'],
  region: ['locations'],
} as const satisfies Record<FlatMember, readonly (keyof ResourceFields)[]>;

/** Refuses a flat member beside the list that it is written into. @throws CommandRefused mixed_fields */
export function refuseMixed(input: Readonly<Record<string, unknown>>): void {
  for (const member of flatMemberNames) {
    const list =
      input[member] === undefined ? undefined : writtenInto[member].find((name) => input[name] !== undefined);
    if (list === undefined) continue;
    throw new CommandRefused(
      'mixed_fields',
      `${member} and ${list} were both given. Send ${list} alone, or ${member} without it.`,
    );
  }
}

/**
 * Writes flat members into the main location and the first phone. A member that is as it is shown changes nothing, so
 * that who sends back what they read loses nothing: a street and its postal code stay apart.
 */
export function withFlatChange(fields: ResourceFields, change: FlatChange): ResourceFields {
  const changed = flatMemberNames.filter((member) => {
    const value = change[member];
    return value !== undefined && (value?.trim() ?? undefined) !== flatMembers[member].of(fields);
  });
  if (changed.length === 0) return fields;
  const place = changed.filter((member) => member !== 'phone');
  const moved =
    place.length === 0 ? fields : withMainLocation(fields, (main) => relocated(main, change, place));
  return changed.includes('phone') ? withPhone(moved, change.phone ?? undefined) : moved;
}

function relocated(main: Location, change: FlatChange, changed: readonly FlatMember[]): Location {
  const next: { -readonly [Name in keyof Location]: Location[Name] } = { ...main };
  if (changed.includes('address')) {
    delete next.postal_code;
    next.street = change.address ?? undefined;
  }
  if (changed.includes('city')) next.city = change.city ?? undefined;
  if (changed.includes('region')) next.region = change.region ?? undefined;
  // The coordinates were those of the former place.
  if (changed.includes('address') || changed.includes('city')) {
    delete next.latitude;
    delete next.longitude;
  }
  return next;
}

function withPhone(fields: ResourceFields, number: string | undefined): ResourceFields {
  const callable = callablePhone(fields);
  const replaced = (phones: readonly Phone[] = []): Phone[] =>
    phones.flatMap((each) => (each === callable?.phone ? renumbered(each, number) : [each]));
  if (callable?.at === 'main location') {
    return withMainLocation(fields, (main) => ({ ...main, phones: replaced(main.phones) }));
  }
  const added = callable || number === undefined ? [] : [{ number }];
  return withList(fields, 'phones', [...added, ...replaced(fields.phones)]);
}

function renumbered({ extension: _, ...phone }: Phone, number: string | undefined): Phone[] {
  return number === undefined ? [] : [{ ...phone, number }];
}

/** Changes the main location, or puts one before the others. One of which nothing is left is removed. */
function withMainLocation(fields: ResourceFields, change: (main: Location) => Location): ResourceFields {
  const { locations = [] } = fields;
  const main = mainLocation(fields);
  const next = withoutAbsent(change(main ?? {}));
  const kept = Object.keys(next).length === 0 ? [] : [next];
  return withList(
    fields,
    'locations',
    main ? locations.flatMap((each) => (each === main ? kept : [each])) : [...kept, ...locations],
  );
}

function withList<Name extends 'locations' | 'phones'>(
  fields: ResourceFields,
  name: Name,
  list: ResourceFields[Name] & object,
): ResourceFields {
  const { [name]: _, ...rest } = fields;
  return (list.length === 0 ? rest : { ...rest, [name]: list }) as ResourceFields;
}

const withoutAbsent = (location: Location): Location =>
  Object.fromEntries(
    Object.entries(location).filter(
      ([, value]) => value !== undefined && !(Array.isArray(value) && value.length === 0),
    ),
  );
