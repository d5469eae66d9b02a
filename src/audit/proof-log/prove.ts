/** Proofs of the running log: that an event is in it, and that one checkpoint continues another. */
import { counted } from '../../ground/counted.ts';
import type { RecordedEvent } from '../../stores/event-store/port.ts';
import type { SignedLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import { formatAddCheckpoint } from './format/add-checkpoint.ts';
import { openCheckpoint, type CheckpointVerifier } from './format/checkpoint.ts';
import { entryOf, leafHash } from './entry.ts';
import { ProofError } from './errors.ts';
import { consistencyProof, inclusionProof, verifyConsistency, verifyInclusion } from './format/merkle.ts';
import { entriesFrom, nearestPlace, type EntrySources } from './signed-entries.ts';
import { storedTiles } from './format/stored-tiles.ts';
import { tileWidth } from './format/tiles.ts';
import { formatTlogProof } from './format/tlog-proof.ts';

export interface Sources extends EntrySources {
  /** The log's keys. */
  readonly verifier: CheckpointVerifier;
}

export interface ProvedEntry {
  readonly index: number;
  readonly event: RecordedEvent;
  readonly entry: Buffer;
  /** In the form of C2SP tlog-proof. */
  readonly proof: string;
}

/** The event at a place of the tree. @throws ProofError beyond */
export async function eventAt({ store, proofLog }: EntrySources, index: number): Promise<RecordedEvent> {
  const place = await nearestPlace(proofLog, Math.floor(index / tileWidth));
  for await (const found of entriesFrom(store, place)) if (found.index === index) return found.event;
  throw new ProofError('beyond', `The log has no event ${index}. The first is 0.`);
}

/**
 * Proves that an event is in the tree of the newest checkpoint.
 * @throws ProofError beyond, when no checkpoint covers it yet; mismatch, when it is not what was signed
 */
export async function proveEntry(
  { proofLog, verifier }: Sources,
  { index, event }: { readonly index: number; readonly event: RecordedEvent },
): Promise<ProvedEntry> {
  const newest = await proofLog.newest();
  if (newest === undefined || index >= newest.size) {
    throw new ProofError(
      'beyond',
      `Event ${event.id} is entry ${index}, and the newest checkpoint covers ${counted(newest?.size ?? 0, 'entry', 'entries')}. The next one will cover it; the running server signs it within a minute, unless CHECKPOINT_SECONDS says otherwise.`,
    );
  }
  const entry = entryOf(event);
  const hashes = await inclusionProof(index, newest.size, storedTiles(proofLog));
  verifyInclusion(leafHash(entry), index, openCheckpoint(newest.note, verifier), hashes);
  return { index, event, entry, proof: formatTlogProof({ index, hashes, checkpoint: newest.note }) };
}

/**
 * Proves that the checkpoint of one size continues that of another: the text with which C2SP tlog-witness asks for a
 * cosignature.
 *
 * @throws ProofError beyond, for a size at which nothing was signed; mismatch, when the log was forked
 */
export async function proveConsistency(
  { proofLog, verifier }: Omit<Sources, 'store'>,
  from: number,
  to: number,
): Promise<string> {
  const [older, newer] = [await checkpointOf(proofLog, from), await checkpointOf(proofLog, to)];
  const hashes = await consistencyProof(from, to, storedTiles(proofLog));
  verifyConsistency(openCheckpoint(older.note, verifier), openCheckpoint(newer.note, verifier), hashes);
  return formatAddCheckpoint({ old: from, proof: hashes, note: newer.note });
}

async function checkpointOf(proofLog: SignedLog, size: number): Promise<SignedTree> {
  const [found] = await proofLog.checkpoints({ after: size - 1, limit: 1 });
  if (found?.size === size) return found;
  throw new ProofError(
    'beyond',
    `No checkpoint was signed at ${counted(size, 'entry', 'entries')}.${found === undefined ? '' : ` The next larger one is of ${found.size}.`} See "audit log checkpoints".`,
  );
}
