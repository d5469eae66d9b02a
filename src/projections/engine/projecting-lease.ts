import type { Documents } from '../../stores/documents/port.ts';
import type { Lease, Leases } from '../../stores/leases/port.ts';
import { nameOf, type AnyProjection } from './define.ts';

/** The lease of whoever keeps the read models: one process of all that share the stores. */
export const projectingLease = 'projections';

/** Until release 0.1 each projection had a lease of its own; a node of that release waits for these. */
const formerLeaseOf = (projection: AnyProjection): string => `projection-${nameOf(projection)}`;

export interface ProjectingLease {
  /** Fencing token, above every epoch that the read models have seen: the stores refuse writes with an older one. */
  readonly epoch: number;
  /** Aborts when any of it is lost. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const leaseNames = (projections: readonly AnyProjection[]): readonly string[] => [
  projectingLease,
  ...projections.map(formerLeaseOf),
];

interface LeaseParts {
  readonly leases: Leases;
  readonly documents: Documents;
  readonly projections: readonly AnyProjection[];
}

/**
 * Waits until this process alone projects; undefined when the signal aborts first. Holds the leases of the former
 * release too, so that a node of it that runs beside us stands still during a rolling upgrade.
 */
export async function acquireProjecting(
  { leases, documents, projections }: LeaseParts,
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const own = await leases.acquire(projectingLease, signal, { above: await documents.highestEpoch() });
  if (!own) return undefined;
  const former = await Promise.all(projections.map((each) => leases.acquire(formerLeaseOf(each), signal)));
  const held = [own, ...former.filter((lease) => lease !== undefined)];
  const release = () => releaseAll(held);
  if (held.length <= projections.length) {
    await release();
    return undefined;
  }
  // A node of the former release may have written under a higher epoch until its leases were ours.
  return {
    epoch: Math.max(...held.map(({ epoch }) => epoch)),
    lost: AbortSignal.any(held.map(({ lost }) => lost)),
    release,
  };
}

/** Makes sure that nobody projects until it is released; undefined when somebody does. */
export async function keepFromProjecting(
  leases: Leases,
  projections: readonly AnyProjection[],
): Promise<{ release(): Promise<void> } | undefined> {
  const held: Lease[] = [];
  for (const name of leaseNames(projections)) {
    const lease = await leases.tryAcquire(name);
    if (!lease) {
      await releaseAll(held);
      return undefined;
    }
    held.push(lease);
  }
  return { release: () => releaseAll(held) };
}

/** The first is the one that others wait for: it is released last. */
async function releaseAll(held: readonly Lease[]): Promise<void> {
  for (const lease of held.toReversed()) await lease.release();
}
