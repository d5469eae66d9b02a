import { rmSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
  firstAdministratorId,
  hasFirstAdministrator,
  registerFirstAdministrator,
} from '../commands/accounts/administrator.ts';
import { CommandRefused } from '../commands/errors.ts';
import { writeLink } from '../commands/accounts/links.ts';
import { commandPerson, requirePerson } from '../commands/accounts/person.ts';
import { ConfigError, type Config } from '../config.ts';
import type { System } from '../container.ts';
import type { CommandContext } from '../events/metadata.ts';

/**
 * From now on there is a first administrator, where the settings name one; once there was one they are not
 * looked at. Whoever sets them vouches for the address, so it counts as confirmed.
 * @throws ConfigError when it cannot be
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
    // Two processes start at once: the other one was first.
    if (await hasFirstAdministrator(system)) return;
    if (!(error instanceof CommandRefused)) throw error;
    throw new ConfigError(`ADMIN_EMAIL or ADMIN_PASSWORD cannot be used: ${error.message}`);
  }
}

/**
 * Where there is no administrator, a one-time link makes one: shown where somebody is looking, else written to a
 * file that only the owner of the data may read, never to a log. Answers what to print.
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
  if (shown) return `There is no administrator yet. Make one here, within 7 days: ${address}`;
  // Made anew, as a mode is only given to a file that is made.
  rmSync(file, { force: true });
  writeFileSync(file, `${address}\n`, { mode: 0o600, flag: 'wx' });
  return `There is no administrator yet. The link to make one is in ${file}.`;
}

/** Where the link is written to when nobody is looking. */
export const setUpFile = ({ dataDir }: Config): string => join(dataDir, 'setup-link');

const context = (): CommandContext => ({
  actor: { kind: 'system', id: 'serve' },
  commandId: crypto.randomUUID(),
  at: new Date(),
});
