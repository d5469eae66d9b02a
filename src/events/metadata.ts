import { z } from 'zod';
import { text } from './define.ts';

/**
 * Who did it: a person, a key, a client of the sign-in provider, or the service itself. `on_behalf_of` names for whom
 * it was done.
 */
export const actor = z.strictObject({
  kind: z.enum(['user', 'key', 'client', 'system']),
  id: text(500),
  on_behalf_of: text(500).optional(),
});
export type Actor = z.output<typeof actor>;

/** The metadata of every event of ours. */
export const metadata = z.strictObject({
  commonweal_schema: z
    .int()
    .positive()
    .describe('Schema version of the event’s data; its presence marks an event as ours.'),
  actor,
  command_id: z.uuid().describe('The command that caused it; the same command again is the same success.'),
  correlation_id: z.uuid().describe('Shared by everything that one request set off.'),
  causation_id: z.uuid().describe('The event, or the command, that directly led here.'),
  at: z.iso.datetime().describe('When it happened.'),
  installation: z
    .uuid()
    .optional()
    .describe(
      'Whose event it is: the id that InstallationNamed tells. None in events from before there was one.',
    ),
  request_hash: z
    .string()
    .optional()
    .describe(
      'Keyed hash of what was asked, present when the caller chose the command id (`Idempotency-Key`).',
    ),
});
export type Metadata = z.output<typeof metadata>;

/** Who sends a command, when, and under which id. The metadata of its events is made from it. */
export interface CommandContext {
  readonly actor: Actor;
  /** Names this request. A repeat gets the first answer. */
  readonly commandId: string;
  readonly at: Date;
  readonly correlationId?: string;
  readonly causationId?: string;
  readonly requestHash?: string;
}
