import { relative, resolve } from 'node:path';
import type { Config } from '../config.ts';
import type { Findings } from './finding.ts';

const check = 'settings';
const shortSession = 3_600;

/** Settings that are allowed by themselves and dangerous together. */
export function checkSettings(config: Config, findings: Findings): void {
  const { baseUrl, authUrl, trustProxy, roles, smtpUrl, host, allowPrivateWebhooks } = config;
  const isPublic = baseUrl?.startsWith('https:') === true;
  if (isPublic && allowPrivateWebhooks) {
    findings.problem(
      check,
      'ALLOW_PRIVATE_WEBHOOKS is true on a public service: subscribers can have us call addresses inside our network. Unset it.',
    );
  }
  if (baseUrl?.startsWith('http:') === true && !/^http:\/\/(localhost|127\.|\[::1\])/.test(baseUrl)) {
    findings.warning(
      check,
      'BASE_URL is http: cookies, keys and passwords can be read on the way. Put a proxy with https in front.',
    );
  }
  if (isPublic && roles.includes('api') && trustProxy.length === 0) {
    findings.problem(
      check,
      'TRUST_PROXY is unset, though BASE_URL is https: the legacy API answers 403 to everybody, and limits count the proxy as one client. Set it to the address of the proxy.',
    );
  }
  if (isPublic && smtpUrl === undefined) {
    findings.warning(
      check,
      'SMTP_URL is unset: nobody gets a mail, and links to confirm an address wait at /dash/outbox. Set it to a mail server.',
    );
  }
  if (!isPublic && baseUrl === undefined && !/^(127\.|localhost$|::1$)/.test(host)) {
    findings.warning(
      check,
      `HOST is ${host}, so other machines reach this one, and BASE_URL is unset: links in mails lead to this machine. Set BASE_URL.`,
    );
  }
  if (config.webhookSchedule !== undefined && isPublic) {
    findings.warning(
      check,
      'WEBHOOK_SCHEDULE is set: it is meant for tests. Unset it, so that receivers that are down get two days.',
    );
  }
  if (config.lifetimes.session < shortSession) {
    findings.warning(check, 'SESSION_SECONDS is under an hour: people are signed out while they work.');
  }
  if (config.administrator !== undefined) {
    findings.warning(
      check,
      'ADMIN_PASSWORD is still set. It is used only until there is an administrator; remove it from the environment.',
    );
  }
  if (config.masterKeyPrevious !== undefined) {
    findings.warning(
      check,
      'MASTER_KEY_PREVIOUS is set: a rotation of the master key has not ended. Run `rotate master-key --finish`, then unset it on every node.',
    );
  }
  if (authUrl !== undefined && isPublic && authUrl.startsWith('http:')) {
    findings.problem(
      check,
      'AUTH_URL is http, though BASE_URL is https: sites refuse the issuer. Set it to https.',
    );
  }
  checkBackups(config, findings);
  checkLedger(config, findings);
}

/** A ledger that is lost with the data cannot keep a restored backup from bringing back who was erased. */
function checkLedger({ dataDir, mongoUrl, erasureLedger, backupDir }: Config, findings: Findings): void {
  const others = [erasureLedger, backupDir].filter((path) => path !== undefined && !isInside(dataDir, path));
  if (others.length > 0) return;
  const place = mongoUrl === undefined ? 'in DATA_DIR' : 'in the same MongoDB as the vault';
  findings.warning(
    'erasure',
    `The only erasure ledger is ${place}. When both are lost, a backup brings back who was erased after it. Set BACKUP_DIR, or set ERASURE_LEDGER to a file on another device.`,
  );
}

function isInside(folder: string, path: string): boolean {
  const inside = relative(resolve(folder), resolve(path));
  return inside === '' || !inside.startsWith('..');
}

function checkBackups({ backupDir, dataDir }: Config, findings: Findings): void {
  if (backupDir !== undefined && isInside(dataDir, backupDir)) {
    findings.problem(
      'backup',
      `BACKUP_DIR ${backupDir} is inside DATA_DIR: whatever destroys one destroys both. Set it to another device.`,
    );
  }
}
