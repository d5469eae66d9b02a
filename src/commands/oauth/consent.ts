import { consentId, consentStream, type ConsentEvent } from '../../events/oauth/consent.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { signInScopes, type SignInScope } from '../../events/oauth/values.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, load, loadNewest, type Decider, type Outcome } from '../command-handler.ts';
import { user as person } from '../accounts/user.ts';

/** What a person lets a client see now. A revoked consent keeps its epoch and has no scopes. */
export type ConsentState =
  | { readonly status: 'active' | 'revoked'; readonly scopes: readonly SignInScope[]; readonly epoch: number }
  | undefined;

/** `accessEpoch`: the person's when the consent was given. A later one ends the consent. */
type Recorded = (NonNullable<ConsentState> & { readonly accessEpoch: number }) | undefined;

export interface Consenting {
  readonly user: string;
  readonly client: string;
}

export type ConsentCommand =
  /** `accessEpoch`: the person's current one. */
  | (Consenting & {
      readonly kind: 'grant';
      readonly scopes: readonly SignInScope[];
      readonly accessEpoch: number;
    })
  | (Consenting & { readonly kind: 'revoke' });

export const consent: Decider<Recorded, ConsentCommand, ConsentEvent> = {
  stream: consentStream,
  initial: undefined,
  // Every event repeats the whole state, so the newest one is enough.
  evolve(_state, event) {
    switch (event.type) {
      case 'ConsentGranted':
        return {
          status: 'active',
          scopes: event.data.scopes,
          epoch: event.data.epoch,
          accessEpoch: event.data.access_epoch ?? 1,
        };
      case 'ConsentRevoked':
        return ended(event.data);
    }
  },
  decide(command, state) {
    const { user, client } = command;
    switch (command.kind) {
      case 'grant': {
        const { accessEpoch } = command;
        const now = underAccessEpoch(state, accessEpoch);
        if (now?.status === 'active' && missingScopes(now, command.scopes).length === 0) return [];
        const all = [...(now?.scopes ?? []), ...command.scopes];
        const scopes = signInScopes.filter((scope) => all.includes(scope));
        // Only the first grant after a revocation begins a new epoch. Adding scopes ends no token.
        const epoch = now?.status === 'active' ? now.epoch : (now?.epoch ?? 0) + 1;
        return [{ type: 'ConsentGranted', data: { user, client, scopes, epoch, access_epoch: accessEpoch } }];
      }
      case 'revoke':
        if (state?.status !== 'active') return [];
        return [{ type: 'ConsentRevoked', data: { user, client, epoch: state.epoch } }];
    }
  },
};

const ended = ({ epoch }: { readonly epoch: number }): NonNullable<Recorded> => ({
  status: 'revoked',
  scopes: [],
  epoch,
  accessEpoch: 1,
});

/** The consent, or its end when the person has since ended the access of all sites. */
const underAccessEpoch = (state: Recorded, accessEpoch: number): Recorded =>
  state && state.accessEpoch < accessEpoch ? ended(state) : state;

/** The scopes that the person has not consented to. The consent page asks for them. */
export const missingScopes = (
  consent: Pick<NonNullable<ConsentState>, 'scopes'> | undefined,
  scopes: readonly SignInScope[],
): SignInScope[] => scopes.filter((scope) => !consent?.scopes.includes(scope));

type ConsentOutcome = Outcome<Recorded, ConsentEvent>;

/** Adds scopes to what the person allows. Appends nothing when all are allowed already. */
export async function grantConsent(
  store: EventStore,
  whose: Consenting,
  scopes: readonly SignInScope[],
  context: CommandContext,
): Promise<ConsentOutcome> {
  const { user, client } = whose;
  const accessEpoch = await accessEpochOf(store, user);
  if (accessEpoch === undefined) throw new CommandRefused('not_found', 'There is no such person.');
  const command = { kind: 'grant', user, client, scopes, accessEpoch } as const;
  return execute(store, consent, consentId(user, client), command, context);
}

/**
 * Revokes a consent with one event: all codes and tokens of the client for this person become invalid. Wait with
 * `untilShown` before answering.
 */
export function revokeConsent(
  store: EventStore,
  { user, client }: Consenting,
  context: CommandContext,
): Promise<ConsentOutcome> {
  return execute(store, consent, consentId(user, client), { kind: 'revoke', user, client }, context);
}

/**
 * What a person lets a client see: the newest event of the consent, unless the person has since ended the access of
 * all sites, or is erased.
 */
export async function loadConsent(store: EventStore, { user, client }: Consenting): Promise<ConsentState> {
  const [state, accessEpoch] = await Promise.all([
    loadNewest(store, consent, consentId(user, client)),
    accessEpochOf(store, user),
  ]);
  return accessEpoch === undefined ? state && ended(state) : underAccessEpoch(state, accessEpoch);
}

/** Undefined for an erased person: no site may see their data. */
async function accessEpochOf(store: EventStore, userId: string): Promise<number | undefined> {
  const { state } = await load(store, person, userId);
  if (state?.status === 'erased') return undefined;
  return state?.status === 'active' ? state.accessEpoch : 1;
}
