import { randomUUID } from 'node:crypto';
import type { DomainEvent } from '../../src/events/catalogue.ts';
import { streamName } from '../../src/events/define.ts';
import { importStream } from '../../src/events/directory/import.ts';
import { resourceStream } from '../../src/events/directory/resource.ts';
import { integerId, svcIdOf } from '../../src/events/ids.ts';
import type { Actor, CommandContext } from '../../src/events/metadata.ts';
import { eventIdOf, newEvent } from '../../src/events/new-event.ts';
import type { EventStore } from '../../src/stores/event-store/port.ts';
import { aCommand } from './context.ts';

interface AppendedImport {
  readonly team: string;
  readonly records: number;
  readonly actor?: Actor;
  readonly source?: string;
  /** False for one that was killed. */
  readonly ended?: boolean;
}

/** Appends the events of an import of new, approved records. Returns its id, which is the correlation of all of them. */
export async function appendImport(
  store: EventStore,
  { team, records, actor = { kind: 'system', id: 'cli' }, source = 'county', ended = true }: AppendedImport,
): Promise<string> {
  const correlationId = randomUUID();
  const stream = streamName(importStream, correlationId);
  const command = (of: Partial<CommandContext> = {}) => aCommand({ actor, correlationId, ...of });
  const append = async (to: string, story: readonly DomainEvent[], context: CommandContext) => {
    const events = story.map((event, index) => newEvent(to, event, index, context));
    await store.append(to, events, 'any');
  };
  const begin = command();
  await append(stream, [{ type: 'ImportBegun', data: { team, source } }], begin);
  const causationId = eventIdOf(stream, 0, begin);
  for (let n = 0; n < records; n += 1) {
    const id = integerId('imported', correlationId, String(n));
    const svc_id = svcIdOf(id);
    const fields = { name: `Imported ${n}`, category: 'food' } as const;
    const story: DomainEvent[] = [
      {
        type: 'ResourceSubmitted',
        data: { svc_id, id, team, fields, source: { system: source, id: String(n) } },
      },
      { type: 'ResourceApproved', data: { svc_id, id, team, ...fields } },
    ];
    await append(streamName(resourceStream, svc_id), story, command({ causationId }));
  }
  if (!ended) return correlationId;
  const counts = { new: records, revised: 0, approved: records, deactivated: 0, reactivated: 0 };
  const rest = { unchanged: 0, conflicts: 0, missing: 0, left_out: 0 };
  await append(stream, [{ type: 'ImportEnded', data: { ...counts, ...rest } }], command({ causationId }));
  return correlationId;
}
