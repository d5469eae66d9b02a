import { readFileSync } from 'node:fs';
import { Command, CommanderError } from 'commander';
import { ConfigError } from '../config.ts';
import { CommandRefused, ConcurrencyConflict } from '../commands/errors.ts';
import { InvalidEvent } from '../events/new-event.ts';
import { DatapackageError } from '../hsds/errors.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { StoreError } from '../stores/errors.ts';
import { administratorsCommand } from './accounts/administrators.ts';
import { clientsCommand } from './oauth/clients.ts';
import { demoCommand } from './directory/demo.ts';
import { eventsCommand } from './events.ts';
import { exportCommand } from './directory/export.ts';
import { importCommand } from './directory/import.ts';
import { keysCommand } from './keys/keys.ts';
import { membersCommand } from './teams/members.ts';
import { rotateSigningCommand } from './oauth/rotate-signing.ts';
import { UsageError } from './options.ts';
import { rebuildCommand } from './rebuild.ts';
import { resourcesCommand } from './directory/resources.ts';
import { serveCommand } from './serve.ts';
import { statusCommand } from './status.ts';
import { subscriptionsCommand } from './webhooks/subscriptions.ts';
import { teamsCommand } from './teams/teams.ts';
import { transferCommand } from './transfer.ts';
import { TransferRefused } from '../transfer/log.ts';
import { vaultCommand } from './vault.ts';
import type { CommandLine } from './command-line.ts';

const { version } = JSON.parse(readFileSync(new URL('../../package.json', import.meta.url), 'utf8')) as {
  readonly version: string;
};

/** Runs one command line. Returns its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function runCli(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  // Files that a command writes are for their owner only, including those of SQLite.
  process.umask(0o077);
  const line: CommandLine = { environment, exitCode: 0 };
  const program = new Command('commonweal')
    .description('A community-resource directory in which every change is an appended event.')
    .version(version, '--version', 'show the version')
    .showHelpAfterError('(add --help to see the options)')
    .exitOverride();
  const commands = [
    serveCommand,
    statusCommand,
    importCommand,
    exportCommand,
    teamsCommand,
    membersCommand,
    administratorsCommand,
    (line: CommandLine) => keysCommand(line).addCommand(rotateSigningCommand(line)),
    clientsCommand,
    resourcesCommand,
    subscriptionsCommand,
    eventsCommand,
    rebuildCommand,
    transferCommand,
    vaultCommand,
    demoCommand,
  ];
  // The reader of our output may stop early, as in `| head`. Nothing is left to do then.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(line.exitCode);
  });
  for (const make of commands) program.addCommand(withJson(make(line).exitOverride()));
  try {
    await program.parseAsync([...argv]);
    return line.exitCode;
  } catch (error) {
    return report(error);
  }
}

/** Adds --json to every command that prints a result. */
function withJson(command: Command): Command {
  for (const each of command.commands) withJson(each.exitOverride());
  if (command.commands.length === 0) command.option('--json', 'answer in JSON, for programs');
  return command;
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    console.error(error.message);
    return 2;
  }
  const expected =
    error instanceof ConfigError ||
    error instanceof CommandRefused ||
    error instanceof ConcurrencyConflict ||
    error instanceof InvalidEvent ||
    error instanceof DatapackageError ||
    error instanceof NotYetVisible ||
    error instanceof TransferRefused ||
    error instanceof StoreError;
  if (!expected && process.env['LOG_LEVEL'] === 'debug') console.error(error);
  console.error(error instanceof Error ? error.message : String(error));
  return 1;
}
