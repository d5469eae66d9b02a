import { z } from 'zod';
import { checkDestination } from '../../dispatch/operations/check-destination.ts';
import { webhookPolicy } from '../../dispatch/operations/destination-policy.ts';
import type { CommandSystem } from '../command-line.ts';
import { UsageError } from '../options.ts';

/** Checks the URL of a subscription, and returns it as it is stored. @throws UsageError */
export async function findUrl({ config }: CommandSystem, text: string): Promise<string> {
  const checked = await checkDestination(text, webhookPolicy(config));
  if (!checked.ok) throw new UsageError(`--url: ${checked.message}`);
  return checked.url.href;
}

/** A time that lies in the past, as the log has it. */
export const pastTime = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    message: 'must be a time such as 2026-01-31T17:00:00Z, or a date',
  })
  .refine((text) => new Date(text) <= new Date(), {
    error: ({ input }) => `${String(input)} is in the future`,
  })
  .transform((text) => new Date(text).toISOString());
