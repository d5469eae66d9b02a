import { randomUUID } from 'node:crypto';
import { streamName } from '../events/define.ts';
import { teamStream } from '../events/teams.ts';
import { installationStreamName, type InstallationEvent } from '../events/installation.ts';
import { newEvent } from '../events/new-event.ts';
import {
  belongsToInstallation,
  textBelongsToInstallation,
  type OwnershipFields,
} from '../events/belongs-to-installation.ts';
import { WrongExpectedRevision } from '../stores/errors.ts';
import type { EventStore, EventText } from '../stores/event-store/port.ts';
import type { Vault } from '../stores/vault/port.ts';

/** The installation id of a log. Undefined in an empty log. */
export async function installationOf(log: EventStore): Promise<string | undefined> {
  const [first] = await log.readStream(installationStreamName, { limit: 1 });
  return first && (first.data as InstallationEvent['data']).installation;
}

/** Whether a development version from before 1.0.0 began the log: the event of its first team has no installation. */
export async function isFromBeforeRelease(log: Pick<EventStore, 'readStream'>): Promise<boolean> {
  const [first] = await log.readStream(streamName(teamStream, 'commons'), { limit: 1 });
  return (
    typeof first?.metadata['commonweal_schema'] === 'number' && first.metadata['installation'] === undefined
  );
}

/** The vault entry that tells which installation the vault belongs to. */
export const vaultEntryOf = (installation: string): string => `installation/${installation}`;

/**
 * Assigns an id to the installation of a log. When several processes do so at once, the first append wins, and all
 * return its id. The vault gets the id before the log does, so from then on the log proves that there was a vault.
 */
export async function ensureInstallationId(log: EventStore, vault: Vault): Promise<string> {
  const existing = await installationOf(log);
  if (existing !== undefined) return existing;
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
 * Tells this installation's events from others in a log, and marks the events that it appends. The id is read once.
 * The first append to a log without an id assigns one.
 */
export class Installation {
  readonly #log: EventStore;
  readonly #vault: () => Vault;
  #id: string | undefined;
  #naming: Promise<string> | undefined;

  /** `vault`: called when the log gets its id. */
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

  ownsText(event: EventText, id: string | undefined): boolean {
    return textBelongsToInstallation(event, id);
  }

  mark(metadata: unknown, id: string): unknown {
    return { ...(metadata as object), installation: id };
  }
}
