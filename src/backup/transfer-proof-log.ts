import { counted } from '../ground/counted.ts';
import { storedCosignatures } from '../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../audit/proof-log/errors.ts';
import { findEntries } from '../audit/proof-log/signed-entries.ts';
import { hashBytes, tileAt, type Tile } from '../audit/proof-log/format/tiles.ts';
import { StoreError } from '../stores/errors.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { ProofLog, SignedLog, SignedTree } from '../stores/side/proof-log-port.ts';
import { TransferRefused } from './transfer-log.ts';

export interface ProofLogCopy {
  readonly source: ProofLog;
  readonly target: ProofLog;
  /** The newest checkpoint to copy. Read it before the events are copied: then the target has all events of its tree. */
  readonly newest: SignedTree | undefined;
  /** Of the target's lease. */
  readonly epoch: number;
}

/** Checkpoints and tiles read at once. */
const pageSize = 500;

/**
 * Copies tiles, checkpoints and cosignatures, as they were signed: nothing is signed again, and the log goes on. So are the
 * logs before it. An interrupted copy is continued by the next run.
 *
 * @throws TransferRefused when the target's proof log is not a beginning of this one
 */
export async function copyProofLog({ source, target, newest, epoch }: ProofLogCopy): Promise<void> {
  const number = await copyEndedLogs(source, target, epoch);
  if (newest) await copySignedLog({ source: source.log(number), target: target.log(number), newest, epoch });
}

/** Copies the logs that ended, and ends them in the target. Returns the number of the log that is signed now. */
async function copyEndedLogs(source: ProofLog, target: ProofLog, epoch: number): Promise<number> {
  const [ended, there] = [await source.ended(), await target.ended()];
  for (const [number, { successor }] of there.entries())
    if (ended[number]?.successor !== successor)
      throw new TransferRefused(
        `The target holds another proof log: ${successor}, which began there, is none of this one.`,
      );
  for (const [number, log] of ended.entries()) {
    if (number < there.length) continue;
    const from = source.log(number);
    const newest = await from.newest();
    if (newest) await copySignedLog({ source: from, target: target.log(number), newest, epoch });
    await target.end(log, { number, epoch });
  }
  return ended.length;
}

/** Copies what one log has signed. @throws TransferRefused */
export async function copySignedLog({
  source,
  target,
  newest,
  epoch,
}: {
  readonly source: SignedLog;
  readonly target: SignedLog;
  readonly newest: SignedTree;
  readonly epoch: number;
}): Promise<void> {
  const already = await compareCheckpoints(source, target);
  if (already > newest.size) throw ahead(already);
  try {
    for (const tiles of tilesOf(newest.size)) {
      const read = await source.tiles(tiles);
      await target.putTiles(
        tiles.map(({ level, index, width }, at) => {
          const hashes = read[at]?.subarray(0, width * hashBytes);
          if (hashes?.length === width * hashBytes) return { level, index, hashes };
          throw new TransferRefused(
            `The proof log lacks tile ${index} of level ${level}, which was signed: it is damaged.`,
          );
        }),
      );
    }
  } catch (error) {
    if (!(error instanceof StoreError) || error.code !== 'incompatible') throw error;
    throw new TransferRefused('The target holds the proof log of other events: its tiles have other hashes.');
  }
  for (let extended = already; extended < newest.size;) {
    const page = await source.checkpoints({ after: extended, limit: pageSize });
    if (page.length === 0)
      throw new TransferRefused(
        'The proof log changed while it was copied: another one has begun. Copy it again.',
      );
    for (const tree of page) {
      if (tree.size > newest.size) break;
      await target.add(tree, { extends: extended, epoch });
      extended = tree.size;
    }
  }
  for await (const batch of storedCosignatures(source, newest.size)) await target.addCosignatures(batch);
}

/**
 * Checks that the events in a store are those that were signed, and finds where they are in that store.
 * @throws TransferRefused naming the first that is not
 */
export async function relocateEntries(
  store: EventStore,
  proofLog: ProofLog,
  { size }: SignedTree,
  signal: AbortSignal,
): Promise<void> {
  try {
    await findEntries({ store, proofLog }, size, signal);
  } catch (error) {
    if (error instanceof ProofError) throw new TransferRefused(error.message);
    throw error;
  }
}

/** Compares all checkpoints of the target with those of the source. Returns the size of the target's newest. */
async function compareCheckpoints(source: SignedLog, target: SignedLog): Promise<number> {
  let compared = 0;
  for (;;) {
    const there = await target.checkpoints({ after: compared, limit: pageSize });
    if (there.length === 0) return compared;
    const here = await source.checkpoints({ after: compared, limit: there.length });
    for (const [at, tree] of there.entries()) {
      const same = here[at];
      if (same === undefined) throw ahead(tree.size);
      if (same.size !== tree.size || same.note !== tree.note) {
        throw new TransferRefused(
          `The target holds another proof log: its checkpoint of ${counted(tree.size, 'entry', 'entries')} was not signed here.`,
        );
      }
      compared = tree.size;
    }
  }
}

const ahead = (size: number): TransferRefused =>
  new TransferRefused(
    `The target's proof log goes on after this one: it has a checkpoint of ${counted(size, 'entry', 'entries')}. Its events are newer than these.`,
  );

/** All tiles of a tree, in batches. */
function* tilesOf(size: number): Generator<Tile[]> {
  let batch: Tile[] = [];
  for (let level = 0; tileAt(level, 0, size) !== undefined; level += 1) {
    for (let index = 0; ; index += 1) {
      const tile = tileAt(level, index, size);
      if (tile === undefined) break;
      batch.push(tile);
      if (batch.length < pageSize) continue;
      yield batch;
      batch = [];
    }
  }
  if (batch.length > 0) yield batch;
}
