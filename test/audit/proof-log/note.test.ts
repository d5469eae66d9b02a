import { createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  openCheckpoint,
  parseCheckpoint,
  signCheckpoint,
} from '../../../src/audit/proof-log/format/checkpoint.ts';
import { leafHash } from '../../../src/audit/proof-log/entry.ts';
import { emptyRoot, nodeHash } from '../../../src/audit/proof-log/format/merkle.ts';
import {
  isKeyName,
  openNote,
  parseVkey,
  signNote,
  verifierOf,
  vkeyOf,
} from '../../../src/audit/proof-log/format/note.ts';
import { formatTlogProof } from '../../../src/audit/proof-log/format/tlog-proof.ts';
import { parseTlogProof, verifyTlogProof } from '../../support/tlog-proof.ts';

/** Keys and a note published with Go's package golang.org/x/mod/sumdb/note. */
const goVkey = 'PeterNeumann+c74f20a3+ARpc2QcUPDhMQegwxbzhKqiBfsVkmqq/LDE4izWy10TW';
const goKey = 'AYEKFALVFGyNhPJEMzD1QIDr+Y7hfZx09iUvxdXHKDFz';
const goNote =
  "If you think cryptography is the answer to your problem,\nthen you don't know what your problem is.\n\n— PeterNeumann x08go/ZJkuBS9UG/SffcvIAQxVBtiFupLLr8pAcElZInNIuGUgYN1FFYC2pZSNXgKvqfqdngotpRZb6KE6RyyBwJnAM=\n";

const newKey = (): KeyObject => generateKeyPairSync('ed25519').privateKey;
const signer = { name: 'directory.example/audit/log', privateKey: newKey() };
const verifier = verifierOf(signer);

describe('a signed note', () => {
  it('of Go is opened with its vkey, which is read and written', () => {
    const known = parseVkey(goVkey);
    expect(vkeyOf(known)).toBe(goVkey);
    expect(openNote(goNote, [known])).toBe(goNote.slice(0, goNote.indexOf('\n\n') + 1));
  });

  it('is signed byte for byte as Go signs it', () => {
    const vkeyBytes = Buffer.from(goVkey.split('+').slice(2).join('+'), 'base64').subarray(1);
    const privateKey = createPrivateKey({
      key: {
        kty: 'OKP',
        crv: 'Ed25519',
        d: Buffer.from(goKey, 'base64').subarray(1).toString('base64url'),
        x: vkeyBytes.toString('base64url'),
      },
      format: 'jwk',
    });
    expect(signNote(goNote.slice(0, goNote.indexOf('\n\n') + 1), { name: 'PeterNeumann', privateKey })).toBe(
      goNote,
    );
  });

  it('is opened beside signatures of unknown keys, also of the same name or id', () => {
    const other = signNote('text\n', { name: signer.name, privateKey: newKey() }).split('\n\n')[1] ?? '';
    const note = signNote('text\n', signer);
    expect(openNote(note + other, [verifier])).toBe('text\n');
    expect(openNote(note.replace('\n\n', `\n\n${other}`), [verifier])).toBe('text\n');
  });

  it('may have empty lines in its text', () => {
    expect(openNote(signNote('one\n\n\ntwo\n', signer), [verifier])).toBe('one\n\n\ntwo\n');
  });

  it('is refused when a character of its text or signature is changed', () => {
    const note = signNote('a text that is signed\n', signer);
    fc.assert(
      fc.property(
        fc.nat(note.length - 1),
        fc.constantFrom('x', 'Y', '\n', '+', '\u2014', ''),
        (at, character) => {
          fc.pre(note[at] !== character);
          expect(() => openNote(note.slice(0, at) + character + note.slice(at + 1), [verifier])).toThrow();
        },
      ),
      { numRuns: 500 },
    );
  });

  it('of a stranger is refused by the names of both keys', () => {
    const stranger = { name: 'stranger.example', privateKey: newKey() };
    expect(() => openNote(signNote('text\n', stranger), [verifier])).toThrow(
      /^The note is signed by stranger\.example\+[0-9a-f]{8}, not by directory\.example\/audit\/log\+[0-9a-f]{8}\.$/,
    );
  });

  it.each([
    ['no signature', 'text\n\n'],
    ['no empty line', 'text\n— a b\n'],
    ['a control character', 'te\u0001xt\n\n— a AAAAAAAA\n'],
    ['a signature that is too short', 'text\n\n— a AAAA\n'],
    ['a signature that is no base64', 'text\n\n— a ????????\n'],
    ['a name with a plus', 'text\n\n— a+b AAAAAAAA\n'],
    ['too many signatures', `text\n\n${'— a AAAAAAAA\n'.repeat(101)}`],
  ])('with %s is refused', (_, note) => {
    expect(() => openNote(note, [verifier])).toThrow(/note/);
  });
});

describe('a vkey', () => {
  it.each([
    ['nothing', '', /written name\+hash\+key/],
    ['another hash', goVkey.replace('c74f20a3', 'c74f20a4'), /hash.*does not fit/],
    ['another name', goVkey.replace('Peter', 'Paul'), /hash.*does not fit/],
    ['a kind of key that is not Ed25519', 'a+01020304+AgEC', /not an Ed25519 key/],
    ['a key cut short', goVkey.slice(0, -4), /not an Ed25519 key/],
  ])('with %s is refused', (_, vkey, why) => {
    expect(() => parseVkey(vkey)).toThrow(why);
  });

  it('has a name without spaces, plus and control characters', () => {
    expect(['example.com/audit/log', 'a', '127.0.0.1:3000/x'].every(isKeyName)).toBe(true);
    expect(['', 'a b', 'a+b', 'a\u00a0b', 'a\u0085', '\ud800', 'a\nb'].some(isKeyName)).toBe(false);
  });
});

describe('a checkpoint', () => {
  it('is a note of origin, size and root', () => {
    const note = signCheckpoint({ size: 0, root: emptyRoot }, signer);
    expect(note).toMatch(
      /^directory\.example\/audit\/log\n0\n47DEQpj8HBSa\+\/TImW\+5JCeuQeRkm5NMpJWZG3hSuFU=\n\n— directory\.example\/audit\/log [0-9A-Za-z+/=]+\n$/,
    );
    expect(openCheckpoint(note, verifier)).toEqual({ origin: signer.name, size: 0, root: emptyRoot });
  });

  it('of a stranger is refused, also under our name or for another log', () => {
    const stranger = { name: signer.name, privateKey: newKey() };
    expect(() => openCheckpoint(signCheckpoint({ size: 1, root: emptyRoot }, stranger), verifier)).toThrow(
      /signed by directory\.example\/audit\/log\+[0-9a-f]{8}, not by directory/,
    );
    const elsewhere = signNote(`other.example\n1\n${emptyRoot.toString('base64')}\n`, signer);
    expect(() => openCheckpoint(elsewhere, verifier)).toThrow(
      /is of other\.example, not of directory\.example/,
    );
  });

  it.each([
    ['no root', 'a\n1\n'],
    ['a size with a zero before it', `a\n01\n${emptyRoot.toString('base64')}\n`],
    ['a size beyond what can be counted', `a\n9007199254740993\n${emptyRoot.toString('base64')}\n`],
    ['a root that is too short', 'a\n1\nAAAA\n'],
    ['no name', `\n1\n${emptyRoot.toString('base64')}\n`],
    ['an empty line at its end', `a\n1\n${emptyRoot.toString('base64')}\n\n`],
  ])('with %s is refused', (_, text) => {
    expect(() => parseCheckpoint(text)).toThrow(/not a checkpoint/);
  });

  it('may have further lines', () => {
    expect(parseCheckpoint(`a\n1\n${emptyRoot.toString('base64')}\nmore\n`).size).toBe(1);
  });
});

describe('a tlog-proof', () => {
  const [one, two] = [leafHash(Buffer.from('one')), leafHash(Buffer.from('two'))];
  const checkpoint = signCheckpoint({ size: 2, root: nodeHash(one, two) }, signer);
  const text = formatTlogProof({ index: 1, hashes: [one], checkpoint });

  it('is written as C2SP says, and checked with nothing but the vkey', () => {
    expect(text).toBe(`c2sp.org/tlog-proof@v1\nindex 1\n${one.toString('base64')}\n\n${checkpoint}`);
    const proof = parseTlogProof(text);
    expect(verifyTlogProof(proof, two, parseVkey(vkeyOf(verifier))).size).toBe(2);
    expect(() => verifyTlogProof(proof, one, verifier)).toThrow(/Leaf 1 is not what/);
  });

  it('may carry extra data, and needs no hashes in a tree of one leaf', () => {
    const single = signCheckpoint({ size: 1, root: one }, signer);
    const proof = parseTlogProof(`c2sp.org/tlog-proof@v1\nextra YQ==\nindex 0\n\n${single}`);
    expect(verifyTlogProof(proof, one, verifier).size).toBe(1);
  });

  it.each([
    ['another header', text.replace('@v1', '@v2')],
    ['no index', text.replace('index 1\n', '')],
    ['an index with a zero before it', text.replace('index 1', 'index 01')],
    ['a hash that is too short', text.replace(one.toString('base64'), 'AAAA')],
    ['nothing', ''],
  ])('with %s is refused', (_, changed) => {
    expect(() => parseTlogProof(changed)).toThrow(/not a proof in the form/);
  });
});
