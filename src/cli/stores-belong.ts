import { placesOf } from '../config.ts';
import type { System } from '../container.ts';
import { fanOutGroup } from '../dispatch/fan-out.ts';
import { projections } from '../projections/all.ts';
import { refuseOtherLog } from '../projections/log-identity.ts';

/**
 * Read models and consumer groups that go with another log would be moved on from a place that means nothing in
 * this one. `groups`: whether this process is to consume as well.
 *
 * @throws StoreError incompatible
 */
export async function refuseMixedStores(
  system: System,
  { groups }: { readonly groups: boolean },
): Promise<void> {
  const { store, documents } = system;
  const installation = await system.installation.known();
  const consumers = groups ? [fanOutGroup] : [];
  await refuseOtherLog(
    { store, documents, projections, groups: consumers, installation },
    placesOf(system.config),
  );
}

/** From now on the installation has an id, and what is kept beside the log is noted to go with it. */
export async function nameInstallation(system: System): Promise<void> {
  if ((await system.installation.known()) !== undefined) return;
  await system.installation.named();
  await refuseMixedStores(system, { groups: true });
}
