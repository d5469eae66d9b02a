import { tendSigningKeys } from '../commands/oauth/signing-keys.ts';
import type { System } from '../container.ts';
import { pause } from '../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';

/** How often due keys are checked, in milliseconds. Keys are due to the hour. */
const everyMs = 10 * 60_000;
/** How often token keys without valid tokens are deleted, in milliseconds. */
const forgetEveryMs = 86_400_000;

/**
 * Ensures that there is a signing key, then starts the job that publishes, activates and retires keys in time and
 * deletes old token keys. It runs in one process at a time.
 */
export async function startSigningKeyJob(system: System, supervision: Supervision): Promise<Job> {
  let forgottenAt = -Infinity;
  const forgetWhenDue = async () => {
    if (Date.now() - forgottenAt < forgetEveryMs) return;
    await forgetTokenKeys(system);
    forgottenAt = Date.now();
  };
  await tend(system);
  return startJob(supervision, {
    name: 'signing-keys',
    lease: 'signing-keys',
    async work(signal, progress) {
      while (!signal.aborted) {
        await tend(system);
        await forgetWhenDue();
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}

/** Deletes token keys older than the longest lifetime of a grant: no token of them is valid. */
export const forgetTokenKeys = ({
  tokenKeys,
  config,
}: Pick<System, 'tokenKeys' | 'config'>): Promise<readonly string[]> =>
  tokenKeys.forget(config.lifetimes.refresh);

const tend = ({ store, vault }: System): Promise<void> =>
  tendSigningKeys(
    { store, vault },
    { actor: { kind: 'system', id: 'signing-keys' }, commandId: crypto.randomUUID(), at: new Date() },
  );
