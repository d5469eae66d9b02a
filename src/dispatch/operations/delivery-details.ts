import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import type { Metadata } from '../../events/metadata.ts';
import { deliveryStream, type DeliveryEvent } from '../../events/webhooks/webhook.ts';
import { type WebhookEvent } from '../../events/webhooks/webhook-events.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { load } from '../../commands/command-handler.ts';
import {
  delivery as deliveryDecider,
  type DeliveryState,
  type ScheduledDelivery,
} from '../../commands/webhooks/delivery.ts';
import { defined } from '../../ground/defined.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { StoreError } from '../../stores/errors.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import { bodyOf } from '../attempts/attempt-input.ts';
import {
  readAttempts,
  type AttemptEntry,
  type AttemptOutcome,
  type AttemptTrigger,
} from '../attempts/attempt-journal.ts';
import { emptyCaches, type DispatchContext } from '../context.ts';
import { openExchanges } from '../attempts/sealed-exchange.ts';
import { messageOf } from '../../ground/store-error.ts';

/** One attempt, from the log, with what is kept of request and response for 30 days. */
export interface ShownAttempt {
  readonly attempt: number;
  readonly trigger: AttemptTrigger;
  readonly started_at: string;
  readonly duration_ms: number;
  /** The HTTP status. Absent when there was no answer. */
  readonly status?: number | undefined;
  readonly error?: string;
  /** When the next attempt was due. Absent after a success and after the last attempt. */
  readonly next_attempt_at?: string;
  /** Absent when it is no longer kept. */
  readonly request?: { readonly headers: AttemptOutcome['request_headers'] };
  readonly response?: NonNullable<AttemptOutcome['response']>;
  /** It has begun, and its outcome is not known yet. */
  readonly under_way?: true;
}

/** Something that happened to a delivery beside its attempts. */
export interface ShownStep {
  readonly at: string;
  readonly what: 'resend' | 'replay' | 'discarded' | 'expired' | 'parked' | 'reversed';
  readonly by: Metadata['actor'];
}

export interface DeliveryDetails {
  readonly delivery: string;
  readonly subscription: string;
  readonly team: string;
  readonly event: WebhookEvent;
  readonly test?: true;
  readonly status: DeliveryState['status'];
  readonly occurred_at: string;
  readonly scheduled_at: string;
  /** The source event. Absent in a test delivery. */
  readonly source?: { readonly stream: string; readonly revision: number; readonly event_id: string };
  /** The request that all of it results from: an approval, a payment, somebody's test. */
  readonly correlation_id: string;
  /** The body of each attempt. Null when it cannot be rendered. */
  readonly body: string | null;
  /** Why it cannot be rendered, as a sentence. */
  readonly no_body_because?: string;
  readonly attempts: readonly ShownAttempt[];
  readonly steps: readonly ShownStep[];
}

/**
 * All that is known of a delivery, from its stream and the attempt journal. The journal never has the signing secret.
 * @throws CommandRefused not_found
 */
export async function deliveryDetails(
  dispatching: Pick<DispatchContext, 'store' | 'personal' | 'side'>,
  deliveryId: string,
): Promise<DeliveryDetails> {
  const { store, side } = dispatching;
  const history = await store.readStream(streamName(deliveryStream, deliveryId));
  const [first] = history;
  const { state } = await load(store, deliveryDecider, deliveryId);
  if (!state || !first) throw new CommandRefused('not_found', 'There is no such delivery.');
  const { scheduled } = state;
  const kept = await openedAttempts(dispatching.personal, await readAttempts(side, deliveryId));
  return {
    delivery: deliveryId,
    subscription: scheduled.subscription,
    team: scheduled.team,
    event: scheduled.event,
    ...(scheduled.test && { test: scheduled.test }),
    status: state.status,
    occurred_at: scheduled.occurred_at,
    scheduled_at: timeOf(first),
    ...defined({ source: scheduled.source }),
    correlation_id: (first.metadata as unknown as Metadata).correlation_id,
    ...(await shownBody(dispatching, scheduled)),
    attempts: withKept(attemptsIn(history), kept),
    steps: stepsIn(history),
  };
}

/** The body of a delivery, to look for words in it. Empty where it cannot be rendered. */
export async function bodyText(
  dispatching: Pick<DispatchContext, 'store' | 'personal'>,
  deliveryId: string,
): Promise<string> {
  const { state } = await load(dispatching.store, deliveryDecider, deliveryId);
  return (state && (await shownBody(dispatching, state.scheduled)).body) ?? '';
}

/** A delivery whose body cannot be rendered, such as a parked one, must still be shown: it is the one to look at. */
async function shownBody(
  { store, personal }: Pick<DispatchContext, 'store' | 'personal'>,
  scheduled: ScheduledDelivery,
): Promise<Pick<DeliveryDetails, 'body' | 'no_body_because'>> {
  try {
    const body = await bodyOf({ store, personal, caches: emptyCaches() }, scheduled);
    if (body.kind === 'rendered') return { body: body.body };
    return { body: null, no_body_because: 'The person whom the event is about was erased.' };
  } catch (error) {
    if (error instanceof StoreError) throw error;
    return { body: null, no_body_because: messageOf(error) };
  }
}

/** What was said and heard in attempts for somebody who is erased is gone with them. */
async function openedAttempts(
  personal: PersonalData,
  kept: readonly AttemptEntry[],
): Promise<AttemptEntry[]> {
  const outcomes = await openExchanges(
    personal,
    kept.map(({ outcome }) => outcome),
  );
  return kept.map(({ outcome: _, ...entry }, place) => {
    const outcome = outcomes[place];
    return outcome ? { ...entry, outcome } : entry;
  });
}

/** The attempts of the log with what the journal keeps of them, and those that are only in the journal yet. */
function withKept(logged: readonly ShownAttempt[], kept: readonly AttemptEntry[]): ShownAttempt[] {
  const entries = new Map(kept.map((entry) => [entry.attempt, entry]));
  const loggedAttempts = new Set(logged.map(({ attempt }) => attempt));
  const underWay = kept.filter(({ attempt }) => !loggedAttempts.has(attempt));
  return [
    ...logged.map((each) => ({ ...each, ...exchangeOf(entries.get(each.attempt)) })),
    ...underWay.map(({ attempt, trigger, started_at, outcome }) => ({
      attempt,
      trigger,
      started_at,
      duration_ms: outcome?.duration_ms ?? 0,
      under_way: true as const,
    })),
  ];
}

function exchangeOf(entry: AttemptEntry | undefined): Pick<ShownAttempt, 'request' | 'response'> {
  const { outcome } = entry ?? {};
  if (!outcome) return {};
  return {
    request: { headers: outcome.request_headers },
    ...defined({ response: outcome.response }),
  };
}

const timeOf = (event: RecordedEvent): string => (event.metadata as unknown as Metadata).at;

/** The attempts that a delivery's events tell, each with what made it happen. */
export function attemptsIn(history: readonly RecordedEvent[]): ShownAttempt[] {
  const attempts: ShownAttempt[] = [];
  let trigger: AttemptTrigger = 'schedule';
  for (const recorded of history) {
    const event = upcast(recorded) as DeliveryEvent;
    switch (event.type) {
      case 'DeliveryScheduled':
        trigger = event.data.asked_by ?? (event.data.test ? 'test' : 'schedule');
        break;
      case 'DeliveryResent':
        trigger = event.data.asked_by ?? 'resend';
        break;
      case 'DeliverySucceeded':
      case 'DeliveryAttemptFailed':
      case 'DeliveryFailed': {
        const { subscription: _, ...shown } = event.data;
        // No attempt was made for an erased person.
        if (!('reason' in shown && shown.reason !== undefined)) attempts.push({ ...shown, trigger });
        trigger = 'retry';
        break;
      }
      case 'DeliveryDiscarded':
      case 'DeliveryExpired':
      case 'DeliveryReversed':
      case 'DeliveryParked':
        break;
    }
  }
  return attempts;
}

function stepsIn(history: readonly RecordedEvent[]): ShownStep[] {
  return history.flatMap((recorded) => {
    const what = stepOf(upcast(recorded) as DeliveryEvent);
    const { at, actor } = recorded.metadata as unknown as Metadata;
    return what === undefined ? [] : [{ at, what, by: actor }];
  });
}

function stepOf(event: DeliveryEvent): ShownStep['what'] | undefined {
  switch (event.type) {
    case 'DeliveryResent':
      return event.data.asked_by ?? 'resend';
    case 'DeliveryDiscarded':
      return 'discarded';
    case 'DeliveryExpired':
      return 'expired';
    case 'DeliveryReversed':
      return 'reversed';
    case 'DeliveryParked':
      return 'parked';
    case 'DeliveryScheduled':
    case 'DeliverySucceeded':
    case 'DeliveryAttemptFailed':
    case 'DeliveryFailed':
      return undefined;
  }
}
