import { Command } from 'commander';
import { pause } from '../../ground/back-off.ts';
import { longestStreams } from '../../status/longest-streams.ts';
import { gatherStatus, isFailing } from '../../status/status.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { answer, table } from '../../ground/print.ts';
import { progressBar } from '../progress.ts';
import { statusText } from '../../status/status-text.ts';

interface Options {
  readonly json?: boolean;
  readonly watch?: boolean;
  readonly streams?: boolean;
}

const watchedEveryMs = 2_000;
/** Clears the screen and moves to its first line (ECMA-48). */
const clearScreen = '\x1b[2J\x1b[H';

export function statusCommand(line: CommandLine): Command {
  return new Command('status')
    .description('Show the state of the log, the read models and the webhooks.')
    .option('--watch', 'show it again every two seconds')
    .option('--streams', 'show the longest streams instead; reads the whole log')
    .action((options: Options) => {
      if (options.streams) return streams(line, options);
      return options.watch ? watch(line, options) : once(line, options);
    });
}

const once = (line: CommandLine, { json }: Options): Promise<void> =>
  withStores(line, async (system) => {
    const status = await gatherStatus(system);
    answer(json, status, statusText(status));
    if (isFailing(status)) line.exitCode = 1;
  });

/** Until the process is told to stop. */
const watch = (line: CommandLine, { json }: Options): Promise<void> =>
  withStores(line, async (system) => {
    const stopping = new AbortController();
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => stopping.abort());
    while (!stopping.signal.aborted) {
      const status = await gatherStatus(system);
      if (json) console.log(JSON.stringify(status));
      else console.log(`${process.stdout.isTTY ? clearScreen : ''}${statusText(status).join('\n')}`);
      await pause(watchedEveryMs, stopping.signal);
    }
  });

const streams = (line: CommandLine, { json }: Options): Promise<void> =>
  withStores(line, async ({ store }) => {
    const bar = progressBar('Reading the log', Number(await store.head()));
    const found = await longestStreams(store, ({ position }) => bar.update(Number(position))).finally(() =>
      bar.stop(),
    );
    answer(
      json,
      found,
      found.length === 0
        ? 'No stream has 100 events.'
        : table(
            ['STREAM', 'EVENTS'],
            found.map(({ stream, events }) => [stream, events]),
          ),
    );
  });
