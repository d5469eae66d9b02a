import { Readable } from 'node:stream';
import { reverseDns } from '../../audit/exports/cloudevents.ts';
import { exportable } from '../../audit/exports/exportable.ts';
import { countExported, exportText } from '../../audit/exports/export-text.ts';
import { conditionsOf, isWhole, type ExportFilter } from '../../audit/exports/filter.ts';
import { zipExport } from '../../audit/exports/zip-export.ts';
import { cosignersOf } from '../../audit/proof-log/format/cosignature.ts';
import { logKey } from '../../audit/proof-log/format/log-key.ts';
import { recordLogExport } from '../../actions/audit-readings.ts';
import { installationOf } from '../../commands/installation.ts';
import type { Config } from '../../config.ts';
import type { ExportFormat } from '../../events/audit.ts';
import type { CommandContext } from '../../events/metadata.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ProofLog } from '../../stores/side/proof-log-port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { ExportPlaces } from './export-places.ts';
import { cutWhenStalled } from './cut-when-stalled.ts';
import { formatOf } from '../../audit/exports/formats.ts';

export interface ExportRequest {
  /** Whose export it is. Undefined: the installation's. */
  readonly team: string | undefined;
  readonly format: ExportFormat;
  readonly filter: ExportFilter;
  /** Whether the events come with what proves them, as a zip file. */
  readonly proofs: boolean;
  /** Aborted when the reader is gone. */
  readonly signal: AbortSignal;
  readonly context: CommandContext;
}

export interface StartedExport {
  readonly stream: Readable;
  readonly filename: string;
  readonly mediaType: string;
}

interface ExportParts {
  readonly store: EventStore;
  readonly proofLog: ProofLog;
  readonly vault: Vault;
  readonly config: Pick<Config, 'baseUrl' | 'witnesses'>;
}

/** Exports of the audit log that are streamed to whoever asks. Each is recorded before anything of it is sent. */
export class EventExports {
  readonly #parts: ExportParts;
  readonly #places = new ExportPlaces();

  constructor(parts: ExportParts) {
    this.#parts = parts;
  }

  /**
   * @throws ExportError when too many are running, nothing was signed yet, or the first event that is read is not the
   * one that was signed
   */
  async start({ team, format, filter, proofs, signal, context }: ExportRequest): Promise<StartedExport> {
    const done = this.#places.take(team);
    try {
      const { store, proofLog, vault, config } = this.#parts;
      const key = await logKey(vault);
      const from = await exportable(store, proofLog, key, cosignersOf(config.witnesses));
      const { size } = from.checkpoint;
      const events = isWhole(filter) ? size : await countExported(from, filter, signal);
      const data = { format, filter: conditionsOf(filter), events, tree_size: size };
      await recordLogExport({ store }, data, context);
      const installation = (await installationOf(store)) ?? '';
      const origin = { installation, domain: reverseDns(config.baseUrl) };
      const form = formatOf(format, origin);
      const request = { format, filter, ...origin, now: context.at };
      const stream = proofs
        ? zipExport(from, request)
        : Readable.from(exportText(from, filter, form), { objectMode: false });
      // With the last byte, so that whoever has read it all can ask for the next one.
      cutWhenStalled(stream).once('end', done).once('close', done);
      return proofs
        ? { stream, filename: 'commonweal-export.zip', mediaType: 'application/zip' }
        : { stream, filename: form.file, mediaType: form.mediaType };
    } catch (error) {
      done();
      throw error;
    }
  }
}
