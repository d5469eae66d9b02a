import { hash } from 'node:crypto';
import { readdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { request as httpRequest } from 'node:http';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { logsOfVkeys, type Witness } from '../../../src/audit/proof-log/format/add-checkpoint.ts';
import { signCheckpoint } from '../../../src/audit/proof-log/format/checkpoint.ts';
import { cosignaturesIn, cosignerOf } from '../../../src/audit/proof-log/format/cosignature.ts';
import { leafHash } from '../../../src/audit/proof-log/entry.ts';
import { emptyRoot, nodeHash } from '../../../src/audit/proof-log/format/merkle.ts';
import { verifierOf, vkeyOf } from '../../../src/audit/proof-log/format/note.ts';
import { startWitness, type RunningWitness } from '../../../src/cli/operations/witness-endpoint.ts';
import { witnessKey } from '../../../src/cli/operations/witness-key.ts';
import { openWitnessStore } from '../../../src/container.ts';
import type { WitnessStore } from '../../../src/stores/side/witness-port.ts';
import { litewitnessLog, litewitnessRequests } from '../../fixtures/litewitness.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { newSigner } from '../../support/note-signer.ts';

const vkeyOfLitewitnessLog = (): string => {
  const key = Buffer.concat([Buffer.of(1), Buffer.from(litewitnessLog.key, 'hex')]);
  const id = hash('sha256', Buffer.concat([Buffer.from(`${litewitnessLog.origin}\n`), key]), 'hex').slice(
    0,
    8,
  );
  return `${litewitnessLog.origin}+${id}+${key.toString('base64')}`;
};

const name = 'witness.example/w1';
const log = newSigner('directory.example/audit/log');
const leaves = Array.from({ length: 4 }, (_, n) => leafHash(Buffer.from(`entry ${n}`)));
const [first, second, third] = leaves as [Buffer, Buffer, Buffer, Buffer];
const note = (size: number, root: Buffer) => signCheckpoint({ size, root }, log);
const ofTwo = note(2, nodeHash(first, second));
const body = (old: number, proof: readonly Buffer[], checkpoint: string) =>
  [`old ${old}`, ...proof.map((each) => each.toString('base64')), '', checkpoint].join('\n');

describe('a witness', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let store: WitnessStore;
  let witness: Witness;
  let running: RunningWitness;
  const faults: string[] = [];

  const open = async () => {
    store = await openWitnessStore(folder.path);
    witness = {
      signer: witnessKey(folder.path, name),
      logs: logsOfVkeys([vkeyOfLitewitnessLog(), vkeyOf(verifierOf(log))]),
      store,
      now: () => new Date('2026-11-28T12:00:00Z'),
    };
    running = await startWitness(witness, { host: '127.0.0.1', port: 0 }, (why) => faults.push(why));
  };
  const close = async () => {
    await running.close();
    await store.close();
  };
  const add = async (text: string | Uint8Array<ArrayBuffer>) => {
    const answer = await fetch(`${running.address}/add-checkpoint`, { method: 'POST', body: text });
    return { status: answer.status, body: await answer.text(), type: answer.headers.get('content-type') };
  };

  beforeEach(async () => {
    folder = temporaryFolder();
    faults.length = 0;
    witnessKey(folder.path, name);
    await open();
  });
  afterEach(async () => {
    await close();
    folder.remove();
  });

  it('answers the requests of the tests of litewitness as it does', async () => {
    for (const { request, status, body: expected } of litewitnessRequests) {
      const answer = await add(request);
      expect([answer.status, answer.body]).toEqual([status, expected ?? expect.any(String)]);
      if (status === 409) expect(answer.type).toBe('text/x.tlog.size');
      if (status !== 200) continue;
      const checkpoint = request.slice(request.indexOf('\n\n') + 2);
      expect(cosignaturesIn(checkpoint + answer.body, [cosignerOf(witness.signer)])).toEqual([
        { cosigner: cosignerOf(witness.signer), line: answer.body, at: 1_795_867_200 },
      ]);
    }
  });

  it('gives to everybody what it has cosigned last, with both signatures', async () => {
    const at = `${running.address}/${hash('sha256', log.name, 'hex')}/checkpoint`;
    expect((await fetch(at)).status).toBe(404);
    const { body: line } = await add(body(0, [], `${ofTwo}— somebody.else AAAAAAAA\n`));
    expect(await (await fetch(at)).text()).toBe(ofTwo + line);
    expect((await fetch(`${running.address}/${'0'.repeat(64)}/checkpoint`)).status).toBe(404);
  });

  it('remembers what it has cosigned when it is started again, and cosigns no other tree', async () => {
    expect(await add(body(0, [], ofTwo))).toMatchObject({ status: 200 });
    await close();
    await open();
    expect(await add(body(0, [], ofTwo))).toMatchObject({ status: 409, body: '2\n' });
    // The same again, whose answer was lost.
    expect(await add(body(2, [], ofTwo))).toMatchObject({ status: 200 });
    // Signed by the log, and of another tree: rewritten.
    expect(await add(body(2, [], note(2, nodeHash(first, third))))).toMatchObject({ status: 422 });
    const rewritten = note(3, nodeHash(nodeHash(first, third), second));
    expect(await add(body(2, [second], rewritten))).toMatchObject({ status: 422 });
    expect(await add(body(0, [], rewritten))).toMatchObject({ status: 409, body: '2\n' });
    expect(await add(body(2, [third], note(3, nodeHash(nodeHash(first, second), third))))).toMatchObject({
      status: 200,
    });
    // Cut back.
    expect(await add(body(2, [], ofTwo))).toMatchObject({ status: 409, body: '3\n' });
    const db = new DatabaseSync(join(folder.path, 'witness.db'));
    for (const statement of ['UPDATE logs SET size = 1', "UPDATE logs SET root = x'00'", 'DELETE FROM logs'])
      expect(() => db.exec(statement)).toThrow(/only followed by larger|never forgotten/);
    db.close();
  });

  it('lets one of several requests at the same time win, also those of another process', async () => {
    expect(await add(body(0, [], ofTwo))).toMatchObject({ status: 200 });
    const other = await openWitnessStore(folder.path);
    const beside = await startWitness(
      { ...witness, store: other },
      { host: '127.0.0.1', port: 0 },
      () => undefined,
    );
    // Each continues the tree of two, and none another one of them.
    const roots = Array.from({ length: 10 }, (_, n) => leafHash(Buffer.from(`fork ${n}`)));
    const answers = await Promise.all(
      roots.map(async (leaf, n) => {
        const text = body(2, [leaf], note(3, nodeHash(nodeHash(first, second), leaf)));
        const at = n % 2 === 0 ? running : beside;
        const answer = await fetch(`${at.address}/add-checkpoint`, { method: 'POST', body: text });
        return `${answer.status} ${answer.status === 200 ? '' : await answer.text()}`;
      }),
    );
    expect(answers.sort()).toEqual(['200 ', ...Array<string>(9).fill('409 3\n')]);
    await beside.close();
    await other.close();
  });

  it.each([
    ['nothing', ''],
    ['rubbish', 'rubbish'],
    ['a size with zeros', body(0, [], ofTwo).replace('old 0', 'old 00')],
    ['a size beyond all', body(0, [], ofTwo).replace('old 0', `old ${'9'.repeat(30)}`)],
    ['a hash that is none', body(1, [Buffer.alloc(31)], ofTwo)],
    ['more proof than there can be', body(1, Array<Buffer>(64).fill(first), ofTwo)],
    ['no checkpoint', 'old 0\n\nhello\n\n— a AAAAAAAA\n'],
    ['no signature', `old 0\n\n${ofTwo.split('\n\n')[0] ?? ''}\n`],
    ['an old size beyond the new one', body(3, [], ofTwo)],
    ['what is not UTF-8', Buffer.concat([Buffer.from(body(0, [], ofTwo)), Buffer.of(0xff, 0x0a)])],
  ])('refuses %s in a sentence, and remembers nothing', async (_, text) => {
    const { status, body: sentence } = await add(typeof text === 'string' ? text : new Uint8Array(text));
    expect(status).toBe(400);
    expect(sentence).toMatch(/^[A-Z][^\n]+\.\n$/);
    expect(await store.newest(log.name)).toBeUndefined();
  });

  it('refuses checkpoints that the log did not sign, other logs, and an empty tree with a root', async () => {
    const forged = signCheckpoint({ size: 2, root: first }, newSigner(log.name));
    expect(await add(body(0, [], forged))).toMatchObject({ status: 403 });
    expect(await add(body(0, [], ofTwo.replace('\n2\n', '\n3\n')))).toMatchObject({ status: 403 });
    expect(
      await add(body(0, [], signCheckpoint({ size: 2, root: first }, newSigner('other')))),
    ).toMatchObject({
      status: 404,
    });
    expect(await add(body(0, [], note(0, first)))).toMatchObject({ status: 422 });
    expect(await add(body(0, [first], ofTwo))).toMatchObject({ status: 422 });
    expect(await store.newest(log.name)).toBeUndefined();
    expect(await add(body(0, [], note(0, emptyRoot)))).toMatchObject({ status: 200 });
    expect(await add(body(0, [], ofTwo))).toMatchObject({ status: 200 });
  });

  it('takes no more than a checkpoint needs, by POST alone, and says when its store fails', async () => {
    expect(await add('x'.repeat(70_000))).toMatchObject({ status: 413 });
    expect((await fetch(`${running.address}/add-checkpoint`)).status).toBe(405);
    expect((await fetch(`${running.address}/`)).status).toBe(404);
    // Broken off in the middle: nothing comes of it.
    await new Promise<void>((resolve) => {
      const broken = httpRequest(`${running.address}/add-checkpoint`, {
        method: 'POST',
        headers: { 'content-length': 100 },
      });
      broken.on('error', () => resolve());
      broken.write('old 0', () => broken.destroy());
    });
    await store.close();
    expect(await add(body(0, [], ofTwo))).toMatchObject({ status: 503 });
    expect(faults).toHaveLength(1);
  });

  it('has a key that nobody else reads, and does not make another one in its place', () => {
    const path = join(folder.path, 'witness.key');
    expect(statSync(path).mode & 0o777).toBe(0o600);
    expect(readdirSync(folder.path).filter((file) => file.startsWith('witness.key'))).toEqual([
      'witness.key',
    ]);
    expect(() => witnessKey(folder.path, 'another')).toThrow(/is named witness\.example\/w1/);
    writeFileSync(path, 'rubbish');
    expect(() => witnessKey(folder.path, name)).toThrow(/is not the key of a witness/);
    rmSync(path);
    expect(() => witnessKey(folder.path, name)).toThrow(/witness\.key is gone/);
  });
});

describe('commonweal witness', () => {
  it('shows its key without a log, and says what it takes', async () => {
    const folder = temporaryFolder();
    const run = (...words: readonly string[]) =>
      runCommandLine(['witness', '--folder', join(folder.path, 'witness'), ...words], folder.path);
    expect(await run()).toMatchObject({
      code: 2,
      stderr: expect.stringMatching(/^--name: name the witness/) as string,
    });
    const shown = await run('--name', name);
    expect(shown).toMatchObject({ code: 0 });
    expect(shown.stdout).toMatch(
      /^Key \(vkey\): {2}witness\.example\/w1\+[0-9a-f]{8}\+B[A-P]\S+\nIt serves nothing/,
    );
    const again = JSON.parse((await run('--json')).stdout) as { vkey: string };
    expect(shown.stdout).toContain(again.vkey);
    for (const [words, why] of [
      [['--log', 'none'], /^--log: A verifier key \(vkey\) is written/],
      [['--log', again.vkey], /^--log: .* is that of a witness/],
      [['--port', '70000'], /^--port: must be 0 to 65535/],
      [['--name', 'two words'], /^--name: the witness in .* is named/],
    ] as const)
      expect(await run(...words)).toMatchObject({ code: 2, stderr: expect.stringMatching(why) as string });
    folder.remove();
  });
});
