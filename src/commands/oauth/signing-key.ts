import { signingKeyStream, type PublicJwk, type SigningKeyEvent } from '../../events/oauth/signing-key.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';

export type SigningKeyState =
  { readonly status: 'published' | 'active' | 'retired'; readonly jwk: PublicJwk } | undefined;

export type SigningKeyCommand =
  | { readonly kind: 'publish'; readonly jwk: PublicJwk }
  | { readonly kind: 'activate'; readonly kid: string }
  | { readonly kind: 'retire'; readonly kid: string };

/** One key: published, then active, then retired. It never goes back. */
export const signingKey: Decider<SigningKeyState, SigningKeyCommand, SigningKeyEvent> = {
  stream: signingKeyStream,
  initial: undefined,
  evolve(state, event) {
    switch (event.type) {
      case 'SigningKeyPublished':
        return { status: 'published', jwk: event.data.jwk };
      case 'SigningKeyActivated':
        return state && { ...state, status: 'active' };
      case 'SigningKeyRetired':
        return state && { ...state, status: 'retired' };
    }
  },
  decide(command, state) {
    if (command.kind === 'publish') {
      if (state) throw new CommandRefused('conflict', 'This key was published before.');
      return [{ type: 'SigningKeyPublished', data: { kid: command.jwk.kid, jwk: command.jwk } }];
    }
    if (!state) throw new CommandRefused('not_found', 'There is no such key.');
    switch (command.kind) {
      case 'activate':
        if (state.status === 'retired') throw new CommandRefused('conflict', 'This key is retired.');
        if (state.status === 'active') return [];
        return [{ type: 'SigningKeyActivated', data: { kid: command.kid } }];
      case 'retire':
        if (state.status === 'retired') return [];
        return [{ type: 'SigningKeyRetired', data: { kid: command.kid } }];
    }
  },
};
