import { clientStream, type ClientEvent, type ClientStanding } from '../../events/oauth/client.ts';
import { streamId } from '../../events/define.ts';
import { projection } from '../engine/define.ts';

/** Where a client stands; an inactive one stays, so that what names it can be judged. */
export type ClientDocument = ClientStanding & { readonly registered_at: string; readonly changed_at: string };

export const clients = projection<ClientDocument, ClientEvent>({
  version: 1,
  events: [
    'ClientRegistered',
    'ClientDetailsChanged',
    'ClientRedirectUrisChanged',
    'ClientPostLogoutUrisChanged',
    'ClientScopesChanged',
    'ClientFirstPartySet',
    'ClientDeactivated',
    'ClientReactivated',
  ],
  collection: {
    name: 'clients',
    fields: ['client', 'team', 'registered_at'],
    indexes: [
      ['registered_at', 'client'],
      ['team', 'registered_at', 'client'],
    ],
  },
  idOf: (event) => streamId(event, clientStream),
  fold: foldClient,
});

/** The document after an event: the newest event alone, but for the time of the first. */
export function foldClient(
  doc: ClientDocument | undefined,
  { data, metadata: { at } }: { readonly data: ClientStanding; readonly metadata: { readonly at: string } },
): ClientDocument {
  return { ...data, registered_at: doc?.registered_at ?? at, changed_at: at };
}
