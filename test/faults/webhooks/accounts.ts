import type { RecordedEvent } from '../../../src/stores/event-store/port.ts';
import { byStream } from '../log.ts';
import type { Seen } from './chaos-receiver.ts';

interface Attempt {
  readonly attempt: number;
  readonly status?: number;
  readonly error?: string;
}

export interface Accounts {
  readonly violations: readonly string[];
  readonly delivered: number;
  readonly failed: number;
  readonly interrupted: number;
}

/**
 * Compares the log with what a receiver has seen: one delivery for each event and subscription, each delivered or failed
 * after the whole schedule, one body for each, and every request the receiver saw an attempt of the log.
 */
export function accountsOf(
  events: readonly RecordedEvent[],
  seen: ReadonlyMap<string, Seen>,
  { due, attemptsOfSchedule }: { readonly due: number; readonly attemptsOfSchedule: number },
): Accounts {
  const violations: string[] = [];
  const counts = { delivered: 0, failed: 0, interrupted: 0 };
  const pairs = new Set<string>();
  let scheduled = 0;
  const streams = byStream(events);
  for (const [stream, [first, ...rest]] of streams) {
    if (first?.type !== 'DeliveryScheduled') continue;
    scheduled += 1;
    const { source, subscription, body_sha256 } = first.data as {
      source: { event_id: string };
      subscription: string;
      body_sha256: string;
    };
    pairs.add(`${source.event_id} ${subscription}`);
    const types = rest.map(({ type }) => type);
    const complain = (what: string) => violations.push(`${stream}: ${what} (${types.join(', ')})`);
    const attempts = rest.map(({ data }) => data as Attempt);
    counts.interrupted += attempts.filter(isInterrupted).length;
    const end = types.at(-1);
    if (end === 'DeliverySucceeded') counts.delivered += 1;
    else if (end === 'DeliveryFailed') counts.failed += 1;
    else complain('neither delivered nor failed');
    const places = placesTaken(attempts);
    if (end === 'DeliveryFailed' && places !== attemptsOfSchedule)
      complain(`failed after ${places} of ${attemptsOfSchedule} places of the schedule`);
    const last = attempts.at(-1);
    if (end === 'DeliveryFailed' && last && isInterrupted(last)) complain('failed by an interruption');
    if (types.slice(0, -1).some((type) => type !== 'DeliveryAttemptFailed'))
      complain('went on after its end');
    if (attempts.some(({ attempt }, n) => attempt !== n + 1)) complain('misnumbered');
    const at = seen.get(stream.replace('webhook-delivery-', ''));
    if (!at) {
      if (types.includes('DeliverySucceeded')) complain('delivered, and the receiver saw nothing');
      continue;
    }
    if (at.requests > attempts.length) complain(`${at.requests} requests for ${attempts.length} attempts`);
    const unsaid = without(
      attempts.flatMap(({ status }) => status ?? []),
      at.statuses,
    );
    if (unsaid.length > 0) complain(`statuses that the receiver did not send: ${unsaid.join(', ')}`);
    if (at.bodies.size !== 1 || !at.bodies.has(body_sha256))
      complain(`${at.bodies.size} bodies, or not the scheduled one`);
    if (at.unsigned > 0) complain(`${at.unsigned} requests not signed`);
  }
  if (scheduled !== due) violations.push(`${scheduled} deliveries are scheduled, and ${due} are due`);
  if (pairs.size !== scheduled) violations.push('an event is scheduled twice for one subscription');
  for (const id of seen.keys())
    if (!streams.has(`webhook-delivery-${id}`)) violations.push(`${id} was sent and never scheduled`);
  return { violations, ...counts };
}

const isInterrupted = ({ error }: Attempt): boolean => error?.startsWith('Interrupted') ?? false;

/** An interrupted attempt takes no place in the schedule, unless it is the fourth in a row or a later one. */
function placesTaken(attempts: readonly Attempt[]): number {
  let inRow = 0;
  return attempts.filter((each) => {
    inRow = isInterrupted(each) ? inRow + 1 : 0;
    return inRow === 0 || inRow > 3;
  }).length;
}

/** The values of a list that are not in another, each as often as it is there. */
function without(values: readonly number[], others: readonly number[]): number[] {
  const left = [...others];
  return values.filter((value) => {
    const at = left.indexOf(value);
    if (at >= 0) left.splice(at, 1);
    return at < 0;
  });
}
