import { emailStream, type EmailEvent } from '../../events/accounts/email.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, loadNewest, type Decider } from '../command-handler.ts';

/** Who has an address. Undefined when nobody has it. */
export type EmailState =
  { readonly user: string; readonly claim: string; /** Unix seconds. */ readonly lapses: number } | undefined;

export type EmailCommand =
  /** `over`: the current claim, which is known to have lapsed. */
  | {
      readonly kind: 'claim';
      readonly user: string;
      readonly claim: string;
      readonly lapses: number;
      readonly over?: string | undefined;
    }
  | { readonly kind: 'release'; readonly user: string };

export const email: Decider<EmailState, EmailCommand, EmailEvent> = {
  stream: emailStream,
  initial: undefined,
  // Every event repeats the whole state, so the newest one is enough.
  evolve: (_state, event) => (event.type === 'EmailClaimed' ? event.data : undefined),
  decide(command, state) {
    switch (command.kind) {
      case 'claim': {
        const { user, claim, lapses, over } = command;
        if (state?.claim === claim) return [];
        if (state && state.claim !== over) {
          throw new CommandRefused('conflict', 'This email address belongs to another account.');
        }
        return [{ type: 'EmailClaimed', data: { user, claim, lapses } }];
      }
      case 'release':
        if (state?.user !== command.user) return [];
        return [{ type: 'EmailReleased', data: { user: command.user } }];
    }
  },
};

/** A person's claim to an address; `index` is the keyed hash of the address. */
export interface Claim {
  readonly index: string;
  readonly user: string;
  readonly claim: string;
  /** Unix seconds. */
  readonly lapses: number;
}

/**
 * Claims an address. When somebody else has a claim, `lapse` is called: it ends an expired claim in the claimant's
 * own stream, and returns whether the claim has ended.
 * @throws CommandRefused conflict, when somebody has the address
 */
export async function claimEmail(
  store: EventStore,
  { index, user, claim, lapses }: Claim,
  lapse: (state: NonNullable<EmailState>) => Promise<boolean>,
  context: CommandContext,
): Promise<void> {
  const commandOn = async (state: EmailState): Promise<EmailCommand> => {
    const over = state && state.claim !== claim && (await lapse(state)) ? state.claim : undefined;
    return { kind: 'claim', user, claim, lapses, over };
  };
  await execute(store, email, index, commandOn, context, { newestOnly: true });
}

/** Releases an address, if the person has it. */
export async function releaseEmail(
  store: EventStore,
  index: string,
  user: string,
  context: CommandContext,
): Promise<void> {
  await execute(store, email, index, { kind: 'release', user }, context, { newestOnly: true });
}

/** The state of the address with this keyed hash. */
export const loadEmail = (store: EventStore, index: string): Promise<EmailState> =>
  loadNewest(store, email, index);
