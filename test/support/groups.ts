import type { GroupOptions } from '../../src/stores/event-store/reliable-consume.ts';
import type { ReconcilerTimings } from '../../src/stores/event-store/reconciler.ts';
import { EmbeddedGroupState } from '../../src/stores/event-store/embedded/group-state.ts';
import { EmbeddedLeases } from '../../src/stores/leases/embedded.ts';

/** What the consumer groups of one process keep in a folder, beside a log that is on a server. */
export function groupsIn(
  directory: string,
  timings?: Partial<ReconcilerTimings>,
): { readonly groups: () => GroupOptions; readonly close: () => Promise<void> } {
  const [state, leases] = [new EmbeddedGroupState(directory), new EmbeddedLeases(directory)];
  return {
    groups: () => ({ state, leases: () => leases, ...(timings ? { timings } : {}) }),
    close: async () => {
      await leases.close();
      await state.close();
    },
  };
}

/** For stores whose groups are not consumed. */
export const noGroups = (): never => {
  throw new Error('No group is consumed here.');
};
