import type { FastifyInstance } from 'fastify';
import { ConfigError, placesOf, type Config } from '../config.ts';
import type { System } from '../container.ts';
import { BulkJobs } from '../imports/bulk-jobs.ts';
import { ImportJobs } from '../imports/import-jobs.ts';
import { projections } from '../projections/all.ts';
import { RequestDurations } from '../status/request-durations.ts';
import { startAuditPush } from './operators/audit-push.ts';
import { startCheckpointPush } from './checkpoint-push.ts';
import { startWitnesses } from './witnesses.ts';
import { defaultMaximumConnections } from './connection-limit.ts';
import { startBackupCopies } from './operators/backup-copies.ts';
import { startBackupDrills } from './operators/backup-drills.ts';
import { startVerification } from './operators/verification.ts';
import { startDoctor } from './operators/doctor.ts';
import { startDomainChecks } from './operators/domains.ts';
import { startBackups } from './operators/backups.ts';
import { Health } from './health.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';
import { onceReady, readiness } from './readiness.ts';
import { faultReporter } from './report-fault.ts';
import { giveBackWhenIdle } from './threads/idle-memory.ts';
import type { Traces } from './operators/traces.ts';
import { startThread, type Thread, type ThreadName } from './threads/thread.ts';
import { startInvitationExpiry } from './invitations.ts';
import { startupWarnings } from './startup-warnings.ts';
import { aborted, onStopSignals } from './operators/stopping.ts';
import { preparationOf } from './preparation.ts';
import { onceStoresAnswer } from './wait-for-stores.ts';
import { startErasures } from './erasures.ts';
import { startStaleRecords } from '../actions/directory/upkeep/stale-records.ts';
import { startSettledSuggestions } from '../actions/directory/upkeep/settled-suggestions.ts';
import { startKeyExpiries } from './mails/key-expiries.ts';
import { startClaims } from './mails/claims.ts';
import { noteRefusedContact, startAgencyAsking } from './mails/agency-asking.ts';
import { startDecisionMails } from './mails/decision-mails.ts';
import { startFormAnswers } from './mails/form-answers.ts';
import { startFollowings } from './operators/followings.ts';
import type { Position } from '../stores/event-store/port.ts';
import { pause } from '../ground/back-off.ts';
import { mailDelivery } from '../mail/deliver.ts';
import { Outbox } from '../mail/outbox.ts';
import { mailRecord } from '../mail/record.ts';
import { messageOf } from '../ground/store-error.ts';

/**
 * Runs the server. Listens first; /readyz reports what it waits for: the stores, then the read models. After a stop
 * signal, /readyz reports 503 for DRAIN_SECONDS, then requests and attempts of deliveries under way are finished, for 20 s
 * at most. A second signal ends the wait.
 */
export async function serve(config: Config, system: System, json: boolean, traces: Traces): Promise<void> {
  for (const notice of startupWarnings(config)) console.error(notice);
  const { requested: stopping, hurried } = onStopSignals(config);
  const ended = new AbortController();
  let headAtStart: Position | undefined;
  const health = new Health({ system, projections, say: (sentence) => console.error(`health: ${sentence}`) });
  const ready = () => readiness(system, health, projections, headAtStart);
  // Loaded here, because every other command starts faster without it.
  const { buildServer } = await import('../api/server.ts');
  const logger = { level: config.logLevel, stream: process.stderr };
  const maximumConnections = config.maxConnections ?? defaultMaximumConnections();
  const threads: Thread[] = [];
  const requests = new RequestDurations();
  const operators = config.metrics
    ? await (
        await import('./operators/operators.ts')
      ).startOperators(config.metrics, {
        system,
        ready,
        isStarted: () => headAtStart !== undefined,
        threads: () => threads,
        requests,
      })
    : undefined;
  const imports = new ImportJobs({
    ...system,
    onFault: (error) => reportFault('import', error),
  });
  const bulk = new BulkJobs({ ...system, onFault: (error) => reportFault('bulk action', error) });
  const server = await buildServer({
    ...system,
    imports,
    bulk,
    requestDurations: requests,
    ready,
    problems: () => health.newest,
    stopping,
    hurried,
    maximumConnections,
    logger,
  });
  const supervision = { side: system.side, leases: system.leases, onFault: reportFault };
  const jobs: Job[] = [];
  try {
    void giveBackWhenIdle(ended.signal);
    const base = announce(await listen(server, config), config, json);
    const prepare = preparationOf(system, {
      supervision,
      jobs,
      base,
      shown: !json && process.stdout.isTTY,
      requests,
    });
    const prepared = await onceStoresAnswer(prepare, stopping, console.error);
    if (!prepared) return;
    if (config.roles.includes('api')) {
      if (prepared.notice !== undefined && !json) console.log(prepared.notice);
      const mail = await startMailDelivery(system, supervision);
      if (mail) jobs.push(mail);
      jobs.push(startInvitationExpiry(system, supervision));
      jobs.push(startErasures(system, supervision));
      jobs.push(startStaleRecords(system, config.staleAfterDays.record, supervision));
      jobs.push(startSettledSuggestions(system, supervision));
      jobs.push(startFormAnswers(system, config.authUrl ?? base, supervision));
      const decisionMails = startDecisionMails(system, config.authUrl ?? base, supervision);
      if (decisionMails) jobs.push(decisionMails);
      const keyExpiries = startKeyExpiries(system, config.authUrl ?? base, supervision);
      if (keyExpiries) jobs.push(keyExpiries);
      jobs.push(startAgencyAsking(system, config.baseUrl ?? base, supervision));
      jobs.push(startClaims(system, config.baseUrl ?? base, supervision));
      jobs.push(startImports({ imports, bulk }, supervision));
      jobs.push(startFollowings(system, supervision));
      jobs.push(startDomainChecks(system, supervision));
    }
    const backups = startBackups(system, supervision);
    if (backups) jobs.push(backups);
    const [copies, drills] = [startBackupCopies(system, supervision), startBackupDrills(system, supervision)];
    for (const job of [copies, drills]) if (job) jobs.push(job);
    jobs.push(startDoctor(system, supervision), startVerification(system, supervision));
    const push = config.roles.includes('projector') ? startCheckpointPush(system, supervision) : undefined;
    if (push) jobs.push(push);
    if (config.roles.includes('projector')) {
      jobs.push(...startWitnesses(system, supervision));
      const auditPush = startAuditPush(system, config.baseUrl ?? base, supervision);
      if (auditPush) jobs.push(auditPush);
    }
    headAtStart = prepared.head;
    jobs.push(startJob(supervision, { name: 'health', work: (signal) => health.watch(signal) }));
    /** Settles when the thread ends by itself. */
    const run = (name: ThreadName): Promise<void> => {
      const { instance } = traces;
      const data = { config, writer: system.shareWriter(), instance };
      const thread = startThread(name, data, ({ kind, what, message }) => {
        if (kind === 'warning') server.log.warn({ thread: name, part: what }, message);
        else reportFault(kind === 'notice' ? what : `${name}: ${what}`, message);
      });
      threads.push(thread);
      return endedByItself(thread);
    };
    const dispatching = async () => {
      const until = AbortSignal.any([stopping, ended.signal]);
      await onceReady(ready, until);
      if (!until.aborted) await run('dispatcher');
    };
    await Promise.race([
      aborted(stopping),
      system.lost,
      ...jobs.map(({ failed }) => failed),
      ...(config.roles.includes('projector') ? [run('projector')] : []),
      ...(config.roles.includes('dispatcher') ? [dispatching()] : []),
    ]);
    await pause(config.drainMs, hurried);
  } finally {
    ended.abort();
    // Nothing that is answered waits for the dispatcher, and its attempts take as long as answers do.
    const sending = threads.filter(({ name }) => name === 'dispatcher');
    await Promise.all([server.close(), ...sending.map((thread) => thread.stop())]);
    await Promise.all(jobs.map((job) => job.stop()));
    await Promise.all([traces.stop(), ...threads.map((thread) => thread.stop())]);
    await operators?.close();
  }
}

/** Rejects when a thread has ended: the server must then stop with an error. */
async function endedByItself({ name, ended }: Thread): Promise<never> {
  await ended.catch((error: unknown) => {
    throw new Error(`The ${name} thread has died: ${messageOf(error)}`, { cause: error });
  });
  throw new Error(`The ${name} thread has ended by itself.`);
}

async function listen(server: FastifyInstance, { host, port }: Config): Promise<string> {
  try {
    return await server.listen({ host, port });
  } catch (error) {
    switch ((error as NodeJS.ErrnoException).code) {
      case 'EADDRINUSE':
        throw new ConfigError(
          `PORT ${port} is in use on ${host}; stop the process that uses it, or set PORT to another.`,
        );
      case 'EACCES':
        throw new ConfigError(`PORT ${port} may not be opened by this user; set PORT to one from 1024.`);
      case 'EADDRNOTAVAIL':
      case 'ENOTFOUND':
        throw new ConfigError(`HOST ${host} is not an address of this machine.`);
      case undefined:
      default:
        throw error;
    }
  }
}

/** Prints the listening address. Returns the address that people use. */
function announce(address: string, config: Config, json: boolean): string {
  const base = config.baseUrl ?? address.replace('127.0.0.1', 'localhost');
  if (json) console.log(JSON.stringify({ listening: address, base }));
  else {
    const { log, readModels } = placesOf(config);
    const places = log === readModels ? log : `${log}; ${readModels}`;
    console.log(`Commonweal serves ${base}  (for developers: ${base}/docs, data: ${places})`);
  }
  return base;
}

/** Says what has failed, and does not repeat it. */
export const reportFault: ReturnType<typeof faultReporter> = faultReporter((line) => console.error(line));

/** How often this node looks what was asked of the imports whose files it has, in milliseconds. */
const everyMs = 1_000;

/**
 * Starts the job that sees to the files of imports, and goes on with bulk actions that were interrupted. Every node has its
 * own files, so it runs in each process.
 */
export function startImports(
  { imports, bulk }: { readonly imports: ImportJobs; readonly bulk: BulkJobs },
  supervision: Supervision,
): Job {
  return startJob(supervision, {
    name: 'imports',
    async work(signal, progress) {
      while (!signal.aborted) {
        await imports.tend();
        await bulk.tend();
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}

/** Starts the mail job. Undefined when no mail server is configured. */
export async function startMailDelivery(system: System, supervision: Supervision): Promise<Job | undefined> {
  const { config, side, masterKey } = system;
  const { smtpUrl, mailFrom, authUrl, baseUrl } = config;
  if (smtpUrl === undefined) return undefined;
  // Loaded here, because a server without SMTP_URL does not need it.
  const { smtpTransport } = await import('../mail/smtp.ts');
  const { hostname } = new URL(authUrl ?? baseUrl ?? 'http://localhost');
  const carrier = smtpTransport({ url: smtpUrl, from: mailFrom ?? `Commonweal <no-reply@${hostname}>` });
  const outbox = new Outbox({ side, masterKey });
  const onRefused = (message: string) => supervision.onFault('mail', message);
  const onNoRecipient = noteRefusedContact(system);
  const work = mailDelivery({ outbox, carrier, onRefused, onNoRecipient, record: mailRecord(side) });
  const job = startJob(supervision, { name: 'mail', lease: 'mail', work });
  return {
    failed: job.failed,
    async stop() {
      carrier.close();
      await job.stop();
    },
  };
}
