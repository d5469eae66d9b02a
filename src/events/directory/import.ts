import { z } from 'zod';
import { event, line, slug, stream, type EventOf } from '../define.ts';

const count = z.int().min(0);

/** What an import has changed: numbers of records. A record that is new and approved counts in both. */
export const importCounts = z.strictObject({
  new: count,
  revised: count,
  approved: count,
  deactivated: count,
  reactivated: count,
  unchanged: count,
  conflicts: count.describe('Records in which the source and a person have changed the same field.'),
  missing: count.describe('Records of the source that this package does not have.'),
  left_out: count.describe('Rows of which no record could be made.'),
});
export type ImportCounts = z.output<typeof importCounts>;

/** What undoing an import has changed: numbers of records. */
export const undoCounts = z.strictObject({
  taken_out: count.describe('New records that are taken out again.'),
  revised: count.describe('Changed records that say again what they said before.'),
  returned: count.describe('Records that were taken out and are back.'),
  left: count.describe('Records that stay, in whole or in part, because they were changed since.'),
});
export type UndoCounts = z.output<typeof undoCounts>;

/**
 * One import of a package, and its undoing. The events of the records have its id as their correlation, and the event
 * that began the import or the undoing as their cause.
 */
export const importStream = stream('import', {
  ImportBegun: event(
    'An import of a source into a team’s directory began.',
    z.strictObject({ team: slug, source: line(200).describe('The id of the source.') }),
  ),
  ImportEnded: event('The import has ended.', importCounts),
  ImportUndoBegun: event('Somebody began to undo the import.', z.strictObject({})),
  ImportUndone: event('The import was undone.', undoCounts),
});
export type ImportEvent = EventOf<typeof importStream>;
