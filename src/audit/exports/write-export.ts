import { defined } from '../../ground/defined.ts';
import { provedEvents, type Exportable } from './exportable.ts';
import { isWhole } from './filter.ts';
import { HashedFile } from './hashed-file.ts';
import { manifestFile, type ExportManifest } from './manifest.ts';
import {
  ExportedEvents,
  fileBeside,
  lineBeside,
  manifestOf,
  manifestText,
  type ExportRequest,
} from './manifest-of.ts';
import { formatOf } from './formats.ts';

export interface ExportOptions extends ExportRequest {
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
  { signal, onRead, ...request }: ExportOptions,
): Promise<ExportManifest> {
  const { filter } = request;
  const form = formatOf(request.format, request);
  const files: HashedFile[] = [];
  const create = async (name: string) => {
    const file = await HashedFile.create(folder, name);
    files.push(file);
    return file;
  };
  try {
    const events = await create(form.file);
    const beside = await create(fileBeside(filter));
    const between = Buffer.from(form.between);
    const exported = new ExportedEvents();
    await events.write(form.begin);
    const reading = {
      filter,
      proofs: !isWhole(filter),
      ...defined({ signal, onRead }),
    };
    for await (const page of provedEvents(from, reading)) {
      const pieces: Buffer[] = [];
      let lines = '';
      for (const proved of page) {
        const line = form.line(proved);
        if (exported.count > 0) pieces.push(between);
        pieces.push(typeof line === 'string' ? Buffer.from(line) : line);
        lines += lineBeside(filter, proved);
        exported.add(proved);
      }
      for (const piece of pieces) if (!events.take(piece)) await events.write(piece);
      await beside.write(lines);
    }
    await events.write(exported.count === 0 ? form.endEmpty : form.end);
    const written = { events: await events.end(), beside: await beside.end() };
    const manifest = manifestOf(from, request, exported, written);
    const manifestWriter = await create(manifestFile);
    await manifestWriter.write(manifestText(manifest));
    await manifestWriter.end();
    return manifest;
  } catch (error) {
    for (const file of files) await file.abandon();
    throw error;
  }
}
