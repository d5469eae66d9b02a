import { X509Certificate } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { counted } from '../ground/counted.ts';
import { logKeyEntry } from '../audit/proof-log/format/log-key.ts';
import { formerLog, inWords } from '../audit/proof-log/former-log.ts';
import { missingCheckpoints } from '../audit/proof-log/sealed-count.ts';
import { contradictionOf } from '../audit/proof-log/sealed-tree.ts';
import { backupRecord, noDailyBackup } from '../backup/record.ts';
import { isVaultLost } from '../commands/lost-vault.ts';
import { currentKeys, signingKeySettings } from '../commands/oauth/signing-keys.ts';
import type { Config } from '../config.ts';
import { fanOutGroup } from '../dispatch/fan-out.ts';
import { projections } from '../projections/all.ts';
import { statusOf } from '../projections/engine/read-your-writes.ts';
import type { Documents } from '../stores/documents/port.ts';
import { jobFailures } from '../ground/job-failures.ts';
import { beginning, type EventStore } from '../stores/event-store/port.ts';
import type { ProofLog } from '../stores/side/proof-log-port.ts';
import type { SideStore } from '../stores/side/port.ts';
import type { ErasureLedgers } from '../stores/vault/erasure-ledger-port.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { MasterKey } from '../ground/master-key.ts';
import { Outbox } from '../mail/outbox.ts';
import { waitingMails } from '../mail/record.ts';
import { findingsOfBackups } from './backups.ts';
import type { Findings } from './finding.ts';
import { checkLedgers, checkMailServer } from './outside.ts';
import { checkStreamLimits } from './stream-limits.ts';

/** The open stores, as far as the doctor looks at them. */
export interface Examined {
  readonly config: Config;
  readonly store: EventStore;
  readonly wholeLog: EventStore;
  readonly documents: Documents;
  readonly side: SideStore;
  readonly vault: Vault;
  readonly masterKey: MasterKey;
  readonly proofLog: ProofLog;
  readonly erasureLedger: ErasureLedgers;
  readonly installation: { id(): Promise<string | undefined> };
}

/** A name that no secret has: asking for it reads the vault. */
const noSecret = 'doctor';
/** An event of a clock that is so far ahead of this one is from a wrong clock, in milliseconds. */
const clockAheadMs = 60_000;
/** In how many of the newest events it looks for one. A server's log may hold those of others among them. */
const newestEvents = 1_000;
const mostNamedMails = 20;
/** A certificate with less than this left should be renewed, in milliseconds. */
const certificateDueMs = 30 * 86_400_000;
/** The proof log is signed within a minute of an event. */
const unsignedEvents = 1_000;
const groupLateSeconds = 300;
/** How long it is said that a new log began. The page of the log says it for ever. */
const begunLatelyMs = 7 * 86_400_000;

/** Checks that need the stores. Each is made by itself: one that fails is a finding, and the others go on. */
export async function checkStores(at: Examined, now: Date, findings: Findings): Promise<void> {
  const { store, vault, config } = at;
  const head = await findings.attempt('log', () => store.head());
  const installation = await findings.attempt('log', () => at.installation.id());
  await findings.attempt('vault', () => vault.get(noSecret));
  await findings.attempt('read models', () => at.documents.progress());
  await findings.attempt('side store', () => at.side.table('examinations').list({ limit: 1 }));
  await findings.attempt('proof log', () => at.proofLog.newest());
  await findings.attempt('consumer groups', () => store.groupPlaces(fanOutGroup));
  await checkLedgers(at.erasureLedger, findings);
  await findings.attempt('jobs', () => checkJobs(at.side, findings));
  await checkMailServer(config, findings);
  if (head === undefined) return;
  if (installation !== undefined) {
    await findings.attempt('keys', async () => {
      if (await isVaultLost({ vault }, installation)) {
        findings.problem(
          'keys',
          'The vault is missing or empty, but the log had secrets in it. Restore a backup: docs/backup.md, "Restore".',
        );
      }
    });
    await findings.attempt('keys', () => checkSigningKeys(at, now, findings));
    await findings.attempt('proof log', () => checkProofLog(at, now, findings));
  }
  await findings.attempt('limits of streams', () => checkStreamLimits(at, findings));
  await findings.attempt('clock', () => checkClock(store, now, findings));
  await findings.attempt('read models', () => checkReadModels(at, findings));
  await findings.attempt('consumer groups', () => checkGroups(store, head, findings));
  await findings.attempt('mail', () => checkMail(at, now, findings));
  await findings.attempt('backup', async () => {
    const records = await backupRecord(at.side).all();
    findings.all.push(...findingsOfBackups(records, now, { reasons: true }));
    const none = noDailyBackup(records.backup, config.backupDir, now);
    if (none !== undefined) findings.warning('backup', none, 'no backup');
  });
  await findings.attempt('certificates', () => checkCertificates(config, now, findings));
}

async function checkSigningKeys({ store, vault }: Examined, now: Date, findings: Findings): Promise<void> {
  const keys = await currentKeys({ store, vault });
  for (const { kid, activatedAt } of keys) {
    await findings.attempt('keys', () => vault.get(`signing-key/${kid}`));
    if (activatedAt === undefined) continue;
    const ageSeconds = (now.getTime() - activatedAt.getTime()) / 1_000;
    const isNewest = keys.every((each) => (each.activatedAt?.getTime() ?? 0) <= activatedAt.getTime());
    if (isNewest && ageSeconds > signingKeySettings.life + signingKeySettings.ahead) {
      findings.problem(
        'keys',
        `The signing key ${kid} should have been replaced: it has signed since ${activatedAt.toISOString()}. The job signing-keys does that while the service runs; \`status\` says why it does not.`,
      );
    }
  }
}

async function checkProofLog(
  { store, proofLog, vault }: Examined,
  now: Date,
  findings: Findings,
): Promise<void> {
  const contradiction = await contradictionOf({ vault, proofLog });
  if (contradiction) findings.found('proof-log-contradicted', contradiction.sentence, contradiction);
  const former = (await proofLog.ended()).at(-1);
  if (former && now.getTime() - Date.parse(former.endedAt) < begunLatelyMs)
    findings.found('log-begun-anew', inWords(formerLog(former)));
  const missing = await missingCheckpoints({ vault, proofLog });
  if (missing !== undefined) findings.found('checkpoint-missing', missing);
  const newest = await proofLog.newest();
  if (newest && (await vault.get(logKeyEntry)) === undefined)
    findings.found('log-key-missing', 'The key of the proof log is missing in the vault, and it was signed.');
  const events = await store.count({ after: beginning });
  if ((newest?.size ?? 0) > events) {
    findings.problem(
      'proof log',
      `The proof log has ${counted(newest?.size ?? 0, 'entry', 'entries')} and the log ${counted(events, 'event')}: events are missing. Run \`commonweal verify\`, and restore a backup.`,
    );
  } else if (newest !== undefined && events - newest.size > unsignedEvents) {
    findings.warning(
      'proof log',
      `${counted(events - newest.size, 'event is', 'events are')} not in the proof log yet; the newest checkpoint is of ${newest.signedAt}. It is signed while the service runs; \`status\` says why it is not.`,
      'proof log late',
    );
  }
}

async function checkClock(store: EventStore, now: Date, findings: Findings): Promise<void> {
  const newest = await store.readNewest(newestEvents);
  const times = newest.map(({ metadata }) => Date.parse(String(metadata['at'])));
  const latest = Math.max(...times.filter(Number.isFinite));
  if (latest > now.getTime() + clockAheadMs) {
    findings.problem(
      'clock',
      `The log has events of ${new Date(latest).toISOString()}, and this clock says ${now.toISOString()}: one of the clocks is wrong. Set the clock by NTP; sessions that begin in the future are ended.`,
    );
  }
  const began = performance.now();
  const wall = Date.now();
  await new Promise((resolve) => setTimeout(resolve, 50));
  const drift = Math.abs(Date.now() - wall - (performance.now() - began));
  if (drift > 1_000) {
    findings.warning(
      'clock',
      `The clock was set by ${Math.round(drift)} ms while it was looked at. Let NTP slew it instead.`,
    );
  }
}

async function checkReadModels(at: Examined, findings: Findings): Promise<void> {
  for (const { name, failure, checkpoint, lag } of await statusOf(at, projections)) {
    if (failure) {
      findings.problem(
        'read models',
        `The read model ${name} has stood still since ${failure.since}: ${failure.error}`,
        `failed ${name}`,
      );
    } else if (checkpoint !== null && lag >= 100_000) {
      findings.warning(
        'read models',
        `The read model ${name} is ${lag} events behind. Is a projector running? Look at \`status\` again in a minute.`,
        'behind',
      );
    }
  }
}

/** One finding per job, however many processes it fails in. */
async function checkJobs(side: SideStore, findings: Findings): Promise<void> {
  const failing = await jobFailures(side);
  for (const { job, since, error } of new Map(failing.map((each) => [each.job, each])).values())
    findings.found(
      'job-failing',
      `The background job ${job} has failed again and again since ${since}: ${error}`,
      {
        id: `job ${job}`,
      },
    );
}

async function checkGroups(store: EventStore, head: bigint, findings: Findings): Promise<void> {
  for (const { checkpoint } of await store.groupPlaces(fanOutGroup)) {
    if (checkpoint > head) {
      findings.problem(
        'consumer groups',
        `The fan-out of webhooks is at ${checkpoint}, beyond the end of the log (${head}): an older log was put back. Restore with \`commonweal restore\`, which fits them to each other.`,
      );
    }
  }
  const group = await store.consumerGroup(fanOutGroup);
  if (group && group.lag.seconds > groupLateSeconds) {
    findings.problem(
      'consumer groups',
      `Announced events have waited for ${Math.round(group.lag.seconds)} s for their webhooks. Is a dispatcher running, and does \`status\` show it failing?`,
      'fan-out late',
    );
  }
}

async function checkMail(
  at: Pick<Examined, 'side' | 'masterKey'>,
  now: Date,
  findings: Findings,
): Promise<void> {
  const { side } = at;
  const { unreadable } = await new Outbox(at).read();
  if (unreadable.length > 0)
    findings.problem(
      'mail',
      `Mails that cannot be opened and are not sent: ${unreadable.length}, written at ${unreadable
        .map(({ written_at }) => written_at)
        .slice(0, mostNamedMails)
        .join(
          ', ',
        )}. They were sealed under another master key, or changed: set MASTER_KEY_PREVIOUS to that key, or have them written again.`,
    );
  const { late } = await waitingMails(side, now);
  if (late === 0) return;
  findings.warning(
    'mail',
    `${counted(late, 'mail has', 'mails have')} waited for more than an hour. Is SMTP_URL set, and does the mail server take mails? See /dash/outbox.`,
    'mail',
  );
}

function checkCertificates({ eventStoreUrl }: Config, now: Date, findings: Findings): void {
  const path = /[?&]tlsCaFile=([^&]+)/i.exec(eventStoreUrl ?? '')?.[1];
  if (path === undefined) return;
  const file = decodeURIComponent(path);
  const { validToDate } = new X509Certificate(readFileSync(file));
  const left = validToDate.getTime() - now.getTime();
  if (left > certificateDueMs) return;
  const say = left <= 0 ? findings.problem.bind(findings) : findings.warning.bind(findings);
  say(
    'certificates',
    `The certificate ${file} is valid until ${validToDate.toISOString()}. Renew it: docs/compose.md, "The cluster profile".`,
  );
}
