import { z } from 'zod';
import { findByEmail, findPerson, type PersonParts } from '../../commands/accounts/person.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { isVaultLost } from '../../commands/lost-vault.ts';
import type { Actor } from '../../events/metadata.ts';
import { option } from '../options.ts';

interface OperatorParts extends Pick<PersonParts, 'store' | 'vault' | 'personal'> {
  readonly installation: { id(): Promise<string | undefined> };
}

/**
 * The actor of what the command line appends: an operator. `as`: the administrator whom the operator claims to be, by
 * email address or id. Nobody can check that, so events record it as a claim. No login name of the system is recorded.
 * @throws CommandRefused, UsageError, when that is no administrator
 */
export async function operator(parts: OperatorParts, as: string | undefined): Promise<Actor> {
  const cli = { kind: 'system', id: 'cli' } as const;
  if (as === undefined) return cli;
  const found = await named(parts, as);
  if (!found) throw new CommandRefused('not_found', '--as: there is no such account.');
  const { user, role } = found;
  if (role !== 'administrator')
    throw new CommandRefused('forbidden', '--as: this account is not one of an administrator.');
  return { ...cli, on_behalf_of: user, claims_to_be: user };
}

async function named(parts: OperatorParts, as: string): ReturnType<typeof findPerson> {
  if (!as.includes('@')) {
    const id = z.uuid('must be the email address or the id of an administrator’s account');
    return findPerson(parts, option('--as', id, as));
  }
  // The key by which addresses are found is in the vault. A new one would be made there.
  if (await isVaultLost(parts, await parts.installation.id()))
    throw new CommandRefused('invalid', '--as: the vault is lost, so name the account by its id.');
  return findByEmail(parts, as);
}
