import { uuidOf } from '../events/ids.ts';
import { installationStreamName } from '../events/installation.ts';
import type { CommandContext } from '../events/metadata.ts';
import { newEvent } from '../events/new-event.ts';
import { beginning, type EventStore } from '../stores/event-store/port.ts';
import type { Vault } from '../stores/vault/port.ts';
import { CommandRefused } from './errors.ts';
import { vaultEntryOf } from './installation.ts';
import { retireKeysWithoutSecret } from './oauth/signing-keys.ts';

export interface VaultParts {
  readonly store: EventStore;
  readonly vault: Vault;
}

/** Each of these was preceded by a secret that was put into the vault. */
const withSecret = ['SigningKeyPublished', 'UserRegistered', 'SubscriptionCreated'];

/**
 * Whether the vault lacks what the log proves to have been in it. A log whose installation has an id names an entry;
 * in an older one any event will do that came with a secret, when there is none at all.
 *
 * @throws StoreError incompatible, when the vault is sealed with another master key
 */
export async function isVaultLost(
  { store, vault }: VaultParts,
  installation: string | undefined,
): Promise<boolean> {
  if (installation !== undefined) return (await vault.get(vaultEntryOf(installation))) === undefined;
  const [some] = await vault.names('');
  if (some !== undefined) {
    await vault.get(some);
    return false;
  }
  return (await store.count({ after: beginning, filter: { types: withSecret }, atMost: 1 })) > 0;
}

/**
 * Accepts a new vault in place of a lost one: nothing of the old one comes back. Signing keys whose secrets are gone
 * are retired, and the log says what was done.
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
  const said: CommandContext = { ...context, commandId: uuidOf(context.commandId, 'vault-replaced') };
  await parts.store.append(
    installationStreamName,
    [newEvent(installationStreamName, replaced, 0, said)],
    'any',
  );
  // Last: until then the vault counts as lost, and the command can be given again.
  await parts.vault.put(vaultEntryOf(id), Buffer.from(id));
  return { retiredKeys };
}
