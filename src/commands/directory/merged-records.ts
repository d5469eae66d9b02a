import { upcast } from '../../events/catalogue.ts';
import { streamName } from '../../events/define.ts';
import { resourceStream, type ResourceEvent } from '../../events/directory/resource.ts';
import type { EventStore } from '../../stores/event-store/port.ts';

/**
 * The events of a record, and of every record that was ever merged into it or into which it was, by their ids: also of merges that
 * were undone since, and of those of the others. The record itself comes first.
 */
export async function recordsEverMerged(
  store: EventStore,
  svcId: string,
): Promise<ReadonlyMap<string, readonly ResourceEvent[]>> {
  const found = new Map<string, readonly ResourceEvent[]>([[svcId, []]]);
  for (const [id] of found) {
    const recorded = await store.readStream(streamName(resourceStream, id));
    const events = recorded.map((each) => upcast(each) as ResourceEvent);
    found.set(id, events);
    for (const { type, data } of events) {
      const other =
        type === 'ResourceMerged' ? data.merged_into : type === 'ResourceAbsorbed' ? data.duplicate : id;
      if (!found.has(other)) found.set(other, []);
    }
  }
  return found;
}
