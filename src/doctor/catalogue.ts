/**
 * What can be wrong, with its weight and what to do. docs/watching.md has it as a table, and a test compares them and breaks
 * each for real.
 */
export type Weight =
  /** Nothing, or no change, is served. `/readyz` says 503. */
  | 'cannot serve'
  /** Data, or the proof that it was not changed, is lost or may be. */
  | 'in danger'
  | 'needs attention';

export interface Entry {
  /** What was checked. */
  readonly check: string;
  readonly weight: Weight;
  /** What is wrong, in a few words. */
  readonly what: string;
  /** What to do. It may hold commands between backticks. */
  readonly remedy: string;
}

export const catalogue = {
  'event-changed': {
    check: 'log',
    weight: 'in danger',
    what: 'events are not those that were signed: changed, removed, added or moved',
    remedy:
      'Stop the service, keep a copy of the data folder as evidence, and restore log and proof log from a backup that `commonweal verify` accepts: docs/backup.md, "Restore". Do not repair the file.',
  },
  'log-unreadable': {
    check: 'log',
    weight: 'in danger',
    what: 'the log cannot be read to its end',
    remedy:
      'Stop the service, keep a copy of `events.db`, and restore a backup: docs/backup.md, "Restore". With EventStoreDB look at its log first.',
  },
  'never-signed': {
    check: 'proof log',
    weight: 'needs attention',
    what: 'the log was never signed, so nothing can be verified',
    remedy: 'Start a server with the role projector: it makes the key and signs within a minute.',
  },
  'not-cosigned': {
    check: 'proof log',
    weight: 'needs attention',
    what: 'fewer witnesses than must have cosigned a checkpoint',
    remedy:
      'Run `commonweal status`: a job named after each witness says why it does not cosign. If none fails, ask the operators of the witnesses what they have seen of this log.',
  },
  'export-changed': {
    check: 'export',
    weight: 'in danger',
    what: 'an export is not what was signed, or not whole',
    remedy:
      'Do not rely on this export. Ask for another copy, or make it again with `commonweal audit export`.',
  },
  'read-model-changed': {
    check: 'read models',
    weight: 'in danger',
    what: 'a read model shows something else than the log',
    remedy:
      'Run `commonweal rebuild` with its name, which makes it anew from the log, and find out who or what wrote to its store: what is shown decides who may do what.',
  },
  'event-unknown': {
    check: 'newer release',
    weight: 'in danger',
    what: 'the log has events of a type or version that this release does not have',
    remedy:
      'Start the release that wrote them: no read model here shows them. If there was none, run `commonweal verify`, which says whether the log was changed.',
  },
  'data-key-missing': {
    check: 'keys',
    weight: 'in danger',
    what: 'a data key is missing, and nobody was erased',
    remedy:
      'What it seals cannot be read. Restore the vault from a backup that has it: docs/backup.md, "Restore". If the person was to be erased, run `commonweal erase`, which records it.',
  },
  'secret-missing': {
    check: 'keys',
    weight: 'in danger',
    what: 'a secret that the log names is missing in the vault',
    remedy:
      'Restore the vault from a backup that has it: docs/backup.md, "Restore". Without one: rotate the secret of the webhook, or let the person choose a new password.',
  },
  'signing-key-missing': {
    check: 'keys',
    weight: 'in danger',
    what: 'the key that signs ID tokens is missing in the vault',
    remedy:
      'Sites cannot sign people in. Restore the vault from a backup: docs/backup.md, "Restore". Without one, `commonweal oauth rotate-signing --at-once` publishes a new key.',
  },
  'log-key-missing': {
    check: 'keys',
    weight: 'in danger',
    what: 'the key of the proof log is missing in the vault',
    remedy:
      'Stop the signer before it makes a new key, which nobody trusts yet, and restore the vault from a backup: docs/backup.md, "Restore".',
  },
  'trigger-missing': {
    check: 'integrity',
    weight: 'in danger',
    what: 'a trigger or index that keeps a file append-only was dropped or changed',
    remedy:
      'Somebody has had the file open for writing. Run `commonweal verify`, which names what was changed, and restore a backup if it does. Then put it back with the service stopped, by `sqlite3` and the statement above.',
  },
  'checkpoint-missing': {
    check: 'proof log',
    weight: 'in danger',
    what: 'checkpoints that were signed are missing in the middle of the proof log',
    remedy:
      'Somebody who holds one of them cannot find it here. Keep `log.db` as evidence, and restore it from a backup that has them: docs/backup.md, "Restore".',
  },
  'proof-log-contradicted': {
    check: 'proof log',
    weight: 'in danger',
    what: 'the proof log was rolled back, changed or lost',
    remedy:
      'Keep the files as they are: they are the evidence. Restore log and proof log from a backup: docs/backup.md, "Restore". If there is none, `commonweal audit log replace` accepts what is there.',
  },
  'former-log-differs': {
    check: 'proof log',
    weight: 'in danger',
    what: 'a checkpoint of a former log is of events that are lost, or were changed',
    remedy:
      'After a restore this is what was lost with it. Look for a newer backup, and keep the checkpoint: it shows what was there. If nothing was restored, keep the files as they are, and find out who began a new log.',
  },
  'log-begun-anew': {
    check: 'proof log',
    weight: 'needs attention',
    what: 'a new proof log began in the last week, and readers of the former one must be told',
    remedy:
      'Give the new key, which `commonweal audit log status` shows, to each witness and to everybody who keeps checkpoints: docs/proof-log.md, "When a log ends". If nobody here restored a backup or replaced the log, find out who did.',
  },
  'ledger-unreadable': {
    check: 'erasure',
    weight: 'in danger',
    what: 'the erasure ledger is torn, or cannot be read or written',
    remedy:
      'Nobody is erased until it can, and the service does not start with a torn one. Put a copy of the file in its place, or correct the line; else give the file to the user that runs Commonweal.',
  },
  'ledger-missing': {
    check: 'erasure',
    weight: 'in danger',
    what: 'erasures that the log has are in no erasure ledger',
    remedy:
      'A backup from before them would bring these people back. Put the file of ERASURE_LEDGER, or `erasures.log` of DATA_DIR or BACKUP_DIR, back from a copy. Without one, destroy backups that are older than the newest erasure.',
  },
  'backup-unwritable': {
    check: 'backup',
    weight: 'in danger',
    what: 'the folder of the backups cannot be written',
    remedy:
      'No backup is taken, and nobody is erased. Look at the mount and the owner of BACKUP_DIR, or set it to another folder.',
  },
  'backup-late': {
    check: 'backup',
    weight: 'in danger',
    what: 'a daily backup is expected, and the newest is over 30 hours old',
    remedy:
      'Look at the error of the job backup in `commonweal status`: BACKUP_DIR may be full or away. Take one by hand meanwhile: `commonweal backup`.',
  },
  'backup-not-copied': {
    check: 'backup',
    weight: 'in danger',
    what: 'BACKUP_AFTER fails, so that the newest backups are in one place alone',
    remedy:
      'Run `commonweal backup copy`: it copies the newest now, and says what the program of BACKUP_AFTER printed last. Correct the program, its credentials or the place.',
  },
  'drill-failed': {
    check: 'backup',
    weight: 'in danger',
    what: 'the newest backup was restored for a test, and is of no use',
    remedy:
      'Run `commonweal backup drill`, which says what is wrong. Take a new backup at once and test that; if it fails too, run `commonweal doctor --full` and `commonweal verify`, and look at the disk of BACKUP_DIR.',
  },
  'drill-no-room': {
    check: 'backup',
    weight: 'needs attention',
    what: 'there is no room to restore the newest backup for a test',
    remedy:
      'Make room on the disk of BACKUP_DIR, or test on another one: `commonweal backup drill --in <folder>`.',
  },
  'drill-late': {
    check: 'backup',
    weight: 'needs attention',
    what: 'the weekly test of a backup has not run for ten days',
    remedy:
      'Run `commonweal backup drill`. If a server with BACKUP_DIR runs, `commonweal status` says why its job backup-drill does not.',
  },
  'push-unwritable': {
    check: 'proof log',
    weight: 'in danger',
    what: 'the file of the pushed checkpoints cannot be written',
    remedy:
      'No checkpoint leaves this machine, so a rewritten log would be noticed by nobody. Look at the mount and the owner of the file of CHECKPOINT_PUSH.',
  },
  'smtp-silent': {
    check: 'mail',
    weight: 'needs attention',
    what: 'the mail server does not answer, or does not let us in',
    remedy:
      'Check SMTP_URL, the mail server and the way to it. Mails wait meanwhile, and are sent as soon as it takes them.',
  },
  'disk-ahead': {
    check: 'disk',
    weight: 'needs attention',
    what: 'the disk will be full soon, at the growth of the last day',
    remedy:
      'Make room, or move DATA_DIR to a larger disk while the service is stopped. The log cannot be made smaller.',
  },
  'job-failing': {
    check: 'jobs',
    weight: 'needs attention',
    what: 'a background job fails again and again',
    remedy:
      'It goes on by itself when the cause is gone: docs/runbook.md, "CommonwealJobFailing", says where to look.',
  },
} as const satisfies Readonly<Record<string, Entry>>;

export type FindingName = keyof typeof catalogue;
