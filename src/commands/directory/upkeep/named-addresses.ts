import { upcast } from '../../../events/catalogue.ts';
import { streamName } from '../../../events/define.ts';
import type { Contact } from '../../../events/directory/contact.ts';
import type { SealedPerson } from '../../../events/directory/field-table.ts';
import { organizationKey } from '../../../events/directory/organization-fields.ts';
import { organizationStream, type OrganizationEvent } from '../../../events/directory/organization.ts';
import type { ResourceEvent } from '../../../events/directory/resource.ts';
import { resourcePersonOf, type PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import { recordsEverMerged } from '../../directory-merges.ts';
import type { ByTeam } from '../reviewed-state.ts';

/** A person whom a record or an organization names. */
export type PersonNamed = { readonly person: string; readonly by: ByTeam } & (
  { readonly record: string } | { readonly organization: string }
);

/** By which addresses a person was named, and where. */
export interface NamedAddresses {
  readonly team: string;
  readonly addresses: readonly string[];
  /** The record, and those with which it is or was merged. */
  readonly records: readonly string[];
  /** What claims of these records are about. */
  readonly subjects: readonly string[];
}

/**
 * Each email address that a record or an organization has ever named for a person, or a record with which it is or was merged:
 * merged records name the same persons. Undefined once the person is erased, or where the record is not of this team.
 */
export async function addressesOfPerson(
  parts: { readonly store: EventStore; readonly personal: PersonalData },
  named: PersonNamed,
): Promise<NamedAddresses | undefined> {
  const streams = await eventsNaming(parts.store, named);
  const events = [...streams.values()].flat();
  const [first] = events;
  const { team } = (first?.data ?? {}) as { readonly team?: string };
  const { person } = named;
  const { asTeam } = named.by;
  if (team === undefined || (asTeam !== undefined && asTeam !== team)) return undefined;
  // Their addresses were erased before that was said. What is sealed may be under a key that is there no more.
  if (events.some((each) => each.type.endsWith('PersonErased') && isOf(each.data, person))) return undefined;
  const sealed = new Set(
    events.flatMap(({ data }) =>
      everyPersonIn(data).flatMap((each) => (each.person === person ? each.sealed : [])),
    ),
  );
  const contents = (await parts.personal.openMany(
    [...sealed].map((each) => ({ holder: resourcePersonOf(person), sealed: each })),
  )) as readonly (Contact | string | undefined)[];
  const addresses = contents.flatMap(
    (content) => (typeof content === 'object' ? content.email : content) ?? [],
  );
  const organizations = events.flatMap(({ data }) => {
    const { fields } = data as { readonly fields?: { readonly organization?: Organization } };
    return fields?.organization ? [organizationKey(fields.organization)] : [];
  });
  return {
    team,
    addresses: [...new Set(addresses)],
    records: 'record' in named ? [...streams.keys()] : [],
    subjects: [...new Set([...streams.keys(), ...organizations])],
  };
}

type Organization = Parameters<typeof organizationKey>[0];

async function eventsNaming(
  store: EventStore,
  named: PersonNamed,
): Promise<ReadonlyMap<string, readonly (ResourceEvent | OrganizationEvent)[]>> {
  if ('record' in named) return recordsEverMerged(store, named.record);
  const { organization } = named;
  const recorded = await store.readStream(streamName(organizationStream, organization));
  return new Map([[organization, recorded.map((each) => upcast(each) as OrganizationEvent)]]);
}

const isOf = (data: unknown, person: string): boolean =>
  (data as { readonly person?: string }).person === person;

/** Wherever an event names persons: in its fields, in a change, in what it takes from a duplicate. */
function everyPersonIn(data: unknown): SealedPerson[] {
  if (typeof data !== 'object' || data === null) return [];
  const { person, sealed } = data as Partial<SealedPerson>;
  if (typeof person === 'string' && typeof sealed === 'string') return [{ person, sealed }];
  return Object.values(data).flatMap(everyPersonIn);
}
