import type { FastifyRequest } from 'fastify';
import type { ProfileFields } from '../../events/accounts/user.ts';
import { personOf } from '../../personal/personal-data.ts';
import { people } from '../../projections/accounts-people.ts';
import type { PageDependencies } from '../dashboard-dependencies.ts';
import type { CurrentUser } from './page-context.ts';

/** The person who is signed in at the browser. Undefined when nobody is, or the person is erased. */
export async function currentUserOf(
  { interaction, documents, personal }: PageDependencies,
  request: FastifyRequest,
): Promise<CurrentUser | undefined> {
  const session = await interaction.session(request);
  const person = session && (await documents.collection(people.collection).get(session.user));
  if (!person) return undefined;
  const holder = personOf(person.user);
  const profile = await personal.open<ProfileFields>(holder, person.profile);
  const email = await personal.open<string>(holder, person.email_sealed);
  return profile && email !== undefined ? { session, person, profile, email } : undefined;
}

const graphemes = new Intl.Segmenter();

/** Up to two letters for a person or a site, in place of a picture. */
export function initialsOf(name: string): string {
  const words = name.trim().split(/\s+/u);
  const picked = words.length > 1 ? [words[0], words.at(-1)] : [words[0]];
  return picked
    .map((word = '') => graphemes.segment(word)[Symbol.iterator]().next().value?.segment ?? '')
    .join('')
    .toLocaleUpperCase('en');
}
