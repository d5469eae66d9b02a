import type { Documents } from '../../stores/documents/port.ts';
import type { Lease, Leases } from '../../stores/leases/port.ts';
import type { Nodes } from '../../stores/nodes/port.ts';
import { modelOf, type AnyProjection } from './define.ts';
import { besideOlderProjectors, fingerprintOf } from './releases.ts';

/** The lease of whoever keeps the read models: one process of all that share the stores. */
export const projectingLease = 'projections';

/** The lease of whoever keeps the versions that this release folds and an older one beside it does not. */
const releaseLeaseOf = (projections: readonly AnyProjection[]): string =>
  `projections-${fingerprintOf(projections)}`;

/** Until release 0.1 each projection had a lease of its own; a node of that release waits for these. */
const formerLeaseOf = (projection: AnyProjection): string => `projection-${modelOf(projection)}`;

export interface ProjectingLease {
  /** What its holder keeps: every read model, or beside projectors of an older release those that they do not. */
  readonly projections: readonly AnyProjection[];
  /** Whether that is every read model. */
  readonly isWhole: boolean;
  /** Fencing token, above every epoch that the read models have seen: the stores refuse writes with an older one. */
  readonly epoch: number;
  /** Aborts when any of it is lost, or when there is another share to be kept. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const leaseNames = (projections: readonly AnyProjection[]): readonly string[] => [
  projectingLease,
  releaseLeaseOf(projections),
  ...projections.map(formerLeaseOf),
];

interface LeaseParts {
  readonly leases: Leases;
  readonly documents: Documents;
  readonly projections: readonly AnyProjection[];
  readonly nodes?: Nodes | undefined;
}

/** How often a projector looks whether those of an older release have stopped. */
const lookEveryMs = 1_000;

/** Waits until this process alone keeps its share of the read models; undefined when the signal aborts first. */
export async function acquireProjecting(
  parts: LeaseParts,
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  while (!signal.aborted) {
    const beside = await besideOlder(parts);
    const lease = beside ? await acquireBeside(parts, beside, signal) : await acquireAll(parts, signal);
    if (lease) return lease;
  }
  return undefined;
}

const besideOlder = async ({ nodes, projections }: LeaseParts) =>
  nodes && besideOlderProjectors(nodes, projections);

/** Undefined when the signal aborts, or when the older projectors have stopped meanwhile. */
async function acquireBeside(
  parts: LeaseParts,
  beside: readonly AnyProjection[],
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const { leases, documents, projections } = parts;
  const changed = new AbortController();
  const looking = setInterval(() => {
    besideOlder(parts)
      .then((now) => {
        if (now?.length !== beside.length) changed.abort();
      })
      // A registry that does not answer tells nothing new.
      .catch(() => undefined);
  }, lookEveryMs);
  let lease: Lease | undefined;
  try {
    const until = AbortSignal.any([signal, changed.signal]);
    const above = await documents.highestEpoch();
    lease = await leases.acquire(releaseLeaseOf(projections), until, { above });
  } finally {
    if (!lease) clearInterval(looking);
  }
  if (!lease) return undefined;
  const held = lease;
  return {
    projections: beside,
    isWhole: false,
    epoch: held.epoch,
    lost: AbortSignal.any([held.lost, changed.signal]),
    release: () => {
      clearInterval(looking);
      return held.release();
    },
  };
}

/**
 * Holds the lease of this release too, so that no node of it still keeps a share beside an older one, and the leases
 * of release 0.1, whose projectors stand still meanwhile.
 */
async function acquireAll(
  { leases, documents, projections }: LeaseParts,
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const above = await documents.highestEpoch();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  // In this order: of two that each held a part, neither would ever hold all.
  let own: Lease | undefined;
  const names = leaseNames(projections).slice(1);
  const asked = names.map((name) => leases.acquire(name, until, { when: () => own !== undefined }));
  // Heard of when the first is ours: until then nobody waits for them.
  for (const each of asked) each.catch(() => undefined);
  try {
    own = await leases.acquire(projectingLease, signal, { above });
    own?.lost.addEventListener('abort', () => stop.abort(), { once: true });
    if (!own || own.lost.aborted) stop.abort();
    await Promise.all(asked);
  } catch (error) {
    stop.abort();
    await releaseAll([...(own ? [own] : []), ...(await given(asked))]);
    throw error;
  }
  const held = [...(own ? [own] : []), ...(await given(asked))];
  const release = () => releaseAll(held);
  if (held.length <= names.length) {
    await release();
    return undefined;
  }
  // A node of the former release may have written under a higher epoch until its leases were ours.
  return {
    projections,
    isWhole: true,
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

/** The leases that were given, once all have been or will not be. */
async function given(asked: readonly Promise<Lease | undefined>[]): Promise<Lease[]> {
  const settled = await Promise.allSettled(asked);
  return settled.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
}

/** The first is the one that others wait for: it is released last. */
async function releaseAll(held: readonly Lease[]): Promise<void> {
  for (const lease of held.toReversed()) await lease.release();
}
