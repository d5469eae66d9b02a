import { z } from 'zod';
import { importRunOf } from '../../commands/directory/import.ts';
import type { ImportJobs } from '../../imports/import-jobs.ts';
import { UndoJobs, type NewUndo, type UndoReport, type UndoState } from '../../imports/undo-records.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { imports, type ImportDocument } from '../../projections/directory/imports.ts';
import { action, type ActionParts, type Performing } from '../action.ts';
import type { Listing } from '../listing.ts';

/** Keys that decide about records see imports and undo them. */
const allowed = { right: 'import records', scope: 'directory:manage' } as const;

/** The imports of a team, the newest first, as the log has them. */
export const importList: Listing<ImportDocument, ImportDocument> = {
  name: 'directory-imports',
  ...allowed,
  readModel: imports,
  orderBy: ['began_at', 'import'],
  descending: true,
  id: z.uuid(),
  none: () => noImport(),
  open: (_, docs) => Promise.resolve(docs),
};

/** What an undoing is begun with: the jobs of a server, or nothing at a command line, which waits for it. */
export interface UndoingParts extends ActionParts {
  readonly imports?: Pick<ImportJobs, 'undos'>;
}

/** An import, with how far its undoing is, and what that came to. */
export interface ImportInDetail extends ImportDocument {
  readonly undoing?: UndoState | undefined;
  readonly undone?: UndoReport | undefined;
}

export const importInDetail: Listing<ImportDocument, ImportInDetail> = {
  ...importList,
  open: (parts: UndoingParts, docs) =>
    Promise.all(
      docs.map(async (doc) => {
        const undos = undosOf(parts);
        const [undoing, undone] = await Promise.all([
          undos.get(doc.team, doc.import),
          undos.report(doc.team, doc.import),
        ]);
        return { ...doc, undoing, undone };
      }),
    ),
};

/**
 * Takes back what an import changed, where nobody has changed it since. Webhooks that went out stay sent, and nobody is
 * told twice that a record was approved. It outlives whoever asked for it, and repeated, it goes on where it was cut off.
 */
export const undo = action({
  name: 'directory.undo-import',
  ...allowed,
  input: z.object({ id: z.uuid() }),
  async run(parts: UndoingParts, { id }, by) {
    const { store, documents } = parts;
    const { team } = by.who;
    const run = await importRunOf(store, id);
    if (!run || (team !== undefined && run.team !== team)) throw noImport();
    const { counts } = (await documents.collection(imports.collection).get(id)) ?? {};
    const total = counts ? counts.new + counts.revised + counts.deactivated + counts.reactivated : 0;
    const report = await undoInTime(undosOf(parts), { team: run.team, id, total }, by);
    return { changes: [], value: () => ({ import: id, report }) };
  },
});

/** Takes back an import or a bulk action in a job that outlives whoever asked for it. Undefined: it goes on by itself. */
export const undoInTime = <Report>(
  jobs: { readonly undo: (undone: NewUndo) => Promise<Report> },
  undone: Pick<NewUndo, 'team' | 'id' | 'total'>,
  { context, another, watched, inTime }: Performing,
): Promise<Report | undefined> =>
  inTime(
    watched({
      name: 'Undoing',
      total: () => Promise.resolve(undone.total),
      work: ({ onProgress }) => jobs.undo({ ...undone, actor: context.actor, context: another, onProgress }),
    }),
  );

/** The jobs of this process, or those of a command line. */
const undosOf = ({ imports: jobs, store, documents, side, leases }: UndoingParts): UndoJobs =>
  jobs?.undos ?? new UndoJobs({ store, documents, side, leases, onFault: () => undefined });

const noImport = (): CommandRefused =>
  new CommandRefused('not_found', 'There is no such import of your team.');
