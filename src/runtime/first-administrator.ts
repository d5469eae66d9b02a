import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  firstAdministratorId,
  hasFirstAdministrator,
  registerFirstAdministrator,
} from '../commands/accounts/administrator.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { writeLink } from '../commands/accounts/one-time-links.ts';
import { load } from '../commands/command-handler.ts';
import { user } from '../commands/accounts/user.ts';
import { commandPerson } from '../commands/accounts/person.ts';
import { ConfigError, type Config } from '../config.ts';
import type { System } from '../container.ts';
import { userStream } from '../events/accounts/user.ts';
import { upcast } from '../events/catalogue.ts';
import { streamName } from '../events/define.ts';
import type { CommandContext, Metadata } from '../events/metadata.ts';

/**
 * Registers the first administrator from the settings, unless there was one before. The operator vouches for the
 * address, so it counts as confirmed.
 * @throws ConfigError when the settings cannot be used
 */
export async function ensureAdministrator(system: System): Promise<void> {
  const { administrator } = system.config;
  if (!administrator) return;
  if (!(await hasFirstAdministrator(system))) await register(system, administrator);
  await confirmAddress(system);
}

async function register(
  system: System,
  { email, password }: NonNullable<Config['administrator']>,
): Promise<void> {
  try {
    const person = { email, password, profile: { name: 'Administrator' } };
    await registerFirstAdministrator(system, person, context());
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
    // Another process has registered it at the same time.
    if (await hasFirstAdministrator(system)) return;
    throw new ConfigError(`ADMIN_EMAIL or ADMIN_PASSWORD cannot be used: ${error.message}`);
  }
}

/** A step of its own: when a start ends between the registration and this, the next start catches up. */
async function confirmAddress({ store, vault }: System): Promise<void> {
  const userId = await firstAdministratorId(vault);
  const [registered] = await store.readStream(streamName(userStream, userId), { limit: 1 });
  const { state } = await load(store, user, userId);
  if (!registered || state?.status !== 'active' || state.everVerified) return;
  const { actor } = registered.metadata as unknown as Metadata;
  const { email } = upcast(registered).data as { readonly email?: string };
  // The operator vouches only for the address in the settings.
  if (actor.kind !== serving.kind || actor.id !== serving.id || email !== state.email) return;
  await commandPerson({ store }, userId, { kind: 'verify-email', email: state.email }, context());
}

/**
 * When there is no administrator, creates a one-time link to register one. The link is shown on a terminal, else
 * written to a file that only the owner can read, never to a log. Returns the line to print.
 */
export async function setUpNotice(
  system: System,
  base: string,
  { shown }: { readonly shown: boolean },
): Promise<string | undefined> {
  const { config, store, vault } = system;
  const file = setUpFile(config);
  if (await hasFirstAdministrator(system)) {
    rmSync(file, { force: true });
    return undefined;
  }
  const userId = await firstAdministratorId(vault);
  const link = await writeLink({ store, vault }, { purpose: 'set-up', userId, at: new Date() });
  if (link === undefined) return undefined;
  const address = `${base}/dash/set-up?link=${link}`;
  if (shown) return `There is no administrator yet. Create one here, within 7 days: ${address}`;
  // Created again, because the mode applies only to a new file.
  rmSync(file, { force: true });
  writeFileSync(file, `${address}\n`, { mode: 0o600, flag: 'wx' });
  return `There is no administrator yet. The link to create one is in ${file}.`;
}

/** The file of the link when there is no terminal. */
export const setUpFile = ({ dataDir }: Config): string => join(dataDir, 'setup-link');

const serving = { kind: 'system', id: 'serve' } as const;

const context = (): CommandContext => ({
  actor: serving,
  commandId: crypto.randomUUID(),
  at: new Date(),
});
