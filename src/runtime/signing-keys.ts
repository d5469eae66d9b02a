import { setTimeout as sleep } from 'node:timers/promises';
import { tendSigningKeys } from '../commands/oauth/signing-keys.ts';
import type { System } from '../container.ts';
import { startJob, type Job, type Supervision } from './job.ts';

/** How often somebody looks whether a key is due, in milliseconds; what is due is due by the hour. */
const everyMs = 10 * 60_000;
/** How often token keys that can have no living token are deleted, in milliseconds. */
const forgetEveryMs = 86_400_000;

/**
 * Sees to it that there is a key to sign with, and from then on that keys are published, activated and retired
 * in time, and token keys forgotten; one process at a time does.
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
        await sleep(everyMs, undefined, { signal }).catch(() => undefined);
      }
    },
  });
}

/** No grant lives longer than its refreshes may reach, so no token of an older key does. */
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
