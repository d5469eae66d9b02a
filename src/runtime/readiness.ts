import type { Readiness } from '../api/dependencies.ts';
import type { System } from '../container.ts';
import { nameOf, type AnyProjection } from '../projections/engine/read-model.ts';
import type { Position } from '../stores/event-store/port.ts';
import { failedReadModel } from '../status/problems.ts';
import type { Health } from './health.ts';

/**
 * Whether this node is ready. Not before the read models have reached the head of the log at the start, because
 * incomplete read models must not authorise anything, and not while changes fail. `headAtStart` is undefined until
 * the stores answer.
 */
export async function readiness(
  { documents }: Pick<System, 'documents'>,
  health: Health,
  projections: readonly AnyProjection[],
  headAtStart: Position | undefined,
): Promise<Readiness> {
  if (headAtStart === undefined) return { ready: false, reason: 'Waiting for the stores.' };
  const troubles = await health.troubles();
  const sentences = troubles.map(({ sentence }) => sentence);
  if (troubles.some(({ stopsChanges }) => stopsChanges)) return { ready: false, reason: sentences.join(' ') };
  const progress = await documents.progress();
  // One that stands still and that no change waits for decides on nobody's rights, and shows what it has.
  const standsStill = (name: string) =>
    progress.has(name) && troubles.some(({ id }) => id === failedReadModel(name));
  const behind = projections
    .map(nameOf)
    .filter((name) => (progress.get(name)?.checkpoint ?? -1n) < headAtStart && !standsStill(name));
  return behind.length === 0
    ? { ready: true, warnings: sentences }
    : { ready: false, reason: [`Being built: ${behind.join(', ')}.`, ...sentences].join(' ') };
}
