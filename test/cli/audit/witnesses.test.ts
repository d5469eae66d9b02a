import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import {
  cosign,
  cosignerId,
  cosignerOf,
  cosignerVkey,
} from '../../../src/audit/proof-log/format/cosignature.ts';
import { textOfNote, vkeyOf, type NoteSigner } from '../../../src/audit/proof-log/format/note.ts';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import type { SignedTree } from '../../../src/stores/side/proof-log-port.ts';
import { fill, openLog, signedScene, signLog, type SignedScene } from '../../audit/signed-log.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { newSigner } from '../../support/note-signer.ts';

const one = newSigner('one.example/w');
const two = newSigner('two.example/w');
const three = newSigner('three.example/w');
const keys = [one, two, three].map(cosignerVkey);

describe('verify counts the witnesses', () => {
  let scene: SignedScene;
  let trees: readonly SignedTree[];
  const run = (...words: readonly string[]) => runCommandLine(['verify', ...words], scene.folder.path);
  const named = (...words: readonly string[]) => run('--witness', ...keys, ...words);
  const add = (tree: SignedTree | undefined, signer: NoteSigner, text?: string) =>
    scene.system.proofLog.addCosignatures([
      {
        size: tree?.size ?? 0,
        cosigner: cosignerId(cosignerOf(signer)),
        line: cosign(text ?? textOfNote(tree?.note ?? ''), signer, 1_000),
      },
    ]);

  beforeAll(async () => {
    scene = await signedScene(100);
    trees = await scene.system.proofLog.checkpoints({ limit: 10 });
  });
  afterAll(async () => {
    await scene.system.close();
    scene.folder.remove();
  });

  test('nobody, as long as none is named', async () => {
    const verified = await run();
    expect(verified).toMatchObject({ code: 0 });
    expect(verified.stdout).not.toContain('witness');
  });

  test('too few: names how many must, and what to do', async () => {
    await add(trees.at(-1), one);
    const few = await named();
    expect(few).toMatchObject({ code: 1 });
    expect(few.stdout).toMatch(
      /No checkpoint is cosigned by enough witnesses; 2 of 3 witnesses must\. Run "commonweal status"/,
    );
    expect(await named('--quorum', '1')).toMatchObject({ code: 0 });
  });

  test('enough: says how many', async () => {
    await add(trees.at(-1), two);
    const enough = await named();
    expect(enough).toMatchObject({ code: 0 });
    expect(enough.stdout).toContain(
      '2 of 3 witnesses (2 needed) have cosigned its checkpoint of 101 entries.',
    );
    const json = await named('--json');
    expect(JSON.parse(json.stdout)).toMatchObject({
      witnesses: { cosigned: 2, of: 3, quorum: 2, size: 101 },
    });
  });

  test('with those of the settings', async () => {
    const WITNESSES = keys.map((key, n) => `${key} https://w${n}.example`).join(',');
    const at = (settings: Record<string, string>) =>
      runCommandLine(['verify'], scene.folder.path, { WITNESSES, ...settings });
    expect(await at({})).toMatchObject({ code: 0 });
    expect(await at({ WITNESS_QUORUM: '3' })).toMatchObject({ code: 1 });
    const status = await runCommandLine(['audit', 'log', 'status'], scene.folder.path, { WITNESSES });
    expect(status.stdout).toContain('Witnesses:   2 of 3 have cosigned it, 2 must\n');
  });

  test('none since an hour: it is a finding only then', async () => {
    const { proofLog } = scene.system;
    await fill(scene.system, 5, 1, 'later');
    await signLog(scene.system, scene.key);
    // The witnesses had no time yet.
    expect(await named()).toMatchObject({ code: 0 });
    await fill(scene.system, 5, 1, 'much-later');
    const newest = await proofLog.newest();
    const adding = proofLog.add.bind(proofLog);
    proofLog.add = (tree, options) => adding({ ...tree, signedAt: '2026-01-31T02:00:00.000Z' }, options);
    await signLog(scene.system, scene.key);
    proofLog.add = adding;
    expect(newest?.signedAt).toBe('2026-01-31T00:00:00.000Z');
    const late = await named();
    expect(late).toMatchObject({ code: 1 });
    expect(late.stdout).toMatch(
      /The newest checkpoint that enough witnesses have cosigned is of 101 entries, of 111; .* None since 2026-01-31T00/,
    );
  });

  test('not a cosignature of another tree, or of one that is not there', async () => {
    const own = textOfNote(trees[0]?.note ?? '');
    await add(trees[0], three, own.replace(/\n(\d+)\n/, '\n1$1\n'));
    await scene.system.proofLog.addCosignatures([
      { size: 77, cosigner: cosignerId(cosignerOf(three)), line: cosign(own, three, 1_000) },
    ]);
    const wrong = await named();
    expect(wrong).toMatchObject({ code: 1 });
    expect(wrong.stdout).toContain(
      'The cosignature of three.example/w is not one of the checkpoint of 10 entries',
    );
    expect(wrong.stdout).toContain(
      'The witness three.example/w has cosigned a checkpoint of 77 entries, and there is none of that size',
    );
    // Those of others are not looked at.
    expect((await run('--witness', keys[0] ?? '')).stdout).not.toContain('three.example');
  });

  test('and refuses words that mean nothing', async () => {
    for (const [words, why] of [
      [['--quorum', '1'], /^--quorum: belongs to --witness/],
      [['--witness', ...keys, '--quorum', '4'], /^--quorum: is 4, and there are 3 witnesses/],
      [['--witness', 'none'], /^--witness: A verifier key/],
      [['--witness', keys[0] ?? '', keys[0] ?? ''], /^--witness: names a witness twice/],
      [['--checkpoint', join(scene.folder.path, 'none')], /^--checkpoint: ENOENT/],
      [['--checkpoint', 'x', '--export', 'y', '--vkey', keys[0] ?? ''], /^--/],
    ] as const)
      expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) as string });
  });
});

describe('verify compares with checkpoints that others have kept', () => {
  let scene: SignedScene;
  let other: SignedScene;
  beforeAll(async () => {
    [scene, other] = [await signedScene(60), await signedScene(80)];
  });
  afterAll(async () => {
    for (const { system, folder } of [scene, other]) {
      await system.close();
      folder.remove();
    }
  });
  const verify = async (text: string) => {
    const file = join(scene.folder.path, 'kept.txt');
    writeFileSync(file, text);
    return runCommandLine(['verify', '--checkpoint', file], scene.folder.path);
  };
  const notes = async ({ system }: SignedScene) =>
    (await system.proofLog.checkpoints({ limit: 10 })).map(({ note }) => note);

  test('one, and a file of several as they are pushed', async () => {
    const own = await notes(scene);
    expect(own.length).toBeGreaterThan(1);
    for (const text of [own[0] ?? '', own.map((note) => `${note}\n`).join('')]) {
      const verified = await verify(text);
      expect(verified).toMatchObject({ code: 0 });
      expect(verified.stdout).toContain('are of this log.');
    }
  });

  test('of another history under the same key, which is named, also among others', async () => {
    const forged = signCheckpoint({ size: 30, root: Buffer.alloc(32, 7) }, scene.key);
    const named = await verify(`${(await notes(scene))[0] ?? ''}\n${forged}`);
    expect(named).toMatchObject({ code: 1 });
    expect(named.stdout).toMatch(
      /The checkpoint of 30 entries in \S+, signed by directory\.example\.org\/audit\/log, is not one of this log/,
    );
    const beyond = signCheckpoint({ size: 3_000, root: Buffer.alloc(32, 7) }, scene.key);
    expect((await verify(beyond)).stdout).toContain('is of more than this log has signed');
  });

  test('of a log that was emptied, or is none', async () => {
    const { folder, system } = await openLog();
    await system.close();
    const file = join(scene.folder.path, 'kept.txt');
    writeFileSync(file, (await notes(scene))[0] ?? '');
    const bare = temporaryFolder();
    for (const { path } of [folder, bare]) {
      const emptied = await openSystem(readConfig({ DATA_DIR: path }));
      await emptied.store.head();
      await emptied.close();
      const vkey = ['--vkey', vkeyOf(scene.key.verifier)];
      const named = await runCommandLine(['verify', '--checkpoint', file, ...vkey], path);
      expect(named).toMatchObject({ code: 1 });
      expect(named.stdout).toMatch(/is of more than this log has signed, 0: the log was cut back/);
    }
    const withoutKey = await runCommandLine(['verify', '--checkpoint', file], bare.path);
    expect(withoutKey).toMatchObject({ code: 1 });
    expect(withoutKey.stdout).toContain('it has no key, so it was lost or begun anew');
    folder.remove();
    bare.remove();
  });

  test('not when nobody signed them who is known, or they are none', async () => {
    const [stranger = ''] = await notes(other);
    expect((await verify(stranger)).stdout).toMatch(/cannot be compared\. The note is signed by/);
    expect((await verify('rubbish')).stdout).toMatch(/cannot be compared\. This is not a signed note/);
    expect((await verify('')).stdout).toContain('holds no checkpoint.');
  });
});
