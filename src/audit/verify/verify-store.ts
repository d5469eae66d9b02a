import { setImmediate } from 'node:timers/promises';
import { counted } from '../../ground/counted.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ProofLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import type { Checkpoint, CheckpointVerifier } from '../proof-log/format/checkpoint.ts';
import { trustedCheckpoints } from './checkpoints.ts';
import { compareLeaves, type Comparison } from './compare-leaves.ts';
import { describe } from './describe.ts';
import { named, type Finding } from './finding.ts';
import { hashRange, type HashedRange, type LogRange } from './hash-range.ts';
import { LogLeaves, type LogPlace } from './log-leaves.ts';
import { describeRevision, logPlaces } from './log-places.ts';
import { StoredLeaves, tileName, TreeCheck } from './stored-tiles.ts';

export interface StoreToVerify {
  /** The installation's events. */
  readonly store: EventStore;
  readonly proofLog: ProofLog;
  /** The log's own keys. */
  readonly verifier: CheckpointVerifier;
  /** The checkpoint of a lost key that the log's own key continues (`LogKey`). */
  readonly continues?: string | undefined;
  /** Hashes a part of the log. Default: in this thread. */
  readonly hash?: (range: LogRange) => Promise<HashedRange>;
  /** How many parts are hashed at the same time. */
  readonly parallel?: number;
  readonly onProgress?: (events: number) => void;
  readonly signal?: AbortSignal;
}

export interface VerifiedStore {
  readonly events: number;
  /** Events of others in the same store. They are no part of the proof log. */
  readonly foreign: number;
  /** Valid checkpoints. */
  readonly checkpoints: number;
  /** The newest valid one. */
  readonly newest?: { readonly size: number; readonly root: string };
  /** Events that no checkpoint covers yet. */
  readonly unsigned: number;
  /** What is wrong. Empty: everything is as it was signed. */
  readonly findings: readonly Finding[];
  /** There is more that is wrong, and it is not named. */
  readonly more: boolean;
}

/** Differences that are named. */
const mostNamed = 200;
const leavesAtOnce = 64;

/**
 * Verifies the running store: every checkpoint's signature; that the tiles and the events give the root of each
 * checkpoint, so that each one continues the one before; and that no stream has a gap. Names what is wrong.
 */
export async function verifyStore(options: StoreToVerify): Promise<VerifiedStore> {
  const { store, proofLog, verifier, parallel = 1, onProgress = () => undefined, signal } = options;
  const findings: Finding[] = [];
  const checkpoints: Checkpoint[] = [];
  // Before the log is read: what is signed meanwhile is newer than what is read.
  const stored = await proofLog.newest();
  const report = (finding: Finding) => findings.push(finding);
  for await (const each of trustedCheckpoints(proofLog, verifier, report, options.continues))
    checkpoints.push(each);
  const newest = checkpoints.at(-1);
  const size = newest?.size ?? 0;
  const until = await store.head();
  const hash = options.hash ?? ((range) => hashRange(store, range));
  const scan = { hash, parallel, until, onProgress, signal };
  const leaves = new LogLeaves(proofLog, scan);
  const [tiles, compared] = await Promise.all([
    checkTiles(new StoredLeaves(proofLog, size), checkpoints, new TreeCheck(proofLog, 'above-leaves')),
    compareLeaves(leaves.batches(), new StoredLeaves(proofLog, size)),
  ]);
  const tilesFit = tiles.wrongTiles.length === 0 && tiles.wrongCheckpoints.length === 0;
  if (tilesFit) await nameDifferences(store, compared, leaves, findings);
  else findings.push(...(await whoIsWrong(options, checkpoints, tiles, compared, leaves)));
  findings.push(...(await nameRevisions(store, leaves)));
  if (!newest && findings.length === 0 && leaves.events > 0) findings.push(notSigned(stored, leaves.events));
  return {
    events: leaves.events,
    foreign: leaves.foreign,
    checkpoints: checkpoints.length,
    ...(newest ? { newest: { size, root: newest.root.toString('base64') } } : {}),
    unsigned: Math.max(0, leaves.events - size),
    findings,
    more: compared.brokenOff || compared.differences.length > mostNamed,
  };
}

/** Builds the tree from the tiles of leaf hashes. */
async function checkTiles(
  leaves: StoredLeaves,
  checkpoints: readonly Checkpoint[],
  check: TreeCheck,
): Promise<TreeCheck> {
  let blocks = 0;
  for (const checkpoint of checkpoints) {
    while (check.size < checkpoint.size) {
      await check.add(await leaves.read(check.size, checkpoint.size - check.size));
      // The comparison with the events goes on beside this.
      blocks += 1;
      if (blocks % leavesAtOnce === 0) await setImmediate();
    }
    check.checkpoint(checkpoint);
  }
  await check.end();
  return check;
}

async function nameDifferences(
  store: EventStore,
  { differences }: Comparison<LogPlace>,
  { unreadable }: Pick<LogLeaves, 'unreadable'>,
  findings: Finding[],
): Promise<void> {
  const places = logPlaces(store);
  // What follows an unreadable part was not read; it is not missing.
  const named = unreadable ? differences.filter(({ kind }) => kind !== 'missing') : differences;
  for (const difference of named.slice(0, mostNamed)) findings.push(await describe(difference, places));
  if (unreadable) findings.push(await describeUnreadable(store, unreadable));
}

async function describeUnreadable(
  store: EventStore,
  { why, last }: NonNullable<LogLeaves['unreadable']>,
): Promise<Finding> {
  const { name } = last ? await logPlaces(store).event(last) : {};
  const place = name ? `after ${named(name)}` : 'from its beginning';
  return {
    kind: 'unreadable',
    ...(name ? { event: name } : {}),
    sentence: `The log cannot be read ${place}: ${why}. What follows was not verified.`,
  };
}

async function nameRevisions(store: EventStore, { wrongRevisions }: LogLeaves): Promise<Finding[]> {
  const found: Finding[] = [];
  for (const wrong of wrongRevisions.slice(0, mostNamed)) found.push(await describeRevision(store, wrong));
  return found;
}

/**
 * The tiles do not give what was signed. Reads the log again and builds the tree from the events, to tell whether the
 * tiles were changed, or the events, or both.
 */
async function whoIsWrong(
  { store, proofLog, hash, signal }: StoreToVerify,
  checkpoints: readonly Checkpoint[],
  tiles: TreeCheck,
  compared: Comparison<LogPlace>,
  { unreadable }: Pick<LogLeaves, 'unreadable'>,
): Promise<Finding[]> {
  const again = new LogLeaves(proofLog, {
    hash: hash ?? ((range) => hashRange(store, range)),
    parallel: 1,
    until: await store.head(),
    onProgress: () => undefined,
    signal,
  });
  const check = new TreeCheck(proofLog, 'all');
  let due = 0;
  for await (const { hashes } of again.batches()) {
    for (let at = 0; at < hashes.length && due < checkpoints.length;) {
      const { size } = checkpoints[due] as Checkpoint;
      const end = Math.min(hashes.length, at + (size - check.size) * 32);
      await check.add(hashes.subarray(at, end));
      at = end;
      while (checkpoints[due]?.size === check.size) check.checkpoint(checkpoints[due++] as Checkpoint);
    }
    if (due === checkpoints.length) break;
  }
  await check.end();
  const eventsFit = due === checkpoints.length && check.wrongCheckpoints.length === 0;
  const findings: Finding[] = [];
  if (eventsFit) {
    for (const tile of check.wrongTiles.slice(0, mostNamed))
      findings.push({
        kind: 'tile',
        sentence: `${tileName(tile)} of the proof log was changed or is missing. The events are as they were signed.`,
      });
    return findings;
  }
  const wrong = tiles.wrongCheckpoints[0];
  if (wrong)
    findings.push({
      kind: 'checkpoint',
      leaf: tiles.rightUpTo,
      sentence: `The tiles of the proof log do not give the root that the checkpoint of ${counted(wrong.size, 'entry', 'entries')} signed, and neither do the events. What differs is among the leaves ${tiles.rightUpTo} to ${wrong.size - 1}.`,
    });
  for (const tile of tiles.wrongTiles.slice(0, mostNamed))
    findings.push({
      kind: 'tile',
      sentence: `${tileName(tile)} of the proof log does not fit the tiles below it.`,
    });
  await nameDifferences(store, compared, { unreadable }, findings);
  return findings;
}

const notSigned = (stored: SignedTree | undefined, events: number): Finding =>
  stored
    ? {
        kind: 'checkpoint',
        sentence: 'The proof log has no valid checkpoint, so nothing can be verified.',
      }
    : lostLog(events);

/** There is a key of the log, which a server makes when it begins to sign, and nothing that it signed. */
const lostLog = (events: number): Finding => ({
  kind: 'checkpoint',
  sentence: `The proof log is lost: it has a key, and no checkpoint, so none of the ${counted(events, 'event')} can be verified. Restore it from a backup. Only while a server starts for the first time is this no loss; it signs within a minute.`,
});

/** There is neither a key of the log nor a checkpoint. */
export const neverSigned = (events: number): Finding => ({
  kind: 'checkpoint',
  sentence: `The log was never signed: there is no key of a proof log, and no checkpoint, so none of the ${counted(events, 'event')} can be verified. A server makes the key and signs soon after it starts.`,
});
