import { open, stat, type FileHandle } from 'node:fs/promises';
import { join } from 'node:path';
import { counted } from '../../ground/counted.ts';
import { ExportError } from '../exports/export-error.ts';
import { ExportLines, plainLines } from './export-lines.ts';
import { leafHashesFile } from '../exports/manifest.ts';
import { GrowingTree } from '../proof-log/format/growing-tree.ts';
import { hashBytes } from '../proof-log/format/tiles.ts';
import { compareLeaves, type ExpectedLeaves, type LeafBatch } from './compare-leaves.ts';
import { describe } from './describe.ts';
import { named } from './finding.ts';
import { nameIn } from './exported-events.ts';
import { streamKey, StreamRevisions } from './stream-revisions.ts';
import { checkFile, type Verification } from './verification.ts';

const mostNamed = 200;
const lineBytes = 2 * hashBytes + 1;
const leavesAtOnce = 8_192;

/**
 * The events of a whole export give the root of its checkpoint. Where they do not, the leaf hashes beside them tell
 * which events differ: they are to be trusted when they give the root themselves.
 */
export async function verifyWhole(verification: Verification): Promise<{ readonly more: boolean }> {
  const { folder, manifest, checkpoint, events, onPage, report } = verification;
  const path = join(folder, leafHashesFile);
  const hashes = await ExportedHashes.open(path, checkpoint.size);
  try {
    const own = new GrowingTree();
    const compared = await compareLeaves(throughTree(events.batches(onPage), own), hashes);
    const tree = new GrowingTree();
    for (let at = 0; at < checkpoint.size;) {
      const some = await hashes.read(at, leavesAtOnce);
      tree.add(some);
      at += some.length / hashBytes;
    }
    const eventsFit = own.size === checkpoint.size && own.root().equals(checkpoint.root);
    const hashesFit = tree.root().equals(checkpoint.root);
    if (eventsFit) {
      for (const difference of compared.differences.slice(0, mostNamed))
        report({
          kind: 'file',
          leaf: difference.index,
          sentence: `${leafHashesFile} was changed at leaf ${difference.index}. The events are as they were signed.`,
        });
    } else {
      if (!hashesFit)
        report({
          kind: 'checkpoint',
          sentence: `Neither the events nor ${leafHashesFile} give the root that the checkpoint of ${counted(checkpoint.size, 'entry', 'entries')} signed: both were changed, or belong to another log. What differs between them is named.`,
        });
      const places = events.places();
      for (const difference of compared.differences.slice(0, mostNamed))
        report(await describe(difference, places));
      if (compared.differences.some(({ kind }) => kind === 'missing')) await reportGaps(verification);
    }
    const file = new ExportLines(path, plainLines);
    for await (const _ of file.pages());
    checkFile(manifest.leaf_hashes, leafHashesFile, file.read, report);
    return { more: compared.brokenOff || compared.differences.length > mostNamed };
  } finally {
    await hashes.close();
  }
}

/** Adds every leaf that passes to a tree. */
async function* throughTree<Ref>(
  batches: AsyncIterable<LeafBatch<Ref>>,
  tree: GrowingTree,
): AsyncGenerator<LeafBatch<Ref>> {
  for await (const batch of batches) {
    tree.add(batch.hashes);
    yield batch;
  }
}

/** Names by stream and revision what is missing, where its stream goes on after it. */
async function reportGaps({ events, report }: Verification): Promise<void> {
  const revisions = new StreamRevisions();
  let reported = 0;
  for await (const lines of events.lines.pages()) {
    for (const { content } of lines) {
      const event = events.eventOf(content.toString());
      if (!event) continue;
      const due = revisions.take(...streamKey(event.stream), event.revision);
      if (due === undefined || due > event.revision || reported++ >= mostNamed) continue;
      const last = event.revision - 1;
      report({
        kind: 'revision',
        event: nameIn(event),
        sentence: `${event.stream}@${due}${last > due ? ` to @${last}` : ''} is missing before ${named(nameIn(event))}.`,
      });
    }
  }
}

/** The leaf hashes of a whole export. What is missing or is no hash reads as zeros, which no hash is. */
class ExportedHashes implements ExpectedLeaves {
  readonly size: number;
  readonly #file: FileHandle;
  readonly #text = Buffer.alloc(leavesAtOnce * lineBytes);

  private constructor(file: FileHandle, size: number) {
    this.#file = file;
    this.size = size;
  }

  static async open(path: string, size: number): Promise<ExportedHashes> {
    const found = await stat(path).catch(() => undefined);
    if (!found?.isFile()) throw new ExportError(`${path} is missing.`);
    return new ExportedHashes(await open(path, 'r'), size);
  }

  async read(from: number, count: number): Promise<Buffer> {
    const wanted = Math.min(count, leavesAtOnce, this.size - from);
    const { bytesRead } = await this.#file.read(this.#text, 0, wanted * lineBytes, from * lineBytes);
    const hashes = Buffer.alloc(wanted * hashBytes);
    for (let leaf = 0; leaf < wanted && (leaf + 1) * lineBytes - 1 <= bytesRead; leaf += 1) {
      const at = leaf * lineBytes;
      hashes.write(this.#text.toString('latin1', at, at + 2 * hashBytes), leaf * hashBytes, 'hex');
    }
    return hashes;
  }

  close(): Promise<void> {
    return this.#file.close();
  }
}
