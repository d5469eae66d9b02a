import { CommandRefused } from '../ground/refusals.ts';
import { endAgencyContact } from '../commands/directory/upkeep/agency-contact.ts';
import { reportHolder, eraseReport } from '../commands/directory/upkeep/mistake.ts';
import { eraseSuggestion, suggestionHolder } from '../commands/directory/upkeep/suggestion.ts';
import { eraseSubmission } from '../commands/forms-submissions.ts';
import { eraseListed, isAnyListed } from '../commands/teams/listed-member.ts';
import { erasePerson } from '../commands/accounts/erasure.ts';
import type { PersonParts } from '../commands/accounts/person.ts';
import type { CommandContext } from '../events/metadata.ts';
import { agencyContactOf, formSubmissionOf, personOf, type Holder } from '../personal/personal-data.ts';
import type { ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';

/** How many data keys are looked for with one read of the vault. */
const batchSize = 500;

/** The actor of what the service itself does about erasures. */
export const erasureJob = { kind: 'system', id: 'erasure' } as const;

/**
 * Erases again whom the ledger names and the vault still has: a restored backup was older than the erasure, or the
 * process was stopped in the middle of it. To be called before anything is served. Needs the log and the vault only; the
 * job of erasures does what needs read models. Returns the data keys that it destroyed.
 *
 * @throws StoreError, when the ledger, the log or the vault cannot be read or written
 */
export async function replayErasures(
  parts: PersonParts,
  ledger: Pick<ErasureLedger, 'entries'>,
  now: () => Date = () => new Date(),
): Promise<readonly string[]> {
  const erased: string[] = [];
  let batch = new Set<string>();
  const work = async () => {
    const found = await parts.vault.getMany([...batch]);
    for (const holder of found.keys()) {
      await eraseAgain(parts, holder as Holder, now());
      erased.push(holder);
    }
    batch = new Set();
  };
  let isEmpty = true;
  for await (const { holder } of ledger.entries()) {
    isEmpty = false;
    batch.add(holder);
    if (batch.size === batchSize) await work();
  }
  await work();
  // Every deletion empties the vault's write-ahead log: also of a key whose deletion was interrupted just before that.
  if (!isEmpty && erased.length === 0) await parts.vault.delete('no-such-data-key');
  return erased;
}

async function eraseAgain(parts: PersonParts, holder: Holder, at: Date): Promise<void> {
  const context: CommandContext = { actor: erasureJob, commandId: crypto.randomUUID(), at };
  try {
    await eraseInLog(parts, holder, context);
  } catch (error) {
    // The log is older than the person, the submission or the report: there is nothing to say in it.
    if (!(error instanceof CommandRefused)) throw error;
  }
  await parts.personal.discard(holder);
}

/** Says it in the log, where a log from before the erasure does not. */
async function eraseInLog(parts: PersonParts, holder: Holder, context: CommandContext): Promise<void> {
  const id = holder.slice(holder.indexOf('/') + 1);
  switch (holder) {
    case personOf(id):
      if (await isAnyListed(parts.store, id)) await eraseListed(parts, id, {}, context);
      else await erasePerson(parts, id, context, { again: true });
      return;
    case formSubmissionOf(id):
      await eraseSubmission(parts, id, {}, context);
      return;
    case reportHolder(id):
      await eraseReport(parts, id, {}, context);
      return;
    case suggestionHolder(id):
      await eraseSuggestion(parts, id, {}, context);
      return;
    case agencyContactOf(id):
      await endAgencyContact(parts, id, 'erase', context);
      return;
    // `endRestoredClaims` finds claims, by their read model. Invitations end by themselves, and a record leaves out a person whose data key is gone.
    default:
  }
}
