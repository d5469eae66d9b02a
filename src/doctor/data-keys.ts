import { counted } from '../ground/counted.ts';
import { holdersOf } from '../audit/opened-data.ts';
import type { ProjectedEvent } from '../projections/engine/read-model.ts';
import { personOf } from '../personal/personal-data.ts';
import { streamId } from '../events/define.ts';
import { userStream } from '../events/accounts/user.ts';
import type { RecordedEvent } from '../stores/event-store/port.ts';
import { holdersIn, type ErasureLedger } from '../stores/vault/erasure-ledger-port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Findings } from './finding.ts';

const mostNamed = 20;

/** Compares the data keys that the events need with those of the vault, and erasures with the ledger. */
export class DataKeys {
  readonly #vault: Vault;
  readonly #present: ReadonlySet<string>;
  /** Undefined: it cannot be read, which is a finding of its own. */
  readonly #inLedger: ReadonlySet<string> | undefined;
  readonly #missing = new Set<string>();
  readonly #erased = new Set<string>();

  private constructor(vault: Vault, present: readonly string[], inLedger: ReadonlySet<string> | undefined) {
    this.#vault = vault;
    this.#present = new Set(present);
    this.#inLedger = inLedger;
  }

  static async begin({
    vault,
    erasureLedger,
  }: {
    readonly vault: Vault;
    readonly erasureLedger: Pick<ErasureLedger, 'entries'>;
  }): Promise<DataKeys> {
    const inLedger = await holdersIn([erasureLedger]).catch(() => undefined);
    return new DataKeys(vault, await vault.names(''), inLedger);
  }

  take(recorded: RecordedEvent, { type, stream }: Pick<ProjectedEvent, 'type' | 'stream'>): void {
    // An operator has accepted that what was in the vault is lost.
    if (type === 'VaultReplaced') this.#missing.clear();
    if (type === 'UserErased') this.#erased.add(personOf(streamId({ stream }, userStream)));
    for (const holder of holdersOf(recorded)) if (!this.#present.has(holder)) this.#missing.add(holder);
  }

  async report(findings: Findings): Promise<void> {
    const inLedger = this.#inLedger;
    if (inLedger === undefined) return;
    const unexplained = [...this.#missing].filter(
      (holder) => !inLedger.has(holder) && !this.#erased.has(holder),
    );
    // Those whose first event came after the names of the vault were read are there by now.
    const there = await this.#vault.getMany(unexplained);
    const lost = unexplained.filter((holder) => !there.has(holder));
    if (lost.length > 0)
      findings.found(
        'data-key-missing',
        `${counted(lost.length, 'data key is', 'data keys are')} missing in the vault, and no erasure is recorded: ${named(lost)}.`,
      );
    const unrecorded = [...this.#erased].filter((holder) => !inLedger.has(holder));
    if (unrecorded.length > 0)
      findings.found(
        'ledger-missing',
        `${counted(unrecorded.length, 'erasure', 'erasures')} that the log has ${unrecorded.length === 1 ? 'is' : 'are'} in no erasure ledger: ${named(unrecorded)}.`,
      );
  }
}

const named = (all: readonly string[]): string =>
  `${all.slice(0, mostNamed).join(', ')}${all.length > mostNamed ? `, and ${all.length - mostNamed} more` : ''}`;
