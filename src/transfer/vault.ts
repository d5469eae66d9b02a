import type { Vault } from '../stores/vault/port.ts';
import { TransferRefused } from './log.ts';

/**
 * Copies every secret, and reads each one back. What is there already must be the same.
 * @throws TransferRefused naming the secret (never its content) that the target holds otherwise
 */
export async function copyVault(source: Vault, target: Vault): Promise<number> {
  const names = await source.names('');
  for (const name of names) {
    const secret = await source.get(name);
    // Deleted since the names were read.
    if (!secret) continue;
    const kept = await target.putIfAbsent(name, secret);
    if (!Buffer.from(kept).equals(Buffer.from(secret))) {
      throw new TransferRefused(`The target's vault holds another secret under ${name}.`);
    }
  }
  return names.length;
}
