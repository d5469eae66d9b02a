import { z } from 'zod';
import { checkDestination } from '../../dispatch/operations/check-destination.ts';
import { destinationPolicy } from '../../dispatch/operations/destination-policy.ts';
import type { Config } from '../../config.ts';
import { defined } from '../../ground/defined.ts';
import { UsageError } from '../options.ts';

export const subscriptionId = z.uuid({ message: 'must be the id of a subscription' });
export const deliveryId = z.uuid({ message: 'must be the id of a delivery' });

/** Checks the URL of a subscription, and returns it as it is stored. @throws UsageError */
export async function urlOption(config: Config, text: string): Promise<string> {
  const checked = await checkDestination(text, destinationPolicy(config));
  if (!checked.ok) throw new UsageError(`--url: ${checked.message}`);
  return checked.url.href;
}

const time = z.union([z.iso.datetime({ offset: true }), z.iso.date()], {
  message: 'must be a time such as 2026-01-31T17:00:00Z, or a date',
});

/** Reads a time that lies in the past. @throws UsageError */
export function pastTime(name: string, value: string, now: Date): Date {
  const read = time.safeParse(value);
  if (!read.success) throw new UsageError(`${name}: ${read.error.issues[0]?.message ?? 'is not a time'}`);
  const at = new Date(read.data);
  if (at > now) throw new UsageError(`${name}: ${value} is in the future`);
  return at;
}

/** Reads --since and --until. @throws UsageError when they are the wrong way round */
export function period(
  given: { readonly since?: string; readonly until?: string },
  now: Date,
): { readonly since?: string; readonly until?: string } {
  const since = given.since === undefined ? undefined : pastTime('--since', given.since, now);
  const until = given.until === undefined ? undefined : pastTime('--until', given.until, now);
  if (since && until && since > until) throw new UsageError('--until: is before --since');
  return defined({ since: since?.toISOString(), until: until?.toISOString() });
}
