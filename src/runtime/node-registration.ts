import type { System } from '../container.ts';
import { eventVersions } from '../events/catalogue.ts';
import { pause } from '../ground/back-off.ts';
import { projections } from '../projections/all.ts';
import { versionsOf } from '../projections/engine/releases.ts';
import { release } from '../release.ts';
import { announceEveryMs, type NodeEntry } from '../stores/leases/nodes-port.ts';
import { keyIdOf, masterKeys } from '../ground/master-key.ts';
import { startJob, type Job, type JobProgress, type Supervision } from '../ground/job.ts';

const entryOf = ({ config, masterKey }: Pick<System, 'config' | 'masterKey'>): NodeEntry => ({
  release,
  projects: config.roles.includes('projector'),
  readModels: versionsOf(projections),
  events: eventVersions(),
  keys: masterKeys(masterKey).map(keyIdOf),
});

/**
 * Registers this process before its first append, and renews the registration while it runs. Nodes of a newer
 * release then write nothing that it cannot read.
 */
export async function startNodeRegistration(
  system: Pick<System, 'config' | 'nodes' | 'masterKey'>,
  supervision: Supervision,
): Promise<Job> {
  const { nodes } = system;
  await nodes.announce(entryOf(system));
  const announce = async (signal: AbortSignal, progress: JobProgress) => {
    while (!signal.aborted) {
      await nodes.announce(entryOf(system));
      progress.succeeded();
      await pause(announceEveryMs, signal);
    }
    await nodes.leave();
  };
  return startJob(supervision, { name: 'node-registry', work: announce });
}
