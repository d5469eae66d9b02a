import type { ServerResponse } from 'node:http';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  cosign,
  cosignaturesIn,
  cosignedNote,
  cosignerOf,
} from '../../src/audit/proof-log/format/cosignature.ts';
import { textOfNote } from '../../src/audit/proof-log/format/note.ts';
import { startWitness, type RunningWitness } from '../../src/cli/operations/witness-endpoint.ts';
import { openWitnessStore } from '../../src/container.ts';
import { createSender } from '../../src/dispatch/attempts/sender.ts';
import { requestCosignatures } from '../../src/runtime/witnesses.ts';
import type { WitnessStore } from '../../src/stores/side/witness-port.ts';
import { fill, openLog, signedScene, signLog, type SignedScene } from '../audit/signed-log.ts';
import { receiver } from '../dispatch/receivers.ts';
import { temporaryFolder } from '../support/folder.ts';
import { newSigner } from '../support/note-signer.ts';

const signer = newSigner('witness.example/w1');
const cosigner = cosignerOf(signer);
let scene: SignedScene;

beforeEach(async () => {
  scene = await signedScene(300);
});
afterEach(async () => {
  await scene.system.close();
  scene.folder.remove();
});

/** Lets the job look for a checkpoint so many times. */
async function look(url: string, { rounds = 1, timeoutMs = 5_000 } = {}): Promise<void> {
  const policy = { allowPrivate: true, ownHosts: [] };
  const sender = createSender({ policy, timeoutMs, maximumResponseBytes: 16_384 });
  const stopping = new AbortController();
  let left = rounds;
  const wait = async () => {
    left -= 1;
    if (left === 0) stopping.abort();
    else {
      await fill(scene.system, 5, 1, `more-${left}`);
      await signLog(scene.system, scene.key);
    }
  };
  const progress = { succeeded: () => undefined, failed: () => undefined };
  try {
    const work = requestCosignatures(scene.system, { cosigner, url }, sender, wait);
    await work(stopping.signal, progress, 0);
  } finally {
    await sender.close();
  }
}

const served = async (): Promise<string> => {
  const newest = await scene.system.proofLog.newest();
  if (!newest) throw new Error('nothing was signed');
  return cosignedNote(scene.system.proofLog, newest, [cosigner]);
};

describe('a checkpoint is cosigned', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: WitnessStore;
  let running: RunningWitness;
  beforeEach(async () => {
    folder = temporaryFolder();
    store = await openWitnessStore(folder.path);
    const { verifier } = scene.key;
    const witness = { signer, logs: new Map([[verifier.name, [verifier]]]), store, now: () => new Date() };
    running = await startWitness(witness, { host: '127.0.0.1', port: 0 }, () => undefined);
  });
  afterEach(async () => {
    await running.close();
    await store.close();
    folder.remove();
  });

  it('by a witness that sees it for the first time, and whenever there is a newer one', async () => {
    expect(cosignaturesIn(await served(), [cosigner])).toEqual([]);
    await look(running.address, { rounds: 3 });
    expect(cosignaturesIn(await served(), [cosigner])).toHaveLength(1);
    const { size } = (await scene.system.proofLog.newest()) ?? { size: 0 };
    expect((await store.newest(scene.key.name))?.size).toBe(size);
    expect(await scene.system.proofLog.cosignatures({ limit: 10 })).toHaveLength(3);
  });

  it('after a restart, and after an answer that was lost', async () => {
    await look(running.address);
    // The job knows nothing of what the witness has: it is told.
    await look(running.address);
    await fill(scene.system, 3, 1, 'newer');
    await signLog(scene.system, scene.key);
    await look(running.address);
    expect(cosignaturesIn(await served(), [cosigner])).toHaveLength(1);
  });

  it('only when it continues what the witness has: another tree under the same key is refused and named', async () => {
    await look(running.address);
    const first = scene;
    // The same name and key, and another history.
    const rewritten = await signedScene(20);
    await fill(rewritten.system, 300, 3, 'rewritten');
    await signLog(rewritten.system, first.key);
    scene = { ...rewritten, key: first.key };
    await expect(look(running.address)).rejects.toThrow(
      /^The witness witness\.example\/w1 refuses the checkpoint of 3\d\d entries \(422\): it does not continue/,
    );
    await rewritten.system.close();
    const shorter = { ...(await openLog()), key: first.key };
    await fill(shorter.system, 30);
    await signLog(shorter.system, first.key);
    scene = shorter;
    await expect(look(running.address)).rejects.toThrow(
      /has cosigned 301 entries, and this log has signed \d+ \(409\): the log was cut back/,
    );
    rewritten.folder.remove();
    await first.system.close();
    first.folder.remove();
  });

  it('not by one that does not know the log', async () => {
    await running.close();
    const witness = { signer, logs: new Map(), store, now: () => new Date() };
    running = await startWitness(witness, { host: '127.0.0.1', port: 0 }, () => undefined);
    await expect(look(running.address)).rejects.toThrow(/w1 does not cosign this log \(404\)/);
  });
});

describe('a witness that lies, stalls or answers rubbish is named, and nothing of it is stored', () => {
  const text = async () => textOfNote((await scene.system.proofLog.newest())?.note ?? '');
  const answers: readonly (readonly [string, (response: ServerResponse, text: string) => void, RegExp])[] = [
    ['rubbish', (response) => response.end('rubbish\n'), /a cosignature that is not valid/],
    ['nothing', (response) => response.end(), /a cosignature that is not valid|no cosignature of its key/],
    ['a page', (response) => response.end('<html>\n'), /a cosignature that is not valid/],
    [
      'the cosignature of another tree',
      (response, own) => response.end(cosign(own.replace('\n', '\n9'), signer, 1_000)),
      /a cosignature that is not valid/,
    ],
    [
      'the cosignature of somebody else',
      (response, own) => response.end(cosign(own, newSigner(signer.name), 1_000)),
      /no cosignature of its key/,
    ],
    [
      'too much',
      (response, own) => response.end(cosign(own, signer, 1_000).repeat(2_000)),
      /more than cosignatures/,
    ],
    [
      'a size that it was proved',
      (response) => response.writeHead(409).end('0\n'),
      /which was proved \(409\)/,
    ],
    ['a size that changes', (response) => response.writeHead(409).end('7\n'), /two times/],
    ['a size beyond the log', (response) => response.writeHead(409).end('9999\n'), /was cut back/],
    ['409 without a size', (response) => response.writeHead(409).end('-1'), /409 and no size/],
    ['403', (response) => response.writeHead(403).end(), /does not have the key of this log/],
    ['500', (response) => response.writeHead(500).end('x'.repeat(100_000)), /answers with 500/],
    ['a redirect', (response) => response.writeHead(302, { location: '/x' }).end(), /answers with 302/],
    ['nothing at all', () => undefined, /cannot be reached: .* did not answer within 0\.5 s/],
    ['a connection that is cut', (response) => response.destroy(), /cannot be reached/],
  ];
  it.each(answers)('%s', async (_, answer, why) => {
    const own = await text();
    await using at = await receiver((response) => answer(response, own));
    const failed = look(at.url.replace(/\/$/, ''), { timeoutMs: 500 });
    await expect(failed).rejects.toThrow(/^The witness witness\.example\/w1 /);
    await expect(failed).rejects.toThrow(why);
    expect(await scene.system.proofLog.cosignatures({ limit: 10 })).toEqual([]);
    expect(await served()).toBe((await scene.system.proofLog.newest())?.note);
  });
});

describe('what is served', () => {
  const stranger = newSigner('stranger.example/w2');
  it('has no line of a witness that is not named, and none that was changed in the store', async () => {
    const { proofLog } = scene.system;
    const newest = await proofLog.newest();
    const { size = 0, note = '' } = newest ?? {};
    const own = textOfNote(note);
    const valid = cosign(own, signer, 1_000);
    await proofLog.addCosignatures([
      { size, cosigner: 'a', line: cosign(own, stranger, 1_000) },
      { size, cosigner: 'b', line: valid },
      { size, cosigner: 'c', line: cosign(own.replace('\n', '\n1'), signer, 2_000) },
      { size, cosigner: 'd', line: 'rubbish\n\n— x\n' },
    ]);
    expect(await served()).toBe(note + valid);
  });
});
