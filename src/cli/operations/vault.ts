import { Command } from 'commander';
import { replaceVault } from '../../commands/lost-vault.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { answer } from '../../ground/print.ts';
import { lostVaultGuide, refuseStoresOfAnotherLog } from '../../runtime/check-stores.ts';

/** The commands of the vault, which holds all secrets: keys, password hashes, data keys. */
export function vaultCommand(line: CommandLine): Command {
  const command = new Command('vault').description('The vault, which holds all secrets.');
  command
    .command('replace')
    .description('Begin a new vault after the old one is lost for good. Look for its backup first.')
    .option('--accept-loss', 'confirm that all passwords and all other secrets are lost')
    .action(({ acceptLoss = false, json }: { acceptLoss?: boolean; json?: boolean }) =>
      withStores(line, async (system, actor) => {
        if (!acceptLoss) {
          throw new UsageError(
            `Without the old vault nobody can sign in any more and no webhook can be signed (${lostVaultGuide}). If you accept that, add --accept-loss.`,
          );
        }
        await refuseStoresOfAnotherLog(system, { groups: false });
        const { retiredKeys } = await replaceVault(system, system.installation, {
          actor,
          commandId: crypto.randomUUID(),
          at: new Date(),
        });
        answer(json, { retired_keys: retiredKeys }, [
          `There is a new vault; ${retiredKeys.length} signing keys of the old one are retired.`,
          `Start the service. What is to be done then: ${lostVaultGuide}.`,
        ]);
      }),
    );
  return command;
}
