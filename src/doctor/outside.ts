import { accessSync, closeSync, constants, existsSync, openSync, statSync } from 'node:fs';
import { dirname, resolve } from 'node:path';
import type { Config } from '../config.ts';
import { whyNotWritable } from '../data-folder.ts';
import { counted } from '../ground/counted.ts';
import { whyNoAnswer } from '../mail/smtp.ts';
import { messageOf } from '../ground/store-error.ts';
import { holdersIn, type ErasureLedgers } from '../stores/vault/erasure-ledger-port.ts';
import type { Findings } from './finding.ts';
import { bytesInWords, type Room } from './room.ts';

/** Whether the folder of the backups can be written, or made where it is not there. */
export function checkBackupFolder({ backupDir }: Pick<Config, 'backupDir'>, findings: Findings): void {
  if (backupDir === undefined) return;
  const why = whyNoFolder(backupDir);
  if (why !== undefined)
    findings.found('backup-unwritable', `BACKUP_DIR ${backupDir} cannot be written (${why}).`);
}

/** Whether the program that copies backups can be started. Whether it copies them, its job says. */
export function checkAfter({ backupAfter }: Pick<Config, 'backupAfter'>, findings: Findings): void {
  const [program] = backupAfter?.command ?? [];
  if (program === undefined) return;
  try {
    accessSync(program, constants.X_OK);
  } catch (error) {
    const why = (error as NodeJS.ErrnoException).code ?? 'unknown';
    findings.found(
      'backup-not-copied',
      `The program of BACKUP_AFTER, ${program}, cannot be started (${why}).`,
    );
  }
}

/** Whether the file to which checkpoints are pushed can be written. An address is tried by the job that pushes. */
export function checkPushFile(
  { checkpoints: { push } }: Pick<Config, 'checkpoints'>,
  findings: Findings,
): void {
  if (push?.startsWith('/') !== true) return;
  const why = existsSync(push) ? whyNotOpened(push) : whyNoFolder(dirname(push));
  if (why !== undefined)
    findings.found('push-unwritable', `The file of CHECKPOINT_PUSH, ${push}, cannot be written (${why}).`);
}

/** Why a folder cannot be written, or cannot be made where the nearest folder above it is. */
export function whyNoFolder(path: string): string | undefined {
  for (let at = resolve(path); ; at = dirname(at)) {
    const found = statOf(at);
    if (found === undefined) continue;
    return found.isDirectory() ? whyNotWritable(at) : 'ENOTDIR';
  }
}

/** Undefined for a path that is not there, or leads through a file. */
function statOf(path: string) {
  try {
    return statSync(path, { throwIfNoEntry: false });
  } catch {
    return undefined;
  }
}

function whyNotOpened(file: string): string | undefined {
  try {
    closeSync(openSync(file, 'r+'));
    return undefined;
  } catch (error) {
    return (error as NodeJS.ErrnoException).code ?? 'unknown';
  }
}

export async function checkMailServer(
  { smtpUrl }: Pick<Config, 'smtpUrl'>,
  findings: Findings,
): Promise<void> {
  if (smtpUrl === undefined) return;
  const why = await whyNoAnswer(smtpUrl);
  if (why !== undefined)
    findings.found(
      'smtp-silent',
      `The mail server of SMTP_URL does not answer, or does not let us in (${why}).`,
    );
}

/** Whether every ledger can be read to its end, and written. */
export async function checkLedgers(ledgers: ErasureLedgers, findings: Findings): Promise<void> {
  try {
    await holdersIn([ledgers]);
    await ledgers.ready();
  } catch (error) {
    // One that was not made yet is made at the next start, with its folder.
    if (!isMissing(error)) findings.found('ledger-unreadable', messageOf(error));
  }
}

const isMissing = (error: unknown): boolean =>
  error instanceof Error && (error.cause as NodeJS.ErrnoException | undefined)?.code === 'ENOENT';

/** When the disk should be looked at, in days of the growth of the last one. A day of imports is no trend: it is a warning. */
const aheadDays = 30;

/** `grown`: bytes of the last day. */
export function checkRoomAhead(room: Room, grown: number, findings: Findings): void {
  const days = grown === 0 ? Infinity : room.free / grown;
  if (days >= aheadDays) return;
  findings.found(
    'disk-ahead',
    `The disk of DATA_DIR has ${bytesInWords(room.free)} free, and the data grew by ${bytesInWords(grown)} in the last day: it is full in about ${counted(Math.floor(days), 'day')}.`,
    { severity: 'warning' },
  );
}
