import { auditAccessStream, type AuditAccessEvent } from '../events/audit.ts';
import { streamName } from '../events/define.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import { StoreError } from '../stores/errors.ts';
import type { Appended, EventStore } from '../stores/event-store/port.ts';

/**
 * Records that somebody read the audit log or the outbox, or downloaded answers to a form. Call it before the answer is sent, and send none when it
 * fails: nobody reads them unrecorded. Readers never conflict with each other, and a repeated request is another
 * reading.
 *
 * @throws StoreError unavailable, full: nothing may be shown
 */
export async function recordAccess(
  store: EventStore,
  event: AuditAccessEvent,
  context: CommandContext,
): Promise<Appended> {
  const stream = streamName(auditAccessStream, context.at.toISOString().slice(0, 10));
  try {
    return await store.append(stream, [newEvent(stream, event, 0, context)], 'any');
  } catch (error) {
    if (!(error instanceof StoreError) || error.code === 'unavailable' || error.code === 'full') throw error;
    // Such as a stream that an operator deleted on the server: it is no fault of the reader.
    const message = `What was read could not be recorded, so nothing is shown: ${error.message}`;
    throw new StoreError('unavailable', message, { cause: error });
  }
}
