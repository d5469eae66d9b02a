import { chmodSync, cpSync, mkdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { catalogue, type Entry } from '../../src/doctor/catalogue.ts';
import { inWords, type Finding } from '../../src/doctor/finding.ts';
import type { Status } from '../../src/status/status.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { startServing } from '../support/serving.ts';
import { startMailServer } from '../mail/smtp-server.ts';
import { breakages } from './breakages.ts';
import { bytesIn, onSmallDisk, servedFolder } from './served-folder.ts';

const folder = temporaryFolder();
const served = join(folder.path, 'served');
let copies = 0;

/** The served folder once more, to be broken. */
function copy(to = join(folder.path, `copy-${(copies += 1)}`, 'data')): string {
  mkdirSync(dirname(to), { recursive: true });
  cpSync(served, to, { recursive: true });
  for (const path of [to, join(to, 'leases')]) chmodSync(path, 0o700);
  return to;
}

async function examined(data: string, settings: Readonly<Record<string, string>> = {}, ...words: string[]) {
  const { stdout, stderr } = await runCommandLine(['doctor', '--json', ...words], data, settings);
  expect(stderr).toBe('');
  return (JSON.parse(stdout) as { readonly findings: readonly Finding[] }).findings;
}

describe.skipIf(!isEmbedded)('each breakage is named with its remedy', () => {
  beforeAll(() => servedFolder(served, startServing));
  afterAll(() => folder.remove());

  it('and nothing is, where nothing is broken', async () => {
    const data = copy();
    const mail = await startMailServer();
    try {
      const settings = { SMTP_URL: mail.url, CHECKPOINT_PUSH: join(dirname(data), 'pushed.txt') };
      for (const words of [[], ['--full']]) {
        const findings = await examined(data, settings, ...words);
        const ofCatalogue = findings.filter(({ name = '' }) => Object.hasOwn(catalogue, name));
        expect([...ofCatalogue, ...findings.filter(({ severity }) => severity === 'problem')]).toEqual([]);
      }
    } finally {
      await mail.stop();
    }
    expect((await runCommandLine(['verify'], data)).code).toBe(0);
  });

  it.each(breakages)(
    '$what: $finding',
    async ({ break: damage, finding, names, verify, fails, byVerify }) => {
      const data = copy();
      const settings = ((await damage(data)) ?? {}) as Readonly<Record<string, string>>;
      if (verify) {
        const { code, stdout, stderr } = await runCommandLine(['verify', '--json'], data);
        expect([code, stdout, stderr]).toEqual([1, expect.stringMatching(verify), '']);
      }
      const words = byVerify ? ['verify', ...byVerify(data)] : ['doctor'];
      const { stdout } = await runCommandLine([...words, '--json'], data, settings);
      const { findings } = JSON.parse(stdout) as { readonly findings: readonly Finding[] };
      const unnamed = findings.filter(({ name, weight, remedy }) => !name || !weight || !remedy);
      expect(unnamed).toEqual([]);
      const found = findings.filter(({ name }) => name === finding);
      expect(found.map(inWords)).toContainEqual(expect.stringMatching(names));
      const { weight, remedy }: Entry = catalogue[finding];
      for (const each of found)
        expect(each).toMatchObject({ weight, remedy: expect.stringMatching(/\S/) as string });
      if (byVerify) expect(found[0]?.remedy).toBe(remedy);
      const status = await runCommandLine(['status', '--json'], data, settings);
      if (fails) expect(status.stderr).toMatch(fails);
      else if (!byVerify) {
        const { problems_by_weight: all } = JSON.parse(status.stdout) as Pick<Status, 'problems_by_weight'>;
        expect(new Map(Object.entries(all)).get(weight.replace(' ', '_'))).toBeGreaterThan(0);
      }
      const text = await runCommandLine(words, data, settings);
      expect(text.code).toBe(1);
      expect(text.stdout).toMatch(names);
    },
  );

  it('a disk that is full soon: disk-ahead', async (context) => {
    const parent = copy();
    const small = await onSmallDisk(
      join(parent, 'disk'),
      4 * Math.ceil(bytesIn(served) / 1024 ** 2),
      async (disk) => {
        const data = copy(join(disk, 'data'));
        const found = (await examined(data)).filter(({ name }) => name === 'disk-ahead');
        expect(found.map(inWords)).toEqual([
          expect.stringMatching(/grew by \d+ MB in the last day: it is full in about \d days?\. Make room/),
        ]);
      },
    );
    if (!small) context.skip('This user may not make a disk.');
  });

  it('no room to test a backup: drill-no-room', async (context) => {
    const parent = copy();
    const settings = { BACKUP_DIR: join(dirname(parent), 'backups') };
    expect((await runCommandLine(['backup'], parent, settings)).code).toBe(0);
    const small = await onSmallDisk(join(dirname(parent), 'disk'), 4, async (disk) => {
      const drill = await runCommandLine(['backup', 'drill', '--in', disk], parent, settings);
      expect([drill.code, drill.stdout]).toEqual([1, expect.stringMatching(/has \d MB free, and the test/)]);
      const found = (await examined(parent, settings)).filter(({ name }) => name === 'drill-no-room');
      expect(found.map(inWords)).toEqual([
        expect.stringMatching(/was not tested at .*because there was no room: .*free.*Make room/),
      ]);
    });
    if (!small) context.skip('This user may not make a disk.');
  });

  it('and the guide has each with its weight and its remedy', () => {
    const guide = readFileSync(fileURLToPath(new URL('../../docs/watching.md', import.meta.url)), 'utf8');
    const lines = new Set(guide.split('\n').map((line) => line.replace(/ +\|/g, ' |')));
    const missing = Object.entries(catalogue)
      .map(([name, { weight, what, remedy }]) => `| \`${name}\` | ${weight} | ${what} | ${remedy} |`)
      .filter((row) => !lines.has(row));
    expect(missing).toEqual([]);
  });

  it('and each of the catalogue is broken here', () => {
    const broken = new Set<string>([
      ...breakages.map(({ finding }) => finding),
      'disk-ahead',
      'drill-no-room',
    ]);
    expect(Object.keys(catalogue).filter((name) => !broken.has(name))).toEqual([]);
  });
});
