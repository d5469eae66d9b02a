import type { ExportFormat } from '../../events/audit.ts';
import type { Exportable, ProvedEvent } from './exportable.ts';
import { isWhole, type ExportFilter } from './filter.ts';
import { formerLog } from '../proof-log/former-log.ts';
import { metadataOf } from './metadata-of.ts';
import type { Origin } from './formats.ts';
import type { WrittenFile } from './hashed-file.ts';
import { leafHashesFile, proofsFile, type ExportedProof, type ExportManifest } from './manifest.ts';

/** What somebody asks to export, and when. */
export interface ExportRequest extends Origin {
  readonly format: ExportFormat;
  readonly filter: ExportFilter;
  readonly now: Date;
}

/** Which events an export was found to have. */
export class ExportedEvents {
  count = 0;
  #first: ProvedEvent | undefined;
  #last: ProvedEvent | undefined;

  add(proved: ProvedEvent): void {
    this.#first ??= proved;
    this.#last = proved;
    this.count += 1;
  }

  places(): Pick<ExportManifest, 'count' | 'first' | 'last'> {
    const [first = null, last = null] = [
      this.#first && placeOf(this.#first),
      this.#last && placeOf(this.#last),
    ];
    return { count: this.count, first, last };
  }
}

/** The file beside the events: their hashes when the export is whole, otherwise their proofs. */
export const fileBeside = (filter: ExportFilter): string => (isWhole(filter) ? leafHashesFile : proofsFile);

/** The line of an event in that file, with its line break. */
export const lineBeside = (filter: ExportFilter, proved: ProvedEvent): string =>
  isWhole(filter) ? `${proved.hash.toString('hex')}\n` : `${JSON.stringify(proofOf(proved))}\n`;

/** What the export says of itself, once its files are written. */
export function manifestOf(
  from: Exportable,
  { format, filter, installation, domain, now }: ExportRequest,
  exported: ExportedEvents,
  { events, beside }: { readonly events: WrittenFile; readonly beside: WrittenFile },
): ExportManifest {
  return {
    commonweal_export: 1,
    format,
    installation,
    ...(format === 'cloudevents-rdns' ? { domain } : {}),
    exported_at: now.toISOString(),
    filter,
    ...exported.places(),
    events,
    ...(isWhole(filter) ? { leaf_hashes: beside } : { proofs: beside }),
    log: from.checkpoint.origin,
    tree_size: from.checkpoint.size,
    checkpoint: from.note,
    ...(from.keys ? { vkeys: from.keys } : {}),
    ...(from.former.length > 0 ? { former_logs: from.former.map(formerLog) } : {}),
  };
}

/** The manifest as its file has it. */
export const manifestText = (manifest: ExportManifest): string => `${JSON.stringify(manifest, null, 2)}\n`;

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
