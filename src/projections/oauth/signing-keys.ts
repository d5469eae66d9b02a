import { streamId } from '../../events/define.ts';
import { signingKeyStream, type PublicJwk, type SigningKeyEvent } from '../../events/oauth/signing-key.ts';
import { projection } from '../engine/define.ts';

/** A signing key's public half and its life; for operators to see, the JWKS itself comes from the streams. */
export interface SigningKeyDocument {
  readonly kid: string;
  readonly status: 'published' | 'active' | 'retired';
  readonly jwk: PublicJwk;
  readonly published_at: string;
  readonly activated_at?: string;
  readonly retired_at?: string;
}

export const signingKeys = projection<SigningKeyDocument, SigningKeyEvent>({
  version: 1,
  events: ['SigningKeyPublished', 'SigningKeyActivated', 'SigningKeyRetired'],
  collection: {
    name: 'signing-keys',
    fields: ['kid', 'published_at'],
    indexes: [['published_at', 'kid']],
  },
  idOf: (event) => streamId(event, signingKeyStream),
  fold(doc, event) {
    const { at } = event.metadata;
    switch (event.type) {
      case 'SigningKeyPublished':
        return { kid: event.data.kid, status: 'published', jwk: event.data.jwk, published_at: at };
      case 'SigningKeyActivated':
        return doc && { ...doc, status: 'active', activated_at: at };
      case 'SigningKeyRetired':
        return doc && { ...doc, status: 'retired', retired_at: at };
    }
  },
});
