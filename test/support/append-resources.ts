import type { DomainEvent } from '../../src/events/catalogue.ts';
import { streamName } from '../../src/events/define.ts';
import { resourceStream } from '../../src/events/directory/resource.ts';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import { newEvent } from '../../src/events/new-event.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from './context.ts';

/** Appends the events of resources that were submitted and approved, two for each. `run` makes their ids unique. */
export async function appendResources(store: EventStore, run: string, count: number): Promise<void> {
  for (let n = 0; n < count; n += 1) {
    const id = integerId('appended', run, String(n));
    const svc_id = svcIdOf(id);
    const fields = { name: `Pantry ${run} ${n} – ünï`, category: 'food' } as const;
    const story: DomainEvent[] = [
      { type: 'ResourceSubmitted', data: { svc_id, id, team: 'commons', fields } },
      { type: 'ResourceApproved', data: { svc_id, id, team: 'commons', ...fields } },
    ];
    const stream = streamName(resourceStream, svc_id);
    const command = aCommand();
    await store.append(
      stream,
      story.map((event, index) => newEvent(stream, event, index, command)),
      'no_stream',
    );
  }
}
