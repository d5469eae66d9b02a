import { z } from 'zod';
import { text } from './define.ts';

/**
 * Who did it: a person, a key, a client of the sign-in provider, or the service itself. `on_behalf_of` names for whom
 * it was done, or who an operator claims to be.
 */
export const actor = z.strictObject({
  kind: z.enum(['user', 'key', 'client', 'system']),
  id: text(500),
  on_behalf_of: text(500).optional(),
  claims_to_be: z
    .uuid()
    .optional()
    .describe(
      'The administrator whom an operator at the command line claims to be (`--as`). Nobody has checked it. Without another person, `on_behalf_of` is the same.',
    ),
});
export type Actor = z.output<typeof actor>;

/** The person who acted, or for whom it was done. Not one whom somebody only claims to be. */
export const personOfActor = ({ kind, id, on_behalf_of, claims_to_be }: Actor): string | undefined => {
  if (kind === 'user') return id;
  return on_behalf_of === claims_to_be ? undefined : on_behalf_of;
};

/** The metadata of every event of ours. */
export const metadata = z.strictObject({
  commonweal_schema: z
    .int()
    .positive()
    .describe('The schema version of the event’s data. Marks the event as one of Commonweal.'),
  actor,
  command_id: z
    .uuid()
    .describe(
      'The command that caused the event. Repeating a command has no further effect and succeeds again.',
    ),
  correlation_id: z.uuid().describe('The same for all events that result from one request.'),
  causation_id: z.uuid().describe('The event or command that directly caused this event.'),
  at: z.iso.datetime().describe('When the event happened.'),
  installation: z
    .uuid()
    .optional()
    .describe(
      'The installation that the event belongs to: the id in InstallationNamed. Absent in events from before the installation had an id.',
    ),
  request_hash: z
    .string()
    .optional()
    .describe('Keyed hash of the request. Present when the caller chose the command id (`Idempotency-Key`).'),
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
  /** The same under earlier master keys: the first answer of a repeated request may be older than the newest key. */
  readonly formerRequestHashes?: readonly string[];
}

/**
 * The same for the commands of a job, which another process may go on with: it does not have the request, and must find what was
 * done as its own.
 */
export function withoutRequest(context: CommandContext): CommandContext {
  const { requestHash: _, formerRequestHashes: __, ...rest } = context;
  return rest;
}
