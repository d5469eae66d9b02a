import { type SubscriptionEvent, subscriptionStream } from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { defined } from '../../ground/defined.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { Decider } from '../command-handler.ts';
import type { DeliveryState } from './delivery.ts';
import type { StoredAddress } from './subscription-address.ts';

/** The state that every event of a subscription repeats. */
export type SubscriptionSnapshot = Extract<SubscriptionEvent, { type: 'SubscriptionCreated' }>['data'];
export type SubscriptionState = SubscriptionSnapshot | undefined;

export type SubscriptionCommand =
  | { readonly kind: 'create'; readonly snapshot: SubscriptionSnapshot }
  | { readonly kind: 'choose-events'; readonly events: readonly WebhookEvent[] }
  /** Undefined: deliveries go to this address already. */
  | { readonly kind: 'change-url'; readonly address: Required<SealedAddress> | undefined }
  /** Undefined: it has none any more. */
  | { readonly kind: 'name'; readonly name: string | undefined }
  | { readonly kind: 'pause' }
  | { readonly kind: 'auto-pause'; readonly reason: string }
  /** By the owner. What the service paused is resumed by `confirm`. */
  | { readonly kind: 'resume' }
  /** After a test delivery that succeeded. See confirmation.ts. */
  | { readonly kind: 'confirm'; readonly test: TestedBy }
  /** At once: a prepared secret is given up. */
  | { readonly kind: 'rotate-secret'; readonly secretId: string }
  /** A secret that was prepared before and not activated is given up. */
  | { readonly kind: 'prepare-secret'; readonly secretId: string }
  /** `secretId`: the prepared one that is meant. Default: whichever is prepared. */
  | { readonly kind: 'activate-secret'; readonly secretId?: string | undefined }
  | { readonly kind: 'delete' };

type SealedAddress = Pick<StoredAddress, 'origin' | 'url_sealed'>;

/** What is known of the delivery that is to show that the receiver works again. */
export interface TestedBy {
  readonly delivery: string;
  /** Undefined: there is no such delivery. */
  readonly subscription?: string;
  readonly isTest: boolean;
  readonly status?: DeliveryState['status'];
  /** Whether it was scheduled after the newest change of the subscription, so to its present URL. */
  readonly isCurrent: boolean;
}

export const subscription: Decider<SubscriptionState, SubscriptionCommand, SubscriptionEvent> = {
  stream: subscriptionStream,
  initial: undefined,
  // Every event repeats the whole state, so the newest one is enough.
  evolve(_state, event) {
    if (event.type !== 'SubscriptionHealthConfirmed') return event.data;
    const { delivery: _, ...snapshot } = event.data;
    return snapshot;
  },
  decide(command, state) {
    if (command.kind === 'create') {
      if (state) throw new CommandRefused('conflict', 'This webhook exists already.');
      return [{ type: 'SubscriptionCreated', data: command.snapshot }];
    }
    if (!state || (state.status === 'deleted' && command.kind !== 'delete')) {
      throw new CommandRefused('not_found', 'There is no such webhook.');
    }
    switch (command.kind) {
      case 'choose-events': {
        const events = [...new Set(command.events)];
        if (events.join() === state.events.join()) return [];
        return [{ type: 'SubscriptionEventsChosen', data: { ...state, events } }];
      }
      case 'change-url':
        if (command.address === undefined) return [];
        return [{ type: 'SubscriptionUrlChanged', data: { ...withoutAddress(state), ...command.address } }];
      case 'name': {
        if (command.name === state.name) return [];
        const { name: _, ...others } = state;
        return [{ type: 'SubscriptionNamed', data: { ...others, ...defined({ name: command.name }) } }];
      }
      case 'pause':
        if (state.status === 'paused') return [];
        return [{ type: 'SubscriptionPaused', data: { ...state, status: 'paused' } }];
      case 'auto-pause':
        if (state.status === 'paused') return [];
        return [
          {
            type: 'SubscriptionAutoPaused',
            data: { ...state, status: 'paused', paused_because: command.reason },
          },
        ];
      case 'resume':
        if (state.status === 'active') return [];
        if (state.paused_because !== undefined)
          throw new PausedByService(state.subscription, state.paused_because);
        return [{ type: 'SubscriptionResumed', data: { ...state, status: 'active' } }];
      case 'confirm': {
        if (state.status === 'active') return [];
        refuseUnlessHealthy(state, command.test);
        const active = { ...withoutReason(state), status: 'active' } as const;
        return [
          { type: 'SubscriptionHealthConfirmed', data: { ...active, delivery: command.test.delivery } },
        ];
      }
      case 'rotate-secret':
        return [
          {
            type: 'SubscriptionSecretRotated',
            data: withSecretId(state, command.secretId),
          },
        ];
      case 'prepare-secret':
        return [{ type: 'SubscriptionSecretPrepared', data: { ...state, next_secret_id: command.secretId } }];
      case 'activate-secret': {
        const next = state.next_secret_id;
        if (next === undefined) throw new CommandRefused('conflict', 'No next signing secret is prepared.');
        if (command.secretId !== undefined && command.secretId !== next)
          throw new CommandRefused('conflict', 'Another signing secret was prepared meanwhile.');
        return [{ type: 'SubscriptionSecretActivated', data: withSecretId(state, next) }];
      }
      case 'delete':
        if (state.status === 'deleted') return [];
        return [
          {
            type: 'SubscriptionDeleted',
            data: {
              ...withoutAddress(withoutNext(withoutReason(state))),
              origin: state.origin,
              status: 'deleted',
            },
          },
        ];
    }
  },
};

/** The service paused it, so only a test that is accepted makes it active. */
export class PausedByService extends CommandRefused {
  constructor(id: string, reason: string) {
    super(
      'conflict',
      `The service paused this webhook: ${reason} It becomes active again when a test delivery succeeds. Run "commonweal subscriptions confirm ${id}".`,
    );
  }
}

/** @throws CommandRefused saying what the delivery lacks to show that the receiver works. */
function refuseUnlessHealthy(state: SubscriptionSnapshot, test: TestedBy): void {
  const refused = (message: string) => new CommandRefused('conflict', message);
  if (state.paused_because === undefined)
    throw refused('Your team paused this webhook. Resume it instead of confirming it.');
  if (test.subscription !== state.subscription || !test.isTest)
    throw refused('The delivery is not a test delivery to this webhook.');
  if (test.status === 'pending')
    throw refused('The test delivery was not sent in time. A server must be running that sends webhooks.');
  if (test.status !== 'delivered')
    throw refused(
      'The test delivery was not accepted, so it stays paused. The delivery says what the receiver answered.',
    );
  if (!test.isCurrent)
    throw refused('The webhook was changed or paused after this test delivery. Send another one.');
}

const withoutReason = ({ paused_because: _, ...snapshot }: SubscriptionSnapshot): SubscriptionSnapshot =>
  snapshot;

const withoutAddress = ({
  origin: _origin,
  url_sealed: _sealed,
  test_receiver: _test,
  ...rest
}: SubscriptionSnapshot): Omit<SubscriptionSnapshot, keyof SealedAddress> => rest;

const withoutNext = ({ next_secret_id: _, ...snapshot }: SubscriptionSnapshot): SubscriptionSnapshot =>
  snapshot;

const withSecretId = (state: SubscriptionSnapshot, secretId: string): SubscriptionSnapshot => ({
  ...withoutNext(state),
  secret_version: state.secret_version + 1,
  secret_id: secretId,
});
