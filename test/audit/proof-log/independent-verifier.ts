/**
 * A verifier of a served log, written from the texts of RFC 6962, RFC 9162 and C2SP (signed-note, tlog-checkpoint,
 * tlog-tiles, tlog-proof) alone. It shares no code with src/, and imports nothing from there.
 */
import { createHash, createPublicKey, verify } from 'node:crypto';
import { treeHash } from './rfc6962.ts';

const sha256 = (...parts: Uint8Array[]): Buffer =>
  parts.reduce((hash, part) => hash.update(part), createHash('sha256')).digest();
const leafOf = (entry: Uint8Array): Buffer => sha256(Buffer.of(0x00), entry);
const nodeOf = (left: Uint8Array, right: Uint8Array): Buffer => sha256(Buffer.of(0x01), left, right);

function require(holds: boolean, sentence: string): asserts holds {
  if (!holds) throw new Error(sentence);
}

export interface Head {
  readonly origin: string;
  readonly size: number;
  readonly root: Buffer;
}

/** signed-note and tlog-checkpoint: a note that this key has signed, read as a checkpoint of the log of that name. */
export function readCheckpoint(note: string, vkey: string): Head {
  const [name = '', id = '', ...rest] = vkey.trim().split('+');
  const key = Buffer.from(rest.join('+'), 'base64');
  require(key.length === 33 && key[0] === 0x01, 'The vkey is not of Ed25519.');
  const expected = sha256(Buffer.from(name), Buffer.of(0x0a), key).subarray(0, 4);
  require(expected.toString('hex') === id, 'The key id of the vkey is wrong.');
  const spki = Buffer.concat([Buffer.from('302a300506032b6570032100', 'hex'), key.subarray(1)]);
  const publicKey = createPublicKey({ key: spki, format: 'der', type: 'spki' });

  const end = note.lastIndexOf('\n\n');
  const text = note.slice(0, end + 1);
  const ours = note
    .slice(end + 2)
    .trimEnd()
    .split('\n')
    .map((line) => line.split(' '))
    .filter(([dash, signer]) => dash === '\u2014' && signer === name)
    .map(([, , base64 = '']) => Buffer.from(base64, 'base64'))
    .filter((bytes) => bytes.subarray(0, 4).equals(expected));
  require(ours.length > 0, 'The checkpoint is not signed by this key.');
  require(ours.every((bytes) =>
    verify(null, Buffer.from(text), publicKey, bytes.subarray(4)),
  ), 'The signature does not fit the checkpoint.');
  const [origin = '', size = '', root = ''] = text.split('\n');
  require(origin === name, 'The checkpoint is of another log.');
  require(/^(0|[1-9]\d*)$/.test(size), 'The size is no decimal number.');
  return { origin, size: Number(size), root: Buffer.from(root, 'base64') };
}

/** tlog-tiles: `x001/x234/067`. */
function indexElements(index: number): string {
  const elements: string[] = [];
  let rest = index;
  do {
    elements.unshift(String(rest % 1_000).padStart(3, '0'));
    rest = Math.floor(rest / 1_000);
  } while (rest > 0);
  return elements.map((each, at) => (at < elements.length - 1 ? `x${each}` : each)).join('/');
}

async function fetched(url: string, headers: Record<string, string> = {}): Promise<Buffer> {
  const answer = await fetch(url, { headers });
  require(answer.ok, `${url} answered ${answer.status}.`);
  return Buffer.from(await answer.arrayBuffer());
}

/** The entries of a bundle: each after its length in 16 bits. */
function entriesOf(bundle: Buffer): Buffer[] {
  const entries: Buffer[] = [];
  for (let at = 0; at < bundle.length;) {
    const length = bundle.readUInt16BE(at);
    require(at + 2 + length <= bundle.length, 'An entry is longer than its bundle.');
    entries.push(bundle.subarray(at + 2, at + 2 + length));
    at += 2 + length;
  }
  return entries;
}

/** All hashes of a level of tiles, tile by tile: `<L>/<N>[.p/<W>]`. */
async function level(
  prefix: string,
  number: number,
  count: number,
  what = String(number),
): Promise<Buffer[]> {
  const files: Buffer[] = [];
  for (let index = 0; index * 256 < count; index += 1) {
    const width = Math.min(256, count - index * 256);
    const path = `${what}/${indexElements(index)}${width === 256 ? '' : `.p/${width}`}`;
    const headers: Record<string, string> = what === 'entries' ? auditor : {};
    files.push(await fetched(`${prefix}/tile/${path}`, headers));
  }
  return files;
}

let auditor: Record<string, string> = {};

const split32 = (bytes: Buffer): Buffer[] => {
  require(bytes.length % 32 === 0, 'A tile is no sequence of hashes.');
  return Array.from({ length: bytes.length / 32 }, (_, at) => bytes.subarray(at * 32, at * 32 + 32));
};

export interface VerifiedLog {
  readonly head: Head;
  readonly entries: readonly Buffer[];
}

/** Fetches a whole log, and derives its tiles and its root again from its entries. @throws Error saying what is wrong */
export async function verifyServedLog(
  prefix: string,
  vkey: string,
  authorization: Record<string, string>,
): Promise<VerifiedLog> {
  auditor = authorization;
  const head = readCheckpoint((await fetched(`${prefix}/checkpoint`)).toString(), vkey);
  const entries = (await level(prefix, 0, head.size, 'entries')).flatMap(entriesOf);
  require(entries.length === head.size, `There are ${entries.length} entries, not ${head.size}.`);
  let hashes = entries.map(leafOf);
  for (let number = 0; hashes.length > 0; number += 1) {
    const served = (await level(prefix, number, hashes.length)).flatMap(split32);
    const wrong = hashes.findIndex((hash, at) => !served[at]?.equals(hash));
    require(wrong === -1 && served.length === hashes.length, `Hash ${wrong} of level ${number} is wrong.`);
    // Each hash of the next level is the root of a full tile of this one.
    hashes = Array.from({ length: Math.floor(hashes.length / 256) }, (_, at) =>
      rootOf(hashes.slice(at * 256, at * 256 + 256)),
    );
  }
  require(treeHash(entries).equals(head.root), 'The root of the checkpoint is not that of the entries.');
  for (const [index, entry] of entries.entries()) {
    require(isIncluded(
      entry,
      index,
      head,
      auditPath(index, levelsOf(entries)),
    ), `Entry ${index} is not in the tree.`);
  }
  return { head, entries };
}

/** The root over leaf hashes. */
const rootOf = (hashes: readonly Buffer[]): Buffer => {
  if (hashes.length === 1) return hashes[0] as Buffer;
  const pairs = Array.from({ length: hashes.length / 2 }, (_, at) =>
    nodeOf(hashes[2 * at] as Buffer, hashes[2 * at + 1] as Buffer),
  );
  return rootOf(pairs);
};

/** All levels of the tree, the leaves first. The last node of a level of odd length is taken up as it is. */
const known = new WeakMap<readonly Buffer[], Buffer[][]>();
function levelsOf(entries: readonly Buffer[]): Buffer[][] {
  const before = known.get(entries);
  if (before) return before;
  const levels = [entries.map(leafOf)];
  for (let row = levels[0] ?? []; row.length > 1; row = levels.at(-1) ?? []) {
    const pairs = Array.from({ length: Math.ceil(row.length / 2) }, (_, at) => {
      const [left, right] = [row[2 * at] as Buffer, row[2 * at + 1]];
      return right === undefined ? left : nodeOf(left, right);
    });
    levels.push(pairs);
  }
  known.set(entries, levels);
  return levels;
}

function auditPath(index: number, levels: readonly Buffer[][]): Buffer[] {
  return levels.flatMap((row, height) => {
    const sibling = row[Math.floor(index / 2 ** height) ^ 1];
    return sibling === undefined || row.length === 1 ? [] : [sibling];
  });
}

/** RFC 9162, section 2.1.3.2. */
export function isIncluded(entry: Uint8Array, index: number, head: Head, path: readonly Buffer[]): boolean {
  if (index >= head.size) return false;
  let [fn, sn] = [index, head.size - 1];
  let r = leafOf(entry);
  for (const p of path) {
    if (sn === 0) return false;
    if ((fn & 1) === 1 || fn === sn) {
      r = nodeOf(p, r);
      if ((fn & 1) === 0) {
        do {
          fn >>= 1;
          sn >>= 1;
        } while ((fn & 1) === 0 && fn !== 0);
      }
    } else {
      r = nodeOf(r, p);
    }
    fn >>= 1;
    sn >>= 1;
  }
  return sn === 0 && r.equals(head.root);
}

/** RFC 9162, section 2.1.4.2. */
export function isConsistent(first: Head, second: Head, consistency: readonly Buffer[]): boolean {
  if (first.size === second.size) return consistency.length === 0 && first.root.equals(second.root);
  let path = [...consistency];
  if (Number.isInteger(Math.log2(first.size))) path = [first.root, ...path];
  let [fn, sn] = [first.size - 1, second.size - 1];
  while ((fn & 1) === 1) [fn, sn] = [fn >> 1, sn >> 1];
  const start = path.shift();
  if (start === undefined) return false;
  let [fr, sr] = [start, start];
  for (const c of path) {
    if (sn === 0) return false;
    if ((fn & 1) === 1 || fn === sn) {
      [fr, sr] = [nodeOf(c, fr), nodeOf(c, sr)];
      while ((fn & 1) === 0 && fn !== 0) [fn, sn] = [fn >> 1, sn >> 1];
    } else {
      sr = nodeOf(sr, c);
    }
    [fn, sn] = [fn >> 1, sn >> 1];
  }
  return sn === 0 && fr.equals(first.root) && sr.equals(second.root);
}

/** tlog-proof: the index and the path, and the checkpoint that they lead to. */
export function readProof(text: string, vkey: string): { index: number; path: Buffer[]; head: Head } {
  const [top = '', ...below] = text.split('\n\n');
  const [header, index = '', ...lines] = top.split('\n');
  require(header === 'c2sp.org/tlog-proof@v1', 'This is no tlog-proof.');
  return {
    index: Number(index.replace('index ', '')),
    path: lines.map((line) => Buffer.from(line, 'base64')),
    head: readCheckpoint(below.join('\n\n'), vkey),
  };
}
