import { CommandRefused } from '../../commands/errors.ts';
import { installationStreamName } from '../../events/installation.ts';
import type { CommandContext } from '../../events/metadata.ts';
import { newEvent } from '../../events/new-event.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import type { ProofLog } from '../../stores/proof-log/port.ts';
import type { Vault } from '../../stores/vault/port.ts';
import { ProofError } from './errors.ts';

/** The entry of the vault that shows that the proof log had a checkpoint. */
const signedEntry = 'proof-log/signed';

interface ProofLogParts {
  readonly vault: Vault;
  readonly proofLog: Pick<ProofLog, 'newest'>;
}

/** Once there is a checkpoint, the vault shows that there was one. */
export const rememberSigned = (vault: Vault): Promise<unknown> =>
  vault.putIfAbsent(signedEntry, Buffer.from('signed'));

/**
 * Whether the proof log lacks the checkpoint that the vault shows. To sign anew what the log holds now would hide every
 * change to it.
 */
export async function isProofLogLost({ vault, proofLog }: ProofLogParts): Promise<boolean> {
  return (await proofLog.newest()) === undefined && (await vault.get(signedEntry)) !== undefined;
}

/** @throws ProofError mismatch, when the proof log is lost */
export async function refuseLostLog(parts: ProofLogParts): Promise<void> {
  if (!(await isProofLogLost(parts))) return;
  throw new ProofError(
    'mismatch',
    'The proof log is lost: it was signed, and has no checkpoint any more. Restore it from a backup. If there is none, "commonweal audit log replace" begins a new one.',
  );
}

/**
 * Accepts a new proof log in place of a lost one: the next signer begins with the first event. An event records it.
 * @throws CommandRefused conflict, when the proof log is not lost
 */
export async function replaceProofLog(
  {
    store,
    installation,
    ...parts
  }: ProofLogParts & {
    readonly store: EventStore;
    readonly installation: { ensureId(): Promise<string> };
  },
  context: CommandContext,
): Promise<void> {
  if (!(await isProofLogLost(parts)))
    throw new CommandRefused(
      'conflict',
      'The proof log has its checkpoints, or never had one: it is not lost.',
    );
  const data = { installation: await installation.ensureId() };
  const replaced = newEvent(installationStreamName, { type: 'ProofLogReplaced', data }, 0, context);
  await store.append(installationStreamName, [replaced], 'any');
  // Last: until then the proof log counts as lost, and the command can be repeated.
  await parts.vault.delete(signedEntry);
}
