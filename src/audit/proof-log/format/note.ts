/** Signed notes, https://c2sp.org/signed-note, with Ed25519 keys. */
import { createPublicKey, hash, sign, verify, type KeyObject } from 'node:crypto';
import { ProofError } from '../errors.ts';

/** A key that signs notes. */
export interface NoteSigner {
  readonly name: string;
  /** Ed25519. */
  readonly privateKey: KeyObject;
}

/** The types of signatures: of a note (Ed25519), and of a checkpoint by a cosigner (C2SP tlog-cosignature). */
export const signatureTypes = { note: 0x01, cosignature: 0x04 } as const;
export type SignatureType = (typeof signatureTypes)[keyof typeof signatureTypes];

/** A key whose signature is trusted. */
export interface NoteVerifier {
  readonly name: string;
  readonly type: SignatureType;
  /** The first four bytes of a hash of name, type and key. */
  readonly id: Buffer;
  readonly publicKey: KeyObject;
}

const publicKeyBytes = 32;
export const signatureBytes = 64;
/** A verifier must accept 16 signatures; ours have one, and witnesses may add theirs. */
const maximumSignatures = 100;

/**
 * Whether a key may have this name: not empty, without plus, spaces and control characters.
 */
export const isKeyName = (name: string): boolean => name.isWellFormed() && /^[^\s+\p{Cc}]+$/u.test(name);

/** The verifier of a signer's notes, or cosignatures. @throws ProofError malformed, for a name that no key may have */
export function verifierOf(
  { name, privateKey }: NoteSigner,
  type: SignatureType = signatureTypes.note,
): NoteVerifier {
  return verifierFrom(name, type, rawPublicKey(createPublicKey(privateKey)));
}

/** The same key as one that verifies another type of signatures. */
export const verifierAs = (type: SignatureType, { name, publicKey }: NoteVerifier): NoteVerifier =>
  verifierFrom(name, type, rawPublicKey(publicKey));

/** `name+id+key`: the form in which a verifier's key is published, as in Go's note package. */
export function vkeyOf({ name, type, id, publicKey }: NoteVerifier): string {
  const key = Buffer.concat([Buffer.of(type), rawPublicKey(publicKey)]);
  return `${name}+${id.toString('hex')}+${key.toString('base64')}`;
}

/** The key of a log. @throws ProofError malformed */
export function parseVkey(vkey: string): NoteVerifier {
  const verifier = parseAnyVkey(vkey);
  if (verifier.type === signatureTypes.note) return verifier;
  throw new ProofError(
    'malformed',
    'The verifier key (vkey) is that of a witness, whose cosignatures it verifies; the key of a log is needed.',
  );
}

/** The key of a log or of a cosigner. @throws ProofError malformed */
export function parseAnyVkey(vkey: string): NoteVerifier {
  const [, name, id, key] = /^([^+]+)\+([0-9a-f]{8})\+([0-9A-Za-z+/=]+)$/.exec(vkey.trim()) ?? [];
  const bytes = key === undefined ? undefined : exactBase64(key);
  if (name === undefined || bytes === undefined) {
    throw new ProofError('malformed', 'A verifier key (vkey) is written name+hash+key.');
  }
  const type = Object.values(signatureTypes).find((each) => each === bytes[0]);
  if (type === undefined || bytes.length !== 1 + publicKeyBytes) {
    throw new ProofError('malformed', 'The verifier key (vkey) is not an Ed25519 key.');
  }
  const verifier = verifierFrom(name, type, bytes.subarray(1));
  if (verifier.id.toString('hex') !== id) {
    throw new ProofError('malformed', 'The hash in the verifier key (vkey) does not fit its name and key.');
  }
  return verifier;
}

/** A note with the signature of each signer. `text` ends in a newline. @throws ProofError malformed */
export function signNote(text: string, ...signers: readonly NoteSigner[]): string {
  if (!isNoteText(text)) throw new ProofError('malformed', 'This text cannot be signed as a note.');
  const lines = signers.map((signer) => {
    const signature = sign(null, Buffer.from(text), signer.privateKey);
    const bytes = Buffer.concat([verifierOf(signer).id, signature]);
    return `— ${signer.name} ${bytes.toString('base64')}\n`;
  });
  return `${text}\n${lines.join('')}`;
}

/**
 * The text of a note that one of the verifiers' keys has signed. Signatures of other keys are ignored.
 * @throws ProofError malformed, or untrusted when no known key has signed, or a known key's signature is wrong
 */
export function openNote(note: string, verifiers: readonly NoteVerifier[]): string {
  const { text, signatures } = parseNote(note);
  let signed = false;
  for (const { name, bytes } of signatures) {
    const verifier = verifiers.find(
      (candidate) => candidate.name === name && candidate.id.equals(bytes.subarray(0, 4)),
    );
    if (verifier === undefined) continue;
    const signature = bytes.subarray(4);
    if (
      signature.length !== signatureBytes ||
      !verify(null, Buffer.from(text), verifier.publicKey, signature)
    ) {
      throw new ProofError('untrusted', `The signature of ${name} is wrong: the note was changed.`);
    }
    signed = true;
  }
  if (signed) return text;
  const signers = signatures.map(({ name, bytes }) => `${name}+${bytes.toString('hex', 0, 4)}`).join(', ');
  const expected = verifiers.map(({ name, id }) => `${name}+${id.toString('hex')}`).join(', ');
  throw new ProofError('untrusted', `The note is signed by ${signers}, not by ${expected}.`);
}

/** Whether a note has a line of this key. Its signature is not verified. False for what is no note. */
export function isSignedBy(note: string, { name, id }: NoteVerifier): boolean {
  try {
    return parseNote(note).signatures.some(
      (each) => each.name === name && id.equals(each.bytes.subarray(0, id.length)),
    );
  } catch (error) {
    if (error instanceof ProofError) return false;
    throw error;
  }
}

/** The text of a note, whoever signed it. @throws ProofError malformed */
export const textOfNote = (note: string): string => parseNote(note).text;

/** The parts of a note, nothing of which is verified. `bytes`: the id of the key and the signature. @throws ProofError malformed */
export function parseNote(note: string): {
  readonly text: string;
  readonly signatures: readonly { readonly name: string; readonly bytes: Buffer }[];
} {
  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const lines = note.slice(end + 2);
  if (end < 0 || !isNoteText(text) || !lines.endsWith('\n')) {
    throw new ProofError('malformed', 'This is not a signed note: a text, an empty line, and signatures.');
  }
  const signatures = lines
    .slice(0, -1)
    .split('\n')
    .map((line) => {
      const [, name, base64] = /^— (\S+) (\S+)$/.exec(line) ?? [];
      const bytes = base64 === undefined ? undefined : exactBase64(base64);
      if (name === undefined || !isKeyName(name) || bytes === undefined || bytes.length < 5) {
        throw new ProofError('malformed', 'A line of signature of the note is not in the format.');
      }
      return { name, bytes };
    });
  if (signatures.length > maximumSignatures) {
    throw new ProofError('malformed', `The note has more than ${maximumSignatures} signatures.`);
  }
  return { text, signatures };
}

function isNoteText(text: string): boolean {
  // eslint-disable-next-line no-control-regex
  return text.endsWith('\n') && !/[\u0000-\u0009\u000b-\u001f]/.test(text) && text.isWellFormed();
}

function verifierFrom(name: string, type: SignatureType, key: Buffer): NoteVerifier {
  if (!isKeyName(name)) throw new ProofError('malformed', `${JSON.stringify(name)} is no name of a key.`);
  const x = key.toString('base64url');
  const named = Buffer.concat([Buffer.from(`${name}\n`), Buffer.of(type), key]);
  return {
    name,
    type,
    id: hash('sha256', named, 'buffer').subarray(0, 4),
    publicKey: createPublicKey({ key: { kty: 'OKP', crv: 'Ed25519', x }, format: 'jwk' }),
  };
}

function rawPublicKey(key: KeyObject): Buffer {
  const { crv, x } = key.export({ format: 'jwk' });
  if (crv !== 'Ed25519' || x === undefined) throw new ProofError('malformed', 'The key is no Ed25519 key.');
  return Buffer.from(x, 'base64url');
}

/** Standard base64 with padding, in its one spelling. */
export function exactBase64(text: string): Buffer | undefined {
  const bytes = Buffer.from(text, 'base64');
  return bytes.toString('base64') === text ? bytes : undefined;
}
