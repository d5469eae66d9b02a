import {
  clientStream,
  snapshotAfter,
  type ClientEvent,
  type ClientSnapshot,
} from '../events/oauth/client.ts';
import { streamId } from '../events/define.ts';
import { projection } from './engine/read-model.ts';

/** The state of a client. An inactive client stays, so that requests that name it can be refused with a reason. */
export type ClientDocument = ClientSnapshot & { readonly registered_at: string; readonly changed_at: string };

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
    'ClientDomainVerified',
    'ClientDomainLapsed',
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

/** The document after an event: the newest event, and the time of the first one. */
export function foldClient(
  doc: ClientDocument | undefined,
  event: ClientEvent & { readonly metadata: { readonly at: string } },
): ClientDocument {
  const { at } = event.metadata;
  return { ...snapshotAfter(event), registered_at: doc?.registered_at ?? at, changed_at: at };
}
