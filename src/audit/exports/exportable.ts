import { counted } from '../../ground/counted.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { EndedLog, ProofLog } from '../../stores/side/proof-log-port.ts';
import { openCheckpoint, type Checkpoint, type CheckpointVerifier } from '../proof-log/format/checkpoint.ts';
import { listedKeys, type LogKey } from '../proof-log/format/log-key.ts';
import { cosignedNote } from '../proof-log/format/cosignature.ts';
import { contentOf, entryOfContent, leafHash } from '../proof-log/entry.ts';
import type { NoteVerifier } from '../proof-log/format/note.ts';
import { storedTiles } from '../proof-log/format/stored-tiles.ts';
import { hashBytes, tileWidth } from '../proof-log/format/tiles.ts';
import { ExportError } from './export-error.ts';
import type { ExportedEvent } from './format.ts';
import type { ExportFilter } from './filter.ts';
import { InclusionProofs } from './inclusion-proofs.ts';
import { ownLeaves } from './own-leaves.ts';
import { selectionOf } from './selection.ts';

/** A key of the log as the manifest names it. */
type ExportedKey = Omit<ReturnType<typeof listedKeys>[number], 'succession'>;

/** What can be exported now: the events up to the newest checkpoint. */
export interface Exportable {
  readonly store: EventStore;
  readonly proofLog: ProofLog;
  /** With the cosignatures of witnesses. */
  readonly note: string;
  readonly checkpoint: Checkpoint;
  /** The keys of the log, with their times. Undefined: they are not known here. */
  readonly keys?: ExportedKey[];
  /** The logs that ended before this one. */
  readonly former: readonly EndedLog[];
}

/** @throws ExportError when nothing was signed yet; ProofError when the checkpoint is not the log's own */
export async function exportable(
  store: EventStore,
  proofLog: ProofLog,
  verifier: CheckpointVerifier | LogKey | undefined,
  cosigners: readonly NoteVerifier[] = [],
): Promise<Exportable> {
  const newest = await proofLog.newest();
  if (!newest || !verifier) {
    throw new ExportError(
      'The proof log has no checkpoint yet, so there is nothing to export. The server signs the first one soon after it starts.',
    );
  }
  const checkpoint = openCheckpoint(newest.note, verifier);
  const note = await cosignedNote(proofLog, newest, cosigners);
  // With what they handed over a reader would need more than the keys that it trusts.
  const keys =
    'signers' in verifier
      ? { keys: listedKeys(verifier.keys).map(({ vkey, from, until }) => ({ vkey, from, until })) }
      : {};
  return { store, proofLog, note, checkpoint, former: await proofLog.ended(), ...keys };
}

/** An event that is exported, with its leaf hash and, where wanted, the proof that the tree has it. */
export interface ProvedEvent extends ExportedEvent {
  readonly hash: Buffer;
  readonly path?: readonly Buffer[];
}

export interface Reading {
  readonly filter: ExportFilter;
  /** Whether each event has its inclusion proof. */
  readonly proofs: boolean;
  readonly signal?: AbortSignal;
  /** Called with the number of events that were read, of the checkpoint's size. */
  readonly onRead?: (events: number) => void;
}

/**
 * The events of an export, page by page. Each is compared with the proof log: an event that was changed is not
 * exported as if it were proved.
 * @throws ExportError naming the first event that is not the one that was signed
 */
export async function* provedEvents(
  { store, proofLog, checkpoint: { size } }: Exportable,
  { filter, proofs, signal, onRead = () => undefined }: Reading,
): AsyncGenerator<readonly ProvedEvent[]> {
  const selected = selectionOf(filter);
  const tree = new InclusionProofs(size, storedTiles(proofLog));
  // A promise for each event would take as long as its hash.
  let tile = -1;
  let leaves: Buffer = Buffer.alloc(0);
  let read = 0;
  for await (const page of ownLeaves(store, size, signal)) {
    const found: ProvedEvent[] = [];
    for (const { index, event } of page) {
      if (!selected(event)) continue;
      const content = contentOf(event);
      const hash = leafHash(entryOfContent(content));
      if (Math.floor(index / tileWidth) !== tile) {
        tile = Math.floor(index / tileWidth);
        leaves = await tree.leavesOf(tile);
      }
      const place = (index % tileWidth) * hashBytes;
      if (!hash.equals(leaves.subarray(place, place + hashBytes))) throw changed(index, event);
      found.push({ index, event, content, hash, ...(proofs ? { path: await tree.of(index) } : {}) });
    }
    read += page.length;
    onRead(read);
    yield found;
  }
  if (read < size) {
    throw new ExportError(
      `The log has ${counted(read, 'event')}, and its newest checkpoint was signed over ${size}. Run "commonweal verify".`,
    );
  }
}

const changed = (index: number, { type, stream, revision }: ExportedEvent['event']): ExportError =>
  new ExportError(
    `${type} (${stream}@${revision}) is not the event that the proof log has as leaf ${index}. Run "commonweal verify"; nothing is exported.`,
  );
