import { streamName } from '../events/define.ts';
import { teamStream } from '../events/team.ts';
import { StoreError } from '../stores/errors.ts';
import type { Documents } from '../stores/documents/port.ts';
import type { EventStore } from '../stores/event-store/port.ts';

/** The stream with which every log of ours begins, and whose first event tells one log from another. */
const firstStream = streamName(teamStream, 'commons');

/**
 * Read models go on from where they are, by positions that mean something in the log they were made from alone:
 * with another one, after a move or a restored backup, they would skip events without a word.
 *
 * @throws StoreError incompatible, when these read models were made from another log or are ahead of this one
 */
export async function refuseOtherLog(
  { store, documents }: { readonly store: EventStore; readonly documents: Documents },
  where: { readonly log: string; readonly readModels: string },
): Promise<void> {
  const [first] = await store.readStream(firstStream, { limit: 1 });
  // A log in which nothing has been served yet.
  if (!first) return;
  const log = `${first.id}@${first.position}`;
  if ((await documents.madeFrom(log)) !== log) throw otherLog('were made from another log', where);
  const progress = await documents.progress();
  const head = await store.head();
  if ([...progress.values()].some(({ checkpoint }) => checkpoint > head)) {
    throw otherLog('are ahead of the log, as after an older backup of it was restored', where);
  }
}

const otherLog = (why: string, { log, readModels }: { readonly log: string; readonly readModels: string }) =>
  new StoreError(
    'incompatible',
    `The read models (${readModels}) ${why} (${log}). Remove them and start again, and they are built anew: docs/operations.md, "Another log".`,
  );
