import { streamName } from '../../events/define.ts';
import { consentId, consentStream, type ConsentEvent } from '../../events/oauth/consent.ts';
import { consents, type ConsentDocument } from '../../projections/oauth-consents.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { people } from '../../projections/accounts-people.ts';
import type { DocumentsById } from '../../stores/documents/port.ts';
import { concernedEvents, concernedKinds, type ConcernedParts } from './concerned-events.ts';
import { documentsUpTo } from './documents-up-to.ts';
import { fold } from './read-models.ts';
import { pageOf, type ListRequest, type ListPage } from './reader.ts';

/** Whose consents or tokens: of a person, for a client, or of a person for a client. */
export interface Between {
  readonly person?: string | undefined;
  readonly client?: string | undefined;
}

/** A consent that was in force. */
export type ConsentThen = Pick<
  ConsentDocument,
  'user' | 'client' | 'scopes' | 'epoch' | 'granted_at' | 'changed_at'
>;

/** Whether an event is about these. */
export const isBetween = ({ person, client }: Between, data: Between & { readonly user: string }): boolean =>
  (person === undefined || data.user === person) && (client === undefined || data.client === client);

/** The consents that were in force: given, not revoked, to an active client, by a person who had not ended them all. */
export async function consentsThen(
  parts: ConcernedParts,
  between: Between,
  list: ListRequest,
): Promise<ListPage<ConsentThen>> {
  const folded = new Map<string, ConsentDocument>();
  for await (const events of consentEvents(parts, between))
    for (const event of events)
      if (isBetween(between, event.data as ConsentEvent['data'])) fold(consents, folded, event);
  const documents = documentsUpTo(parts.log);
  const inForce: ConsentDocument[] = [];
  for (const consent of folded.values()) if (await isInForce(documents, consent)) inForce.push(consent);
  const { entries, ...rest } = pageOf(
    inForce,
    ({ granted_at, client, user }) => `${granted_at} ${client} ${user}`,
    list,
  );
  return {
    ...rest,
    entries: entries.map(({ user, client, scopes, epoch, granted_at, changed_at }) => ({
      user,
      client,
      scopes,
      epoch,
      granted_at,
      changed_at,
    })),
  };
}

/** Of a person for a client there is one stream. */
function consentEvents(parts: ConcernedParts, { person, client }: Between) {
  if (person !== undefined && client !== undefined)
    return parts.log.eventsIn([streamName(consentStream, consentId(person, client))], consents.events);
  if (person !== undefined)
    return concernedEvents(parts, concernedKinds.consentsOfPerson, { user: person }, consents.events);
  if (client !== undefined)
    return concernedEvents(parts, concernedKinds.consentsOfClient, { client }, consents.events);
  return parts.log.eventsOf(consents.events);
}

async function isInForce(documents: DocumentsById, consent: ConsentDocument): Promise<boolean> {
  if (consent.status !== 'active') return false;
  const [client, person] = await Promise.all([
    documents.collection(clients.collection).get(consent.client),
    documents.collection(people.collection).get(consent.user),
  ]);
  return (
    client?.status === 'active' &&
    person?.status === 'active' &&
    // Later, the person ended the access of all sites at once.
    consent.access_epoch >= person.access_epoch
  );
}
