import { consentId, consentStream, type ConsentEvent } from '../events/consent.ts';
import type { CommandContext } from '../events/metadata.ts';
import { signInScopes, type SignInScope } from '../events/sign-in.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import { execute, loadNewest, type Decider, type Outcome } from './kernel.ts';

/** What a person lets a client have now. A revoked one has its epoch still, and no scopes. */
export type ConsentState =
  | { readonly status: 'active' | 'revoked'; readonly scopes: readonly SignInScope[]; readonly epoch: number }
  | undefined;

export interface Consenting {
  readonly user: string;
  readonly client: string;
}

export type ConsentCommand =
  | (Consenting & { readonly kind: 'grant'; readonly scopes: readonly SignInScope[] })
  | (Consenting & { readonly kind: 'revoke' });

export const consent: Decider<ConsentState, ConsentCommand, ConsentEvent> = {
  stream: consentStream,
  initial: undefined,
  // The newest event alone is the state.
  evolve(_state, event) {
    switch (event.type) {
      case 'ConsentGranted':
        return { status: 'active', scopes: event.data.scopes, epoch: event.data.epoch };
      case 'ConsentRevoked':
        return { status: 'revoked', scopes: [], epoch: event.data.epoch };
    }
  },
  decide(command, state) {
    const { user, client } = command;
    switch (command.kind) {
      case 'grant': {
        if (state?.status === 'active' && missingScopes(state, command.scopes).length === 0) return [];
        const all = [...(state?.scopes ?? []), ...command.scopes];
        const scopes = signInScopes.filter((scope) => all.includes(scope));
        // Only the first grant after a revocation begins a new epoch: asking for more ends no token.
        const epoch = state?.status === 'active' ? state.epoch : (state?.epoch ?? 0) + 1;
        return [{ type: 'ConsentGranted', data: { user, client, scopes, epoch } }];
      }
      case 'revoke':
        if (state?.status !== 'active') return [];
        return [{ type: 'ConsentRevoked', data: { user, client, epoch: state.epoch } }];
    }
  },
};

/** Which of the scopes the person has not consented to: what the consent page asks for. */
export const missingScopes = (
  consent: Pick<NonNullable<ConsentState>, 'scopes'> | undefined,
  scopes: readonly SignInScope[],
): SignInScope[] => scopes.filter((scope) => !consent?.scopes.includes(scope));

type ConsentOutcome = Outcome<ConsentState, ConsentEvent>;

/** The person allows these scopes, beside those allowed before. Nothing happens when they all were. */
export function grantConsent(
  store: EventStore,
  whose: Consenting,
  scopes: readonly SignInScope[],
  context: CommandContext,
): Promise<ConsentOutcome> {
  const { user, client } = whose;
  return execute(store, consent, consentId(user, client), { kind: 'grant', user, client, scopes }, context);
}

/**
 * The person takes it back: one event, and every code and token of the client for this person is dead. Wait
 * for the position of the outcome in the read model `consents` before answering.
 */
export function revokeConsent(
  store: EventStore,
  { user, client }: Consenting,
  context: CommandContext,
): Promise<ConsentOutcome> {
  return execute(store, consent, consentId(user, client), { kind: 'revoke', user, client }, context);
}

/** What a person lets a client have, by one backward read of the stream. */
export const loadConsent = (store: EventStore, { user, client }: Consenting): Promise<ConsentState> =>
  loadNewest(store, consent, consentId(user, client));
