import { uuidOf } from '../../events/ids.ts';
import { deliveryStream, type DeliveryStatus, type DeliveryEvent } from '../../events/webhooks/webhook.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { execute, type Decider, type Outcome } from '../command-handler.ts';

type DataOf<Type extends DeliveryEvent['type']> = Extract<DeliveryEvent, { type: Type }>['data'];
export type ScheduledDelivery = DataOf<'DeliveryScheduled'>;

/** The id of the delivery of an event to a subscription: always the same, so it is scheduled once. */
export const deliveryIdOf = (eventId: string, subscription: string): string =>
  uuidOf('delivery', eventId, subscription);

export interface DeliveryState {
  readonly scheduled: ScheduledDelivery;
  readonly status: DeliveryStatus;
  /** All attempts of the delivery. */
  readonly attempts: number;
  /**
   * The place in the retry schedule: attempts since it was scheduled, or since a redelivery was last requested, without
   * interrupted ones (see `interruptionsWithoutPlace`).
   */
  readonly sinceRequest: number;
  /** How many attempts in a row were interrupted, up to the newest one. */
  readonly interruptedInRow: number;
  /** Who asked for it since its last attempt. Undefined: nobody. */
  readonly requestedBy?: 'resend' | 'replay';
  /** Somebody asked for it although its payment was reversed. */
  readonly evenReversed?: true;
  /** When the next attempt is due (ISO 8601 UTC). Undefined: at once. */
  readonly dueAt?: string;
}

/**
 * An interrupted attempt says nothing of the receiver, so it takes no place in the retry schedule. From the fourth in a row
 * each takes one: a delivery that ends the dispatcher whenever it is sent is then attempted ever more rarely.
 */
export const interruptionsWithoutPlace = 3;

export type DeliveryCommand =
  | { readonly kind: 'schedule'; readonly data: ScheduledDelivery }
  | { readonly kind: 'succeed'; readonly data: DataOf<'DeliverySucceeded'> }
  | { readonly kind: 'fail'; readonly data: DataOf<'DeliveryFailed'>; readonly nextAttemptAt: string | null }
  /** The body cannot be rendered any more: the person whom the event is about was erased. */
  | { readonly kind: 'fail-erased'; readonly at: string }
  | { readonly kind: 'resend'; readonly requestedBy: 'resend' | 'replay' }
  | { readonly kind: 'discard' }
  /** It could not be attempted for reasons of our own. */
  | { readonly kind: 'park'; readonly tries: number; readonly reason: string }
  | { readonly kind: 'expire' }
  /** The payment that it reports was reversed. */
  | { readonly kind: 'reverse' };

export const delivery: Decider<DeliveryState | undefined, DeliveryCommand, DeliveryEvent> = {
  stream: deliveryStream,
  initial: undefined,
  evolve(state, event) {
    if (event.type === 'DeliveryScheduled') {
      return unattempted(event.data);
    }
    if (!state) return state;
    const { dueAt: _, requestedBy: _requestedBy, ...rest } = state;
    switch (event.type) {
      case 'DeliverySucceeded':
        return { ...rest, ...attempted(state, event.data), status: 'delivered' };
      case 'DeliveryAttemptFailed':
        return { ...rest, ...attempted(state, event.data), dueAt: event.data.next_attempt_at };
      case 'DeliveryFailed':
        // An attempt may end after the delivery was withdrawn. The delivery stays withdrawn.
        return {
          ...rest,
          ...attempted(state, event.data),
          status: withdrawn(state) ? state.status : 'failed',
        };
      case 'DeliveryResent':
        return {
          ...rest,
          status: 'pending',
          sinceRequest: 0,
          interruptedInRow: 0,
          requestedBy: event.data.asked_by ?? 'resend',
          ...(state.status === 'reversed' ? { evenReversed: true as const } : {}),
        };
      case 'DeliveryDiscarded':
        return { ...rest, status: 'discarded' };
      case 'DeliveryParked':
        return { ...rest, status: 'parked' };
      case 'DeliveryExpired':
        return { ...rest, status: 'expired' };
      case 'DeliveryReversed':
        return { ...rest, status: 'reversed' };
    }
  },
  decide(command, state) {
    if (command.kind === 'schedule') {
      return state ? [] : [{ type: 'DeliveryScheduled', data: command.data }];
    }
    if (!state) throw new CommandRefused('not_found', 'There is no such delivery.');
    const { subscription } = state.scheduled;
    switch (command.kind) {
      // An attempt that was made is recorded, whatever was decided meanwhile.
      case 'succeed':
        return [{ type: 'DeliverySucceeded', data: command.data }];
      case 'fail':
        return state.status === 'pending' && command.nextAttemptAt !== null
          ? [
              {
                type: 'DeliveryAttemptFailed',
                data: { ...command.data, next_attempt_at: command.nextAttemptAt },
              },
            ]
          : [{ type: 'DeliveryFailed', data: command.data }];
      case 'fail-erased':
        return state.status === 'pending'
          ? [
              {
                type: 'DeliveryFailed',
                data: {
                  subscription,
                  attempt: state.attempts,
                  started_at: command.at,
                  duration_ms: 0,
                  error: 'The person whom the event is about was erased.',
                  reason: 'erased',
                },
              },
            ]
          : [];
      case 'resend':
        // A replay asks for events, and the reversal of a payment is one.
        if (state.status === 'reversed' && command.requestedBy === 'replay') return [];
        // What waits for its next attempt is sent now, if somebody asks for that; what is due is sent anyway.
        if (state.status === 'pending' && (command.requestedBy === 'replay' || state.dueAt === undefined))
          return [];
        return [{ type: 'DeliveryResent', data: { subscription, asked_by: command.requestedBy } }];
      case 'discard':
        return state.status === 'pending' || state.status === 'parked'
          ? [{ type: 'DeliveryDiscarded', data: { subscription } }]
          : [];
      case 'park':
        return state.status === 'pending'
          ? [{ type: 'DeliveryParked', data: { subscription, tries: command.tries, reason: command.reason } }]
          : [];
      case 'expire':
        return state.status === 'pending' ? [{ type: 'DeliveryExpired', data: { subscription } }] : [];
      case 'reverse':
        return state.status === 'pending' && !state.evenReversed
          ? [{ type: 'DeliveryReversed', data: { subscription } }]
          : [];
    }
  },
};

const withdrawn = ({ status }: DeliveryState): boolean =>
  status === 'discarded' || status === 'expired' || status === 'reversed';

/** A delivery that was scheduled, and not attempted yet. */
export const unattempted = (scheduled: ScheduledDelivery): DeliveryState => ({
  scheduled,
  status: 'pending',
  attempts: 0,
  sinceRequest: 0,
  interruptedInRow: 0,
  ...(scheduled.asked_by && { requestedBy: scheduled.asked_by }),
});

function attempted(
  { attempts, sinceRequest, interruptedInRow }: DeliveryState,
  { attempt, interrupted }: { readonly attempt: number; readonly interrupted?: true | undefined },
) {
  const inRow = interrupted ? interruptedInRow + 1 : 0;
  const takesNoPlace = interrupted && inRow <= interruptionsWithoutPlace;
  return {
    attempts: attempt,
    sinceRequest: takesNoPlace ? sinceRequest : sinceRequest + (attempt - attempts),
    interruptedInRow: inRow,
  };
}

export function commandDelivery(
  store: EventStore,
  deliveryId: string,
  command: DeliveryCommand,
  context: CommandContext,
): Promise<Outcome<DeliveryState | undefined, DeliveryEvent>> {
  return execute(store, delivery, deliveryId, command, context);
}

/**
 * Schedules a delivery. Appends without reading: the stream begins with this event. Returns its position, and undefined when
 * the delivery is not new.
 */
export async function scheduleDelivery(
  store: EventStore,
  data: ScheduledDelivery,
  context: CommandContext,
): Promise<Position | undefined> {
  const command = { kind: 'schedule', data } as const;
  const from = 'no_stream';
  const { events, position } = await execute(store, delivery, data.delivery, command, context, { from });
  return events.length > 0 ? position : undefined;
}

/** `commandDelivery` for a caller who has just loaded the delivery: appends without reading. */
export function commandLoadedDelivery(
  store: EventStore,
  deliveryId: string,
  loaded: { readonly state: DeliveryState; readonly revision: number },
  command: DeliveryCommand,
  context: CommandContext,
): Promise<Outcome<DeliveryState | undefined, DeliveryEvent>> {
  return execute(store, delivery, deliveryId, command, context, { from: loaded });
}
