import { join } from 'node:path';
import { counted } from '../../ground/counted.ts';
import { isWhole } from '../exports/filter.ts';
import { type ExportManifest, exportManifest, manifestFile } from '../exports/manifest.ts';
import { openCheckpoint, type Checkpoint, type CheckpointVerifier } from '../proof-log/format/checkpoint.ts';
import { ProofError } from '../proof-log/errors.ts';
import { isSignedBy, parseVkey } from '../proof-log/format/note.ts';
import { ExportedEvents } from './exported-events.ts';
import type { Finding } from './finding.ts';
import { checkFile, wrongManifest } from './verification.ts';
import { checkCosignatures, noWitnesses, type WitnessPolicy } from './witnesses.ts';
import { verifyFiltered } from './verify-filtered.ts';
import { verifyWhole } from './verify-whole.ts';
import { formatOf } from '../exports/formats.ts';
import { readFile } from 'node:fs/promises';
import { ExportError } from '../exports/export-error.ts';

export interface ExportToVerify {
  readonly folder: string;
  /** The key of the log, which the verifier has from somewhere else than the export. */
  readonly verifier: CheckpointVerifier;
  /** The witnesses whose cosignatures the checkpoint must have. Default: none. */
  readonly policy?: WitnessPolicy;
  readonly onProgress?: (events: number, of: number) => void;
  readonly signal?: AbortSignal;
}

export interface VerifiedExport {
  readonly manifest: ExportManifest;
  readonly whole: boolean;
  /** Events that were read. */
  readonly events: number;
  /** How many of the witnesses have cosigned the checkpoint. */
  readonly cosigned: number;
  /** What is wrong. Empty: every event is as it was signed, and of a whole export none is missing. */
  readonly findings: readonly Finding[];
  /** There is more that is wrong, and it is not named. */
  readonly more: boolean;
}

/**
 * Verifies an export with nothing but the key of the log.
 * @throws ExportError when the folder holds no export, or a file of it is missing
 */
export async function verifyExport(options: ExportToVerify): Promise<VerifiedExport> {
  const { folder, verifier, policy = noWitnesses, onProgress = () => undefined, signal } = options;
  const manifest = await readManifest(folder);
  const whole = isWhole(manifest.filter);
  const findings: Finding[] = [];
  const report = (finding: Finding) => void findings.push(finding);
  const checkpoint = trusted(manifest, verifier, report);
  if (!checkpoint) return { manifest, whole, events: 0, cosigned: 0, findings, more: false };
  const cosigned = checkCosignatures(manifest.checkpoint, policy, report);
  const { installation, domain = '' } = manifest;
  const form = formatOf(manifest.format, { installation, domain });
  const events = new ExportedEvents(join(folder, form.file), form);
  const onPage = (read: number) => {
    signal?.throwIfAborted();
    onProgress(read, manifest.count);
  };
  const verification = { folder, manifest, checkpoint, events, onPage, report };
  const { more } = await (whole ? verifyWhole(verification) : verifyFiltered(verification));
  if (manifest.tree_size !== checkpoint.size)
    report(
      wrongManifest(
        `tree_size is ${manifest.tree_size}; the checkpoint is of ${counted(checkpoint.size, 'entry', 'entries')}`,
      ),
    );
  if (manifest.log !== checkpoint.origin)
    report(wrongManifest(`log is ${manifest.log}; the checkpoint is of ${checkpoint.origin}`));
  if (manifest.count !== events.count)
    report(wrongManifest(`count is ${manifest.count}; the export has ${counted(events.count, 'event')}`));
  checkFile(manifest.events, form.file, events.lines.read, report);
  return { manifest, whole, events: events.count, cosigned, findings, more };
}

function trusted(
  { checkpoint, vkeys = [] }: ExportManifest,
  verifier: CheckpointVerifier,
  report: (finding: Finding) => void,
): Checkpoint | undefined {
  try {
    return openCheckpoint(checkpoint, verifier);
  } catch (error) {
    if (!(error instanceof ProofError)) throw error;
    report({
      kind: 'checkpoint',
      sentence: `The checkpoint of the export is not valid, so nothing in it can be verified. ${error.message}${error.code === 'untrusted' && saysRotated(checkpoint, vkeys) ? ` ${rotated}` : ''}`,
    });
    return undefined;
  }
}

const rotated =
  'It says of itself that the key of the log was rotated. An export is not trusted to tell its key: get the keys of that time from the operator (/audit/log/vkeys), with an inclusion proof of ProofLogKeyRotated if you can, and name them with --vkey.';

/** Whether an export says that its log has had several keys, one of which signed it. */
function saysRotated(checkpoint: string, vkeys: NonNullable<ExportManifest['vkeys']>): boolean {
  try {
    return vkeys.length > 1 && vkeys.some(({ vkey }) => isSignedBy(checkpoint, parseVkey(vkey)));
  } catch (error) {
    if (error instanceof ProofError) return false;
    throw error;
  }
}

/** A manifest is small. Something much larger is none. */
const mostBytes = 1024 * 1024;

/** The manifest of an export. @throws ExportError when there is none, or it is not one */
export async function readManifest(folder: string): Promise<ExportManifest> {
  const path = join(folder, manifestFile);
  const text = await readFile(path, 'utf8').catch((error: unknown) => {
    const { code, message } = error as NodeJS.ErrnoException;
    throw new ExportError(
      code === 'ENOENT' || code === 'ENOTDIR'
        ? `${folder} is not an export: it has no ${manifestFile}. It is written last, so an export that was interrupted has none.`
        : `${path} cannot be read: ${message}`,
    );
  });
  const parsed = exportManifest.safeParse(text.length > mostBytes ? undefined : jsonIn(text));
  if (parsed.success) return parsed.data;
  const [issue] = parsed.error.issues;
  const place = issue && issue.path.length > 0 ? ` (${issue.path.join('.')}: ${issue.message})` : '';
  throw new ExportError(`${path} is not the manifest of an export${place}.`);
}

function jsonIn(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
