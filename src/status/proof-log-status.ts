import type { ProofLog, SignedTree } from '../stores/side/proof-log-port.ts';
import { beginning, type EventStore, type Position } from '../stores/event-store/port.ts';
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

type Entries = Pick<ProofLog, 'newest' | 'bundleAtOrBefore'>;

/** The place of the last entry of a tree that this process has looked at. Finding it reads up to 512 events. */
const places = new WeakMap<Entries, { readonly size: number; readonly after: Position }>();

interface SignedFollower {
  readonly newest: SignedTree | undefined;
  readonly follower: Follower;
  /** Keeps the place of the last entry, once it was found. */
  readonly found: (lags: ReadonlyMap<string, Lag>) => void;
}

/** The newest checkpoint, as a follower of the log: the position is known of each 256th entry, and of one found before. */
export async function signedFollower(proofLog: Entries): Promise<SignedFollower> {
  const newest = await proofLog.newest();
  const size = newest?.size ?? 0;
  const place = places.get(proofLog);
  const found = (lags: ReadonlyMap<string, Lag>) => {
    const after = lags.get(name)?.skippedTo;
    if (after !== undefined) places.set(proofLog, { size, after });
  };
  if (place?.size === size) return { newest, found, follower: { name, after: place.after } };
  const bundle = await proofLog.bundleAtOrBefore(Math.floor(size / 256));
  const skip = size - (bundle?.index ?? 0) * 256;
  return { newest, found, follower: { name, after: bundle?.after ?? beginning, skip } };
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
  proofLog: Entries,
  now: Date,
): Promise<number> {
  const [{ follower, found }, head] = await Promise.all([signedFollower(proofLog), store.head()]);
  const lags = await lagsOf(store, [follower], head, now, oldestWithin);
  found(lags);
  return lags.get(name)?.seconds ?? 0;
}
