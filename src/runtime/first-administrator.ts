import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  firstAdministratorId,
  hasFirstAdministrator,
  registerFirstAdministrator,
} from '../commands/accounts/administrator.ts';
import { CommandRefused } from '../commands/errors.ts';
import { writeLink } from '../commands/accounts/one-time-links.ts';
import { commandPerson, requirePerson } from '../commands/accounts/person.ts';
import { ConfigError, type Config } from '../config.ts';
import type { System } from '../container.ts';
import type { CommandContext } from '../events/metadata.ts';

/**
 * Registers the first administrator from the settings, unless there was one before. The operator vouches for the
 * address, so it counts as confirmed.
 * @throws ConfigError when the settings cannot be used
 */
export async function ensureAdministrator(system: System): Promise<void> {
  const { config, store } = system;
  if (!config.administrator || (await hasFirstAdministrator(system))) return;
  const { email, password } = config.administrator;
  try {
    const person = { email, password, profile: { name: 'Administrator' } };
    const { userId } = await registerFirstAdministrator(system, person, context());
    const { email: index } = await requirePerson({ store }, userId);
    await commandPerson({ store }, userId, { kind: 'verify-email', email: index }, context());
  } catch (error) {
    // Another process has registered it at the same time.
    if (await hasFirstAdministrator(system)) return;
    if (!(error instanceof CommandRefused)) throw error;
    throw new ConfigError(`ADMIN_EMAIL or ADMIN_PASSWORD cannot be used: ${error.message}`);
  }
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

const context = (): CommandContext => ({
  actor: { kind: 'system', id: 'serve' },
  commandId: crypto.randomUUID(),
  at: new Date(),
});
