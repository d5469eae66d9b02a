import { uuidOf } from '../events/ids.ts';
import { installationStreamName } from '../events/installation.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Vault } from '../stores/vault/port.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { vaultEntryOf } from './installation.ts';
import { retireKeysWithoutSecret } from './oauth/signing-keys.ts';

export interface VaultParts {
  readonly store: EventStore;
  readonly vault: Vault;
}

/**
 * Whether the vault lacks a secret that must have been in it: the entry under the id of the installation. Nothing must be
 * in it before the log has one.
 *
 * @throws StoreError incompatible, when the vault is sealed with another master key
 */
export async function isVaultLost(
  { vault }: Pick<VaultParts, 'vault'>,
  installation: string | undefined,
): Promise<boolean> {
  if (installation !== undefined) return (await vault.get(vaultEntryOf(installation))) === undefined;
  const [some] = await vault.names('');
  if (some !== undefined) await vault.get(some);
  return false;
}

/**
 * Accepts a new vault in place of a lost one. The secrets of the old one cannot be recovered. Signing keys without a
 * secret are retired, and an event records the replacement.
 *
 * @throws CommandRefused conflict, when the vault is not lost
 */
export async function replaceVault(
  parts: VaultParts,
  installation: { id(): Promise<string | undefined>; ensureId(): Promise<string> },
  context: CommandContext,
): Promise<{ readonly retiredKeys: readonly string[] }> {
  if (!(await isVaultLost(parts, await installation.id()))) {
    throw new CommandRefused('conflict', 'The vault is the one that belongs to this log: nothing is lost.');
  }
  const id = await installation.ensureId();
  const retiredKeys = await retireKeysWithoutSecret(parts, context);
  const replaced = { type: 'VaultReplaced', data: { installation: id } } as const;
  const replacing: CommandContext = { ...context, commandId: uuidOf(context.commandId, 'vault-replaced') };
  await parts.store.append(
    installationStreamName,
    [newEvent(installationStreamName, replaced, 0, replacing)],
    'any',
  );
  // Last: until then the vault counts as lost, and the command can be repeated.
  await parts.vault.put(vaultEntryOf(id), Buffer.from(id));
  return { retiredKeys };
}
