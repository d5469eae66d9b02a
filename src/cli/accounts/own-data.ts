import { Command } from 'commander';
import { createWriteStream } from 'node:fs';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { exportOwnData } from '../../actions/accounts/erasure.ts';
import { erasures } from '../../projections/accounts-erasures.ts';
import { people } from '../../projections/accounts-people.ts';
import { sessions } from '../../projections/accounts-sessions.ts';
import { apiKeys } from '../../projections/keys.ts';
import { consents } from '../../projections/oauth-consents.ts';
import { payments } from '../../projections/payments.ts';
import { members } from '../../projections/teams-members.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { accountNamed } from '../account.ts';
import { performFor } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';

export function ownDataCommand(line: CommandLine): Command {
  return new Command('own-data')
    .description('Everything that is stored about a person, as JSON. Each request for it is recorded.')
    .argument('<person>', 'the email address or the id of an account')
    .option('--out <file>', 'write to this file instead, readable by its owner alone; it must not exist')
    .action((whom: string, { out }: { readonly out?: string }) =>
      withSystem(line, async (at) => {
        const { user } = await accountNamed(at, whom);
        await at.waitUntilCurrent(
          people,
          members,
          erasures,
          sessions,
          consents,
          payments,
          apiKeys,
          deliveries,
        );
        const data = Readable.from(await performFor(at, exportOwnData, { user }));
        if (out === undefined) {
          for await (const piece of data) process.stdout.write(piece as string);
          return;
        }
        await pipeline(data, createWriteStream(out, { flags: 'wx', mode: 0o600 }));
        console.error(`${out} has everything that is stored about ${user}.`);
      }),
    );
}
