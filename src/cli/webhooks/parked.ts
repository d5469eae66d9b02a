import { Command } from 'commander';
import { fanOutGroup } from '../../dispatch/fan-out/fan-out.ts';
import {
  discardParkedDelivery,
  parkedDeliveries,
  replayParkedDelivery,
} from '../../dispatch/operations/parked-deliveries.ts';
import { webhookEventOf } from '../../dispatch/payload.ts';
import { deliveries } from '../../projections/webhooks/deliveries.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { answer, table } from '../print.ts';

export function webhooksCommand(line: CommandLine): Command {
  return new Command('webhooks')
    .description('What the sending of webhooks has set aside.')
    .addCommand(parkedCommand(line));
}

/** Work that was set aside, an event before its deliveries were scheduled or a single delivery. */
interface Parked {
  readonly kind: 'event' | 'delivery';
  readonly id: string;
  readonly team: string;
  readonly event: string;
  readonly reason: string;
  readonly parked_at: string;
  /** Of a delivery. */
  readonly subscription?: string;
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
    event: (at, ids) => at.store.replayParked(fanOutGroup, ids),
    delivery: (at, id) => replayParkedDelivery(at.store, id, at.context()),
  });
  decision(line, command, {
    name: 'discard',
    description: 'Give up for good: the deliveries are not sent.',
    done: 'discarded',
    event: (at, ids) => at.store.discardParked(fanOutGroup, ids),
    delivery: (at, id) => discardParkedDelivery(at.store, id, at.context()),
  });
  return command;
}

interface Decision {
  readonly name: string;
  readonly description: string;
  /** What has become of it, in JSON and in the sentence. */
  readonly done: string;
  readonly event: (at: CommandSystem, eventIds: readonly string[]) => Promise<number>;
  readonly delivery: (at: CommandSystem, deliveryId: string) => Promise<boolean>;
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
        const eventIds = chosen.filter(({ kind }) => kind === 'event').map(({ id }) => id);
        const events = eventIds.length === 0 ? 0 : await of.event(at, eventIds);
        let decided = 0;
        for (const { id } of chosen.filter(({ kind }) => kind === 'delivery'))
          if (await of.delivery(at, id)) decided += 1;
        answer(
          json,
          { [of.done]: { events, deliveries: decided } },
          `${events} ${events === 1 ? 'event' : 'events'} and ${decided} ${decided === 1 ? 'delivery' : 'deliveries'} ${of.done}.`,
        );
      }),
    );
}

async function allParked(at: CommandSystem): Promise<Parked[]> {
  await at.waitUntilCurrent(deliveries);
  const found: Parked[] = (await at.store.parked(fanOutGroup)).map(({ event, reason, parkedAt }) => ({
    kind: 'event',
    id: event.id,
    team: (event.data as { readonly team?: string }).team ?? '',
    event: webhookEventOf(event.type) ?? event.type,
    reason,
    parked_at: parkedAt,
  }));
  for await (const each of parkedDeliveries(at.documents)) {
    found.push({
      kind: 'delivery',
      id: each.delivery,
      team: each.team,
      event: each.event,
      reason: each.parked_because ?? '',
      parked_at: each.parked_at ?? each.scheduled_at,
      subscription: each.subscription,
    });
  }
  return found;
}
