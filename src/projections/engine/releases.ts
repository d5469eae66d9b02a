import { createHash } from 'node:crypto';
import type { Node, Nodes } from '../../stores/nodes/port.ts';
import { modelOf, type AnyProjection } from './define.ts';

/**
 * Releases side by side. Each version of a read model is a collection of its own, so a node reads what its release
 * folds and nothing else. Nodes of an older release keep the versions they read until the last of their projectors
 * stops; a newer node builds and keeps the versions that only newer nodes read.
 */

type Versions = Readonly<Record<string, number>>;

export const versionsOf = (projections: readonly AnyProjection[]): Versions =>
  Object.fromEntries(projections.map((each) => [modelOf(each), each.version]));

/** Names the set of versions that a release folds. */
export const fingerprintOf = (projections: readonly AnyProjection[]): string =>
  createHash('sha256')
    .update(JSON.stringify(Object.entries(versionsOf(projections)).sort()))
    .digest('hex')
    .slice(0, 12);

const isOlder = ({ readModels }: Node, versions: Versions): boolean =>
  Object.entries(versions).some(([model, version]) => (readModels[model] ?? version) < version);

/**
 * What this node is to keep beside projectors of an older release: the versions that none of them folds. Undefined
 * where there are no such projectors.
 */
export async function besideOlderProjectors(
  nodes: Nodes,
  projections: readonly AnyProjection[],
): Promise<readonly AnyProjection[] | undefined> {
  const versions = versionsOf(projections);
  const older = (await nodes.present()).filter((node) => node.projects && isOlder(node, versions));
  if (older.length === 0) return undefined;
  return projections.filter((each) =>
    older.every(({ readModels }) => readModels[modelOf(each)] !== each.version),
  );
}
