import { consentId, type ConsentEvent } from '../events/oauth/consent.ts';
import type { SignInScope } from '../events/oauth/values.ts';
import { projection } from './engine/read-model.ts';

/** What a person lets a client see. A revoked consent keeps its epoch: its codes and tokens are invalid. */
export interface ConsentDocument {
  readonly user: string;
  readonly client: string;
  readonly status: 'active' | 'revoked';
  readonly scopes: readonly SignInScope[];
  readonly epoch: number;
  /** The person's access epoch when the consent was given. A later epoch of the person ends the consent. */
  readonly access_epoch: number;
  /** When the person first consented in this epoch. */
  readonly granted_at: string;
  readonly changed_at: string;
}

export const consents = projection<ConsentDocument, ConsentEvent>({
  version: 2,
  events: ['ConsentGranted', 'ConsentRevoked'],
  collection: {
    name: 'consents',
    fields: ['user', 'client', 'status', 'granted_at'],
    indexes: [
      ['user', 'client'],
      ['user', 'status', 'granted_at', 'client'],
      ['client', 'user'],
    ],
  },
  idOf: ({ data: { user, client } }) => consentId(user, client),
  fold: foldConsent,
});

/** The document after an event: the newest event, and the times of earlier ones. */
export function foldConsent(
  doc: ConsentDocument | undefined,
  event: ConsentEvent & { readonly metadata: { readonly at: string } },
): ConsentDocument {
  const { user, client, epoch } = event.data;
  const changed_at = event.metadata.at;
  switch (event.type) {
    case 'ConsentGranted': {
      const goesOn = doc?.status === 'active' && doc.epoch === epoch;
      const granted_at = goesOn ? doc.granted_at : changed_at;
      const { scopes, access_epoch = 1 } = event.data;
      return { user, client, status: 'active', scopes, epoch, access_epoch, granted_at, changed_at };
    }
    case 'ConsentRevoked':
      return {
        user,
        client,
        status: 'revoked',
        scopes: [],
        epoch,
        access_epoch: doc?.access_epoch ?? 1,
        granted_at: doc?.granted_at ?? changed_at,
        changed_at,
      };
  }
}
