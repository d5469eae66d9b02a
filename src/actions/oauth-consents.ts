import { z } from 'zod';
import { revokeConsent } from '../commands/oauth/consent.ts';
import { clientId } from '../events/oauth/values.ts';
import { people, type PersonDocument } from '../projections/accounts-people.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { consents, type ConsentDocument } from '../projections/oauth-consents.ts';
import type { Change } from '../projections/until-shown.ts';
import { action, personOf, type ActionParts } from './action.ts';

/** What a person lets sites see now, the oldest consent first. */
export async function activeConsents(
  { documents }: Pick<ActionParts, 'documents'>,
  { user, access_epoch }: Pick<PersonDocument, 'user' | 'access_epoch'>,
): Promise<ConsentDocument[]> {
  const found = await paginateAll(documents.collection(consents.collection), {
    where: { user, status: 'active' },
    orderBy: ['granted_at', 'client'],
  });
  return found.filter((each) => each.access_epoch >= access_epoch);
}

/** Revokes the access of one site with one event. Everything that the site holds becomes invalid. */
export const revokeAccess = action({
  name: 'consents.revoke',
  input: z.object({ client: z.string() }),
  async run({ store }, { client }, { who, context }) {
    // An id that is none must not begin a stream name.
    const isSite = clientId.safeParse(client).success;
    const changes = isSite ? await revokeConsent(store, { user: personOf(who), client }, context) : [];
    return { changes, value: () => undefined };
  },
});

/** Revokes the access of all sites. */
export const revokeAllAccess = action({
  name: 'consents.revoke-all',
  input: z.object({}),
  async run({ store, documents }, _, { who, another }) {
    const user = personOf(who);
    const person = await documents.collection(people.collection).get(user);
    const changes: Change[] = [];
    for (const { client } of person ? await activeConsents({ documents }, person) : [])
      changes.push(await revokeConsent(store, { user, client }, another()));
    return { changes, value: () => undefined };
  },
});
