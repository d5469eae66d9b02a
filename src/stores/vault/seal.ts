import { createCipheriv, createDecipheriv, hkdfSync, randomBytes } from 'node:crypto';
import { StoreError } from '../errors.ts';

/** A 256-bit key for one purpose, derived from the master key (HKDF-SHA-256, RFC 5869). */
export function derivedKey(masterKey: Uint8Array, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', masterKey, 'commonweal', purpose, 32));
}

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce; the name is authenticated along, so that one
 * sealed secret cannot be passed off as another. Layout: nonce (12) ‖ tag (16) ‖ ciphertext.
 */
export function seal(key: Uint8Array, name: string, secret: Uint8Array): Buffer {
  const nonce = randomBytes(12);
  const cipher = createCipheriv('aes-256-gcm', key, nonce).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws StoreError incompatible, when the key is another or the bytes were changed. */
export function unseal(key: Uint8Array, name: string, sealed: Uint8Array): Buffer {
  try {
    const decipher = createDecipheriv('aes-256-gcm', key, sealed.subarray(0, 12))
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(12, 28));
    return Buffer.concat([decipher.update(sealed.subarray(28)), decipher.final()]);
  } catch (cause) {
    throw new StoreError(
      'incompatible',
      `The secret ${name} cannot be opened: MASTER_KEY is not the one it was sealed with.`,
      {
        cause,
      },
    );
  }
}
