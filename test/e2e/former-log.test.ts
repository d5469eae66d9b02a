import { copyFileSync, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { parseCheckpoint } from '../../src/audit/proof-log/format/checkpoint.ts';
import { textOfNote } from '../../src/audit/proof-log/format/note.ts';
import { cli, type Running } from '../faults/processes.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const timeout = 180_000;
const everySecond = { CHECKPOINT_SECONDS: '1' };

interface LogStatus {
  readonly name: string;
  readonly vkey: string;
  readonly checkpoint: { readonly size: number; readonly note: string } | null;
  readonly former: readonly {
    readonly log: string;
    readonly tree_size: number;
    readonly successor: string;
  }[];
}
interface Restored {
  readonly proof_log: { readonly continues: boolean; readonly name: string; readonly vkey: string };
}

/** Every checkpoint that anybody has seen: of one size of one log there is one root. */
class Seen {
  readonly #roots = new Map<string, string>();

  async add(dataDir: string): Promise<void> {
    const { checkpoints } = (await runCommand(dataDir, 'audit', 'log', 'checkpoints', '--limit', '500')) as {
      readonly checkpoints: readonly { readonly note: string }[];
    };
    for (const { note } of checkpoints) {
      const { origin, size, root } = parseCheckpoint(textOfNote(note));
      const before = this.#roots.get(`${origin} ${size}`);
      expect(before ?? root.toString('base64')).toBe(root.toString('base64'));
      this.#roots.set(`${origin} ${size}`, root.toString('base64'));
    }
  }

  get origins(): string[] {
    return [...new Set([...this.#roots.keys()].map((each) => each.split(' ')[0] ?? ''))];
  }
}

// It looks at the files of the embedded stores; test/engines/proof-log-health.test.ts replaces a log on servers too.
describe.skipIf(!isEmbedded)('after a restore to behind what was signed', { timeout }, () => {
  const folder = temporaryFolder();
  const at = (name: string) => join(folder.path, name);
  const data = at('data');
  const kept = at('kept.txt');
  const early = at('early.txt');
  const pushed = at('pushed.txt');
  const seen = new Seen();
  let first: LogStatus;
  let witness: { readonly running: Running; readonly listening: string; readonly vkey: string };

  const status = async (dataDir = data) => (await runCommand(dataDir, 'audit', 'log', 'status')) as LogStatus;
  const restore = async (dataDir: string, ...words: readonly string[]) =>
    ((await runCommand(dataDir, 'restore', at('backup'), ...words)) as Restored).proof_log;
  const settings = () => ({
    ...everySecond,
    CHECKPOINT_PUSH: pushed,
    WITNESSES: `${witness.vkey} ${witness.listening}`,
  });
  /** Adds a team, and serves until a checkpoint is cosigned that covers it. */
  async function serveOnce(team: string, environment: Record<string, string>): Promise<void> {
    await runCommand(data, 'teams', 'create', team, '--name', team);
    const serving = await startServing(data, environment);
    if (environment['WITNESSES'] !== undefined)
      await until(async () => {
        const note = await (await fetch(`${serving.origin}/audit/log/checkpoint`)).text();
        return note.includes('\n— witness.example/w1 ');
      });
    await serving.stop();
    await seen.add(data);
  }
  /** A machine that has the keys and the erasure ledger, and no stores. */
  function newMachine(name: string): string {
    mkdirSync(at(name));
    copyFileSync(join(data, 'master.key'), join(at(name), 'master.key'));
    if (existsSync(join(data, 'erasures.log')))
      copyFileSync(join(data, 'erasures.log'), join(at(name), 'erasures.log'));
    return at(name);
  }

  beforeAll(async () => {
    await runCommand(data, 'teams', 'create', 'harbour', '--name', 'Harbour');
    await (await startServing(data, everySecond)).stop();
    first = await status();
    const made = (await runCommand(
      data,
      'witness',
      '--folder',
      at('witness'),
      '--name',
      'witness.example/w1',
    )) as {
      readonly vkey: string;
    };
    const words = ['--folder', at('witness'), '--port', '0', '--json', '--log', first.vkey];
    const running = cli(at('witness'), 'witness', ...words);
    const { listening } = await until(() => {
      const [line = '', ...rest] = running.written().split('\n');
      return rest.length > 0 && (JSON.parse(line) as { readonly listening: string });
    });
    witness = { running, listening, vkey: made.vkey };
    await serveOnce('pier', settings());
    writeFileSync(early, (await status()).checkpoint?.note ?? '');
    await runCommand(data, 'backup', at('backup'));
    await serveOnce('quay', settings());
    writeFileSync(kept, (await status()).checkpoint?.note ?? '');
  }, timeout);
  afterAll(async () => {
    await witness.running.stop();
    folder.remove();
  });

  test('another log begins, whose name is not that of any restore of the same backup', async () => {
    const names = new Set([first.name]);
    for (const name of ['one', 'two']) {
      const there = newMachine(name);
      const restored = await restore(there);
      expect(restored.continues).toBe(false);
      expect(restored.name).toMatch(new RegExp(`^${first.name}/\\d{8}-[0-9a-f]{8}$`));
      names.add(restored.name);
      await seen.add(there);
      expect(await runCommand(there, 'verify')).toMatchObject({ verified: true });
    }
    expect(names.size).toBe(3);
  });

  test('the log goes on where the newest checkpoint that was given out is brought, and the backup has it', async () => {
    const there = newMachine('moved');
    expect(await restore(there, '--newest-checkpoint', early)).toMatchObject({
      continues: true,
      name: first.name,
      vkey: first.vkey,
    });
    const behind = newMachine('behind');
    expect(await restore(behind, '--newest-checkpoint', kept)).toMatchObject({ continues: false });
    const [former] = (await status(behind)).former;
    expect(former).toMatchObject({
      log: first.name,
      tree_size: parseCheckpoint(textOfNote(readFileSync(kept, 'utf8'))).size,
    });
    const other = newMachine('other');
    writeFileSync(at('other.txt'), 'no checkpoint');
    const refused = await runCommandLine(
      ['restore', at('backup'), '--newest-checkpoint', at('other.txt')],
      other,
    );
    expect([refused.code, refused.stderr]).toEqual([1, expect.stringMatching(/A checkpoint in \S+ is none/)]);
  });

  test('the old log is named with its last checkpoint to all who read it, and its name signs nothing again', async () => {
    const restored = await restore(data, '--replace');
    expect(restored).toMatchObject({ continues: false });
    const last = readFileSync(kept, 'utf8');
    const { size } = parseCheckpoint(textOfNote(last));

    // Before the first start, and after it.
    expect(await runCommand(data, 'verify')).toMatchObject({ verified: true });
    await serveOnce('slip', { ...everySecond, CHECKPOINT_PUSH: pushed });
    const verified = await runCommand(data, 'verify');
    expect(verified).toMatchObject({
      verified: true,
      former: [{ log: first.name, tree_size: size, checkpoint: last, successor: restored.name }],
    });
    const [event] = (
      (await runCommand(data, 'audit', 'events', '--type', 'ProofLogBegun')) as {
        readonly data: readonly { readonly data: unknown }[];
      }
    ).data;
    expect(event).toMatchObject({
      data: {
        log: restored.name,
        reason: 'restored',
        former: { log: first.name, size, checkpoint: last },
      },
    });

    // What the log had signed after the backup is kept, though its events are lost.
    const old = await runCommandLine(['verify', '--checkpoint', kept], data);
    expect(old.code).toBe(1);
    expect(old.stdout).toMatch(
      /is of a former log: \S+ ended at \S+, because a backup was restored.*events that were signed then are lost, or were changed/s,
    );
    const before = await runCommandLine(['verify', '--checkpoint', early], data);
    expect(before).toMatchObject({ code: 0 });
    expect(before.stdout).toMatch(/is of a former log: .* are the first of today's log, unchanged/s);
    const byKey = await runCommandLine(['verify', '--vkey', first.vkey], data);
    expect([byKey.code, byKey.stderr]).toEqual([2, expect.stringContaining('is the key of a former log')]);

    const doctor = await runCommandLine(['doctor'], data);
    expect(doctor.stdout).toMatch(/ended at .* because a backup was restored/);
    const out = at('export');
    expect(await runCommand(data, 'audit', 'export', '--out', out)).toMatchObject({
      former_logs: [{ log: first.name, successor: restored.name }],
    });
    const offline = await runCommandLine(['verify', '--export', out, '--vkey', restored.vkey], folder.path);
    expect(offline).toMatchObject({ code: 0 });
    expect(readFileSync(pushed, 'utf8')).toContain(`\n\n${restored.name}\n`);
  });

  test('a witness asks for the key of the new log, and cosigns it', async () => {
    const { name, vkey } = await status();
    const serving = await startServing(data, settings());
    const refusal = await until(async () => {
      const { stdout } = await runCommandLine(['status', '--json'], data, settings());
      const { failing_jobs = [] } = JSON.parse(stdout) as {
        readonly failing_jobs?: readonly { readonly job: string; readonly error: string }[];
      };
      return failing_jobs.find(({ job }) => job.startsWith('witness '))?.error;
    });
    expect(refusal).toContain('does not cosign this log (404)');
    expect(refusal).toContain(`goes on for ${first.name}: the witness must be given its key, ${vkey}`);
    const page = await (await fetch(`${serving.origin}/audit/log/`)).text();
    expect(page).toContain('Logs that ended');
    expect(page).toMatch(
      new RegExp(
        `Ended .* because a backup was restored.*${name}.*goes on.*Its last signed state: \\d+ events`,
        's',
      ),
    );
    const { former } = (await (await fetch(`${serving.origin}/audit/log/former`)).json()) as LogStatus;
    expect(former).toMatchObject([{ log: first.name, vkey: first.vkey, successor: name }]);
    expect(await (await fetch(`${serving.origin}/audit/log/vkey`)).text()).toBe(`${vkey}\n`);

    await witness.running.stop();
    const { port } = new URL(witness.listening);
    const words = ['--folder', at('witness'), '--port', port, '--json', '--log', first.vkey, vkey];
    witness = { ...witness, running: cli(at('witness'), 'witness', ...words) };
    await until(async () => {
      const note = await (await fetch(`${serving.origin}/audit/log/checkpoint`)).text();
      return note.startsWith(`${name}\n`) && note.includes('\n— witness.example/w1 ');
    });
    await serving.stop();
    const verified = await runCommandLine(['verify', '--json'], data, settings());
    expect(JSON.parse(verified.stdout)).toMatchObject({ verified: true, witnesses: { cosigned: 1 } });
  });

  test('a level restore over the folder that it was taken of goes on', async () => {
    await runCommand(data, 'backup', at('level'));
    const { name, checkpoint } = await status();
    const restored = (await runCommand(data, 'restore', at('level'), '--replace')) as Restored;
    expect(restored.proof_log).toMatchObject({ continues: true, name });
    expect((await status()).checkpoint).toEqual(checkpoint);
    await serveOnce('dock', everySecond);
    expect((await status()).former).toHaveLength(1);
    expect(await runCommand(data, 'verify')).toMatchObject({ verified: true });
  });

  test('an older backup once more: the logs that began since are named as well', async () => {
    const { name: second } = await status();
    const restored = await restore(data, '--replace');
    const { former } = await status();
    expect(former.map(({ log, successor }) => [log, successor])).toEqual([
      [first.name, second],
      [second, restored.name],
    ]);
    await serveOnce('basin', everySecond);
    expect(await runCommand(data, 'verify')).toMatchObject({ verified: true });
    const types = (await runCommand(data, 'audit', 'events', '--type', 'ProofLogBegun')) as {
      readonly data: readonly unknown[];
    };
    expect(types.data).toHaveLength(1);
    expect(seen.origins).toEqual(expect.arrayContaining([first.name, second, restored.name]));
  });

  test('and a log that was put back by hand is replaced by a command, since only others can tell', async () => {
    const before = await status();
    const sound = await runCommandLine(['audit', 'log', 'replace', '--accept-loss'], data);
    expect([sound.code, sound.stderr]).toEqual([1, expect.stringContaining('add --behind')]);
    const replaced = await runCommand(data, 'audit', 'log', 'replace', '--accept-loss', '--behind');
    expect(replaced).toMatchObject({ replaced: true, former: before.name });
    expect(await runCommand(data, 'verify')).toMatchObject({ verified: true });
    await serveOnce('ford', everySecond);
    expect((await status()).former.at(-1)).toMatchObject({
      log: before.name,
      tree_size: before.checkpoint?.size,
      reason: 'replaced',
    });
  });
});
