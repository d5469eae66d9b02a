import { join } from 'node:path';
import { isFromBeforeRelease } from '../commands/installation.ts';
import { isVaultLost } from '../commands/lost-vault.ts';
import { placesOf } from '../config.ts';
import type { System } from '../container.ts';
import { fanOutGroup } from '../dispatch/fan-out.ts';
import { pauseNoticeGroup } from '../dispatch/operations/pause-notices.ts';
import { projections } from '../projections/all.ts';
import { refuseOtherLog } from '../projections/engine/log-identity.ts';
import { StoreError } from '../stores/errors.ts';

/**
 * Refuses a log that a development version from before 1.0.0 began, and read models and consumer groups that belong to a
 * different log: their positions mean nothing in this one.
 * `groups`: whether this process will consume.
 *
 * @throws StoreError incompatible
 */
export async function refuseStoresOfAnotherLog(
  system: System,
  { groups }: { readonly groups: boolean },
): Promise<void> {
  const { store, documents } = system;
  if (await isFromBeforeRelease(system.wholeLog)) {
    throw new StoreError(
      'incompatible',
      `The log (${placesOf(system.config).log}) was begun by a development version from before 1.0.0, which this release does not read. Nothing was started and nothing was changed. Serve it with the version that began it, or name another log by DATA_DIR or EVENTSTORE_URL.`,
    );
  }
  const installation = await system.installation.id();
  const consumers = groups ? [fanOutGroup, pauseNoticeGroup] : [];
  await refuseOtherLog(
    { store, documents, projections, groups: consumers, installation },
    placesOf(system.config),
  );
}

/**
 * Refuses to start when the vault lacks secrets that the log proves to exist. Otherwise new keys would be created
 * and people would appear as erased.
 *
 * @throws StoreError incompatible, naming what to do
 */
export async function refuseLostVault(system: System): Promise<void> {
  if (!(await isVaultLost(system, await system.installation.id()))) return;
  const { log, readModels } = placesOf(system.config);
  const vault = system.config.mongoUrl === undefined ? join(readModels, 'vault.db') : `in ${readModels}`;
  throw new StoreError(
    'incompatible',
    `The vault (${vault}) is missing or empty, but the log (${log}) had secrets in it. Put the vault back from its backup, with the master key that belongs to it. If there is none: ${lostVaultGuide}.`,
  );
}

/** The documentation of a lost vault. */
export const lostVaultGuide = 'docs/backup.md, "When the vault is lost"';

/** Ensures that the installation has an id, and records it in the other stores. */
export async function ensureInstallationId(system: System): Promise<void> {
  if ((await system.installation.id()) !== undefined) return;
  await system.installation.ensureId();
  await refuseStoresOfAnotherLog(system, { groups: true });
}
