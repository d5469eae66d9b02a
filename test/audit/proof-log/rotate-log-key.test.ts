import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { openCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import {
  logKey,
  logKeyEntry,
  publishedKey,
  readLogKey,
  type LogKey,
} from '../../../src/audit/proof-log/format/log-key.ts';
import { parseVkey } from '../../../src/audit/proof-log/format/note.ts';
import { rotateLogKey, tendLogKey } from '../../../src/audit/proof-log/rotate-log-key.ts';
import { Signer } from '../../../src/audit/proof-log/signer.ts';
import { verifyKept } from '../../../src/audit/verify/kept-checkpoints.ts';
import { verifyStore } from '../../../src/audit/verify/verify-store.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import type { Leases } from '../../../src/stores/leases/port.ts';
import { fill, signedScene, signLog, type SignedScene } from '../signed-log.ts';
import { readCheckpoint } from './independent-verifier.ts';

const day = 86_400_000;
const start = new Date('2026-03-01T00:00:00.000Z');
const after = (days: number) => new Date(start.getTime() + days * day);
const actor = { kind: 'system', id: 'test' } as const;

let scene: SignedScene;
let signer: Signer;
/** Of the tree that was signed before. */
let size: number;

beforeEach(async () => {
  scene = await signedScene(30);
  const { store, proofLog } = scene.system;
  size = (await proofLog.newest())?.size ?? 0;
  signer = await Signer.open({ store, proofLog, key: scene.key, epoch: 1 });
});
afterEach(async () => {
  await scene.system.close();
  scene.folder.remove();
});

const rotate = (days: number, at = start, id = randomUUID()) =>
  rotateLogKey(scene.system, { overlapMs: days * day }, { actor, commandId: id, at });

/** As the job does it: looks after the keys, and signs what is new. */
async function sign(at: Date): Promise<string> {
  signer.use((await tendLogKey(scene.system, at)) as LogKey);
  await fill(scene.system, 1, 1, `more-${randomUUID()}`);
  await signer.grow(() => at);
  return (await signer.sign(at))?.note ?? '';
}

const verify = async () => {
  const { store, proofLog, vault } = scene.system;
  const { findings } = await verifyStore({ store, proofLog, verifier: (await logKey(vault)) as LogKey });
  return findings.map(({ sentence }) => sentence);
};

const recorded = async () =>
  (await scene.system.store.readAll({ after: beginning, limit: 1_000 })).events.filter(
    ({ type }) => type === 'ProofLogKeyRotated',
  );

describe('a rotated key', () => {
  it('signs beside the former one until its time has ended, and then alone', async () => {
    const old = scene.key.vkey;
    const before = (await scene.system.proofLog.newest())?.note ?? '';
    const { vkey } = await rotate(30);
    expect(vkey).not.toBe(old);
    const both = await sign(after(1));
    const stillBoth = await sign(after(29));
    const alone = await sign(after(30));
    for (const note of [both, stillBoth]) {
      expect(openCheckpoint(note, parseVkey(old)).size).toBe(openCheckpoint(note, parseVkey(vkey)).size);
      expect(readCheckpoint(note, old)).toEqual(readCheckpoint(note, vkey));
    }
    expect(openCheckpoint(alone, parseVkey(vkey)).origin).toBe(scene.key.name);
    expect(() => openCheckpoint(alone, parseVkey(old))).toThrow(/is signed by .*, not by /);
    expect(() => openCheckpoint(before, parseVkey(vkey))).toThrow(/is signed by .*, not by /);
    expect(await verify()).toEqual([]);
  });

  it('is recorded by its public half alone, and the former private key is destroyed', async () => {
    const old = (await readLogKey(scene.system.vault))?.pkcs8 ?? '';
    const { vkey } = await rotate(30);
    const [event, ...others] = await recorded();
    expect(others).toEqual([]);
    expect(event?.data).toEqual({
      installation: await scene.system.installation.ensureId(),
      vkey,
      former: [scene.key.vkey],
      until: after(30).toISOString(),
    });
    const held = async () => Buffer.from((await scene.system.vault.get(logKeyEntry)) ?? []).toString();
    expect(await held()).toContain(old);
    await sign(after(1));
    expect(await held()).toContain(old);
    await sign(after(30));
    expect(await held()).not.toContain(old);
    expect((await logKey(scene.system.vault))?.keys).toMatchObject([
      { vkey, from: start.toISOString(), until: undefined, after: size },
      { vkey: scene.key.vkey, from: undefined, until: after(30).toISOString() },
    ]);
  });

  it('is published when the newest checkpoint has its signature', async () => {
    const published = async () =>
      publishedKey((await logKey(scene.system.vault)) as LogKey, await scene.system.proofLog.newest()).vkey;
    const { vkey } = await rotate(30);
    expect(await published()).toBe(scene.key.vkey);
    await sign(after(1));
    expect(await published()).toBe(vkey);
  });

  it('ends the former ones with the next checkpoint when one has leaked, also while an earlier rotation lasts', async () => {
    const second = await rotate(30);
    await sign(after(1));
    const third = await rotate(0, after(2));
    const note = await sign(after(2));
    expect(openCheckpoint(note, third.verifier).size).toBeGreaterThan(size);
    for (const key of [scene.key.verifier, second.verifier])
      expect(() => openCheckpoint(note, key)).toThrow(/not by/);
    expect(await verify()).toEqual([]);
    // Whoever has the leaked key can sign, and nobody who has the keys of the log believes it.
    await fill(scene.system, 3, 1, 'later');
    await signLog(scene.system, scene.key);
    expect(await verify()).toEqual([
      expect.stringMatching(
        /^The checkpoint of \d+ entries is not valid\. The note is signed by \S+, not by \S+\.$/,
      ) as string,
    ]);
    const forged = (await scene.system.proofLog.newest())?.note ?? '';
    const keys = (await logKey(scene.system.vault)) as LogKey;
    const kept = { text: `${forged}\n`, name: 'kept.txt' };
    const compared = await verifyKept(kept, { verifier: keys, cosigners: [] }, scene.system.proofLog);
    const [finding] = compared.findings;
    expect(finding?.sentence).toMatch(/cannot be compared\. The note is signed by/);
  });

  it('does not count for trees that were signed before it', async () => {
    const { verifier } = await rotate(30);
    await sign(after(1));
    const keys = (await logKey(scene.system.vault)) as LogKey;
    const [newest, former] = keys.keys;
    expect([newest?.after, newest?.upTo, former?.after, former?.upTo]).toEqual([
      size,
      Infinity,
      -1,
      Infinity,
    ]);
    const signedByNew = { ...keys, keys: [{ verifier, after: size, upTo: Infinity }] };
    const early = (await scene.system.proofLog.checkpoints({ limit: 1 }))[0]?.note ?? '';
    expect(() => openCheckpoint(early, signedByNew)).toThrow(/not by/);
  });
});

describe('a rotation that is killed', () => {
  it('before its record goes on with the same key, and is recorded once', async () => {
    const failing = {
      ...scene.system,
      store: { ...scene.system.store, append: () => Promise.reject(new Error('killed')) },
    } as unknown as SignedScene['system'];
    const id = randomUUID();
    await expect(
      rotateLogKey(failing, { overlapMs: 30 * day }, { actor, commandId: id, at: start }),
    ).rejects.toThrow();
    const stored = (await logKey(scene.system.vault)) as LogKey;
    expect(stored.vkey).not.toBe(scene.key.vkey);
    expect(await recorded()).toEqual([]);
    const again = await rotate(30, after(1));
    expect(again.vkey).toBe(stored.vkey);
    expect(await recorded()).toHaveLength(1);
    await sign(after(1));
    expect(await recorded()).toHaveLength(1);
    expect(await verify()).toEqual([]);
  });

  it('is recorded by the signer when nobody repeats it', async () => {
    const broken = { ...scene.system, installation: { ensureId: () => Promise.reject(new Error('killed')) } };
    await expect(
      rotateLogKey(broken, { overlapMs: 0 }, { actor, commandId: randomUUID(), at: start }),
    ).rejects.toThrow('killed');
    const note = await sign(after(0));
    expect(await recorded()).toHaveLength(1);
    expect(() => openCheckpoint(note, scene.key.verifier)).toThrow(/not by/);
    expect((await readLogKey(scene.system.vault))?.unrecorded).toBeUndefined();
    expect(await verify()).toEqual([]);
  });

  it('is refused while another one changes the key', async () => {
    const lease = await scene.system.leases.tryAcquire('proof-log-key');
    const leases = { acquire: () => Promise.resolve(undefined) };
    await expect(
      rotateLogKey(
        { ...scene.system, leases: Object.assign(Object.create(scene.system.leases) as Leases, leases) },
        { overlapMs: 0 },
        { actor, commandId: randomUUID(), at: start },
      ),
    ).rejects.toThrow('Somebody else changes the key; try again.');
    // The signer goes on meanwhile with what it has.
    expect((await tendLogKey(scene.system, start))?.vkey).toBe(scene.key.vkey);
    await lease?.release();
  });
});
