import { existsSync, lstatSync, readdirSync, statfsSync, statSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { exposedIn, restoringFolder, whyNotWritable } from '../data-folder.ts';
import { embeddedFiles, remedyOf } from '../stores/embedded-files.ts';
import { filesOf } from '../stores/file-formats.ts';
import { damageOf, factsOf, missingIn } from '../stores/sqlite-files.ts';
import type { Findings } from './finding.ts';
import { checkAfter, checkBackupFolder, checkPushFile, checkRoomAhead, whyNoFolder } from './outside.ts';
import { bytesInWords as size, scarcePart, scarceRoom } from './room.ts';

export interface FileReport {
  readonly name: string;
  readonly bytes: number;
  readonly walBytes: number;
  readonly freeBytes: number;
}

const gigabyte = 1024 ** 3;
/** A WAL of this size is not written back: something holds an old snapshot, or nothing checkpoints. */
const largeWalBytes = gigabyte;
/** Free pages beyond this part of a file, and this size, are worth a VACUUM. */
const freePart = 0.5;

/** Modes and owners, room, and each SQLite file. Opens the files for reading only, and never by `fs`. */
export function checkFiles(
  config: Config,
  { full }: { readonly full: boolean },
  findings: Findings,
): FileReport[] {
  const { dataDir, eventStoreUrl, mongoUrl, backupDir } = config;
  if (!existsSync(dataDir)) {
    findings.problem('files', `DATA_DIR ${dataDir} does not exist. Check its spelling.`);
    return [];
  }
  if (existsSync(restoringFolder(dataDir))) {
    findings.problem('files', `A restore into ${dataDir} was interrupted: nothing starts. Run it again.`);
  }
  checkAccess(dataDir, findings);
  checkRoom('DATA_DIR', dataDir, findings);
  if (backupDir !== undefined && !existsSync(backupDir) && whyNoFolder(backupDir) === undefined) {
    findings.warning(
      'backup',
      `BACKUP_DIR ${backupDir} is not there. The next backup makes it. If it was there before, its drive is away: bring it back, or correct the setting. Nobody is erased until then.`,
    );
  }
  checkLedgerDevice(config, findings);
  checkBackupFolder(config, findings);
  checkAfter(config, findings);
  checkPushFile(config, findings);
  if (backupDir !== undefined && statSync(backupDir, { throwIfNoEntry: false })?.isDirectory()) {
    checkRoom('BACKUP_DIR', backupDir, findings);
    if (statSync(backupDir).dev === statSync(dataDir).dev) {
      findings.warning(
        'backup',
        'BACKUP_DIR is on the device of DATA_DIR: a lost disk takes both. Set it to another device, or copy the backups elsewhere.',
      );
    }
    for (const name of readdirSync(backupDir).filter((each) => each.endsWith('.partial'))) {
      findings.warning(
        'backup',
        `${join(backupDir, name)} is a backup that was not finished. Remove it, unless one is being taken now.`,
      );
    }
  }
  return filesOf({ log: eventStoreUrl === undefined, besideLog: mongoUrl === undefined })
    .filter(({ name }) => existsSync(join(dataDir, name)))
    .map((file) => checkFile(dataDir, file, full, findings));
}

/** A ledger file that is lost with the disk of the data is of use only where BACKUP_DIR has another one. */
function checkLedgerDevice(
  { dataDir, mongoUrl, erasureLedger, backupDir }: Config,
  findings: Findings,
): void {
  if (erasureLedger === undefined || mongoUrl !== undefined) return;
  const ofData = statSync(dataDir).dev;
  if (deviceOf(erasureLedger) !== ofData) return;
  if (backupDir !== undefined && deviceOf(backupDir) !== ofData) return;
  findings.warning(
    'erasure',
    'ERASURE_LEDGER is on the device of DATA_DIR: a lost disk takes both, and a backup brings back who was erased after it. Set it, or BACKUP_DIR, to another device.',
  );
}

/** Of a path, or of the folder in which it would be made. */
function deviceOf(path: string): number {
  for (let at = resolve(path); ; at = dirname(at)) {
    const found = statSync(at, { throwIfNoEntry: false });
    if (found) return found.dev;
  }
}

function checkAccess(dataDir: string, findings: Findings): void {
  for (const path of exposedIn(dataDir)) {
    findings.problem(
      'files',
      `Other users of this machine can open ${path}. Give the folder to the user that runs Commonweal alone: chmod 700 for folders, 600 for files.`,
    );
  }
  const us = process.getuid?.();
  if (us !== undefined) {
    for (const name of readdirSync(dataDir)) {
      const owner = lstatSync(join(dataDir, name), { throwIfNoEntry: false })?.uid;
      if (owner !== undefined && owner !== us && us !== 0) {
        findings.problem(
          'files',
          `${join(dataDir, name)} belongs to another user (${owner}; this is ${us}). Give it to the user that runs Commonweal.`,
        );
      }
    }
  }
  const why = whyNotWritable(dataDir);
  if (why !== undefined) {
    findings.problem('files', `DATA_DIR ${dataDir} cannot be written (${why}): nothing can be changed.`);
  }
}

function checkRoom(what: string, path: string, findings: Findings): void {
  const { bavail, bsize, blocks, ffree, files } = statfsSync(path);
  const scarce = scarceRoom(`${what} ${path}`, { free: bavail * bsize, size: blocks * bsize });
  if (scarce !== undefined) findings.problem('disk', scarce, what === 'DATA_DIR' ? 'disk' : undefined);
  if (files > 0 && ffree / files < scarcePart / 2) {
    findings.problem(
      'disk',
      `The device of ${what} ${path} has ${ffree} inodes left of ${files}. Move files of others to another device.`,
    );
  }
}

/** Whether the disk of the data is full soon. The files have grown as the log has. */
export function checkGrowth(
  { dataDir }: Pick<Config, 'dataDir'>,
  files: readonly FileReport[],
  { events, ofLastDay }: { readonly events: number; readonly ofLastDay: number },
  findings: Findings,
): void {
  const bytes = files.reduce((sum, file) => sum + file.bytes + file.walBytes, 0);
  const { bavail, bsize, blocks } = statfsSync(dataDir);
  const room = { free: bavail * bsize, size: blocks * bsize };
  checkRoomAhead(room, events === 0 ? 0 : (bytes * ofLastDay) / events, findings);
}

function checkFile(
  dataDir: string,
  { name, format: supported }: { readonly name: string; readonly format: number },
  full: boolean,
  findings: Findings,
): FileReport {
  const path = join(dataDir, name);
  const [damage, ...more] = damageOf(path, { full });
  if (damage !== undefined) {
    findings.problem(
      'integrity',
      `${name} is damaged (${damage}${more.length > 0 ? `, and ${more.length} more` : ''}). ${remedyOf(name)}`,
    );
  }
  const report = {
    name,
    bytes: 0,
    walBytes: statSync(`${path}-wal`, { throwIfNoEntry: false })?.size ?? 0,
    freeBytes: 0,
  };
  if (report.walBytes > largeWalBytes) {
    findings.warning(
      'integrity',
      `The write-ahead log of ${name} has ${size(report.walBytes)}: something has read an old state for a long time. It shrinks when the service is started again.`,
    );
  }
  let facts;
  try {
    facts = factsOf(path);
  } catch {
    // Said above.
    return report;
  }
  const { schema, further } = embeddedFiles.find((each) => each.name === name) ?? {};
  if (facts.format > supported) {
    findings.problem(
      'integrity',
      `${name} was written by a newer release (format ${facts.format}; this one reads ${supported}). Start that release.`,
    );
  }
  // Which tables a damaged file has further cannot be read.
  const isReadable = damage === undefined && facts.format === supported;
  for (const { name: part, statement } of isReadable && schema !== undefined
    ? missingIn(path, schema, further)
    : [])
    findings.found(
      'trigger-missing',
      `${name} lacks ${part}, or has it in another form. This makes it: ${statement};`,
    );
  const freeBytes = facts.freePages * facts.pageBytes;
  if (freeBytes > gigabyte && facts.freePages / facts.pages > freePart) {
    findings.warning(
      'integrity',
      `${size(freeBytes)} of ${name} are unused. It will not grow before they are used; to give them back, stop the service and run VACUUM on it.`,
    );
  }
  return { ...report, bytes: facts.pages * facts.pageBytes, freeBytes };
}
