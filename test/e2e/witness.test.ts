import { hash } from 'node:crypto';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { rewriteHistory } from '../audit/rewritten-history.ts';
import { cli, type Running } from '../faults/processes.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

const timeout = 120_000;
const witnessName = 'witness.example/w1';

/** A witness as people start it: a process of its own. */
async function startWitness(folder: string, ...logs: readonly string[]) {
  const words = logs.flatMap((vkey) => ['--log', vkey]);
  const running = cli(folder, 'witness', '--folder', folder, '--port', '0', '--json', ...words);
  const { listening } = await until(() => {
    const [line = '', ...rest] = running.written().split('\n');
    return rest.length > 0 && (JSON.parse(line) as { readonly listening: string });
  });
  return { running, listening };
}

// It changes the files of the embedded stores.
describe.skipIf(!isEmbedded)('a log with a witness', { timeout }, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const ofWitness = join(folder.path, 'witness');
  const kept = join(folder.path, 'kept-by-a-reader.txt');
  const fromWitness = join(folder.path, 'kept-by-the-witness.txt');
  const everySecond = { CHECKPOINT_SECONDS: '1' };
  let settings: Record<string, string>;
  let witness: { running: Running; listening: string };
  let serving: Serving | undefined;
  let name: string;
  let witnessKey: string;

  const verify = (...words: readonly string[]) => runCommandLine(['verify', ...words], dataDir, settings);
  const served = async () => (await fetch(`${serving?.origin ?? ''}/audit/log/checkpoint`)).text();
  const cosigned = () =>
    until(async () => {
      const note = await served();
      return note.includes(`\n— ${witnessName} `) && note;
    });

  beforeAll(async () => {
    await runCommand(dataDir, 'teams', 'create', 'harbour', '--name', 'Harbour');
    // The first start makes the log's key.
    await (await startServing(dataDir, everySecond)).stop();
    const log = (await runCommand(dataDir, 'audit', 'log', 'status')) as Record<'name' | 'vkey', string>;
    name = log.name;
    const made = await runCommand(dataDir, 'witness', '--folder', ofWitness, '--name', witnessName);
    witnessKey = (made as { readonly vkey: string }).vkey;
    witness = await startWitness(ofWitness, log.vkey);
    settings = { ...everySecond, WITNESSES: `${witnessKey} ${witness.listening}` };
    serving = await startServing(dataDir, settings);
    await cosigned();
  }, timeout);
  afterAll(async () => {
    await serving?.stop();
    await witness.running.stop();
    folder.remove();
  });

  test('is cosigned as it grows, also after the witness was away, and verified with its key', async () => {
    await runCommand(dataDir, 'teams', 'create', 'pier', '--name', 'Pier');
    await witness.running.kill();
    const before = (await served()).split('\n')[1];
    await runCommand(dataDir, 'keys', 'create', '--kind', 'developer', '--scopes', 'resources:read');
    // Nothing waits for the witness.
    await until(async () => Number((await served()).split('\n')[1]) > Number(before));
    const log = (await runCommand(dataDir, 'audit', 'log', 'status')) as { readonly vkey: string };
    const port = new URL(witness.listening).port;
    const words = ['--folder', ofWitness, '--port', port, '--json', '--log', log.vkey];
    witness = { ...witness, running: cli(ofWitness, 'witness', ...words) };
    writeFileSync(kept, await cosigned());

    const verified = await verify('--json');
    expect(JSON.parse(verified.stdout)).toMatchObject({
      verified: true,
      witnesses: { cosigned: 1, of: 1, quorum: 1 },
    });
    const asText = await verify('--checkpoint', kept);
    expect(asText).toMatchObject({ code: 0 });
    expect(asText.stdout).toContain('1 of 1 witness (1 needed) has cosigned its checkpoint of ');
    expect(asText.stdout).toContain('are of this log.');
  });

  test('is exported with the cosignature, which is verified without the service', async () => {
    const out = join(folder.path, 'export');
    await until(async () => (await cosigned()) && (await verify()).code === 0);
    const made = await runCommandLine(['audit', 'export', '--out', out], dataDir, settings);
    expect(made).toMatchObject({ code: 0 });
    const { vkey } = (await runCommand(dataDir, 'audit', 'log', 'status')) as { readonly vkey: string };
    const offline = (...words: readonly string[]) =>
      runCommandLine(['verify', '--export', out, '--vkey', vkey, ...words], folder.path);
    expect((await offline('--witness', witnessKey)).stdout).toContain(
      '1 of 1 witness (1 needed) has cosigned its checkpoint.',
    );
    const stranger = 'ArmoredWitness-floral-sky+c7cf0b6d+BOkCmTmKTTnQMNqIigkj7PFnhogawSJD23PJ8M8qLYDm';
    expect(await offline('--witness', witnessKey, stranger)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining(
        'Of 2 witnesses 1 has cosigned the checkpoint of the export; 2 must.',
      ) as string,
    });
    expect(await offline('--witness', witnessKey, stranger, '--quorum', '1')).toMatchObject({ code: 0 });
  });

  test('is not rewritten unseen by who has every key of the service', async () => {
    await serving?.stop();
    serving = undefined;
    const cosignatures = await rewriteHistory(dataDir, 'Harbour', 'Harbor');
    // Whoever does not look at witnesses sees nothing: everything is signed, and sealed in the vault.
    const alone = await runCommandLine(['verify'], dataDir);
    expect(alone).toMatchObject({ code: 0 });
    expect(alone.stdout).toContain('are as they were signed');

    // The witness: it is asked to cosign the new history, refuses, and is named where operators look.
    serving = await startServing(dataDir, settings);
    const refusal = await until(async () => {
      const { stdout } = await runCommandLine(['status', '--json'], dataDir, settings);
      const { failing_jobs = [] } = JSON.parse(stdout) as {
        readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
      };
      return failing_jobs.find(({ job }) => job === `witness ${witnessName}`)?.error;
    });
    expect(refusal).toMatch(
      /refuses the checkpoint .*\(422\): it does not continue|\(409\): the log was cut back/,
    );
    expect(await served()).not.toContain(witnessName);
    const at = `${witness.listening}/${hash('sha256', name, 'hex')}/checkpoint`;
    writeFileSync(fromWitness, await (await fetch(at)).text());
    await serving.stop();
    serving = undefined;

    // Verify, by the witness's key alone, and with what the witness and a reader have.
    const withKey = await verify();
    expect(withKey).toMatchObject({ code: 1 });
    expect(withKey.stdout).toContain('No checkpoint is cosigned by enough witnesses; 1 of 1 witness must.');
    const withItsOwn = await verify('--checkpoint', fromWitness);
    expect(withItsOwn).toMatchObject({ code: 1 });
    expect(withItsOwn.stdout).toMatch(rewritten(`the witness ${witnessName}`));
    const withAReaders = await runCommandLine(['verify', '--checkpoint', kept], dataDir);
    expect(withAReaders).toMatchObject({ code: 1 });
    expect(withAReaders.stdout).toMatch(rewritten(name));

    // Cosignatures that are put back beside the new history do not fit it.
    const system = await openSystem(readConfig({ DATA_DIR: dataDir }));
    await system.proofLog.addCosignatures(cosignatures);
    await system.close();
    const putBack = await verify();
    expect(putBack).toMatchObject({ code: 1 });
    expect(putBack.stdout).toMatch(
      /The cosignature of witness\.example\/w1 is not one of the checkpoint|The witness witness\.example\/w1 has cosigned a checkpoint of \d+ entries, and there is none/,
    );
  });
});

const rewritten = (whose: string): RegExp =>
  new RegExp(
    `The checkpoint of \\d+ entries in \\S+, signed by ${whose}, is not one of this log: its first \\d+ entries have another root\\. The history was rewritten`,
  );
