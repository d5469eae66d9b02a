import { tendSigningKeys } from '../commands/signing-keys.ts';
import type { System } from '../container.ts';

/** How often somebody looks whether a key is due, in milliseconds; what is due is due by the hour. */
const everyMs = 10 * 60_000;

/**
 * Sees to it that there is a key to sign with, and from then on that keys are published, activated and retired
 * in time; one process at a time does. Answers what ends it.
 */
export async function tendingSigningKeys(
  system: System,
  complain: (error: unknown) => void,
): Promise<() => Promise<void>> {
  let tending: Promise<void> = tend(system);
  await tending;
  const timer = setInterval(() => {
    tending = tending.then(() => tendAlone(system)).catch(complain);
  }, everyMs).unref();
  return async () => {
    clearInterval(timer);
    await tending;
  };
}

/** Whoever holds the lease does it; everybody else will look again. */
async function tendAlone(system: System): Promise<void> {
  const lease = await system.leases.tryAcquire('signing-keys');
  if (!lease) return;
  try {
    await tend(system);
  } finally {
    await lease.release();
  }
}

const tend = ({ store, vault }: System): Promise<void> =>
  tendSigningKeys(
    { store, vault },
    { actor: { kind: 'system', id: 'signing-keys' }, commandId: crypto.randomUUID(), at: new Date() },
  );
