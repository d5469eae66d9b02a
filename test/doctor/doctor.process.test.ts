import { randomBytes } from 'node:crypto';
import {
  chmodSync,
  closeSync,
  existsSync,
  openSync,
  readdirSync,
  rmSync,
  statSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { Finding } from '../../src/doctor/finding.ts';
import { examinations, problemsFound } from '../../src/doctor/record.ts';
import { examineWhenDue } from '../../src/runtime/operators/doctor.ts';
import { Health } from '../../src/runtime/health.ts';
import { startJob } from '../../src/ground/job.ts';
import { jobFailures } from '../../src/ground/job-failures.ts';
import { statusFamilies } from '../../src/runtime/operators/status-families.ts';
import type { Status } from '../../src/status/status.ts';
import { runCommandLine, runProcess } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { until } from '../support/until.ts';

let folder: ReturnType<typeof temporaryFolder>;
let data: string;

async function examined(settings: Record<string, string> = {}, ...words: string[]) {
  const { code, stdout, stderr } = await runCommandLine(['doctor', '--json', ...words], data, settings);
  expect(stderr).toBe('');
  const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
  const problems = findings.filter(({ severity }) => severity === 'problem');
  expect(code).toBe(problems.length > 0 ? 1 : 0);
  for (const { sentence } of findings) expect(sentence).not.toMatch(/\n\s+at |Error:/);
  return { findings, problems, sentences: problems.map(({ check, sentence }) => `${check}: ${sentence}`) };
}

/** Long after the start of the server. */
const due = (now: Date) => ({ now, since: new Date(0) });

beforeEach(async () => {
  folder = temporaryFolder();
  data = join(folder.path, 'data');
  const { code } = await runCommandLine(['teams', 'create', 'harbor', '--name', 'Harbor'], data);
  expect(code).toBe(0);
});
afterEach(() => folder.remove());

describe.skipIf(!isEmbedded)('the doctor', () => {
  it('finds no problem where there is none, and says what is risky', async () => {
    const { findings, problems } = await examined({}, '--full');
    expect(problems).toEqual([]);
    expect(findings).toMatchObject([
      {
        check: 'erasure',
        severity: 'warning',
        sentence: expect.stringMatching(/^The only erasure ledger is in DATA_DIR/) as string,
      },
      {
        id: 'no backup',
        check: 'backup',
        severity: 'warning',
        sentence: expect.stringMatching(/^BACKUP_DIR is unset/) as string,
      },
    ]);
    const elsewhere = { BACKUP_DIR: join(folder.path, 'backups') };
    expect((await examined(elsewhere)).findings).toMatchObject([
      { check: 'backup', severity: 'warning', sentence: expect.stringMatching(/is not there/) as string },
    ]);
  });

  it('is not content with a second ledger that lies beside the data too', async () => {
    for (const setting of ['BACKUP_DIR', 'ERASURE_LEDGER']) {
      const { findings } = await examined({ [setting]: join(data, 'beside') });
      expect(findings.map(({ check }) => check)).toContain('erasure');
    }
  });

  it('says that a ledger on the disk of the data is lost with it, unless another disk has one', async () => {
    const beside = { ERASURE_LEDGER: join(folder.path, 'not-yet', 'erasures.log') };
    const erasure = async (settings: Record<string, string>) =>
      (await examined(settings)).findings.filter(({ check }) => check === 'erasure');
    expect(await erasure(beside)).toMatchObject([
      {
        check: 'erasure',
        severity: 'warning',
        sentence: expect.stringMatching(/^ERASURE_LEDGER is on the device of DATA_DIR/) as string,
      },
    ]);
    if (statSync('/dev/shm', { throwIfNoEntry: false })?.dev === statSync(data).dev) return;
    expect(await erasure({ ...beside, BACKUP_DIR: '/dev/shm/not-yet' })).toEqual([]);
    expect(await erasure({ ERASURE_LEDGER: '/dev/shm/not-yet' })).toEqual([]);
  });

  it('says what is lost with a file that is missing, and does not make it', async () => {
    for (const name of readdirSync(data)) if (name.startsWith('side.db')) rmSync(join(data, name));
    const { sentences } = await examined();
    expect(sentences).toEqual([
      expect.stringMatching(/^integrity: .*side\.db is missing.*emails that waited.*put it back/),
    ]);
    expect(existsSync(join(data, 'side.db'))).toBe(false);
  });

  it.each(['events.db', 'vault.db', 'side.db', 'views.db'])(
    'names %s when it is damaged, and what to do, without opening anything',
    async (name) => {
      const file = openSync(join(data, name), 'r+');
      writeSync(file, randomBytes(3_000), 0, 3_000, 4_096 - 1_500);
      closeSync(file);
      const { sentences } = await examined({}, '--full');
      expect(sentences).toContainEqual(expect.stringMatching(new RegExp(`^integrity: ${name} is damaged`)));
      writeFileSync(join(data, name), 'This is no database. '.repeat(1_000));
      expect((await examined()).sentences).toContainEqual(
        expect.stringMatching(new RegExp(`^integrity: ${name} is damaged.*(Stop the service)`)),
      );
    },
  );

  it('makes no store where there is none', async () => {
    data = join(folder.path, 'mistyped');
    expect((await examined()).sentences).toEqual([
      expect.stringMatching(/DATA_DIR .* does not exist/),
      expect.stringMatching(/^log: There is no log/),
    ]);
    expect(existsSync(data)).toBe(false);
  });

  it('says which setting is wrong, or dangerous together with others', async () => {
    expect((await examined({ PORT: 'x' })).sentences).toEqual(['settings: PORT must be a whole number']);
    const { sentences } = await examined({
      BASE_URL: 'https://example.org',
      ALLOW_PRIVATE_WEBHOOKS: 'true',
      BACKUP_DIR: join(data, 'backups'),
    });
    expect(sentences).toEqual([
      expect.stringMatching(/ALLOW_PRIVATE_WEBHOOKS is true on a public service/),
      expect.stringMatching(/TRUST_PROXY is unset/),
      expect.stringMatching(/is inside DATA_DIR/),
    ]);
  });

  it('sees a lost vault, another master key, and a file that others can read', async () => {
    const { sentences } = await examined({ MASTER_KEY: randomBytes(32).toString('base64') });
    expect(sentences).toContainEqual(expect.stringMatching(/^keys: .*MASTER_KEY is not the one/));
    chmodSync(join(data, 'events.db'), 0o644);
    const exposed = await examined();
    expect(exposed.sentences).toContainEqual(expect.stringMatching(/^files: Other users .*events\.db/));
    for (const name of readdirSync(data)) if (name.startsWith('vault.db')) rmSync(join(data, name));
    expect((await examined()).sentences).toContainEqual(
      expect.stringMatching(/^keys: The vault is missing or empty/),
    );
  });

  it('opens every secret of the vault when it looks in full, and names those that no key opens', async () => {
    const db = new DatabaseSync(join(data, 'vault.db'));
    const names = db.prepare('SELECT name FROM secrets').all();
    // One sealed secret in the place of another, as a copy by hand would leave it.
    db.exec("INSERT INTO secrets SELECT 'person/of-another', sealed FROM secrets LIMIT 1");
    db.close();
    expect((await examined()).problems).toEqual([]);
    const { code, stdout } = await runCommandLine(['doctor', '--full', '--json'], data);
    expect(code).toBe(1);
    const sentence = expect.stringMatching(
      new RegExp(`^1 of ${names.length + 1} secrets of the vault cannot be opened: person/of-another\\.`),
    ) as string;
    expect(JSON.parse(stdout)).toMatchObject({
      vault: { secrets: names.length + 1, unopened: 1 },
      findings: [
        expect.objectContaining({ check: 'erasure' }),
        expect.objectContaining({ check: 'backup' }),
        { check: 'keys', severity: 'problem', sentence },
      ],
    });
    expect((await runCommandLine(['doctor', '--full'], data)).stdout).toContain(
      `${names.length} of ${names.length + 1} secrets of the vault can be opened.`,
    );
  });

  it('sees events of a clock that is ahead, and mails that wait', async () => {
    const system = await openSystem(readConfig({ DATA_DIR: data }));
    const at = new Date(Date.now() + 3_600_000).toISOString();
    await system.store.append(
      'team-harbor',
      [{ id: crypto.randomUUID(), type: 'TeamRenamed', data: {}, metadata: { commonweal_schema: 1, at } }],
      'any',
    );
    const old = Date.now() - 2 * 3_600_000;
    await system.side.table('mail').put(`${String(old).padStart(15, '0')}-a`, 'sealed');
    await system.close();
    const { findings, sentences } = await examined();
    expect(sentences).toContainEqual(expect.stringMatching(/^clock: The log has events of/));
    expect(sentences).toContainEqual(
      expect.stringMatching(/^mail: Mails that cannot be opened.*: 1, written at/),
    );
    expect(findings).toContainEqual(
      expect.objectContaining({ check: 'mail', severity: 'warning' }) as Finding,
    );
  });

  it('tells health one sentence, however much it finds', async () => {
    const system = await openSystem(readConfig({ DATA_DIR: data }));
    const record = examinations(system.side);
    expect(problemsFound(await record.newest())).toBeUndefined();
    await record.put({ at: '2026-03-01T00:00:00.000Z' });
    expect(problemsFound(await record.newest())).toBeUndefined();
    await record.put({ at: '2026-03-01T00:00:00.000Z', problems: 7 });
    expect(problemsFound(await record.newest())).toBe(
      'The daily check found problems (7) at 2026-03-01T00:00:00.000Z; `commonweal doctor` names them.',
    );
    await system.close();
  });

  it('tells status, metrics and the exit code of status what its newest run found', async () => {
    const told = async () => {
      const { code, stdout } = await runCommandLine(['status', '--json'], data);
      const status = JSON.parse(stdout) as Status;
      const metrics = statusFamilies(status).filter(({ name }) => name === 'commonweal_doctor_problems');
      const { stdout: text } = await runCommandLine(['status'], data);
      return { code, doctor: status.doctor, values: metrics[0]?.series.map(({ value }) => value), text };
    };
    expect(await told()).toMatchObject({ code: 0, doctor: { newest_at: null, problems: null }, values: [] });
    chmodSync(join(data, 'events.db'), 0o644);
    await examined();
    const { code, doctor, values, text } = await told();
    expect([code, doctor.problems, values]).toEqual([1, 1, [1]]);
    expect(text).toContain(`Doctor: 1 PROBLEM found at ${doctor.newest_at}`);
    chmodSync(join(data, 'events.db'), 0o600);
    await examined();
    expect(await told()).toMatchObject({ code: 0, doctor: { problems: 0 }, values: [0] });
  });

  describe('as a daily job', () => {
    const day = 24 * 60 * 60_000;
    const first = new Date('2026-03-01T00:00:00.000Z');
    const next = new Date(first.getTime() + day);
    const doctor = (...words: string[]) => runProcess(['doctor', ...words, '--json'], data);

    it('runs a day after its first look, and then every day, in a process of its own', async () => {
      const system = await openSystem(readConfig({ DATA_DIR: data }));
      const never = () => Promise.reject(new Error('not due'));
      await examineWhenDue(system, due(first), never);
      await examineWhenDue(system, due(new Date(next.getTime() - 1)), never);
      expect(await examinations(system.side).newest()).toEqual({ at: first.toISOString() });
      chmodSync(join(data, 'events.db'), 0o644);
      await examineWhenDue(system, due(next), doctor);
      const newest = await examinations(system.side).newest();
      expect(newest).toMatchObject({ at: next.toISOString(), problems: 1 });
      expect(newest?.findings).toContainEqual(
        expect.objectContaining({ check: 'files', severity: 'problem' }) as Finding,
      );
      await examineWhenDue(system, due(new Date(next.getTime() + 1)), never);
      await system.close();
    });

    it('runs at once when an operator asks for it, and once for each request', async () => {
      const system = await openSystem(readConfig({ DATA_DIR: data }));
      const record = examinations(system.side);
      const now = new Date();
      await record.ask(now);
      let runs = 0;
      const counted = () => {
        runs += 1;
        return doctor();
      };
      await examineWhenDue(system, due(now), counted);
      await examineWhenDue(system, due(now), counted);
      expect(runs).toBe(1);
      expect(await record.requestedAt()).toBeUndefined();
      expect(await record.newest()).toMatchObject({ at: now.toISOString(), problems: 0 });
      await record.ask(now);
      const failing = () => doctor('--no-such-option');
      await expect(examineWhenDue(system, due(now), failing)).rejects.toThrow('--no-such-option');
      expect(await record.requestedAt()).toBeUndefined();
      await system.close();
    });

    it('fails with what the process said when it gave no result, and health says that it fails', async () => {
      const system = await openSystem(readConfig({ DATA_DIR: data }));
      await examinations(system.side).put({ at: first.toISOString() });
      let rounds = 0;
      const job = startJob(
        { side: system.side, leases: system.leases, onFault: () => (rounds += 1) },
        {
          name: 'doctor',
          firstMs: 1,
          longestMs: 1,
          work: () => examineWhenDue(system, due(next), () => doctor('--no-such-option')),
        },
      );
      const health = new Health({ system, projections: [], say: () => undefined });
      const sentences = async () => (await health.troubles()).map(({ sentence }) => sentence);
      await until(async () =>
        (await sentences()).some((each) => /background job doctor has failed/.test(each)),
      );
      expect(rounds).toBeGreaterThan(1);
      expect((await jobFailures(system.side))[0]?.error).toMatch(/^unknown option '--no-such-option'/);
      await job.stop();
      expect(await examinations(system.side).newest()).toEqual({ at: first.toISOString() });
      await system.close();
    });
  });
});
