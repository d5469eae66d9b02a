import type { CommandContext } from '../events/metadata.ts';
import { eventIdOf } from '../events/new-event.ts';
import type { Outcome } from './command-handler.ts';

/** The id of the event with which a command erased something. Undefined when it was erased before. */
export const erasingEvent = (
  { events }: Pick<Outcome<unknown>, 'events'>,
  stream: string,
  context: CommandContext,
): string | undefined => (events.length === 0 ? undefined : eventIdOf(stream, events.length - 1, context));
