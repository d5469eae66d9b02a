import { counted } from '../../ground/counted.ts';
import { selectionOf } from '../exports/selection.ts';
import { ownLeaves } from '../exports/own-leaves.ts';
import { isWhole } from '../exports/filter.ts';
import { ExportLines, plainLines } from './export-lines.ts';
import { exportedProof, proofsFile, type ExportManifest } from '../exports/manifest.ts';
import { parseCheckpoint } from '../proof-log/format/checkpoint.ts';
import { rootOf } from '../proof-log/format/merkle.ts';
import { storedTiles } from '../proof-log/format/stored-tiles.ts';
import { ProofError } from '../proof-log/errors.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import { join } from 'node:path';
import { named, type Finding } from './finding.ts';

const mostNamed = 200;

/**
 * Compares an export with the store: that it is of this log, and that its filter selects in the store what the export
 * has, no more and no less. Verify the store itself as well, or it proves nothing.
 */
export async function verifyFull(
  folder: string,
  manifest: ExportManifest,
  { store, proofLog }: { readonly store: EventStore; readonly proofLog: ProofLog },
  onRead: (events: number) => void,
): Promise<Finding[]> {
  const { size, root } = parseCheckpoint(manifest.checkpoint.split('\n\n')[0]?.concat('\n') ?? '');
  const ofOther = await isOfOtherLog(size, root, proofLog);
  if (ofOther !== undefined) return [{ kind: 'checkpoint', sentence: ofOther }];
  if (isWhole(manifest.filter)) return [];
  const leaves = await leavesIn(join(folder, proofsFile));
  const selected = selectionOf(manifest.filter);
  const findings: Finding[] = [];
  let next = 0;
  let read = 0;
  for await (const page of ownLeaves(store, size)) {
    for (const { index, event } of page) {
      const wanted = selected(event);
      while (next < leaves.length && (leaves[next] as number) < index) next += 1;
      const has = leaves[next] === index;
      if (wanted === has || findings.length >= mostNamed) continue;
      findings.push({
        kind: wanted ? 'missing' : 'added',
        leaf: index,
        event: { id: event.id, stream: event.stream, revision: event.revision, type: event.type },
        sentence: wanted
          ? `${named(event)}, leaf ${index}, is missing in the export: the filter selects it.`
          : `${named(event)}, leaf ${index}, is in the export, and the filter does not select it.`,
      });
    }
    read += page.length;
    onRead(read);
  }
  return findings;
}

async function isOfOtherLog(size: number, root: Buffer, proofLog: ProofLog): Promise<string | undefined> {
  const newest = await proofLog.newest();
  const other = `The export is of another log than this store, or of a later state of it: its checkpoint is of ${counted(size, 'entry', 'entries')}`;
  if (size > (newest?.size ?? 0)) return `${other}, and the store has signed ${newest?.size ?? 0}.`;
  try {
    const here = await rootOf(size, storedTiles(proofLog));
    return here.equals(root)
      ? undefined
      : `${other}, whose root is not the one of the first ${counted(size, 'entry', 'entries')} here.`;
  } catch (error) {
    if (error instanceof ProofError) return error.message;
    throw error;
  }
}

async function leavesIn(path: string): Promise<Float64Array> {
  const leaves: number[] = [];
  for await (const lines of new ExportLines(path, plainLines).pages())
    for (const { content } of lines) leaves.push(exportedProof.parse(JSON.parse(content.toString())).leaf);
  return Float64Array.from(leaves);
}
