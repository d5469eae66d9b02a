import { people } from '../../projections/accounts/people.ts';
import type { Documents } from '../../stores/documents/port.ts';
import { peopleNamed } from '../pages/parts/people-named.ts';
import { accountMails, type MailParts } from './account-mails.ts';
import { administratorsOf } from './administrator-roles.ts';

/**
 * Tells everybody who administers the installation that somebody was added or removed, and the person too. Whoever did it
 * hears of it as well: somebody else may have done it in their name.
 */
export async function tellAdministrators(
  dependencies: MailParts & { readonly documents: Documents },
  change: 'added' | 'removed',
  about: string,
): Promise<void> {
  const { documents } = dependencies;
  const users = new Set([...(await administratorsOf(documents)).map(({ user }) => user), about]);
  const known = await documents.collection(people.collection).getMany([...users]);
  const reachable = [...known.values()].filter(({ email_verified }) => email_verified);
  const named = await peopleNamed(
    dependencies,
    reachable.map(({ user }) => user),
  );
  const mails = accountMails(dependencies);
  for (const { email } of named.values())
    if (email !== null) await mails.changedAdministrators(email, change, about);
}
