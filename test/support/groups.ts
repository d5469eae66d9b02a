import type { GroupOptions } from '../../src/stores/event-store/groups/consume.ts';
import type { ReconcilerTimings } from '../../src/stores/event-store/groups/reconciler.ts';
import { EmbeddedGroupNotes } from '../../src/stores/event-store/embedded/group-notes.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';

/** What the consumer groups of one process keep in a folder, beside a log that is on a server. */
export function groupsIn(
  directory: string,
  timings?: Partial<ReconcilerTimings>,
): { readonly groups: () => GroupOptions; readonly close: () => Promise<void> } {
  const [notes, leases] = [new EmbeddedGroupNotes(directory), new EmbeddedLeases(directory)];
  return {
    groups: () => ({ notes, leases: () => leases, ...(timings ? { timings } : {}) }),
    close: async () => {
      await leases.close();
      await notes.close();
    },
  };
}

/** For stores whose groups are not consumed. */
export const noGroups = (): never => {
  throw new Error('No group is consumed here.');
};
