import type { Contact } from '../../../events/directory/contact.ts';
import type { SealedPerson } from '../../../events/directory/field-table.ts';
import { resourcePersonOf, type PersonalData } from '../../../personal/personal-data.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { ByTeam } from '../reviewed-state.ts';
import { agencyContactId } from './agency-contact.ts';

/**
 * The ids of the contacts of agencies that a person is: by each email address that a record or an organization has ever named for
 * them. None once the person is erased, or where the record is not of this team. `stream`: of the record or the organization.
 */
export async function contactsOfPerson(
  { store, personal }: { readonly store: EventStore; readonly personal: PersonalData },
  stream: string,
  person: string,
  { asTeam }: ByTeam,
): Promise<readonly string[]> {
  const events = await store.readStream(stream);
  const { team } = (events[0]?.data ?? {}) as { readonly team?: string };
  if (team === undefined || (asTeam !== undefined && asTeam !== team)) return [];
  // Their contacts were erased before that was said. What is sealed may be under a key that is there no more.
  if (
    events.some(
      ({ type, data }) => type.endsWith('PersonErased') && (data as { person?: string }).person === person,
    )
  )
    return [];
  const sealed = new Set(
    events.flatMap(({ data }) =>
      everyPersonIn(data).flatMap((each) => (each.person === person ? each.sealed : [])),
    ),
  );
  const contents = await personal.openMany(
    [...sealed].map((each) => ({ holder: resourcePersonOf(person), sealed: each })),
  );
  const ids = new Set<string>();
  for (const content of contents as readonly (Contact | string | undefined)[]) {
    const address = typeof content === 'object' ? content.email : content;
    const id = address === undefined ? undefined : await agencyContactId(personal, team, address);
    if (id !== undefined) ids.add(id);
  }
  return [...ids];
}

/** Wherever an event names persons: in its fields, in a change, in what it takes from a duplicate. */
function everyPersonIn(data: unknown): SealedPerson[] {
  if (typeof data !== 'object' || data === null) return [];
  const { person, sealed } = data as Partial<SealedPerson>;
  if (typeof person === 'string' && typeof sealed === 'string') return [{ person, sealed }];
  return Object.values(data).flatMap(everyPersonIn);
}
