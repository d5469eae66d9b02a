import { z } from 'zod';
import { event, line, stream, text, type EventOf } from './define.ts';

export const projectionStream = stream('projection', {
  RebuildStarted: event(
    'A rebuild of a read model from the first event was requested. The current generation is served until it is done.',
    z.strictObject({
      projection: line(100),
      /** All documents are compared with the log, not a sample. */
      full: z.literal(true).optional(),
      /** For how long the generation that was served is kept. */
      keep_seconds: z.int().positive().optional(),
      /** Serves the kept generation again, after it has caught up, instead of a new one. */
      back: z.literal(true).optional(),
    }),
  ),
  RebuildCancelled: event(
    'The rebuild ended without a switch, and the generation that was served is served on. Somebody cancelled it, or the projector stopped it for the reason given.',
    z.strictObject({
      projection: line(100),
      reason: line(1_000).optional(),
      /** The document that differs from the log, if that is the reason. */
      document: text(1_000).optional(),
    }),
  ),
  GenerationSwitched: event(
    'The rebuild is done: the new generation is served.',
    z.strictObject({
      projection: line(100),
      generation: z.int().positive(),
      /** How many documents it has. */
      documents: z.int().nonnegative().optional(),
      /** How many of them were compared with an independent fold of the log. */
      verified: z.int().nonnegative().optional(),
    }),
  ),
});
export type ProjectionEvent = EventOf<typeof projectionStream>;
