import { Command } from 'commander';
import { decideParked } from '../../actions/webhooks-deliveries.ts';
import { listParked, type Parked } from '../../dispatch/operations/parked-work.ts';
import { counted } from '../../ground/counted.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { performFor } from '../action-command.ts';
import { listenCommand } from './listen.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { showCommand } from '../show-command.ts';
import { answer, table } from '../../ground/print.ts';

export function webhooksCommand(line: CommandLine): Command {
  return new Command('webhooks')
    .description('What arrives at the test receiver, and what the sending of webhooks has set aside.')
    .addCommand(listenCommand(line))
    .addCommand(parkedCommand(line));
}

function parkedCommand(line: CommandLine): Command {
  const command = new Command('parked').description(
    'Events and deliveries that failed ten times because of a fault in this service. They wait until somebody decides.',
  );
  command
    .command('list')
    .description('List what is parked, and why.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const all = await allParked(at);
        const rows = all.map(({ kind, id, team, event, parked_at, reason }) => [
          kind,
          id,
          team,
          event,
          parked_at,
          reason,
        ]);
        answer(
          json,
          all,
          all.length === 0
            ? 'Nothing is parked.'
            : table(['KIND', 'ID', 'TEAM', 'EVENT', 'SINCE', 'REASON'], rows),
        );
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show something that is parked.',
      argument: '<id>',
      about: 'its id, from parked list',
      needs: [deliveries],
      async find(at, id) {
        const found = (await listParked(at)).find((each) => each.id === id);
        if (!found) throw new CommandRefused('not_found', `Nothing with the id ${id} is parked.`);
        return found;
      },
    }),
  );
  /** `done`: what has become of it, in JSON and in the sentence. */
  const decision = (name: 'replay' | 'discard', description: string, done: string) =>
    command
      .command(`${name} [ids...]`)
      .description(description)
      .option('--all', 'everything that is parked')
      .action((ids: readonly string[], { all, json }: { all?: boolean; json?: boolean }) =>
        withSystem(line, async (at) => {
          if ((all ?? false) === ids.length > 0)
            throw new UsageError('Name the ids that `webhooks parked list` shows, or --all.');
          const parked = await allParked(at);
          const unknown = ids.filter((id) => !parked.some((each) => each.id === id));
          if (unknown.length > 0) throw new UsageError(`Not parked: ${unknown.join(', ')}.`);
          const decided = await performFor(at, decideParked, { decision: name, ...(!all && { ids }) });
          answer(
            json,
            { [done]: decided },
            `${counted(decided.events, 'event')} and ${counted(decided.deliveries, 'delivery', 'deliveries')} ${done}.`,
          );
        }),
      );
  decision(
    'replay',
    'Try again, as if it had not failed before. A running dispatcher takes it up within seconds.',
    'replayed',
  );
  decision('discard', 'Give up for good: the deliveries are not sent.', 'discarded');
  return command;
}

async function allParked(at: CommandSystem): Promise<Parked[]> {
  await at.waitUntilCurrent(deliveries);
  return listParked(at);
}
