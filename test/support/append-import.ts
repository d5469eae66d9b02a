import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import { streamName } from '../../src/events/define.ts';
import { resourceStream } from '../../src/events/directory/resource.ts';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import type { Actor } from '../../src/events/metadata.ts';
import { newEvent } from '../../src/events/new-event.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from './context.ts';

/** Appends the events of an import of new, approved records. Returns its id, which is the correlation of all of them. */
export async function appendImport(
  store: EventStore,
  {
    team,
    records,
    actor = { kind: 'system', id: 'cli' },
  }: { readonly team: string; readonly records: number; readonly actor?: Actor },
): Promise<string> {
  const correlationId = randomUUID();
  const causationId = randomUUID();
  for (let n = 0; n < records; n += 1) {
    const id = integerId('imported', correlationId, String(n));
    const svc_id = svcIdOf(id);
    const fields = { name: `Imported ${n}`, category: 'food' } as const;
    const source = { system: 'county', id: String(n) };
    const story: DomainEvent[] = [
      { type: 'ResourceSubmitted', data: { svc_id, id, team, fields, source } },
      { type: 'ResourceApproved', data: { svc_id, id, team, ...fields } },
    ];
    const stream = streamName(resourceStream, svc_id);
    const context = aCommand({ actor, correlationId, causationId });
    await store.append(
      stream,
      story.map((event, index) => newEvent(stream, event, index, context)),
      'no_stream',
    );
  }
  return correlationId;
}
