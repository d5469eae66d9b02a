import { Command } from 'commander';
import { rotateLogKey } from '../../audit/proof-log/rotate-log-key.ts';
import { answer } from '../../ground/print.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { count, UsageError } from '../options.ts';

interface RotateOptions {
  readonly overlap?: string;
  readonly atOnce?: boolean;
  readonly json?: boolean;
}

/** Time for those who verify, and witnesses, to be given the new key. */
const usualDays = 30;
const mostDays = 3_650;
const dayMs = 86_400_000;

/** A part of `audit log`: a new key for the same log. */
export function rotateKeyCommand(line: CommandLine): Command {
  return new Command('rotate-key')
    .description(
      'Make a new key for the log, which keeps its name. Both keys sign for a while; then the former one is destroyed.',
    )
    .option('--overlap <days>', `how long both sign; default: ${usualDays}`)
    .option('--at-once', 'stop signing with the former keys, when one has leaked')
    .action(({ overlap, atOnce = false, json }: RotateOptions) =>
      withStores(line, async (system, actor) => {
        const days = daysOf(overlap, atOnce);
        const at = new Date();
        const key = await rotateLogKey(
          system,
          { overlapMs: days * dayMs },
          { actor, commandId: crypto.randomUUID(), at },
        );
        const until = key.keys[1]?.until ?? at.toISOString();
        answer(json, { vkey: key.vkey, former: key.keys[1]?.vkey ?? null, until }, [
          `New key (vkey):  ${key.vkey}`,
          'It signs from the next checkpoint on, while the server runs. Give it to those who verify this log, and to its witnesses.',
          atOnce
            ? 'The former keys sign no more: who has only those refuses newer checkpoints until they have the new one.'
            : `The former key signs as well until ${until}: give the new one out before that.`,
        ]);
      }),
    );
}

/** @throws UsageError */
function daysOf(overlap: string | undefined, atOnce: boolean): number {
  if (atOnce && overlap !== undefined) throw new UsageError('--overlap: does not go with --at-once');
  if (atOnce) return 0;
  const days = overlap === undefined ? usualDays : count('--overlap', overlap);
  if (days > mostDays) throw new UsageError(`--overlap: is at most ${mostDays} days`);
  return days;
}
