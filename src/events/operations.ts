import type { Metadata } from './metadata.ts';

/**
 * Kinds of streams whose events are part of what caused them: the records of an import or a bulk action, its end, and webhooks. Thousands of
 * them can follow from one act of a person.
 */
const kindsOfParts = ['resource', 'organization', 'import', 'bulk', 'webhook-delivery'];
const ofParts = new RegExp(`^(?:${kindsOfParts.join('|')})-`);

/**
 * Whether an event is part of an operation, such as an import: another event caused it, not a command of its own. Lists of
 * what happened leave parts out, and they are opened from the event that began the operation.
 */
export const isPartOfOperation = ({
  stream,
  metadata: { causation_id: cause, command_id: command },
}: {
  readonly stream: string;
  readonly metadata: Pick<Metadata, 'causation_id' | 'command_id'>;
}): boolean => ofParts.test(stream) && cause !== command;

/** Whether an event of this type begins an operation, so that its parts are opened from it. */
export const beginsOperation = (type: string): boolean =>
  ['ImportBegun', 'ImportUndoBegun', 'BulkBegun', 'BulkUndoBegun'].includes(type);

/** Whether an event of this type is of a decision about many records. */
export const isBulk = (type: string): boolean => type.startsWith('Bulk');
