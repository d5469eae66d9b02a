import type { ExportFormat } from '../../events/audit/audit-access.ts';
import { provedEvents, type Exportable, type ProvedEvent } from './exportable.ts';
import { formatOf } from './formats/format.ts';
import { metadataOf } from './formats/metadata-of.ts';
import { isWhole, type ExportFilter } from './filter.ts';
import { HashedFile, type WrittenFile } from './hashed-file.ts';
import {
  leafHashesFile,
  manifestFile,
  proofsFile,
  type ExportedProof,
  type ExportManifest,
} from './manifest.ts';

export interface ExportOptions {
  readonly format: ExportFormat;
  readonly filter: ExportFilter;
  /** The id of the installation. */
  readonly installation: string;
  readonly now: Date;
  readonly signal?: AbortSignal;
  readonly onRead?: (events: number) => void;
}

/**
 * Writes an export into a new folder: the events, the hashes or proofs that belong to them, and last the manifest.
 * Memory does not grow with the export.
 * @throws ExportError
 */
export async function writeExport(
  folder: string,
  from: Exportable,
  { format, filter, installation, now, ...reading }: ExportOptions,
): Promise<ExportManifest> {
  const whole = isWhole(filter);
  const form = formatOf(format, installation);
  const files: HashedFile[] = [];
  const create = async (name: string) => {
    const file = await HashedFile.create(folder, name);
    files.push(file);
    return file;
  };
  try {
    const events = await create(form.file);
    const beside = await create(whole ? leafHashesFile : proofsFile);
    const between = Buffer.from(form.between);
    let count = 0;
    let first: ProvedEvent | undefined;
    let last: ProvedEvent | undefined;
    await events.write(form.begin);
    for await (const page of provedEvents(from, { filter, proofs: !whole, ...reading })) {
      const pieces: Buffer[] = [];
      let lines = '';
      for (const proved of page) {
        const line = form.line(proved);
        if (count > 0) pieces.push(between);
        pieces.push(typeof line === 'string' ? Buffer.from(line) : line);
        lines += whole ? `${proved.hash.toString('hex')}\n` : `${JSON.stringify(proofOf(proved))}\n`;
        first ??= proved;
        last = proved;
        count += 1;
      }
      for (const piece of pieces) if (!events.take(piece)) await events.write(piece);
      await beside.write(lines);
    }
    await events.write(count === 0 ? form.endEmpty : form.end);
    const written = await events.end();
    const writtenBeside = await beside.end();
    const manifest: ExportManifest = {
      commonweal_export: 1,
      format,
      installation,
      exported_at: now.toISOString(),
      filter,
      count,
      first: first ? placeOf(first) : null,
      last: last ? placeOf(last) : null,
      events: written,
      ...besideOf(whole, writtenBeside),
      log: from.checkpoint.origin,
      tree_size: from.checkpoint.size,
      checkpoint: from.note,
    };
    const manifestWriter = await create(manifestFile);
    await manifestWriter.write(`${JSON.stringify(manifest, null, 2)}\n`);
    await manifestWriter.end();
    return manifest;
  } catch (error) {
    for (const file of files) await file.abandon();
    throw error;
  }
}

const besideOf = (whole: boolean, file: WrittenFile): Pick<ExportManifest, 'leaf_hashes' | 'proofs'> =>
  whole ? { leaf_hashes: file } : { proofs: file };

const proofOf = ({ index, event, path = [] }: ProvedEvent): ExportedProof => ({
  id: event.id,
  leaf: index,
  hashes: path.map((hash) => hash.toString('base64')),
});

const placeOf = ({ index, event }: ProvedEvent): NonNullable<ExportManifest['first']> => ({
  leaf: index,
  id: event.id,
  stream: event.stream,
  revision: event.revision,
  type: event.type,
  at: metadataOf(event).at,
});
