import { Command } from 'commander';
import { logKey } from '../../audit/proof-log/log-key.ts';
import type { System } from '../../container.ts';
import { beginning } from '../../stores/event-store/port.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { answer } from '../print.ts';

/** The commands of the proof log. */
export function logCommand(line: CommandLine): Command {
  const command = new Command('log').description(
    'The proof log: a signed tree over all events, which shows that none was altered, left out or added later.',
  );
  command
    .command('status')
    .description(
      'Show the name and key of the log, its newest checkpoint, and how many events are not in it yet.',
    )
    .action(({ json }: { readonly json?: boolean }) =>
      withStores(line, async (system) => {
        const status = await statusOf(system);
        answer(json, status, [
          `Name:        ${status.name ?? 'none yet'}`,
          `Key (vkey):  ${status.vkey ?? 'none yet'}`,
          status.checkpoint === null
            ? 'Checkpoint:  none yet; the server signs the first one'
            : `Checkpoint:  ${status.checkpoint.size} entries, signed ${status.checkpoint.signed_at}`,
          `Not in it:   ${status.waiting} events`,
        ]);
      }),
    );
  return command;
}

async function statusOf({ vault, proofLog, store }: System) {
  const [key, newest] = await Promise.all([logKey(vault), proofLog.newest()]);
  const events = await store.count({ after: beginning });
  return {
    name: key?.name ?? null,
    vkey: key?.vkey ?? null,
    checkpoint: newest ? { size: newest.size, signed_at: newest.signedAt, note: newest.note } : null,
    waiting: events - (newest?.size ?? 0),
  };
}
