import {
  appendFileSync,
  copyFileSync,
  cpSync,
  existsSync,
  mkdirSync,
  readFileSync,
  renameSync,
  rmSync,
} from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { commandPerson, registerPerson, requirePerson } from '../../src/commands/accounts/person.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { context } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';

const email = 'philomena.quist@mailbox.example';
const second = 'ottoline.quist@mailbox.example';
const password = 'seven quiet herons wading';

const folder = temporaryFolder();
const at = (...names: readonly string[]) => join(folder.path, ...names);
const [data, drive] = [at('data'), at('drive')];
const onDrive = { BACKUP_DIR: drive };

/** A folder as a new machine has it after the disk is lost: with the master key alone. */
function newMachine(name: string): string {
  mkdirSync(at(name));
  copyFileSync(at('master.key'), at(name, 'master.key'));
  return at(name);
}

/** A copy of a backup, where nothing is beside it. */
function apart(backup: string): string {
  const copy = at(`of-${backup}`, 'backup');
  if (!existsSync(copy)) cpSync(at(backup), copy, { recursive: true });
  return copy;
}

const restore = (to: string, backup: string, settings: Record<string, string> = {}, ...options: string[]) =>
  runCommandLine(['restore', backup, ...options], to, settings);

/** Whether the person is an account that can be read, by what the command line answers. */
async function isBack(dataDir: string, address = email): Promise<boolean> {
  const { code, stderr } = await runCommandLine(['own-data', address], dataDir);
  if (code !== 0) expect(stderr).toContain('There is no account with this address');
  return code === 0;
}

async function signsIn(dataDir: string): Promise<boolean> {
  const serving = await startServing(dataDir);
  try {
    const browser = await new PlainBrowser(serving.origin.replace('127.0.0.1', 'localhost')).open(
      '/dash/sign-in',
    );
    await browser.press('Sign in', { email, password });
    return browser.heading === 'Home';
  } finally {
    await serving.stop();
  }
}

// It looks into the files of the embedded stores.
describe.skipIf(!isEmbedded)(
  'a person who was erased after a backup, when the disk is lost',
  { timeout: 120_000 },
  () => {
    beforeAll(async () => {
      await runCommand(data, 'teams', 'create', 'harbour', '--name', 'Harbour Network');
      const system = await openSystem(readConfig({ DATA_DIR: data }));
      for (const address of [email, second]) {
        const { userId } = await registerPerson(
          system,
          { email: address, password, profile: { name: 'Philomena Quistgaard' } },
          context(),
        );
        const { email: index } = await requirePerson(system, userId);
        await commandPerson(system, userId, { kind: 'verify-email', email: index }, context());
      }
      await system.close();
      copyFileSync(join(data, 'master.key'), at('master.key'));
      const done = async (...words: readonly string[]) => {
        const ended = await runCommandLine(words, data, onDrive);
        expect(ended).toMatchObject({ code: 0 });
      };
      await done('backup', at('before'));
      expect(existsSync(join(drive, 'erasures.log'))).toBe(true);

      // The drive of the backups is away: nothing is erased, and nothing is lost.
      const kept = () => readFileSync(join(data, 'erasures.log'), 'utf8');
      const entries = kept();
      renameSync(drive, at('away'));
      const refused = await runCommandLine(['erase', email, '--now'], data, onDrive);
      expect(refused).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /drive\/erasures\.log \(BACKUP_DIR\) is not there.*bring its drive back/,
        ) as string,
      });
      expect(refused.stderr).not.toMatch(/\n\s+at /);
      expect(kept()).toBe(entries);
      expect(existsSync(drive)).toBe(false);
      renameSync(at('away'), drive);

      await done('erase', email, '--now');
      await done('backup', at('later'));
      copyFileSync(join(drive, 'erasures.log'), at('old-ledger.log'));
      await done('erase', second, '--now');
      await done('backup', at('last'));
      rmSync(data, { recursive: true });
    }, 120_000);
    afterAll(() => folder.remove());

    it('does not come back unasked where no ledger is found, and does when that is accepted', async () => {
      const there = newMachine('no-ledger');
      const asked = await restore(there, apart('before'));
      expect(asked).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /There is no erasure ledger .* would come back.*--accept-resurrection/,
        ) as string,
      });
      expect(existsSync(join(there, 'events.db'))).toBe(false);
      expect(existsSync(join(there, 'restoring'))).toBe(false);

      expect(await restore(there, apart('before'), {}, '--accept-resurrection')).toMatchObject({ code: 0 });
      expect(await isBack(there)).toBe(true);
    });

    it('stays erased where BACKUP_DIR has the ledger, or it is beside the backup', async () => {
      const there = newMachine('with-drive');
      expect(await restore(there, apart('before'), onDrive)).toMatchObject({ code: 0 });
      expect(await signsIn(there)).toBe(false);
      expect(await isBack(there)).toBe(false);

      copyFileSync(join(drive, 'erasures.log'), join(apart('before'), '../erasures.log'));
      const beside = newMachine('beside');
      expect(await restore(beside, apart('before'))).toMatchObject({ code: 0 });
      expect(await isBack(beside)).toBe(false);
      // What was found is kept in the new folder too.
      expect(readFileSync(join(beside, 'erasures.log'), 'utf8')).toMatch(/person\/.*\n.*person\//);
      rmSync(join(apart('before'), '../erasures.log'));
    });

    it('does not come back unasked where the ledger is older than the backup', async () => {
      const there = newMachine('old-ledger');
      const settings = { ERASURE_LEDGER: at('old-ledger.log') };
      const asked = await restore(there, apart('last'), settings);
      expect(asked).toMatchObject({
        code: 1,
        stderr: expect.stringMatching(
          /is older than the backup: it lacks an erasure .*--accept-resurrection/,
        ) as string,
      });
      expect(existsSync(join(there, 'events.db'))).toBe(false);
      // Of the backup before the last erasure it knows enough.
      expect(await restore(there, apart('later'), settings)).toMatchObject({ code: 0 });
      expect(await isBack(there)).toBe(false);

      // With what the backup knows, whoever was erased before it stays erased all the same.
      const accepted = newMachine('accepted');
      expect(await restore(accepted, apart('last'), settings, '--accept-resurrection')).toMatchObject({
        code: 0,
      });
      expect([await isBack(accepted), await isBack(accepted, second)]).toEqual([false, false]);
    });

    it('does not come back unasked where the ledger is of another installation', async () => {
      const other = at('other');
      await runCommand(other, 'teams', 'create', 'bay', '--name', 'Bay');
      await runCommand(other, 'backup', at('of-other'));
      const settings = { ERASURE_LEDGER: join(other, 'erasures.log') };
      const there = newMachine('another');
      expect(await restore(there, apart('before'), settings)).toMatchObject({
        code: 1,
        stderr: expect.stringContaining('There is no erasure ledger of this installation here') as string,
      });
      // Two installations may share a folder of backups, and so a ledger.
      const shared = at('shared.log');
      copyFileSync(join(drive, 'erasures.log'), shared);
      appendFileSync(shared, readFileSync(join(other, 'erasures.log')));
      expect(await restore(there, apart('before'), { ERASURE_LEDGER: shared })).toMatchObject({ code: 0 });
      expect(await isBack(there)).toBe(false);
    });
  },
);
