/*
 * When a projector dies: a task that fails is tried again (projector-tasks.ts); a thread that dies ends its process
 * (src/runtime/serve.ts); and another process takes the lease, here, when it has run out (src/stores/leases/timings.ts).
 */
import { pause } from '../../ground/back-off.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { Lease, Leases } from '../../stores/leases/port.ts';
import { listedForMs, type Node, type Nodes } from '../../stores/leases/nodes-port.ts';
import type { AnyProjection } from './read-model.ts';
import { besideOlder, fingerprintOf, olderProjectors } from './releases.ts';

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

export interface LeaseParts {
  readonly leases: Leases;
  readonly documents: Documents;
  readonly projections: readonly AnyProjection[];
  readonly nodes?: Nodes | undefined;
  readonly killed?: KilledProjectors;
  /** How often a projector checks whether those of an older release have stopped. Default: every second. */
  readonly lookEveryMs?: number;
}

/** After finding the lease of the projector free so often in a row, the older projectors that are listed count as killed. */
const freeLooks = 4;

/**
 * Projectors of an older release that were killed: they are still listed, but none of them holds the lease of the projector
 * or waits for it. Without this, no change would be shown until their entries expire. A projector that stays listed for
 * longer runs after all, and counts again.
 */
export class KilledProjectors {
  readonly #until = new Map<string, number>();
  readonly #believedMs: number;

  constructor(believedMs = listedForMs) {
    this.#believedMs = believedMs;
  }

  /** Whether it is yet to be seen that one of them leaves the list. */
  get areBelieved(): boolean {
    return [...this.#until.values()].some((until) => performance.now() <= until);
  }

  add(nodes: readonly Node[]): void {
    for (const { id } of nodes) this.#until.set(id, performance.now() + this.#believedMs);
  }

  has({ id }: Node): boolean {
    const until = this.#until.get(id);
    return until !== undefined && performance.now() <= until;
  }
}

/** Waits until only this process updates its read models. Undefined when the signal aborts first. */
export async function acquireProjecting(
  leaseParts: LeaseParts,
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const parts = { ...leaseParts, killed: leaseParts.killed ?? new KilledProjectors() };
  while (!signal.aborted) {
    const beside = besideOlder(await olderOf(parts), parts.projections);
    const lease = beside ? await acquireBeside(parts, beside, signal) : await acquireAll(parts, signal);
    if (lease) return lease;
  }
  return undefined;
}

type WatchedParts = LeaseParts & { readonly killed: KilledProjectors };

const olderOf = async ({ nodes, projections, killed }: WatchedParts): Promise<readonly Node[]> =>
  nodes ? (await olderProjectors(nodes, projections)).filter((node) => !killed.has(node)) : [];

/**
 * Aborts `changed` when other older projectors run than those beside which these read models are updated, or when they were killed.
 * Until the signal aborts.
 */
async function watchOlder(
  parts: WatchedParts,
  beside: readonly AnyProjection[] | undefined,
  changed: AbortController,
  signal: AbortSignal,
): Promise<void> {
  let free = 0;
  for (;;) {
    await pause(parts.lookEveryMs ?? 1_000, signal);
    if (signal.aborted || changed.signal.aborted) return;
    try {
      const older = await olderOf(parts);
      if (besideOlder(older, parts.projections)?.length !== beside?.length) changed.abort();
      else if (older.length > 0) {
        free = (await isFree(parts.leases)) ? free + 1 : 0;
        if (free < freeLooks) continue;
        parts.killed.add(older);
        changed.abort();
      } else if (!parts.killed.areBelieved) return;
    } catch {
      // The stores do not answer. The next look tries again.
      free = 0;
    }
  }
}

/** Whether nobody holds the lease of the projector. */
async function isFree(leases: Leases): Promise<boolean> {
  const lease = await leases.tryAcquire(projectingLease);
  await lease?.release();
  return lease !== undefined;
}

/** Undefined when the signal aborts or the older projectors have stopped. */
async function acquireBeside(
  parts: WatchedParts,
  beside: readonly AnyProjection[],
  signal: AbortSignal,
): Promise<ProjectingLease | undefined> {
  const { leases, documents, projections } = parts;
  const changed = new AbortController();
  const ended = new AbortController();
  void watchOlder(parts, beside, changed, ended.signal);
  let lease: Lease | undefined;
  try {
    const until = AbortSignal.any([signal, changed.signal]);
    const above = await documents.highestEpoch();
    lease = await leases.acquire(releaseLeaseOf(projections), until, { above });
  } finally {
    if (!lease) ended.abort();
  }
  if (!lease) return undefined;
  const held = lease;
  return {
    projections: beside,
    isWhole: false,
    epoch: held.epoch,
    lost: AbortSignal.any([held.lost, changed.signal]),
    release: () => {
      ended.abort();
      return held.release();
    },
  };
}

/** Also takes the lease of this release, so that no other node of it updates read models beside older ones. */
async function acquireAll(parts: WatchedParts, signal: AbortSignal): Promise<ProjectingLease | undefined> {
  const { leases, documents, projections, killed } = parts;
  const above = await documents.highestEpoch();
  const stop = new AbortController();
  const until = AbortSignal.any([signal, stop.signal]);
  // Always in this order, to prevent a deadlock of two processes that each hold some of the leases.
  let own: Lease | undefined;
  const names = leaseNames(projections).slice(1);
  const requests = names.map((name) => leases.acquire(name, until, { when: () => own !== undefined }));
  // Failures are handled below, once the first lease is held. Until then nothing awaits these promises.
  for (const each of requests) each.catch(() => undefined);
  try {
    own = await leases.acquire(projectingLease, signal, { above });
    own?.lost.addEventListener('abort', () => stop.abort(), { once: true });
    if (!own || own.lost.aborted) stop.abort();
    await Promise.all(requests);
  } catch (error) {
    stop.abort();
    await releaseAll([...(own ? [own] : []), ...(await acquired(requests))]);
    throw error;
  }
  const held = [...(own ? [own] : []), ...(await acquired(requests))];
  if (held.length <= names.length) {
    await releaseAll(held);
    return undefined;
  }
  const changed = new AbortController();
  const ended = new AbortController();
  // One of them may run after all.
  if (killed.areBelieved) void watchOlder(parts, undefined, changed, ended.signal);
  return {
    projections,
    isWhole: true,
    epoch: Math.max(...held.map(({ epoch }) => epoch)),
    lost: AbortSignal.any([changed.signal, ...held.map(({ lost }) => lost)]),
    release: () => {
      ended.abort();
      return releaseAll(held);
    },
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
async function acquired(requests: readonly Promise<Lease | undefined>[]): Promise<Lease[]> {
  const settled = await Promise.allSettled(requests);
  return settled.flatMap((each) => (each.status === 'fulfilled' && each.value ? [each.value] : []));
}

/** Releases the first lease last, because other processes wait for it. */
async function releaseAll(held: readonly Lease[]): Promise<void> {
  for (const lease of held.toReversed()) await lease.release();
}
