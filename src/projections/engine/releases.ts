import { createHash } from 'node:crypto';
import type { Node, Nodes } from '../../stores/leases/nodes-port.ts';
import { modelOf, type AnyProjection } from './read-model.ts';

/**
 * Two releases side by side. Each version of a read model is a separate collection, and a node reads only the versions
 * of its own release. Projectors of the older release update its versions until the last of them stops. A projector of
 * the newer release builds and updates the versions that only newer nodes read.
 */

type Versions = Readonly<Record<string, number>>;

export const versionsOf = (projections: readonly AnyProjection[]): Versions =>
  Object.fromEntries(projections.map((each) => [modelOf(each), each.version]));

/** Identifies the set of versions that a release folds. */
export const fingerprintOf = (projections: readonly AnyProjection[]): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(versionsOf(projections)).sort()))
    .digest('hex')
    .slice(0, 12);

const isOlder = ({ readModels }: Node, versions: Versions): boolean =>
  Object.entries(versions).some(([model, version]) => (readModels[model] ?? version) < version);

/** The registered nodes of an older release that run a projector. */
export async function olderProjectors(
  nodes: Nodes,
  projections: readonly AnyProjection[],
): Promise<readonly Node[]> {
  const versions = versionsOf(projections);
  return (await nodes.present()).filter((node) => node.projects && isOlder(node, versions));
}

/**
 * The read models that this node updates while projectors of an older release run: those in versions that none of them
 * folds. Undefined when there are no such projectors.
 */
export const besideOlder = (
  older: readonly Node[],
  projections: readonly AnyProjection[],
): readonly AnyProjection[] | undefined =>
  older.length === 0
    ? undefined
    : projections.filter((each) =>
        older.every(({ readModels }) => readModels[modelOf(each)] !== each.version),
      );
