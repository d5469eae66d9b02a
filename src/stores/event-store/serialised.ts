import { StoreError } from '../errors.ts';
import { maximumEventBytes, type NewEvent } from './port.ts';

/** An event that is to be appended, with its data and metadata as JSON. */
export interface SerialisedEvent {
  readonly id: string;
  readonly type: string;
  readonly data: string;
  readonly metadata: string;
}

/** Events to append, as JSON. @throws StoreError event_too_large; misuse, when there are none */
export function serialised(stream: string, events: readonly NewEvent[]): SerialisedEvent[] {
  if (events.length === 0) throw new StoreError('misuse', `Nothing to append to ${stream}.`);
  return events.map(({ id, type, data, metadata }) => {
    const texts = { data: JSON.stringify(data), metadata: JSON.stringify(metadata) };
    refuseTooLarge(stream, type, texts.data, texts.metadata);
    return { id, type, ...texts };
  });
}

function refuseTooLarge(stream: string, type: string, data: string, metadata: string): void {
  // A UTF-16 unit has at most three bytes in UTF-8, so short texts need no exact count.
  if ((data.length + metadata.length) * 3 <= maximumEventBytes) return;
  const bytes = Buffer.byteLength(data) + Buffer.byteLength(metadata);
  if (bytes <= maximumEventBytes) return;
  throw new StoreError(
    'event_too_large',
    `${type} for ${stream} has ${bytes} bytes; an event may have ${maximumEventBytes}.`,
  );
}
