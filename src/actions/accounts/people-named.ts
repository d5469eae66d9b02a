import type { ProfileFields } from '../../events/accounts/user.ts';
import { personOf, type PersonalData } from '../../personal/personal-data.ts';
import { people } from '../../projections/accounts-people.ts';
import type { Documents } from '../../stores/documents/port.ts';

/** Who a person is, by what their account says now. */
export interface NamedPerson {
  readonly name: string;
  /** Null when somebody else has the address now. */
  readonly email: string | null;
}

/** People by their ids, opened with one read of the vault. Who was erased is absent. */
export async function peopleNamed(
  { documents, personal }: { readonly documents: Documents; readonly personal: PersonalData },
  users: readonly string[],
): Promise<ReadonlyMap<string, NamedPerson>> {
  const found = await documents.collection(people.collection).getMany([...new Set(users)]);
  const accounts = [...found.values()];
  const opened = await personal.openMany(
    accounts.flatMap(({ user, profile, email_sealed }) =>
      [profile, email_sealed].map((sealed) => ({ holder: personOf(user), sealed })),
    ),
  );
  const named = new Map<string, NamedPerson>();
  for (const [place, { user, email_lapsed }] of accounts.entries()) {
    const [profile, email] = opened.slice(2 * place) as [ProfileFields | undefined, string | undefined];
    if (profile) named.set(user, { name: profile.name, email: email_lapsed ? null : (email ?? null) });
  }
  return named;
}
