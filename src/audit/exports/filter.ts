import { z } from 'zod';
import { eventTypes } from '../../events/catalogue.ts';
import { line, slug } from '../../events/define.ts';
import { defined } from '../../ground/defined.ts';

const time = z.iso.datetime({ message: 'must be a time such as 2026-01-31T00:00:00Z' });

/** The conditions of an export. All of those that are given must hold. */
export const exportConditions = z
  .object({
    type: z
      .string()
      .refine((type) => eventTypes.includes(type), { message: 'must be an event type of docs/events.md' })
      .describe('Events of this type.'),
    stream: line(500).describe('Events of this stream.'),
    actor: z
      .string()
      .max(500)
      .regex(/^(user|key|client|system):.+$/s, {
        message: 'must be a kind and an id, such as user:4b1c… or system:cli',
      })
      .describe('What this actor did: `kind:id`.'),
    subject: z
      .string()
      .max(500)
      .regex(/^[a-z-]+:.+$/s, { message: 'must be a kind and an id, such as person:4b1c… or key:k_1…' })
      .describe('Events about this subject: `kind:id`.'),
    team: slug.describe('Events of this team.'),
    correlation: z.uuid({ message: 'must be a correlation id' }).describe('Events of one request.'),
    from: time.describe('Events at this time or later.'),
    until: time.describe('Events before this time.'),
  })
  .partial().shape;

/**
 * Which events an export has. Without conditions: all. The same names and texts in the manifest, in AuditExported, at
 * the command line and in the API.
 */
export const exportFilter = z
  .strictObject(exportConditions)
  .refine(
    ({ from, until }) => from === undefined || until === undefined || Date.parse(from) < Date.parse(until),
    {
      path: ['until'],
      message: 'must be later than from',
    },
  );
export type ExportFilter = z.output<typeof exportFilter>;

/** Whether the export has all events up to its checkpoint. */
export const isWhole = (filter: ExportFilter): boolean =>
  Object.values(filter).every((value) => value === undefined);

/** The conditions of a filter by name, as they are recorded. */
export const conditionsOf = (filter: ExportFilter): Record<string, string> => defined(filter);
