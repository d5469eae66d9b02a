import { z } from 'zod';
import { undoImport, type UndoReport } from '../../imports/undo-import.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { imports, type ImportDocument } from '../../projections/directory/imports.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { action, type ActionParts } from '../action.ts';
import type { Listing } from '../listing.ts';

const right = 'import records';

/** The imports of a team, the newest first, as the log has them. */
export const importList: Listing<ImportDocument, ImportDocument> = {
  name: 'directory-imports',
  right,
  readModel: imports,
  orderBy: ['began_at', 'import'],
  descending: true,
  id: z.uuid(),
  none: () => new CommandRefused('not_found', 'There is no such import of your team.'),
  open: (_, docs) => Promise.resolve(docs),
};

/**
 * Takes back what an import changed, where nobody has changed it since. Webhooks that went out stay sent, and nobody is
 * told twice that a record was approved. Repeated, it goes on where it was cut off.
 */
export const undo = action({
  name: 'directory.undo-import',
  right,
  input: z.object({ id: z.uuid() }),
  async run(
    { store, documents, side, leases },
    { id },
    { who: { team }, context, another, untilShown, watched, inTime },
  ) {
    const work = watched({
      name: 'Undoing',
      total: async () => (await documents.collection(imports.collection).get(id))?.counts?.new ?? 0,
      work: ({ onProgress }) =>
        undoImport(
          { store, documents, leases, context: another, waitUntilVisible: (changes) => untilShown(changes) },
          id,
          { team, onProgress },
        ),
    });
    const kept = work.then(async (report) => {
      await undoReports(side).put(keyOf(team, id), report, new Date(context.at.getTime() + keptMs));
      return report;
    });
    const report = await inTime(kept);
    return { changes: [], value: () => report };
  },
});

/** What is known of undone imports besides the log, for so long. */
const keptMs = 30 * 24 * 60 * 60_000;

const undoReports = (side: SideStore) => side.table<UndoReport>('directory-import-undos');

const keyOf = (team: string | undefined, id: string): string => `${team ?? ''}/${id}`;

/** What undoing an import came to, with the records that stay. */
export const undoReport = (
  { side }: Pick<ActionParts, 'side'>,
  team: string,
  id: string,
): Promise<UndoReport | undefined> => undoReports(side).get(keyOf(team, id));
