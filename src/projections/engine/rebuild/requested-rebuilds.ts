import { streamName } from '../../../events/define.ts';
import { projectionStream, type ProjectionEvent } from '../../../events/projection.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import type { EventStore } from '../../../stores/event-store/port.ts';
import type { SideStore } from '../../../stores/side/port.ts';
import { modelOf, nameOf, projected, type AnyProjection } from '../read-model.ts';
import { noted, rebuildNotes, type KeptNote } from './rebuild-notes.ts';

/** A rebuild that somebody asked for and that has not ended. The projector may not have begun it. */
export interface RequestedRebuild {
  /** The name of the read model, as `rebuild` takes it. */
  readonly model: string;
  /** The kept generation is to serve again. */
  readonly back: boolean;
}

/** The rebuilds that were asked for and have not ended, from the newest event of each read model's stream. */
export async function requestedRebuilds(
  store: Pick<EventStore, 'readStream'>,
  projections: readonly AnyProjection[],
): Promise<RequestedRebuild[]> {
  const each = projections.map(async (projection): Promise<RequestedRebuild[]> => {
    const model = modelOf(projection);
    const stream = streamName(projectionStream, model);
    const [newest] = await store.readStream(stream, { direction: 'backwards', limit: 1 });
    const event = newest && (projected(newest) as ProjectionEvent);
    return event?.type === 'RebuildStarted' ? [{ model, back: event.data.back ?? false }] : [];
  });
  return (await Promise.all(each)).flat();
}

/**
 * The generation that served before and can serve again. Undefined when none is kept, or when it was built by another
 * version of the fold.
 */
export async function keptToServeAgain(
  { documents, side }: { readonly documents: Documents; readonly side: SideStore },
  projection: AnyProjection,
): Promise<KeptNote | undefined> {
  const name = nameOf(projection);
  const note = await rebuildNotes(side).kept.get(name);
  if (!note) return undefined;
  const { building } = await documents.generations(name);
  return noted(note, building)?.version === projection.version ? note : undefined;
}
