import { pause } from '../../ground/back-off.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Nodes } from '../../stores/leases/nodes-port.ts';
import { namesOfOlderVersions, storedName, type AnyProjection } from './read-model.ts';

interface RetireOptions {
  readonly documents: Pick<Documents, 'progress' | 'remove'>;
  readonly nodes?: Nodes;
  readonly projections: readonly AnyProjection[];
  readonly epoch: number;
  readonly signal: AbortSignal;
  readonly onFault?: (what: string, error: unknown) => void;
}

/** How often it is checked whether older versions are still read. */
const lookEveryMs = 3_000;

/**
 * Drops older versions of read models once no registered node reads them, until the signal aborts. Versions of a newer
 * release stay: one of its commands, which does not register, may be building them.
 */
export async function retireUnread({
  documents,
  nodes,
  projections,
  epoch,
  signal,
  onFault = () => undefined,
}: RetireOptions): Promise<void> {
  if (!nodes) return;
  for (;;) {
    await pause(lookEveryMs, signal);
    if (signal.aborted) return;
    try {
      const read = new Set(
        (await nodes.present()).flatMap(({ readModels }) =>
          Object.entries(readModels).map(([model, version]) => storedName(model, version)),
        ),
      );
      const older = new Set(projections.flatMap(namesOfOlderVersions));
      for (const name of (await documents.progress()).keys())
        if (older.has(name) && !read.has(name)) await documents.remove(name, epoch);
    } catch (error) {
      onFault('retiring read models', error);
    }
  }
}
