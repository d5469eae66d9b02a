import { generateKeyPairSync } from 'node:crypto';
import {
  appendFileSync,
  closeSync,
  mkdirSync,
  openSync,
  readdirSync,
  readFileSync,
  rmSync,
  writeFileSync,
  writeSync,
} from 'node:fs';
import { dirname, join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { onTestFinished } from 'vitest';
import { backupRecord } from '../../src/backup/record.ts';
import { cosignerVkey } from '../../src/audit/proof-log/format/cosignature.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { FindingName } from '../../src/doctor/catalogue.ts';
import { startJob } from '../../src/ground/job.ts';
import { jobFailures } from '../../src/ground/job-failures.ts';
import { teams } from '../../src/projections/teams.ts';
import { pushCheckpoints, toFile } from '../../src/runtime/checkpoint-push.ts';
import { alterReadModel } from '../support/alter-read-model.ts';
import { runCommandLine } from '../support/command-line.ts';
import { freePort } from '../support/free-port.ts';
import { until } from '../support/until.ts';

/** One thing that can be wrong with an installation. */
export interface Breakage {
  readonly what: string;
  /** Breaks a folder for real. What it returns, if anything, are the settings with which to look at it. */
  readonly break: (data: string) => unknown;
  readonly finding: FindingName;
  /** Parts of what is said of it. */
  readonly names: RegExp;
  /** `verify` names it as well. */
  readonly verify?: RegExp;
  /** `status` cannot be told, and says this. */
  readonly fails?: RegExp;
  /** Only `verify` names it, asked in these words besides. The doctor does not hash the log. */
  readonly byVerify?: (data: string) => readonly string[];
}

/** Runs statements as somebody does who takes the triggers away and puts them back. */
function behindTriggers(data: string, file: string, ...statements: readonly string[]): void {
  const db = new DatabaseSync(join(data, file));
  const triggers = db.prepare(`SELECT name, sql FROM sqlite_master WHERE type = 'trigger'`).all();
  for (const { name } of triggers) db.exec(`DROP TRIGGER ${String(name)}`);
  for (const statement of statements) db.exec(statement);
  for (const { sql } of triggers) db.exec(String(sql));
  db.close();
}

const dropped = (trigger: string, file: string) => (data: string) => {
  const db = new DatabaseSync(join(data, file));
  db.exec(`DROP TRIGGER ${trigger}`);
  db.close();
};

const withoutSecrets = (pattern: string) => (data: string) =>
  behindTriggers(data, 'vault.db', `DELETE FROM secrets WHERE name LIKE '${pattern}'`);

/** A path that leads through a file: even the superuser cannot write there. */
function throughFile(data: string, name: string): string {
  const file = join(dirname(data), 'no-folder');
  writeFileSync(file, '');
  return join(file, name);
}

const backupsOf = (data: string): string => join(dirname(data), 'backups');

const daysAgo = (days: number): Date => new Date(Date.now() - days * 24 * 60 * 60_000);

async function withRecord(
  data: string,
  write: (record: ReturnType<typeof backupRecord>) => Promise<void>,
): Promise<void> {
  const system = await openSystem(readConfig({ DATA_DIR: data }));
  await write(backupRecord(system.side));
  await system.close();
}

async function done(
  words: readonly string[],
  data: string,
  settings: Readonly<Record<string, string>> = {},
): Promise<void> {
  const { code, stderr } = await runCommandLine(words, data, settings);
  if (code !== 0) throw new Error(stderr);
}

const keptBeside = (data: string): string => join(dirname(data), 'kept.txt');
const exportOf = (data: string): string => join(dirname(data), 'export');

export const breakages: readonly Breakage[] = [
  {
    what: 'what an event says was changed',
    break: (data) =>
      behindTriggers(
        data,
        'events.db',
        `UPDATE events SET data = json_set(data, '$.name', 'Haven') WHERE type = 'TeamCreated'`,
      ),
    finding: 'event-changed',
    names: /was changed: TeamCreated.*restore log and proof log from a backup/s,
    byVerify: () => [],
  },
  {
    what: 'an event was removed',
    break: (data) => behindTriggers(data, 'events.db', `DELETE FROM events WHERE type = 'UserErased'`),
    finding: 'event-changed',
    names: /Leaf \d+ is missing.*restore log and proof log from a backup/s,
    byVerify: () => [],
  },
  {
    what: 'an event is no JSON any more',
    break: (data) =>
      behindTriggers(
        data,
        'events.db',
        `UPDATE events SET data = '{' WHERE position = (SELECT min(position) FROM events WHERE type = 'EmailClaimed')`,
      ),
    finding: 'log-unreadable',
    names: /The log cannot be read to its end: .* is not JSON\. .*keep a copy of `events\.db`/,
    verify: /Its content cannot be read: it is not JSON/,
    fails: /The event \S+ \(\S+, revision \d+\) at position \d+ is damaged/,
  },
  {
    what: 'a tile of the proof log was changed',
    break: (data) =>
      behindTriggers(data, 'log.db', 'UPDATE tiles SET hashes = randomblob(length(hashes)) WHERE level = 0'),
    finding: 'proof-log-contradicted',
    names: /tile\/0\/.* of the proof log was changed.*Keep the files as they are/s,
    byVerify: () => [],
  },
  {
    what: 'the log was never signed',
    break: (data) => {
      withoutSecrets('proof-log/%')(data);
      behindTriggers(data, 'log.db', 'DELETE FROM checkpoints');
    },
    finding: 'never-signed',
    names: /The log was never signed.*Start a server/s,
    byVerify: () => [],
  },
  {
    what: 'no witness has cosigned',
    break: () => undefined,
    finding: 'not-cosigned',
    names: /No checkpoint is cosigned by enough witnesses; 1 of 1 witness must.*commonweal status/s,
    byVerify: () => {
      const { privateKey } = generateKeyPairSync('ed25519');
      return ['--witness', cosignerVkey({ name: 'witness.example.org', privateKey })];
    },
  },
  {
    what: 'a new proof log began',
    break: (data) => done(['audit', 'log', 'replace', '--accept-loss', '--behind'], data),
    finding: 'log-begun-anew',
    names: /audit\/log ended at \S+, after \d+ entries, because .* goes on\..*Give the new key/s,
  },
  {
    what: 'events were changed before a new proof log began',
    break: async (data) => {
      const { stdout } = await runCommandLine(['audit', 'log', 'status', '--json'], data);
      const { checkpoint } = JSON.parse(stdout) as { readonly checkpoint: { readonly note: string } };
      writeFileSync(keptBeside(data), checkpoint.note);
      behindTriggers(
        data,
        'events.db',
        `UPDATE events SET data = json_set(data, '$.name', 'Haven') WHERE type = 'TeamCreated'`,
      );
      await done(['audit', 'log', 'replace', '--accept-loss'], data);
    },
    finding: 'former-log-differs',
    names:
      /is of a former log: .* events that were signed then are lost, or were changed.*find out who began/s,
    byVerify: (data) => ['--checkpoint', keptBeside(data)],
  },
  {
    what: 'a line of an export was changed',
    break: async (data) => {
      await done(['audit', 'export', '--out', exportOf(data)], data);
      const file = join(exportOf(data), 'events.ndjson');
      writeFileSync(file, readFileSync(file, 'utf8').replace('Harbor', 'Haven'));
    },
    finding: 'export-changed',
    names: /events\.ndjson.*Do not rely on this export/s,
    byVerify: (data) => ['--export', exportOf(data), '--full'],
  },
  {
    what: 'a read model says something else than the log',
    break: (data) => alterReadModel(data, teams.collection.name, `json_set(_body, '$.name', 'Not Harbor')`),
    finding: 'read-model-changed',
    names: /read model teams differs from the log: document \S+ differs in name.*`commonweal rebuild`/,
  },
  {
    what: 'a document of a read model was removed',
    break: (data) => {
      const db = new DatabaseSync(join(data, 'views.db'));
      const { generation } = db
        .prepare('SELECT generation FROM generations WHERE name = ? AND serving = 1')
        .get(teams.collection.name) as { readonly generation: number };
      db.exec(`DELETE FROM "${teams.collection.name}.${generation}"`);
      db.close();
    },
    finding: 'read-model-changed',
    names: /read model teams differs from the log: document \S+ is missing.*`commonweal rebuild`/,
  },
  {
    what: 'the data key of a person is gone, without an erasure',
    break: withoutSecrets('person/%'),
    finding: 'data-key-missing',
    names: /1 data key is missing in the vault, and no erasure is recorded: person\/.*Restore the vault/,
  },
  {
    what: 'a checkpoint in the middle was removed',
    break: (data) =>
      behindTriggers(
        data,
        'log.db',
        'DELETE FROM checkpoints WHERE size = (SELECT size FROM checkpoints ORDER BY size LIMIT 1 OFFSET 1)',
      ),
    finding: 'checkpoint-missing',
    names: /1 checkpoint is missing in the proof log, of the \d+ checkpoints.*Keep `log\.db` as evidence/,
    verify: /1 checkpoint is missing in the proof log/,
  },
  {
    what: 'an event of a type that this release does not have',
    break: (data) =>
      behindTriggers(data, 'events.db', `UPDATE events SET type = 'TeamFlown' WHERE type = 'TeamCreated'`),
    finding: 'event-unknown',
    names: /events? TeamFlown \(schema \d\), which this release does not have.*Start the release that wrote/,
    verify: /TeamFlown/,
  },
  {
    what: 'an event of a version that this release does not have',
    break: (data) =>
      behindTriggers(
        data,
        'events.db',
        `UPDATE events SET metadata = json_set(metadata, '$.commonweal_schema', 99) WHERE type = 'TeamCreated'`,
      ),
    finding: 'event-unknown',
    names:
      /events? TeamCreated \(schema 99\), which this release does not have.*Start the release that wrote/,
    verify: /TeamCreated/,
  },
  {
    what: 'the proof log was rolled back',
    break: (data) =>
      behindTriggers(
        data,
        'log.db',
        'DELETE FROM checkpoints WHERE size > (SELECT min(size) FROM checkpoints)',
      ),
    finding: 'proof-log-contradicted',
    names: /The proof log was cut back.*Keep the files as they are/,
    verify: /The proof log was cut back/,
  },
  {
    what: 'the proof log has lost all checkpoints',
    break: (data) => behindTriggers(data, 'log.db', 'DELETE FROM checkpoints'),
    finding: 'proof-log-contradicted',
    names: /The proof log is lost.*Restore it from a backup/,
    verify: /The proof log is lost/,
  },
  {
    what: 'the trigger against changes of events was dropped',
    break: dropped('events_are_never_changed', 'events.db'),
    finding: 'trigger-missing',
    names: /events\.db lacks events_are_never_changed.*CREATE TRIGGER.*`commonweal verify`/s,
  },
  {
    what: 'the trigger against removed checkpoints was changed',
    break: (data) => {
      const db = new DatabaseSync(join(data, 'log.db'));
      db.exec('DROP TRIGGER checkpoints_stay');
      db.exec('CREATE TRIGGER checkpoints_stay BEFORE DELETE ON checkpoints BEGIN SELECT 1; END');
      db.close();
    },
    finding: 'trigger-missing',
    names: /log\.db lacks checkpoints_stay.*CREATE TRIGGER.*`commonweal verify`/s,
  },
  {
    what: 'streams may have doubles: their index was dropped',
    break: (data) => {
      const db = new DatabaseSync(join(data, 'events.db'));
      db.exec('DROP INDEX events_by_stream');
      db.close();
    },
    finding: 'trigger-missing',
    names: /events\.db lacks events_by_stream.*CREATE UNIQUE INDEX.*`commonweal verify`/s,
  },
  {
    what: 'the secret of a webhook is gone',
    break: withoutSecrets('webhook-secret/%'),
    finding: 'secret-missing',
    names: /1 secret that the log names is missing in the vault: webhook-secret\/.*rotate the secret/,
  },
  {
    what: 'the hash of a password is gone',
    break: withoutSecrets('password/%'),
    finding: 'secret-missing',
    names: /1 secret that the log names is missing in the vault: password\/.*choose a new password/,
  },
  {
    what: 'the key by which people are found by their address is gone',
    break: withoutSecrets('email-index'),
    finding: 'secret-missing',
    names: /missing in the vault: email-index.*Restore the vault/,
  },
  {
    what: 'the key that signs ID tokens is gone',
    break: withoutSecrets('signing-key/%'),
    finding: 'signing-key-missing',
    names: /The signing key \S+ is missing in the vault.*`commonweal oauth rotate-signing --at-once`/,
  },
  {
    what: 'the key of the proof log is gone',
    break: withoutSecrets('proof-log/key'),
    finding: 'log-key-missing',
    names: /The key of the proof log is missing in the vault.*restore the vault/,
    verify: /The key of the proof log is missing in the vault, so nothing that it signed can be verified/,
  },
  {
    what: 'the erasure ledger is torn',
    break: (data) => appendFileSync(join(data, 'erasures.log'), '{"holder":"person/\0\0\0\n'),
    finding: 'ledger-unreadable',
    names: /line \d+ of the erasure ledger cannot be read.*Put a copy of the file in its place/,
  },
  {
    what: 'the erasure ledger is gone',
    break: (data) => rmSync(join(data, 'erasures.log')),
    finding: 'ledger-missing',
    names: /1 erasure that the log has is in no erasure ledger: person\/.*back from a copy/,
  },
  {
    what: 'the erasure ledger was emptied of who was erased',
    break: (data) => {
      const file = join(data, 'erasures.log');
      const [owner = ''] = readFileSync(file, 'utf8').split('\n');
      writeFileSync(file, `${owner}\n`);
    },
    finding: 'ledger-missing',
    names: /1 erasure that the log has is in no erasure ledger: person\/.*back from a copy/,
  },
  {
    what: 'the erasure ledger cannot be written',
    break: (data) => {
      rmSync(join(data, 'erasures.log'));
      mkdirSync(join(data, 'erasures.log'));
    },
    finding: 'ledger-unreadable',
    names: /erasures\.log cannot be read \(EISDIR\).*give the file to the user/,
  },
  {
    what: 'the folder of the backups cannot be written',
    break: (data) => ({ BACKUP_DIR: throughFile(data, 'backups') }),
    finding: 'backup-unwritable',
    names: /BACKUP_DIR \S+ cannot be written \(ENOTDIR\).*Look at the mount and the owner/,
  },
  {
    what: 'no backup was taken for two days',
    break: async (data) => {
      await withRecord(data, (record) => record.expected(daysAgo(2)));
      return { BACKUP_DIR: backupsOf(data) };
    },
    finding: 'backup-late',
    names: /No backup has been taken, though a daily one is expected since .*Take one by hand/,
  },
  {
    what: 'the program of BACKUP_AFTER fails',
    break: async (data) => {
      const settings = { BACKUP_DIR: backupsOf(data), BACKUP_AFTER: '/bin/false' };
      await done(['backup'], data, settings);
      await withRecord(data, (record) => record.copyExpected(new Date()));
      const { code } = await runCommandLine(['backup', 'copy'], data, settings);
      if (code !== 1) throw new Error('It was copied.');
      return settings;
    },
    finding: 'backup-not-copied',
    names: /BACKUP_AFTER has failed since \S+ \(it ended with exit code 1\).*`commonweal backup copy`/,
  },
  {
    what: 'the program of BACKUP_AFTER is gone',
    break: (data) => ({ BACKUP_DIR: backupsOf(data), BACKUP_AFTER: throughFile(data, 'copy') }),
    finding: 'backup-not-copied',
    names: /program of BACKUP_AFTER, \S+, cannot be started \(ENOTDIR\).*`commonweal backup copy`/,
  },
  {
    what: 'a byte of the newest backup was changed',
    break: async (data) => {
      const settings = { BACKUP_DIR: backupsOf(data) };
      await done(['backup'], data, settings);
      const [name = ''] = readdirSync(backupsOf(data)).filter((each) => each.startsWith('commonweal-'));
      const file = openSync(join(backupsOf(data), name, 'events.db'), 'r+');
      writeSync(file, 'x', 100);
      closeSync(file);
      const { code } = await runCommandLine(['backup', 'drill'], data, settings);
      if (code !== 1) throw new Error('It was restored.');
      return settings;
    },
    finding: 'drill-failed',
    names:
      /could not be restored: .*events\.db is not the file that was backed up.*Take a new backup at once/,
  },
  {
    what: 'no backup was tested for two weeks',
    break: async (data) => {
      const settings = { BACKUP_DIR: backupsOf(data) };
      await done(['backup'], data, settings);
      await withRecord(data, (record) => record.drillExpected(daysAgo(14)));
      return settings;
    },
    finding: 'drill-late',
    names: /No backup has been restored for a test since .*Run `commonweal backup drill`/,
  },
  {
    what: 'the file of pushed checkpoints cannot be written',
    break: (data) => ({ CHECKPOINT_PUSH: throughFile(data, 'checkpoints.txt') }),
    finding: 'push-unwritable',
    names: /CHECKPOINT_PUSH, \S+, cannot be written \(ENOTDIR\).*Look at the mount and the owner/,
  },
  {
    what: 'nothing listens where the mail server should',
    break: async () => ({ SMTP_URL: `smtp://127.0.0.1:${await freePort()}` }),
    finding: 'smtp-silent',
    names: /mail server of SMTP_URL does not answer.*\(ESOCKET\).*Check SMTP_URL/,
  },
  {
    what: 'a background job fails again and again',
    break: async (data) => {
      const system = await openSystem(readConfig({ DATA_DIR: data }));
      const job = startJob(
        { side: system.side, leases: system.leases, onFault: () => undefined },
        {
          name: 'checkpoint-push',
          firstMs: 1,
          longestMs: 1,
          work: pushCheckpoints(system, toFile(throughFile(data, 'checkpoints.txt'))),
        },
      );
      // It fails for as long as it is looked at.
      onTestFinished(async () => {
        await job.stop();
        await system.close();
      });
      await until(async () => (await jobFailures(system.side)).length > 0);
    },
    finding: 'job-failing',
    names: /background job checkpoint-push has failed again and again since .*ENOTDIR.*CommonwealJobFailing/,
  },
];
