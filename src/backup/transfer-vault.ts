import type { Vault } from '../stores/vault/port.ts';
import { TransferRefused } from './transfer-log.ts';

/**
 * Copies every secret and reads it back. Existing ones must be equal.
 * @throws TransferRefused naming a secret (never its content) that differs in the target
 */
export async function copyVault(source: Vault, target: Vault): Promise<number> {
  const names = await source.names('');
  for (const name of names) {
    const secret = await source.get(name);
    // Deleted after the names were listed.
    if (!secret) continue;
    const kept = await target.putIfAbsent(name, secret);
    if (!Buffer.from(kept).equals(Buffer.from(secret))) {
      throw new TransferRefused(`The target's vault holds another secret under ${name}.`);
    }
  }
  return names.length;
}
