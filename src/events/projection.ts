import { z } from 'zod';
import { event, stream, type EventOf } from './define.ts';

export const projectionStream = stream('projection', {
  RebuildStarted: event(
    'A read model is being built anew from the first event, beside the one that serves.',
    z.strictObject({ projection: z.string(), generation: z.int().positive() }),
  ),
  GenerationSwitched: event(
    'The rebuilt read model serves.',
    z.strictObject({ projection: z.string(), generation: z.int().positive(), events: z.int().nonnegative() }),
  ),
});
export type ProjectionEvent = EventOf<typeof projectionStream>;
