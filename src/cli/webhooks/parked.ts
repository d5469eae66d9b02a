import { Command } from 'commander';
import { decideParked, listParked, type Parked } from '../../dispatch/operations/parked-work.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

export function webhooksCommand(line: CommandLine): Command {
  return new Command('webhooks')
    .description('What the sending of webhooks has set aside.')
    .addCommand(parkedCommand(line));
}

function parkedCommand(line: CommandLine): Command {
  const command = new Command('parked').description(
    'Events and deliveries that failed ten times for reasons of our own. They wait until somebody decides.',
  );
  command
    .command('list')
    .description('List what is parked, and why.')
    .action(({ json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const all = await allParked(at);
        const rows = all.map((each) => [
          each.kind,
          each.id,
          each.team,
          each.event,
          each.parked_at,
          each.reason,
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
  decision(line, command, {
    name: 'replay',
    description:
      'Try again, as if it had not failed before. A running dispatcher takes it up within seconds.',
    done: 'replayed',
  });
  decision(line, command, {
    name: 'discard',
    description: 'Give up for good: the deliveries are not sent.',
    done: 'discarded',
  });
  return command;
}

interface Decision {
  readonly name: 'replay' | 'discard';
  readonly description: string;
  /** What has become of it, in JSON and in the sentence. */
  readonly done: string;
}

function decision(line: CommandLine, parent: Command, of: Decision): void {
  parent
    .command(`${of.name} [ids...]`)
    .description(of.description)
    .option('--all', 'everything that is parked')
    .action((ids: readonly string[], { all, json }: { all?: boolean; json?: boolean }) =>
      withSystem(line, async (at) => {
        if ((all ?? false) === ids.length > 0)
          throw new UsageError('Name the ids that `webhooks parked list` shows, or --all.');
        const parked = await allParked(at);
        const unknown = ids.filter((id) => !parked.some((each) => each.id === id));
        if (unknown.length > 0) throw new UsageError(`Not parked: ${unknown.join(', ')}.`);
        const chosen = all ? parked : parked.filter(({ id }) => ids.includes(id));
        const decided = await decideParked(at.store, of.name, chosen, () => at.context());
        answer(
          json,
          { [of.done]: decided },
          `${decided.events} ${decided.events === 1 ? 'event' : 'events'} and ${decided.deliveries} ${decided.deliveries === 1 ? 'delivery' : 'deliveries'} ${of.done}.`,
        );
      }),
    );
}

async function allParked(at: CommandSystem): Promise<Parked[]> {
  await at.waitUntilCurrent(deliveries);
  return listParked(at);
}
