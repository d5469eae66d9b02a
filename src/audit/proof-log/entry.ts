import { hash } from 'node:crypto';
import { canonicalJson } from './canonical-json.ts';
import { sha256 } from './format/merkle.ts';

/** The parts of an event that the proof log proves. Its position in the store is not one of them. */
export interface LoggedEvent {
  readonly id: string;
  readonly stream: string;
  /** Place in its stream, from 0. */
  readonly revision: number;
  readonly type: string;
  readonly data: unknown;
  readonly metadata: Readonly<Record<string, unknown>>;
}

/** An entry bundle gives each entry's length in 16 bits (C2SP tlog-tiles). */
export const maximumEntryBytes = 65_535;

/**
 * The entry of an event in the proof log: canonical JSON of its content, or, when that is longer than an entry may be,
 * a marked hash of it.
 * @throws ProofError malformed, when the event has no canonical JSON
 */
export const entryOf = (event: LoggedEvent): Buffer => entryOfContent(contentOf(event));

/** The canonical JSON of an event, of any length. */
export const contentOf = (event: LoggedEvent): Buffer => Buffer.from(jsonOf(event));

const jsonOf = ({ data, id, metadata, revision, stream, type }: LoggedEvent): string =>
  canonicalJson({ data, id, metadata, revision, stream, type });

/** The entry for an event's canonical JSON. */
export function entryOfContent(content: Buffer): Buffer {
  if (content.length <= maximumEntryBytes) return content;
  const sha256 = hash('sha256', content, 'hex');
  return Buffer.from(canonicalJson({ bytes: content.length, commonweal_entry: 'sha256', sha256 }));
}

/** The hash of an entry as a leaf of the tree: SHA-256(0x00 ‖ entry), RFC 6962 section 2.1. */
export function leafHash(entry: Uint8Array): Buffer {
  const input = Buffer.allocUnsafe(entry.length + 1);
  input[0] = 0;
  input.set(entry, 1);
  return sha256(input);
}

/** The leaf of an event: `leafHash(entryOf(event))`, without the bytes of the entry, which take a fifth of its time. */
export function leafHashOf(event: LoggedEvent): Buffer {
  const json = jsonOf(event);
  // A UTF-16 unit has at most three bytes in UTF-8, so short texts need no exact count.
  return json.length * 3 <= maximumEntryBytes
    ? sha256(`\0${json}`)
    : leafHash(entryOfContent(Buffer.from(json)));
}

/** An entry bundle: each entry after its length in 16 bits, big-endian (C2SP tlog-tiles). */
export function entryBundle(entries: readonly Uint8Array[]): Buffer {
  const bundle = Buffer.allocUnsafe(entries.reduce((bytes, entry) => bytes + 2 + entry.length, 0));
  let offset = 0;
  for (const entry of entries) {
    offset = bundle.writeUInt16BE(entry.length, offset);
    bundle.set(entry, offset);
    offset += entry.length;
  }
  return bundle;
}
