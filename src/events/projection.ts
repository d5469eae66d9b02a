import { z } from 'zod';
import { event, line, stream, type EventOf } from './define.ts';

export const projectionStream = stream('projection', {
  RebuildStarted: event(
    'Somebody asked for a read model to be built anew from the first event, beside the one that serves.',
    z.strictObject({ projection: line(100) }),
  ),
  GenerationSwitched: event(
    'The rebuilt read model serves.',
    z.strictObject({ projection: line(100), generation: z.int().positive() }),
  ),
});
export type ProjectionEvent = EventOf<typeof projectionStream>;
