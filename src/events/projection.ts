import { z } from 'zod';
import { event, line, stream, type EventOf } from './define.ts';

export const projectionStream = stream('projection', {
  RebuildStarted: event(
    'A rebuild of a read model from the first event was requested. The current generation is served until it is done.',
    z.strictObject({ projection: line(100) }),
  ),
  GenerationSwitched: event(
    'The rebuild is done: the new generation is served.',
    z.strictObject({ projection: line(100), generation: z.int().positive() }),
  ),
});
export type ProjectionEvent = EventOf<typeof projectionStream>;
