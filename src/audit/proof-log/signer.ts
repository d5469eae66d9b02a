import { setImmediate } from 'node:timers/promises';
import { counted } from '../../ground/counted.ts';
import { throttle } from '../../ground/throttle.ts';
import {
  beginning,
  type EventStore,
  type Position,
  type RecordedEvent,
} from '../../stores/event-store/port.ts';
import type { BundlePlace, SignedLog, SignedTree } from '../../stores/side/proof-log-port.ts';
import { openCheckpoint, parseCheckpoint, signCheckpoint, type Checkpoint } from './format/checkpoint.ts';
import { leafHashOf } from './entry.ts';
import { ProofError } from './errors.ts';
import { GrowingTree, type FilledTile } from './format/growing-tree.ts';
import type { LogKey } from './format/log-key.ts';
import { emptyRoot } from './format/merkle.ts';
import { textOfNote } from './format/note.ts';
import { findEntries } from './signed-entries.ts';
import { storedTiles } from './format/stored-tiles.ts';
import { tileWidth } from './format/tiles.ts';

export interface SignerParts {
  /** This installation's events only. */
  readonly store: Pick<EventStore, 'readAll' | 'eventIdAt'>;
  /** The one log in which it signs. Once that has ended, nothing is added. */
  readonly proofLog: SignedLog;
  readonly key: LogKey;
  /** Of the lease that the signer holds. */
  readonly epoch: number;
}

/** Events read at once. A page is hashed in 2 to 5 milliseconds, and the projector has its turn before the next. */
const pageSize = 200;
/** Full tiles are stored after so many, or when a checkpoint is signed: 16,384 entries, half a megabyte. */
const tilesAtOnce = 64;
/** A checkpoint is signed after so many entries, however soon: a signer that is killed repeats no more than these. */
const entriesPerCheckpoint = 65_536;

/**
 * Adds events to the tree as they come, and signs it. The order is: tiles, then the checkpoint that needs them. A
 * signer that is killed in between leaves tiles beyond the newest checkpoint. The next one computes them again and
 * must get the same hashes.
 */
export class Signer {
  readonly #parts: SignerParts;
  #key: LogKey;
  readonly #tree: GrowingTree;
  #signed: number;
  /** Everything up to here has been read. */
  #position: Position;
  /** Of the last entry. */
  #lastEntry: Position;
  #tiles: FilledTile[] = [];
  #bundles: BundlePlace[] = [];

  private constructor(parts: SignerParts, tree: GrowingTree, position: Position) {
    this.#parts = parts;
    this.#key = parts.key;
    this.#tree = tree;
    this.#signed = tree.size;
    this.#position = position;
    this.#lastEntry = position;
  }

  /**
   * Continues the newest checkpoint, after checking that its tiles have its root and that the events are those that
   * it was signed for: the newest bundle of them, or all when it is not known where that begins.
   *
   * @throws ProofError untrusted or mismatch: nothing must be signed until a person has looked at it
   */
  static async open(parts: SignerParts, signal?: AbortSignal): Promise<Signer> {
    const { proofLog, key } = parts;
    const newest = await proofLog.newest();
    if (newest === undefined) return new Signer(parts, new GrowingTree(), beginning);
    const checkpoint =
      newest.note === key.continues
        ? parseCheckpoint(textOfNote(newest.note))
        : openCheckpoint(newest.note, key);
    const tree = await treeOf(checkpoint, proofLog);
    return new Signer(parts, tree, await findEntries(parts, checkpoint.size, signal));
  }

  /**
   * Signs with this key from now on: the log's key was rotated.
   * @throws ProofError mismatch, when it is the key of another log
   */
  use(key: LogKey): void {
    if (key.name !== this.#key.name)
      throw new ProofError('mismatch', `The key is of ${key.name}; this log is ${this.#key.name}.`);
    this.#key = key;
  }

  /** Entries that no checkpoint covers yet. */
  get waiting(): number {
    return this.#tree.size - this.#signed;
  }

  /**
   * Adds the events that the log has gained. Signs on the way when they are many.
   * @throws ProofError malformed, for an event that has no canonical JSON
   */
  async grow(now: () => Date, signal?: AbortSignal): Promise<void> {
    const rest = throttle();
    while (!signal?.aborted) {
      const page = await this.#parts.store.readAll({ after: this.#position, limit: pageSize });
      if (page.position === this.#position) return;
      for (const event of page.events) this.#add(event);
      this.#position = page.position;
      if (this.waiting >= entriesPerCheckpoint) await this.sign(now());
      else if (this.#tiles.length >= tilesAtOnce) await this.#storeTiles(this.#tiles);
      await (rest() ?? setImmediate());
    }
  }

  /**
   * Signs a checkpoint over all entries. Undefined when there are none that the newest one lacks.
   * @throws StoreError fenced, when another process signs
   */
  async sign(at: Date): Promise<SignedTree | undefined> {
    if (this.waiting === 0) return undefined;
    const { proofLog, epoch } = this.#parts;
    const { size } = this.#tree;
    await this.#storeTiles([...this.#tiles, ...this.#tree.partialTiles()]);
    const note = signCheckpoint({ size, root: this.#tree.root() }, this.#key);
    const tree = { size, note, signedAt: at.toISOString() };
    await proofLog.add(tree, { extends: this.#signed, epoch });
    this.#signed = size;
    return tree;
  }

  #add(event: RecordedEvent): void {
    if (this.#tree.size % tileWidth === 0) {
      this.#bundles.push({ index: this.#tree.size / tileWidth, after: this.#lastEntry });
    }
    this.#tree.add(leafOf(event), (tile) => this.#tiles.push(tile));
    this.#lastEntry = event.position;
  }

  async #storeTiles(tiles: readonly FilledTile[]): Promise<void> {
    await this.#parts.proofLog.putTiles(tiles);
    await this.#parts.proofLog.putBundles(this.#bundles);
    this.#tiles = [];
    this.#bundles = [];
  }
}

/** The leaf hash of an event. @throws ProofError malformed, naming the event */
export function leafOf(event: RecordedEvent): Buffer {
  try {
    return leafHashOf(event);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    const { id, stream, revision } = event;
    throw new ProofError(
      error.code,
      `Event ${id} (${stream}, revision ${revision}) cannot be proved: ${error.message}`,
    );
  }
}

/** @throws ProofError mismatch, beyond */
async function treeOf({ size, root }: Checkpoint, proofLog: SignedLog): Promise<GrowingTree> {
  const tree = size === 0 ? new GrowingTree() : await GrowingTree.from(size, storedTiles(proofLog));
  if (!(size === 0 ? emptyRoot : tree.root()).equals(root)) {
    throw new ProofError(
      'mismatch',
      `The tiles of the proof log are not those that its newest checkpoint (${counted(size, 'entry', 'entries')}) was signed with: they were changed.`,
    );
  }
  return tree;
}
