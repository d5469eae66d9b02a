import type { Readiness } from '../api/dependencies.ts';
import type { System } from '../container.ts';
import { pause } from '../ground/back-off.ts';
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

const lookEveryMs = 50;
/** A node whose read models are being built, or where changes fail, is not waited for any longer. */
const longestMs = 3_000;

/**
 * Resolves when this node is ready, or soon. The dispatcher starts then: what it loads takes half a second of a core, for
 * which the first requests would wait, and webhooks do not show it.
 */
export async function onceReady(
  ready: () => Promise<Readiness>,
  signal: AbortSignal,
  waitMs = longestMs,
): Promise<void> {
  const until = performance.now() + waitMs;
  const isReady = () =>
    ready().then(
      (answer) => answer.ready,
      // A store that does not answer: /readyz says so.
      () => false,
    );
  while (!signal.aborted && performance.now() < until && !(await isReady())) await pause(lookEveryMs, signal);
}
