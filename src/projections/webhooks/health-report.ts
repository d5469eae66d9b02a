import type { Documents } from '../../stores/documents/port.ts';
import { attemptHours, durationBounds, hourOf, type AttemptHourDocument } from './attempt-hours.ts';
import { deliveries } from './deliveries.ts';
import { subscriptionHealth } from './subscription-health.ts';

/** The attempts for a subscription in a period. */
export interface PeriodHealth {
  readonly attempts: number;
  readonly succeeded: number;
  /** Deliveries that were given up after their last attempt. */
  readonly given_up: number;
  /** Of the attempts, from 0 to 1. Null when there was none. */
  readonly success_rate: number | null;
  /** Half of the attempts took no longer than this. An estimate within the bounds of the histogram; null for none. */
  readonly p50_ms: number | null;
  readonly p95_ms: number | null;
}

export interface HealthReport {
  /** Deliveries that wait for an attempt, counted up to a limit. */
  readonly backlog: number;
  /** When the oldest of them was scheduled. */
  readonly oldest_pending_at: string | null;
  /** Since when every attempt has failed. Null when the newest one succeeded. */
  readonly failing_since: string | null;
  /** How many deliveries have failed since then. */
  readonly failing_deliveries: number;
  /** Whole hours: the present one and those before it. */
  readonly last_hour: PeriodHealth;
  readonly last_24_hours: PeriodHealth;
  readonly last_7_days: PeriodHealth;
}

const hourMs = 3_600_000;

/** A backlog is not counted further. */
export const countedBacklog = 1_000_000;

/** The oldest is looked for among this many that are due first: those that wait longest are due first. */
const lookedAt = 10_000;

/**
 * How the receiver of a subscription does. The hour that has begun counts as a part of each period. `atMost`: how far what
 * waits is counted and looked through, for a page that must not wait for a long backlog.
 */
export async function healthReport(
  documents: Documents,
  subscription: string,
  now: Date,
  atMost: number = countedBacklog,
): Promise<HealthReport> {
  const pending = { subscription, status: 'pending' } as const;
  const found = documents.collection(deliveries.collection);
  const [hours, backlog, waiting, receiver] = await Promise.all([
    documents.collection(attemptHours.collection).page({
      where: { subscription },
      orderBy: ['hour'],
      from: hourBefore(now, 7 * 24),
      limit: 7 * 24 + 2,
    }),
    found.count({ where: pending, atMost }),
    found.select(
      { where: pending, orderBy: ['next_attempt_at', 'delivery'], limit: Math.min(lookedAt, atMost) },
      ['scheduled_at'],
    ),
    documents.collection(subscriptionHealth.collection).get(subscription),
  ]);
  const since = (count: number) => periodOf(hours.filter(({ hour }) => hour >= hourBefore(now, count)));
  return {
    backlog,
    oldest_pending_at: waiting.reduce<string | null>(
      (oldest, { scheduled_at: at }) => (oldest === null || at < oldest ? at : oldest),
      null,
    ),
    failing_since: receiver?.failing_since ?? null,
    failing_deliveries: receiver?.failing_since === undefined ? 0 : receiver.failing.length,
    last_hour: since(1),
    last_24_hours: since(24),
    last_7_days: since(7 * 24),
  };
}

/** A receiver in a list. */
export interface ReceiverInList {
  readonly backlog: number;
  /** In the last 24 hours. Null when nothing was attempted. */
  readonly success_rate: number | null;
}

/** The part of a report that a list shows for each of its receivers: without a look at what waits. */
export async function receiverInList(
  documents: Documents,
  subscription: string,
  now: Date,
  atMost: number,
): Promise<ReceiverInList> {
  const [hours, backlog] = await Promise.all([
    documents
      .collection(attemptHours.collection)
      .page({ where: { subscription }, orderBy: ['hour'], from: hourBefore(now, 24), limit: 26 }),
    documents.collection(deliveries.collection).count({ where: { subscription, status: 'pending' }, atMost }),
  ]);
  return { backlog, success_rate: periodOf(hours).success_rate };
}

/** The attempts of one hour. */
export interface HourOfAttempts {
  /** The beginning of the hour (ISO 8601 UTC). */
  readonly at: string;
  readonly succeeded: number;
  readonly failed: number;
}

/** The attempts for a subscription in each of the last `count` hours, the present one last. */
export async function attemptsByHour(
  documents: Documents,
  subscription: string,
  now: Date,
  count: number,
): Promise<HourOfAttempts[]> {
  const found = await documents.collection(attemptHours.collection).page({
    where: { subscription },
    orderBy: ['hour'],
    from: hourBefore(now, count - 1),
    limit: count + 1,
  });
  const byHour = new Map(found.map((each) => [each.hour, each] as const));
  return Array.from({ length: count }, (_, place) => {
    const hour = hourBefore(now, count - 1 - place);
    const { attempts, succeeded } = byHour.get(hour) ?? { attempts: 0, succeeded: 0 };
    return { at: `${hour}:00:00.000Z`, succeeded, failed: attempts - succeeded };
  });
}

const hourBefore = (now: Date, hours: number): string =>
  hourOf(new Date(now.getTime() - hours * hourMs).toISOString());

function periodOf(hours: readonly AttemptHourDocument[]): PeriodHealth {
  const sum = (of: (hour: AttemptHourDocument) => number) =>
    hours.reduce((total, hour) => total + of(hour), 0);
  const attempts = sum((hour) => hour.attempts);
  const succeeded = sum((hour) => hour.succeeded);
  const durations = [...durationBounds, Infinity].map((_, place) =>
    sum((hour) => hour.durations[place] ?? 0),
  );
  return {
    attempts,
    succeeded,
    given_up: sum((hour) => hour.given_up),
    success_rate: attempts === 0 ? null : succeeded / attempts,
    p50_ms: quantile(durations, 0.5),
    p95_ms: quantile(durations, 0.95),
  };
}

/** Linear within the bounds of the histogram. What is longer than the last bound counts as that bound. */
export function quantile(durations: readonly number[], share: number): number | null {
  const total = durations.reduce((sum, count) => sum + count, 0);
  if (total === 0) return null;
  const rank = share * total;
  let below = 0;
  for (const [place, count] of durations.entries()) {
    const upper = durationBounds[place];
    if (upper === undefined) break;
    if (count > 0 && below + count >= rank) {
      const lower = durationBounds[place - 1] ?? 0;
      return Math.round(lower + ((rank - below) / count) * (upper - lower));
    }
    below += count;
  }
  return durationBounds[durationBounds.length - 1] ?? null;
}
