import type { DeliveryEvent } from '../../events/webhooks/webhook.ts';
import { projection } from '../engine/read-model.ts';

/** The attempts for one subscription in one hour. */
export interface AttemptHourDocument {
  readonly subscription: string;
  /** The beginning of the hour (ISO 8601 UTC, to the hour: 2026-01-31T17). */
  readonly hour: string;
  readonly attempts: number;
  readonly succeeded: number;
  /** Deliveries whose last attempt failed. */
  readonly given_up: number;
  /** How many attempts took no longer than each of `durationBounds`, and longer than the one before; the last: longer. */
  readonly durations: readonly number[];
}

/** In milliseconds. An attempt ends after ten seconds. */
export const durationBounds = [5, 10, 25, 50, 100, 250, 500, 1_000, 2_500, 5_000, 10_000] as const;

/**
 * Hours that are kept for each subscription: seven days are shown, and one more so that an hour is not overwritten
 * while it is shown. Older ones are overwritten, so the read model does not grow with time.
 */
const keptHours = 192;

type AttemptEvent = Extract<
  DeliveryEvent,
  { type: 'DeliverySucceeded' | 'DeliveryAttemptFailed' | 'DeliveryFailed' }
>;

export const attemptHours = projection<AttemptHourDocument, AttemptEvent>({
  version: 1,
  awaited: false,
  events: ['DeliverySucceeded', 'DeliveryAttemptFailed', 'DeliveryFailed'],
  collection: {
    name: 'webhook-attempt-hours',
    fields: ['subscription', 'hour'],
    indexes: [['subscription', 'hour']],
  },
  idOf: ({ data, metadata }) => `${data.subscription}/${hourNumber(metadata.at) % keptHours}`,
  fold(doc, { type, data, metadata }) {
    // No attempt was made for an erased person.
    if ('reason' in data && data.reason !== undefined) return doc;
    const hour = hourOf(metadata.at);
    if (doc && doc.hour > hour) return doc;
    const so = doc?.hour === hour ? doc : nothingIn(data.subscription, hour);
    return {
      ...so,
      attempts: so.attempts + 1,
      succeeded: so.succeeded + (type === 'DeliverySucceeded' ? 1 : 0),
      given_up: so.given_up + (type === 'DeliveryFailed' ? 1 : 0),
      durations: wasTimed(data) ? oneMore(so.durations, data.duration_ms) : so.durations,
    };
  },
});

/** The hour of a time, as in the documents. */
export const hourOf = (at: string): string => at.slice(0, 13);

const hourNumber = (at: string): number => Math.floor(Date.parse(at) / 3_600_000);

const nothingIn = (subscription: string, hour: string): AttemptHourDocument => ({
  subscription,
  hour,
  attempts: 0,
  succeeded: 0,
  given_up: 0,
  durations: [...durationBounds.map(() => 0), 0],
});

/** An interrupted attempt has no duration. */
const wasTimed = (data: AttemptEvent['data']): boolean => data.duration_ms > 0 || data.status !== undefined;

function oneMore(durations: readonly number[], ms: number): number[] {
  const found = durationBounds.findIndex((bound) => ms <= bound);
  const place = found === -1 ? durationBounds.length : found;
  return durations.map((count, index) => (index === place ? count + 1 : count));
}
