import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore, Position } from '../../stores/event-store/port.ts';
import type { SideStore } from '../../stores/side/port.ts';
import { filterOf, modelNamed, nameOf, type AnyProjection } from './read-model.ts';
import { failuresTable, type ProjectionFailure } from './stalled-projections.ts';

/** How long a command waits for the read models to show its changes. */
export const visibleWithinMs = 5_000;

/** The read models did not show a change in time. The change is recorded. Repeating the command waits again. */
export class NotYetVisible extends Error {
  /** The read models that are behind. */
  readonly names: readonly string[];

  constructor(storedNames: readonly string[]) {
    const names = storedNames.map(modelNamed);
    super(`The change is recorded, but not visible yet in: ${names.join(', ')}. Try again in a moment.`);
    this.name = 'NotYetVisible';
    this.names = names;
  }
}

/**
 * Resolves when the named read models show everything up to a position. After a command use `untilShown`, which knows
 * the names.
 * @throws NotYetVisible after `timeoutMs`
 */
export const visible = (
  documents: Documents,
  names: readonly string[],
  position: Position,
  timeoutMs = visibleWithinMs,
): Promise<void> => reached(documents, new Map(names.map((name) => [name, position])), timeoutMs);

/**
 * Resolves when each read model has reached its position.
 * @throws NotYetVisible after `timeoutMs`
 */
export async function reached(
  documents: Documents,
  places: ReadonlyMap<string, Position>,
  timeoutMs = visibleWithinMs,
): Promise<void> {
  if (places.size === 0) return;
  const deadline = Date.now() + timeoutMs;
  const behind = async () => {
    const progress = await documents.progress();
    const isBehind = ([name, position]: [string, Position]) =>
      (progress.get(name)?.checkpoint ?? -1n) < position;
    return [...places].filter(isBehind).map(([name]) => name);
  };
  for (;;) {
    const late = await behind();
    if (late.length === 0) return;
    const left = deadline - Date.now();
    if (left <= 0) throw new NotYetVisible(late);
    // Listens first and then checks again, so that no change in between is missed.
    const changed = documents.changed(Math.min(left, 1_000));
    if ((await behind()).length === 0) return;
    await changed;
  }
}

export interface ProjectionStatus {
  readonly name: string;
  readonly generation: number | null;
  readonly checkpoint: string | null;
  /** Events that the read model has not folded yet, counted up to 100,000. */
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
