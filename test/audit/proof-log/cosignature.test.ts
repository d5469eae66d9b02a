import { createPrivateKey } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import {
  cosign,
  cosignaturesIn,
  cosignerOf,
  cosignerVkey,
  parseCosigner,
  validCosignature,
} from '../../../src/audit/proof-log/format/cosignature.ts';
import { parseVkey, signNote, vkeyOf } from '../../../src/audit/proof-log/format/note.ts';
import { newSigner } from '../../support/note-signer.ts';

/**
 * A checkpoint that a device of the Armored Witness has cosigned, from the README of transparency-dev/distributor, and the
 * device's key, from transparency-dev/armored-witness (devices/prod).
 */
const deviceKey = 'ArmoredWitness-floral-sky+c7cf0b6d+BOkCmTmKTTnQMNqIigkj7PFnhogawSJD23PJ8M8qLYDm';
const deviceNote = `transparency.dev/armored-witness/firmware_transparency/ci/3
59
kOFMkeamIdrYFLx5zbWFhflak6dlEEDOU++fxYEZMBw=

— transparency.dev-aw-ftlog-ci-3 P2iVIt3Jsaha3E2i0MHdKZ6fgYJTgXO86nUsxKPVq6uTwRSclTSh/ELnDGbNL+XDyD3EkWIdL2AGGNmbN7IN2rB/7gE=
— ArmoredWitness-weathered-rain CnjfIAAAAABnGRrHjQi7IZQqVea4YnU/ADsv844r1ezGjvubUy1MMJm4as9bRiT70xNWQ67RCA76LMy7SdX4qJNIzL3eSS1BGFWqCw==
— ArmoredWitness-floral-sky x88LbQAAAABnGRrDEq4Tfy7IIVPqkdXbcufUkCzRRbE3fABZ/jvtg5aFHVMuMR8cV6dVqECDBiH1zRxhNaCQOXSwNLSeJs+NzWt1BA==
`;

/** The key of a witness in transparency-dev/tessera, internal/witness/client_test.go, and its private half. */
const goVkey = 'Wit2+112f0455+BCy8NYvyk7N1dkxNxgrI3YAJzQDc0FIfs0q7q8U/cwOF';
const goSeed = 'SWI6XB1l1/fPORsXVxCbMvxfrvh7bXtYkNNlD1NYe2H';

const text = 'example.com/behind-the-sofa\n20852163\nCsUYapGGPo4dkMgIAUqom/Xajj7h2fB2MPA3j2jxq2I=\n';

const signer = newSigner('witness.example/w1');
const cosigner = cosignerOf(signer);

describe('a cosignature', () => {
  it('of an Armored Witness is verified, with its time', () => {
    const device = parseCosigner(deviceKey);
    expect(vkeyOf(device)).toBe(deviceKey);
    const [found, ...more] = cosignaturesIn(deviceNote, [device, cosigner]);
    expect(more).toEqual([]);
    expect(found?.cosigner).toBe(device);
    expect(new Date((found?.at ?? 0) * 1_000).toISOString()).toBe('2024-10-23T15:48:19.000Z');
    expect(deviceNote.endsWith(found?.line ?? '-')).toBe(true);
  });

  it.each([
    ['the size', '\n59\n', '\n60\n'],
    ['the root', 'kOFM', 'kOFN'],
    ['the time', 'ABnGRrDEq', 'ABnGRrEEq'],
    ['the signature', 's+NzWt1BA==', 's+NzWt1CA=='],
  ])('of an Armored Witness does not fit when %s was changed', (_, from, to) => {
    const after = deviceNote.replace(from, to);
    expect(after).not.toBe(deviceNote);
    expect(() => cosignaturesIn(after, [parseCosigner(deviceKey)])).toThrow(/cosignature of .* is wrong/);
  });

  it('has the key that Go derives from the same seed', () => {
    const pkcs8 = Buffer.concat([
      Buffer.from('302e020100300506032b657004220420', 'hex'),
      Buffer.from(`A${goSeed}`, 'base64').subarray(1),
    ]);
    const privateKey = createPrivateKey({ key: pkcs8, format: 'der', type: 'pkcs8' });
    expect(cosignerVkey({ name: 'Wit2', privateKey })).toBe(goVkey);
  });

  it('is verified with a key that was published as one for notes', () => {
    // The first vkey of TestCoSigV1NewVerifier in transparency-dev/formats, note/note_cosigv1_test.go.
    const published = 'TEST+7997405c+AQcC+FTVKf0jlTdHDY3rbevmnKxxPjigCXlVtGe6RIr6';
    expect(parseCosigner(published)).toMatchObject({ name: 'TEST', type: 4 });
    const device = 'ArmoredWitness-floral-sky+504ec40f+AekCmTmKTTnQMNqIigkj7PFnhogawSJD23PJ8M8qLYDm';
    expect(vkeyOf(parseCosigner(device))).toBe(deviceKey);
  });

  it('that is made here is verified, and of several of one cosigner the newest', () => {
    const log = newSigner('example.com/behind-the-sofa');
    const note = signNote(text, log) + [30, 50, 40].map((at) => cosign(text, signer, at)).join('');
    expect(cosignaturesIn(note, [cosigner])).toEqual([{ cosigner, line: cosign(text, signer, 50), at: 50 }]);
    expect(cosignaturesIn(note, [cosignerOf(newSigner(signer.name))])).toEqual([]);
    expect(validCosignature(note, cosign(text, signer, 7), [cosigner])?.at).toBe(7);
  });

  it('is none without a time, of another length, or in a line of rubbish', () => {
    const log = newSigner('example.com/behind-the-sofa');
    const note = signNote(text, log);
    expect(validCosignature(note, cosign(text, signer, 0), [cosigner])).toBeUndefined();
    const short = `— ${signer.name} ${Buffer.concat([cosigner.id, Buffer.alloc(40)]).toString('base64')}\n`;
    expect(validCosignature(note, short, [cosigner])).toBeUndefined();
    expect(validCosignature(note, 'rubbish\n', [cosigner])).toBeUndefined();
    expect(() => cosignaturesIn(note + short, [cosigner])).toThrow(/is wrong/);
  });

  it('has keys of its own: a log is not verified with them, and no other type is read', () => {
    expect(() => parseVkey(goVkey)).toThrow(/is that of a witness/);
    expect(() => parseCosigner(goVkey.replace('112f0455', '112f0456'))).toThrow(/does not fit/);
    expect(() => parseCosigner('rekor.sigstore.dev+12345678+AwEB')).toThrow(/not an Ed25519 key/);
  });
});
