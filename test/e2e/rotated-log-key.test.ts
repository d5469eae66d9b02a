import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readCheckpoint, verifyServedLog } from '../audit/proof-log/independent-verifier.ts';
import { cli, type Running } from '../faults/processes.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';
import { onEngines, missing } from '../support/engine.ts';

const timeout = 300_000;
const witnessName = 'witness.example/w1';

interface Listed {
  readonly log: string;
  readonly keys: readonly {
    readonly vkey: string;
    readonly from: string | null;
    readonly until: string | null;
  }[];
}

describe.skipIf(missing !== undefined)(onEngines('the key of a running log'), { timeout }, () => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const ofWitness = join(folder.path, 'witness');
  let settings: Record<string, string> = { CHECKPOINT_SECONDS: '1' };
  let serving: Serving;
  let witness: Running | undefined;
  let old: string;

  const text = async (path: string) => (await fetch(`${serving.origin}/audit/log/${path}`)).text();
  const vkey = async () => (await text('vkey')).trim();
  const listed = async () => JSON.parse(await text('vkeys')) as Listed;
  const run = (...words: readonly string[]) => runCommandLine(words, dataDir, settings);
  const rotate = async (...words: readonly string[]) =>
    JSON.parse((await run('audit', 'log', 'rotate-key', '--json', ...words)).stdout) as {
      readonly vkey: string;
      readonly until: string;
    };
  let teams = 0;
  /** A new event, and a checkpoint of it. */
  const signed = async () => {
    const before = (await text('checkpoint')).split('\n')[1];
    teams += 1;
    await run('teams', 'create', `team-${teams}`, '--name', `Team ${teams}`);
    return until(async () => {
      const note = await text('checkpoint');
      return note.split('\n')[1] !== before && note;
    });
  };
  const verified = () => until(async () => (await run('verify')).code === 0);
  const exported = async (name: string) => {
    const out = join(folder.path, name);
    expect(await run('audit', 'export', '--out', out)).toMatchObject({ code: 0 });
    return (...words: readonly string[]) =>
      runCommandLine(['verify', '--export', out, ...words], folder.path);
  };
  const startWitness = async (port: string, ...vkeys: readonly string[]) => {
    const words = ['--folder', ofWitness, '--port', port, '--json'];
    witness = cli(ofWitness, 'witness', ...words, ...vkeys.flatMap((each) => ['--log', each]));
    const running = witness;
    const { listening } = await until(() => {
      const [line = '', ...rest] = running.written().split('\n');
      return rest.length > 0 && (JSON.parse(line) as { readonly listening: string });
    });
    return listening;
  };

  beforeAll(async () => {
    await runCommand(dataDir, 'teams', 'create', 'harbour', '--name', 'Harbour');
    serving = await startServing(dataDir, settings);
    old = await until(async () => {
      const found = await vkey();
      return found.includes('+') && found;
    });
    await serving.stop();
    const made = await runCommand(dataDir, 'witness', '--folder', ofWitness, '--name', witnessName);
    const listening = await startWitness('0', old);
    settings = { ...settings, WITNESSES: `${(made as { readonly vkey: string }).vkey} ${listening}` };
    serving = await startServing(dataDir, settings);
  }, timeout);
  afterAll(async () => {
    await serving.stop();
    await witness?.stop();
    folder.remove();
  });

  test('is rotated while it signs: who has either key verifies, a witness with the old one cosigns', async () => {
    const before = await signed();
    const kept = join(folder.path, 'kept.txt');
    writeFileSync(kept, before);
    const offline = await exported('before');
    expect(await listed()).toMatchObject({ keys: [{ vkey: old, from: null, until: null }] });

    const { vkey: added, until: end } = await rotate();
    expect(Math.round((Date.parse(end) - Date.now()) / 86_400_000)).toBe(30);
    await until(async () => (await vkey()) === added);
    const both = await signed();
    expect(readCheckpoint(both, old)).toEqual(readCheckpoint(both, added));
    await until(async () => (await text('checkpoint')).includes(`\n— ${witnessName} `));
    expect(await listed()).toMatchObject({
      keys: [
        { vkey: added, until: null },
        { vkey: old, from: null, until: end },
      ],
    });
    const page = await text('');
    expect(page).toContain(added);
    expect(page).toContain('Former key');
    const key = (await runCommand(
      dataDir,
      'keys',
      'create',
      '--kind',
      'installation',
      '--scopes',
      'audit:read',
    )) as { readonly key: string };
    const bearer = { authorization: `Bearer ${key.key}` };
    for (const each of [old, added])
      expect((await verifyServedLog(`${serving.origin}/audit/log`, each, bearer)).head.size).toBeGreaterThan(
        0,
      );

    await verified();
    expect(await run('verify', '--checkpoint', kept)).toMatchObject({ code: 0 });
    expect(await offline('--vkey', old)).toMatchObject({ code: 0 });
    expect(await offline('--vkey', added)).toMatchObject({ code: 1 });
    const events = await run('events', '--type', 'ProofLogKeyRotated', '--json');
    expect(events.stdout).toContain(added);
  });

  test('ends at once when it has leaked: what it signs from then on counts nowhere', async () => {
    const [former = ''] = (await listed()).keys.map((each) => each.vkey);
    const { vkey: added } = await rotate('--at-once');
    await until(async () => (await vkey()) === added);
    const alone = await until(async () => {
      const note = await signed();
      try {
        readCheckpoint(note, former);
        return false;
      } catch {
        return note;
      }
    });
    expect(readCheckpoint(alone, added).size).toBeGreaterThan(0);
    expect(() => readCheckpoint(alone, old)).toThrow('The checkpoint is not signed by this key.');
    const failure = await until(async () => {
      const { stdout } = await run('status', '--json');
      const { failing_jobs = [] } = JSON.parse(stdout) as {
        readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
      };
      return failing_jobs.find(({ job }) => job === `witness ${witnessName}`)?.error;
    });
    expect(failure).toContain('does not have the key of this log (403). Give it the vkey anew.');
    const port = new URL(settings['WITNESSES']?.split(' ')[1] ?? '').port;
    await witness?.stop();
    await startWitness(port, old, added);
    await until(async () => (await text('checkpoint')).includes(`\n— ${witnessName} `));

    await verified();
    const offline = await exported('after');
    expect(await offline('--vkey', old)).toMatchObject({
      code: 1,
      stdout: expect.stringContaining('It says of itself that the key of the log was rotated.') as string,
    });
    expect(await offline('--vkey', added)).toMatchObject({ code: 0 });
    expect(await offline('--vkey', old, added)).toMatchObject({ code: 0 });
    expect((await listed()).keys.map((each) => each.until === null)).toEqual([true, false, false]);
    expect(await run('audit', 'log', 'rotate-key', '--at-once', '--overlap', '3')).toMatchObject({ code: 2 });
  });

  test('is never lost by a rotation that is killed', async () => {
    // At the moments at which it loads, waits, stores and records, and after it has ended.
    for (const ms of [300, 600, 800, 1_000, 1_200, 1_500, 2_000])
      await cli(dataDir, 'audit', 'log', 'rotate-key', '--json').killAfter(ms);
    await signed();
    await verified();
    const { keys } = await listed();
    // The server records what a killed process could not.
    const recorded = await until(async () => {
      const { stdout } = await run('events', '--type', 'ProofLogKeyRotated', '--json');
      const count = stdout.split('"ProofLogKeyRotated"').length - 1;
      return count >= keys.length - 1 && count;
    });
    expect(recorded).toBe(keys.length - 1);
    expect(await vkey()).toBe(keys[0]?.vkey);
    const note = await signed();
    expect(readCheckpoint(note, keys[0]?.vkey ?? '').size).toBeGreaterThan(0);
  });
});
