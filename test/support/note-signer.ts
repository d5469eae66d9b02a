import { generateKeyPairSync } from 'node:crypto';
import type { NoteSigner } from '../../src/audit/proof-log/format/note.ts';

/** A new key that signs notes under a name. */
export const newSigner = (name: string): NoteSigner => ({
  name,
  privateKey: generateKeyPairSync('ed25519').privateKey,
});
