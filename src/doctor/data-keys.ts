import { counted } from '../ground/counted.ts';
import { holdersOf } from '../audit/opened-data.ts';
import { reportHolder } from '../commands/directory/upkeep/mistake.ts';
import { suggestionHolder } from '../commands/directory/upkeep/suggestion.ts';
import { invitationOf } from '../commands/teams/invitation-keys.ts';
import { userStream } from '../events/accounts/user.ts';
import { streamId } from '../events/define.ts';
import { agencyContactStream } from '../events/directory/upkeep/agency-contact.ts';
import { mistakeStream } from '../events/directory/upkeep/mistake.ts';
import { suggestionStream } from '../events/directory/upkeep/suggestion.ts';
import { formSubmissionStream } from '../events/forms/submission.ts';
import { listedMemberStream } from '../events/payments.ts';
import {
  agencyContactOf,
  claimOf,
  formSubmissionOf,
  personOf,
  resourcePersonOf,
  type Holder,
} from '../personal/personal-data.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import type { RecordedEvent } from '../stores/event-store/port.ts';
import { holdersIn, type ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Findings } from './finding.ts';
import { listed } from './listed.ts';

interface Parts {
  readonly vault: Vault;
  readonly erasureLedger: Pick<ErasureLedger, 'entries'>;
}

/** Compares the data keys that the events need with those of the vault, and erasures with the ledger. */
export class DataKeys {
  readonly #parts: Parts;
  readonly #present: ReadonlySet<string>;
  readonly #missing = new Set<string>();
  /** Whose data key an event says is destroyed. */
  readonly #erased = new Set<string>();

  /** `present`: the names in the vault when the reading of the log begins. */
  constructor(parts: Parts, present: ReadonlySet<string>) {
    this.#parts = parts;
    this.#present = present;
  }

  take(recorded: RecordedEvent, event: ProjectedEvent): void {
    // An operator has accepted that what was in the vault is lost.
    if (event.type === 'VaultReplaced') this.#missing.clear();
    const erased = erasedBy(event);
    if (erased !== undefined) this.#erased.add(erased);
    for (const holder of holdersOf(recorded)) if (!this.#present.has(holder)) this.#missing.add(holder);
  }

  /** The ledger is read after the log: it has what was erased meanwhile. */
  async report(findings: Findings): Promise<void> {
    const { vault, erasureLedger } = this.#parts;
    // That it cannot be read is a finding of its own.
    const inLedger = await holdersIn([erasureLedger]).catch(() => undefined);
    if (inLedger === undefined) return;
    const gone = [...this.#missing].filter((holder) => !inLedger.has(holder));
    // Those whose first event came after the names of the vault were read are there by now.
    const there = await vault.getMany(gone);
    const absent = gone.filter((holder) => !there.has(holder));
    const lost = absent.filter((holder) => !this.#erased.has(holder));
    if (lost.length > 0)
      findings.found(
        'data-key-missing',
        `${counted(lost.length, 'data key is', 'data keys are')} missing in the vault, and no erasure is recorded: ${listed(lost)}.`,
      );
    const unrecorded = absent.filter((holder) => this.#erased.has(holder));
    if (unrecorded.length > 0)
      findings.found(
        'ledger-missing',
        `${counted(unrecorded.length, 'erasure that the log has is', 'erasures that the log has are')} in no erasure ledger: ${listed(unrecorded)}.`,
      );
  }
}

/** Whose data key is destroyed when the event is recorded. */
function erasedBy(event: ProjectedEvent): Holder | undefined {
  if (event.type === 'UserErased') return personOf(streamId(event, userStream));
  if (event.type === 'ListedMemberErased' || event.type === 'ListedMemberJoined')
    return personOf(streamId(event, listedMemberStream));
  if (event.type === 'FormSubmissionErased') return formSubmissionOf(streamId(event, formSubmissionStream));
  if (event.type === 'AgencyContactStopped' || event.type === 'AgencyContactErased')
    return agencyContactOf(streamId(event, agencyContactStream));
  if (event.type === 'ClaimEnded' || event.type === 'ClaimErased') return claimOf(event.data.data_key);
  if (event.type === 'MistakeReportErased') return reportHolder(streamId(event, mistakeStream));
  if (event.type === 'SuggestionErased') return suggestionHolder(streamId(event, suggestionStream));
  if (event.type === 'ResourcePersonErased' || event.type === 'OrganizationPersonErased')
    return resourcePersonOf(event.data.person);
  if (event.type === 'InvitationWithdrawn' || event.type === 'InvitationExpired')
    return invitationOf(event.data.invitation);
  if (event.type === 'MemberJoined' && event.data.invitation !== undefined)
    return invitationOf(event.data.invitation);
  return undefined;
}
