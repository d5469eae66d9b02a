import type { Documents } from '../../stores/documents/port.ts';
import type { Lease, Leases } from '../../stores/leases/port.ts';
import type { Nodes } from '../../stores/leases/nodes-port.ts';
import type { AnyProjection } from './define.ts';
import { besideOlderProjectors, fingerprintOf } from './releases.ts';

/** The projector's lease. One of the processes that share the stores holds it. */
export const projectingLease = 'projections';

/** The lease for the versions that this release folds and an older release does not, while both run. */
const releaseLeaseOf = (projections: readonly AnyProjection[]): string =>
  `projections-${fingerprintOf(projections)}`;

export interface ProjectingLease {
  /** The read models that the holder updates: all, or those that projectors of an older release do not update. */
  readonly projections: readonly AnyProjection[];
  /** Whether these are all read models. */
  readonly isWhole: boolean;
  /** Fencing token: the stores refuse writes with a lower epoch. Higher than every epoch in the read models. */
  readonly epoch: number;
  /** Aborts when a lease is lost, or when the read models to update have changed. */
  readonly lost: AbortSignal;
  release(): Promise<void>;
}

const leaseNames = (projections: readonly AnyProjection[]): readonly string[] => [
  projectingLease,
  releaseLeaseOf(projections),
];

interface LeaseParts {
  readonly leases: Leases;
  readonly documents: Documents;
  readonly projections: readonly AnyProjection[];
  readonly nodes?: Nodes | undefined;
}

/** How often a projector checks whether those of an older release have stopped. */
const lookEveryMs = 1_000;

/** Waits until only this process updates its read models. Undefined when the signal aborts first. */
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

/** Undefined when the signal aborts or the older projectors have stopped. */
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
      // The registry does not answer. The next check tries again.
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

/** Also takes the lease of this release, so that no other node of it updates read models beside older ones. */
async function acquireAll(
  { leases, documents, projections }: LeaseParts,
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const above = await documents.highestEpoch();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  // Always in this order, to prevent a deadlock of two processes that each hold some of the leases.
  let own: Lease | undefined;
  const names = leaseNames(projections).slice(1);
  const asked = names.map((name) => leases.acquire(name, until, { when: () => own !== undefined }));
  // Failures are handled below, once the first lease is held. Until then nothing awaits these promises.
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
  return {
    projections,
    isWhole: true,
    epoch: Math.max(...held.map(({ epoch }) => epoch)),
    lost: AbortSignal.any(held.map(({ lost }) => lost)),
    release,
  };
}

/** Prevents every process from projecting until it is released. Undefined when a process is projecting. */
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

/** The leases that were acquired, when all requests have settled. */
async function given(asked: readonly Promise<Lease | undefined>[]): Promise<Lease[]> {
  const settled = await Promise.allSettled(asked);
  return settled.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
}

/** Releases the first lease last, because other processes wait for it. */
async function releaseAll(held: readonly Lease[]): Promise<void> {
  for (const lease of held.toReversed()) await lease.release();
}
