import { recordRestores } from '../backup/restored.ts';
import type { System } from '../container.ts';
import type { Position } from '../stores/event-store/port.ts';
import { ensureInstallationId, refuseLostVault, refuseStoresOfAnotherLog } from './check-stores.ts';
import { ensureCommons } from '../commands/teams/ensure-commons.ts';
import { eraseAgain } from './erasures.ts';
import { ensureAdministrator, setUpNotice } from './first-administrator.ts';
import { startJob, type Job, type Supervision, type JobProgress } from '../ground/job.ts';
import { startSigningKeyJob } from './signing-keys.ts';
import { eventVersions } from '../events/catalogue.ts';
import { pause } from '../ground/back-off.ts';
import { projections } from '../projections/all.ts';
import { versionsOf } from '../projections/engine/releases.ts';
import { release } from '../release.ts';
import type { RequestDurations } from '../status/request-durations.ts';
import { announceEveryMs, type NodeEntry } from '../stores/leases/nodes-port.ts';
import { markFormat } from '../stores/format.ts';
import { keyIdOf, masterKeys } from '../ground/master-key.ts';

export interface PreparationOptions {
  readonly supervision: Supervision;
  /** Takes the jobs that run before the service is prepared. */
  readonly jobs: Job[];
  /** Where people find the service. */
  readonly base: string;
  /** Whether a link to register the first administrator may be shown, else it is written to a file. */
  readonly shown: boolean;
  /** What counts the requests of this process. */
  readonly requests: RequestDurations;
}

export interface Prepared {
  /** To be printed: that there is no administrator yet. */
  readonly notice: string | undefined;
  readonly head: Position;
}

/**
 * What has to be done before anything is served. It may be repeated from its beginning where a store went away while it
 * was done; the jobs are started once.
 */
export function preparationOf(
  system: System,
  { supervision, jobs, base, shown, requests }: PreparationOptions,
): () => Promise<Prepared> {
  const { config, store, installation } = system;
  const started = new Set<(...parts: never[]) => Promise<Job>>();
  const startRegistration = () => startNodeRegistration(system, supervision, requests);
  const startOnce = async (start: (system: System, supervision: Supervision) => Promise<Job>) => {
    if (started.has(start)) return;
    jobs.push(await start(system, supervision));
    started.add(start);
  };
  return async () => {
    await system.ready();
    await refuseLostVault(system);
    await refuseStoresOfAnotherLog(system, { groups: true });
    await markFormat(system.side, release);
    // A node of an earlier release that still runs, or a full disk: the next start records it.
    await recordRestores(system, new Date()).catch((error: unknown) => supervision.onFault('restore', error));
    const fault = await beginLedgers(system);
    // What cannot be read ends or delays the start, which says so itself.
    await eraseAgain(system);
    if (fault !== undefined) supervision.onFault('erasure ledger', fault);
    await startOnce(startRegistration);
    await startOnce(keepDataKeysFresh);
    if ((await installation.id()) === undefined) {
      await ensureInstallationId(system);
      const faultOfNew = await beginLedgers(system);
      if (faultOfNew !== undefined) supervision.onFault('erasure ledger', faultOfNew);
    }
    await ensureCommons(store, {
      actor: { kind: 'system', id: 'serve' },
      commandId: crypto.randomUUID(),
      at: new Date(),
    });
    await ensureAdministrator(system);
    await startOnce(startSigningKeyJob);
    const isApi = config.roles.includes('api');
    const notice = isApi ? await setUpNotice(system, config.authUrl ?? base, { shown }) : undefined;
    return { notice, head: await store.head() };
  };
}

const keepDataKeysFresh = async ({ personal }: System, supervision: Supervision): Promise<Job> =>
  startJob(supervision, {
    name: 'data-keys',
    work: (signal, progress) => personal.keepFresh(signal, progress.succeeded),
  });

/** A ledger that cannot be written stops erasures, and not the service. Returns why it cannot. */
async function beginLedgers({ installation, erasureLedger }: System): Promise<unknown> {
  const id = await installation.id();
  if (id === undefined) return undefined;
  return erasureLedger.begin(id).then(
    () => undefined,
    (error: unknown) => error ?? 'unknown',
  );
}

const entryOf = (
  { config, masterKey }: Pick<System, 'config' | 'masterKey'>,
  requests: RequestDurations,
): NodeEntry => ({
  release,
  projects: config.roles.includes('projector'),
  readModels: versionsOf(projections),
  events: eventVersions(),
  keys: masterKeys(masterKey).map(keyIdOf),
  ...(config.roles.includes('api') ? { answered: requests.lately() } : {}),
});

/**
 * Registers this process before its first append, and renews the registration while it runs. Nodes of a newer
 * release then write nothing that it cannot read. What it answered lately is told with it.
 */
async function startNodeRegistration(
  system: Pick<System, 'config' | 'nodes' | 'masterKey'>,
  supervision: Supervision,
  requests: RequestDurations,
): Promise<Job> {
  const { nodes } = system;
  await nodes.announce(entryOf(system, requests));
  const announce = async (signal: AbortSignal, progress: JobProgress) => {
    while (!signal.aborted) {
      await nodes.announce(entryOf(system, requests));
      progress.succeeded();
      await pause(announceEveryMs, signal);
    }
    await nodes.leave();
  };
  return startJob(supervision, { name: 'node-registry', work: announce });
}
