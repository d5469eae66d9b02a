import type { Entry } from './catalogue.ts';

/**
 * What the doctor finds beside the catalogue, by what was checked: the sentence of each says what and where, and mostly how it is
 * put right; the remedy here says where to look further. docs/watching.md has it as a table, and a test compares them.
 */
export const generalFindings = {
  settings: {
    name: 'setting-unsafe',
    weight: 'needs attention',
    what: 'a setting that is not taken, is risky, or does not fit the others',
    remedy: 'Each setting is in docs/settings.md. Start every node again after a change.',
  },
  files: {
    name: 'data-folder-unfit',
    weight: 'needs attention',
    what: 'the data folder is missing, open to others, not ours or not writable, or a restore did not end',
    remedy: 'What each file holds is in docs/backup.md, "Files of the embedded stores".',
  },
  disk: {
    name: 'disk-scarce',
    weight: 'needs attention',
    what: 'a device has little room, or few inodes',
    remedy:
      'When it is full, changes are refused and nothing is lost: docs/runbook.md, "CommonwealDiskFilling".',
  },
  integrity: {
    name: 'file-unfit',
    weight: 'in danger',
    what: 'a file is damaged, missing, of another release, or larger than it should be',
    remedy: 'Delete no file. What each holds is in docs/backup.md, "Files of the embedded stores".',
  },
  keys: {
    name: 'key-unfit',
    weight: 'in danger',
    what: 'a key or secret is missing, cannot be opened, or is too old',
    remedy: 'Keep the vault as it is until that is clear: docs/backup.md, "When the vault is lost".',
  },
  vault: {
    name: 'vault-away',
    weight: 'in danger',
    what: 'the vault cannot be read',
    remedy:
      'Without it nobody can sign in and nothing sealed can be read: docs/backup.md, "When the vault is lost".',
  },
  log: {
    name: 'log-away',
    weight: 'in danger',
    what: 'there is no log, or it cannot be read',
    remedy: 'Nothing is made anew in its place. docs/runbook.md, "CommonwealStoresAway", says where to look.',
  },
  'proof log': {
    name: 'proof-log-behind',
    weight: 'in danger',
    what: 'the proof log is behind the log, ahead of it, or cannot be read',
    remedy: 'What follows from it is in docs/runbook.md, "CommonwealProofLogLate".',
  },
  erasure: {
    name: 'ledger-at-risk',
    weight: 'in danger',
    what: 'the only erasure ledger would be lost together with the data',
    remedy: 'What the ledger is for is in docs/erasure.md, "The ledger".',
  },
  backup: {
    name: 'backup-at-risk',
    weight: 'in danger',
    what: 'there is no backup, a late one, or one that would be lost together with the data',
    remedy: 'How backups are taken is in docs/backup.md, "Back up".',
  },
  'limits of streams': {
    name: 'stream-limited',
    weight: 'in danger',
    what: 'the event store drops events of ours, or has deleted a stream',
    remedy: 'Why a stream of ours has no limit is in docs/updating.md, "Scavenging".',
  },
  'read models': {
    name: 'read-model-behind',
    weight: 'needs attention',
    what: 'a read model stands still, is far behind, or cannot be compared',
    remedy: 'What is shown is old until then: docs/runbook.md, "CommonwealProjectionFailed".',
  },
  'consumer groups': {
    name: 'webhooks-behind',
    weight: 'needs attention',
    what: 'the sending of webhooks is late, or stands behind the end of the log',
    remedy: 'No delivery is lost meanwhile: docs/runbook.md, "CommonwealFanOutLate".',
  },
  mail: {
    name: 'mail-waiting',
    weight: 'needs attention',
    what: 'mails wait, or cannot be opened',
    remedy: 'The settings of mail are in docs/settings.md, "People and mail".',
  },
  jobs: {
    name: 'jobs-unread',
    weight: 'needs attention',
    what: 'what background jobs say of themselves cannot be read',
    remedy: 'They go on meanwhile: docs/runbook.md, "CommonwealJobFailing".',
  },
  stores: {
    name: 'store-away',
    weight: 'needs attention',
    what: 'a store does not answer, or has a newer format',
    remedy: 'What works without it is in docs/runbook.md, "CommonwealStoresAway".',
  },
  'side store': {
    name: 'side-store-away',
    weight: 'needs attention',
    what: 'the store of mails, attempts and counts cannot be read',
    remedy: 'What it holds is in docs/backup.md, "Files of the embedded stores".',
  },
  clock: {
    name: 'clock-wrong',
    weight: 'needs attention',
    what: 'the clock of this machine, or of another node, is wrong',
    remedy: 'Times of events are not corrected afterwards; their order is right.',
  },
  certificates: {
    name: 'certificate-old',
    weight: 'needs attention',
    what: 'a certificate of the event store has ended, ends soon, or cannot be read',
    remedy: 'How certificates are made is in docs/compose.md, "The cluster profile".',
  },
} as const satisfies Readonly<Record<string, Omit<Entry, 'check'> & { readonly name: string }>>;

/** What is checked. */
export type Check = keyof typeof generalFindings;
export type GeneralName = (typeof generalFindings)[Check]['name'];
