import { CommandRefused } from '../../ground/refusals.ts';
import type { InstallationParts } from '../../commands/installation-record.ts';
import type { Actor } from '../../events/metadata.ts';
import type { EndedLog } from '../../stores/side/proof-log-port.ts';
import { ProofError } from './errors.ts';
import { lastTree, whoseLog } from './last-tree.ts';
import {
  newLogName,
  planNewLog,
  recordNewLogs,
  signFirst,
  switchToNewLogs,
  type NewLogParts,
} from './new-log.ts';
import { ensureLogKey, logKey, logNameOf, type LogKey } from './format/log-key.ts';
import { contradictionOf } from './sealed-tree.ts';
import { Signer } from './signer.ts';

export interface Replacing {
  readonly actor: Actor;
  readonly now: () => Date;
  /** Of the lease of the signer, which the caller holds. */
  readonly epoch: number;
  readonly baseUrl: string | undefined;
  /** Whether the log was put back to behind what it has given out, which only others can show. */
  readonly isBehind: boolean;
  readonly signal?: AbortSignal;
}

/**
 * Begins a new log where the one that was signed is lost, was cut back, put back or changed, or is not of these events: it
 * signs all events as they are now, under a name of its own. An event records it.
 * @throws CommandRefused conflict, when the proof log is as it was signed
 */
export async function replaceProofLog(
  parts: NewLogParts & InstallationParts,
  { actor, now, epoch, baseUrl, isBehind, signal }: Replacing,
): Promise<EndedLog> {
  const { proofLog, vault, installation } = parts;
  // What a killed run has planned.
  await switchToNewLogs(parts, epoch);
  const before = await proofLog.ended();
  const key = await logKey(vault);
  if (!isBehind && (await isSound(parts, key, epoch)))
    throw new CommandRefused(
      'conflict',
      'The proof log continues what was signed, or nothing was signed yet: it is not lost. If a witness or a reader has a checkpoint that it does not continue, because the files were put back to an older state, add --behind.',
    );
  const ending = key ?? (await ensureLogKey(vault, logNameOf(baseUrl, await installation.ensureId())));
  const at = now();
  const ended: EndedLog = {
    ...whoseLog(ending),
    ...(await lastTree({ vault, proofLog }, ending)),
    endedAt: at.toISOString(),
    reason: 'replaced',
    successor: newLogName(ending.name, at),
  };
  await planNewLog(vault, { actor, number: before.length, ended });
  await switchToNewLogs(parts, epoch);
  await signFirst(parts, { epoch, now }, signal);
  await recordNewLogs(parts, at);
  return ended;
}

/** Whether a signer can go on. It looks at what is sealed, at the key, the tiles, and the events. */
async function isSound(
  { store, proofLog, vault }: NewLogParts,
  key: LogKey | undefined,
  epoch: number,
): Promise<boolean> {
  if (await contradictionOf({ vault, proofLog })) return false;
  const newest = await proofLog.newest();
  if (!newest) return true;
  // A key that is made anew after the vault was lost goes on.
  if (!key) return true;
  try {
    await Signer.open({ store, proofLog, key, epoch });
    return true;
  } catch (error) {
    if (error instanceof ProofError) return false;
    throw error;
  }
}
