import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { filterOf, nameOf, type AnyProjection } from './define.ts';
import { failuresTable, type ProjectionFailure } from './failures.ts';

/** How long a command waits for the read models to show what it did. */
export const visibleWithinMs = 5_000;

/** The read models did not get there in time. What was done is done; asking again resumes the wait. */
export class NotYetVisible extends Error {
  /** The read models that are behind. */
  readonly names: readonly string[];

  constructor(names: readonly string[]) {
    super(`Done, but not yet to be seen in: ${names.join(', ')}. Ask again in a moment.`);
    this.name = 'NotYetVisible';
    this.names = names;
  }
}

/**
 * Read your writes: resolves once the named read models show everything up to a position.
 * @throws NotYetVisible after `timeoutMs`
 */
export async function visible(
  documents: Documents,
  names: readonly string[],
  position: Position,
  timeoutMs = visibleWithinMs,
): Promise<void> {
  const deadline = Date.now() + timeoutMs;
  const behind = async () => {
    const progress = await documents.progress();
    return names.filter((name) => (progress.get(name)?.checkpoint ?? -1n) < position);
  };
  for (;;) {
    const late = await behind();
    if (late.length === 0) return;
    const left = deadline - Date.now();
    if (left <= 0) throw new NotYetVisible(late);
    // Listens before it looks again: a change between looking and listening would be waited for in vain.
    const changed = documents.changed(Math.min(left, 1_000));
    if ((await behind()).length === 0) return;
    await changed;
  }
}

/** Read models for which no change ever waits: while one stands still, changes succeed all the same. */
export const unawaited: ReadonlySet<string> = new Set(['deliveries', 'subscription-health']);

export interface ProjectionStatus {
  readonly name: string;
  readonly generation: number | null;
  readonly checkpoint: string | null;
  /** Events of its kinds that are not folded yet, counted up to 100,000. */
  readonly lag: number;
  readonly failure?: ProjectionFailure;
}

export async function statusOf(
  {
    store,
    documents,
    side,
  }: { readonly store: EventStore; readonly documents: Documents; readonly side: SideStore },
  projections: readonly AnyProjection[],
): Promise<ProjectionStatus[]> {
  const progress = await documents.progress();
  const failures = side.table<ProjectionFailure>(failuresTable);
  return Promise.all(
    projections.map(async (projection) => {
      const name = nameOf(projection);
      const at = progress.get(name);
      const failure = await failures.get(name);
      return {
        name,
        generation: at?.generation ?? null,
        checkpoint: at?.checkpoint.toString() ?? null,
        lag: await store.count({ after: at?.checkpoint ?? -1n, ...filterOf(projection), atMost: 100_000 }),
        ...(failure ? { failure } : {}),
      };
    }),
  );
}
