import type { ProofLog, SignedTree } from '../stores/side/proof-log-port.ts';
import { beginning, type EventStore } from '../stores/event-store/port.ts';
import { lagsOf, type Follower, type Lag } from './lag.ts';

export interface ProofLogStatus {
  /** Entries of the newest checkpoint. */
  readonly entries: number;
  /** ISO 8601 UTC. Null: no checkpoint was ever signed. */
  readonly signed_at: string | null;
  /** Events that are not in it yet. */
  readonly waiting: number;
  readonly waiting_is_minimum: boolean;
  /** The age of the oldest of them. */
  readonly waiting_seconds: number;
}

const name = 'proof-log';

/** The newest checkpoint, as a follower of the log: the position is known of each 256th entry. */
export async function signedFollower(
  proofLog: Pick<ProofLog, 'newest' | 'bundleAtOrBefore'>,
): Promise<{ readonly newest: SignedTree | undefined; readonly follower: Follower }> {
  const newest = await proofLog.newest();
  const size = newest?.size ?? 0;
  const bundle = await proofLog.bundleAtOrBefore(Math.floor(size / 256));
  const skip = size - (bundle?.index ?? 0) * 256;
  return { newest, follower: { name, after: bundle?.after ?? beginning, skip } };
}

export function proofLogStatus(
  newest: SignedTree | undefined,
  lags: ReadonlyMap<string, Lag>,
): ProofLogStatus {
  const lag = lags.get(name);
  return {
    entries: newest?.size ?? 0,
    signed_at: newest?.signedAt ?? null,
    waiting: lag?.events ?? 0,
    waiting_is_minimum: lag?.isMinimum ?? false,
    waiting_seconds: lag?.seconds ?? 0,
  };
}

/** The known place of a signed tree is at most this far behind its end, and then the next event is read. */
const oldestWithin = 512;

/** For how many seconds the oldest event has waited that is in no checkpoint. 0 when all are. */
export async function unsignedSeconds(
  store: Pick<EventStore, 'readAll' | 'head'>,
  proofLog: Pick<ProofLog, 'newest' | 'bundleAtOrBefore'>,
  now: Date,
): Promise<number> {
  const [{ follower }, head] = await Promise.all([signedFollower(proofLog), store.head()]);
  const lags = await lagsOf(store, [follower], head, now, oldestWithin);
  return lags.get(name)?.seconds ?? 0;
}
