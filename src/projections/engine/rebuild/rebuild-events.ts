import { streamName } from '../../../events/define.ts';
import { uuidOf } from '../../../events/ids.ts';
import type { CommandContext } from '../../../events/metadata.ts';
import { newEvent } from '../../../events/new-event.ts';
import { projectionStream, type ProjectionEvent } from '../../../events/projection.ts';
import type { EventStore, Position } from '../../../stores/event-store/port.ts';
import { modelOf } from '../read-model.ts';
import type { RebuildRequest } from './rebuild-requests.ts';

/** How a rebuild ended. The projection is added. */
type End = {
  readonly [Event in Exclude<ProjectionEvent, { readonly type: 'RebuildStarted' }> as Event['type']]: {
    readonly type: Event['type'];
    readonly data: Omit<Event['data'], 'projection'>;
  };
}['RebuildCancelled' | 'GenerationSwitched'];

/** Enough to find an event that was just appended, among those of people who ask and cancel meanwhile. */
const lookBack = 20;

/**
 * Records in the log how a requested rebuild ended, as the projector. The event's id follows from the request, so that
 * it is recorded once, however often it is tried. Returns its position.
 */
export async function tellEnd(
  store: EventStore,
  { projection, id }: RebuildRequest,
  end: End,
  at: Date,
): Promise<Position> {
  const name = modelOf(projection);
  const stream = streamName(projectionStream, name);
  const context: CommandContext = {
    actor: { kind: 'system', id: 'projector' },
    commandId: uuidOf('rebuild-ended', id),
    at,
    causationId: id,
  };
  const whole = { type: end.type, data: { projection: name, ...end.data } } as ProjectionEvent;
  const event = newEvent(stream, whole, 0, context);
  const newest = await store.readStream(stream, { direction: 'backwards', limit: lookBack });
  const recorded = newest.find((each) => each.id === event.id);
  return recorded?.position ?? (await store.append(stream, [event], 'any')).position;
}
