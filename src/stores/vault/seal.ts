import { createCipheriv, createDecipheriv, hkdfSync, randomBytes, type KeyObject } from 'node:crypto';
import { StoreError } from '../errors.ts';

/** A 256-bit key for one purpose, derived from the master key or a data key (HKDF-SHA-256, RFC 5869). */
export function derivedKey(key: SealingKey, purpose: string): Buffer {
  return Buffer.from(hkdfSync('sha256', key, 'commonweal', purpose, 32));
}

export type SealingKey = KeyObject | Uint8Array;

const algorithm = 'aes-256-gcm';
const nonceBytes = 12;
const tagBytes = 16;

/**
 * AES-256-GCM (NIST SP 800-38D) with a random 96-bit nonce. The name is additional authenticated data, so that one
 * sealed secret cannot be exchanged for another. Layout: nonce (12) ‖ tag (16) ‖ ciphertext.
 *
 * Callers that open often should pass a KeyObject: opening takes 2 µs with it and 16 µs with raw bytes.
 */
export function seal(key: SealingKey, name: string, secret: Uint8Array): Buffer {
  const nonce = randomBytes(nonceBytes);
  const cipher = createCipheriv(algorithm, key, nonce, { authTagLength: tagBytes }).setAAD(Buffer.from(name));
  const ciphertext = Buffer.concat([cipher.update(secret), cipher.final()]);
  return Buffer.concat([nonce, cipher.getAuthTag(), ciphertext]);
}

/** @throws StoreError incompatible, when the key is wrong or the bytes were changed or truncated */
export function unseal(key: SealingKey, name: string, sealed: Uint8Array): Buffer {
  try {
    if (sealed.length < nonceBytes + tagBytes)
      throw new Error(`${sealed.length} bytes are too few for a sealed secret.`);
    const decipher = createDecipheriv(algorithm, key, sealed.subarray(0, nonceBytes), {
      authTagLength: tagBytes,
    })
      .setAAD(Buffer.from(name))
      .setAuthTag(sealed.subarray(nonceBytes, nonceBytes + tagBytes));
    const secret = decipher.update(sealed.subarray(nonceBytes + tagBytes));
    // Checks the tag. Returns no bytes: GCM is a stream cipher.
    decipher.final();
    return secret;
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
