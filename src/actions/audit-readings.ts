import { recordAccess } from '../commands/audit.ts';
import type { AuditAccessEvent } from '../events/audit.ts';
import type { CommandContext } from '../events/metadata.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/**
 * What somebody reads of others is recorded before it is shown, and not shown when it cannot be recorded. Each of these
 * throws StoreError unavailable, full.
 */
interface Recording {
  readonly store: EventStore;
}

/** What a key was used for, on the page of the key or on the command line. */
export const recordKeyUseRead = (
  { store }: Recording,
  { key, days }: { readonly key: string; readonly days: number },
  context: CommandContext,
): Promise<unknown> =>
  recordAccess(
    store,
    { type: 'AuditQueried', data: { question: 'key-usage', filter: { key, days: String(days) }, events: 0 } },
    context,
  );

/** Entries of the proof log, of which a key may read so many until a time. */
export const recordEntriesRead = (
  { store }: Recording,
  { bundle, until, events }: { readonly bundle: number; readonly until: string; readonly events: number },
  context: CommandContext,
): Promise<unknown> =>
  recordAccess(
    store,
    {
      type: 'AuditQueried',
      data: { question: 'entries', filter: { bundle: String(bundle), until }, events },
    },
    context,
  );

/** An export of the audit log. */
export const recordLogExport = (
  { store }: Recording,
  data: Extract<AuditAccessEvent, { type: 'AuditExported' }>['data'],
  context: CommandContext,
): Promise<unknown> => recordAccess(store, { type: 'AuditExported', data }, context);

/** So many emails that wait in the outbox: their links are as powerful as a password. */
export const recordOutboxView = (
  { store }: Recording,
  mails: number,
  context: CommandContext,
): Promise<unknown> => recordAccess(store, { type: 'OutboxViewed', data: { mails } }, context);
