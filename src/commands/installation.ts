import { randomUUID } from 'node:crypto';
import { installationStreamName, type InstallationEvent } from '../events/installation.ts';
import { newEvent } from '../events/new-event.ts';
import { belongsToInstallation, type OwnershipFields } from '../events/belongs-to-installation.ts';
import { WrongExpectedRevision } from '../stores/errors.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { Vault } from '../stores/vault/port.ts';

/** The id of the installation whose log this is; undefined in an empty log, and in one from before there were ids. */
export async function installationOf(log: EventStore): Promise<string | undefined> {
  const [first] = await log.readStream(installationStreamName, { limit: 1 });
  return first && (first.data as InstallationEvent['data']).installation;
}

/** Where the vault says whose it is. */
export const vaultEntryOf = (installation: string): string => `installation/${installation}`;

/**
 * Draws an id for the installation; of all who do so at once, one is heeded. Answers the id that holds. The vault
 * knows it before the log does: from then on the log proves that there was a vault.
 */
export async function ensureInstallationId(log: EventStore, vault: Vault): Promise<string> {
  const known = await installationOf(log);
  if (known !== undefined) return known;
  const installation = randomUUID();
  await vault.put(vaultEntryOf(installation), Buffer.from(installation));
  const context = {
    actor: { kind: 'system', id: 'installation' },
    commandId: randomUUID(),
    at: new Date(),
  } as const;
  const named = newEvent(
    installationStreamName,
    { type: 'InstallationNamed', data: { installation } },
    0,
    context,
  );
  try {
    await log.append(
      installationStreamName,
      [{ ...named, metadata: { ...named.metadata, installation } }],
      'no_stream',
    );
    return installation;
  } catch (error) {
    if (!(error instanceof WrongExpectedRevision)) throw error;
    await vault.delete(vaultEntryOf(installation));
    return ensureInstallationId(log, vault);
  }
}

/**
 * Tells this installation's events from all else in a log, and marks those that it appends. Its id is read once;
 * the first append to a log without one draws it.
 */
export class Installation {
  readonly #log: EventStore;
  readonly #vault: () => Vault;
  #id: string | undefined;
  #naming: Promise<string> | undefined;

  /** `vault`: opened when the log gets its id. */
  constructor(log: EventStore, vault: () => Vault) {
    this.#log = log;
    this.#vault = vault;
  }

  async id(): Promise<string | undefined> {
    return (this.#id ??= await installationOf(this.#log));
  }

  async ensureId(): Promise<string> {
    if (this.#id !== undefined) return this.#id;
    this.#naming ??= ensureInstallationId(this.#log, this.#vault()).finally(() => (this.#naming = undefined));
    return (this.#id = await this.#naming);
  }

  owns(event: OwnershipFields, id: string | undefined): boolean {
    return belongsToInstallation(event, id);
  }

  mark(metadata: unknown, id: string): unknown {
    return { ...(metadata as object), installation: id };
  }
}
