import { Command, CommanderError } from 'commander';
import { ExportError } from '../audit/exports/export-error.ts';
import { ProofError } from '../audit/proof-log/errors.ts';
import { BackupRefused } from '../backup/manifest.ts';
import { ConfigError, defaultDataDir } from '../config.ts';
import { CommandRefused, ConcurrencyConflict } from '../ground/refusals.ts';
import { InvalidEvent } from '../events/new-event.ts';
import { DatapackageError } from '../hsds/errors.ts';
import { NotYetVisible } from '../projections/engine/read-your-writes.ts';
import { release } from '../release.ts';
import { StoreError } from '../stores/errors.ts';
import { UsageError } from './options.ts';
import { TransferRefused } from '../backup/transfer-log.ts';
import type { CommandLine } from './command-line.ts';
import { messageOf } from '../ground/store-error.ts';

type Making = (line: CommandLine) => Promise<Command>;

/** Loaded by name, because all of them together take a fifth of the time that a command needs to start. */
export const commands: Readonly<Record<string, Making>> = {
  serve: async (line) => (await import('./operations/serve.ts')).serveCommand(line),
  status: async (line) => (await import('./operations/status.ts')).statusCommand(line),
  import: async (line) => (await import('./directory/import.ts')).importCommand(line),
  imports: async (line) => (await import('./directory/imports.ts')).importsCommand(line),
  views: async (line) => (await import('./directory/views.ts')).viewsCommand(line),
  sources: async (line) => (await import('./directory/sources.ts')).sourcesCommand(line),
  export: async (line) => (await import('./directory/export.ts')).exportCommand(line),
  teams: async (line) => (await import('./teams.ts')).teamsCommand(line),
  members: async (line) => (await import('./teams-members.ts')).membersCommand(line),
  erase: async (line) => (await import('./accounts/erase.ts')).eraseCommand(line),
  hold: async (line) => (await import('./accounts/hold.ts')).holdCommand(line),
  'own-data': async (line) => (await import('./accounts/own-data.ts')).ownDataCommand(line),
  administrators: async (line) => (await import('./accounts/administrators.ts')).administratorsCommand(line),
  keys: async (line) => {
    const [{ keysCommand }, { rotateSigningCommand }] = await Promise.all([
      import('./keys.ts'),
      import('./oauth-rotate-signing.ts'),
    ]);
    return keysCommand(line).addCommand(rotateSigningCommand(line));
  },
  clients: async (line) => (await import('./oauth-clients.ts')).clientsCommand(line),
  resources: async (line) => (await import('./directory/resources.ts')).resourcesCommand(line),
  needs: async (line) => (await import('./directory/needs.ts')).needsCommand(line),
  organizations: async (line) => (await import('./directory/organizations.ts')).organizationsCommand(line),
  forms: async (line) => (await import('./forms.ts')).formsCommand(line),
  reports: async (line) => (await import('./directory/reports.ts')).reportsCommand(line),
  claims: async (line) => (await import('./directory/claims.ts')).claimsCommand(line),
  suggestions: async (line) => (await import('./directory/suggestions.ts')).suggestionsCommand(line),
  asking: async (line) => (await import('./directory/asking.ts')).askingCommand(line),
  mail: async (line) => (await import('./directory/asking.ts')).mailCommand(line),
  payments: async (line) => (await import('./payments.ts')).paymentsCommand(line),
  subscriptions: async (line) => (await import('./webhooks/subscriptions.ts')).subscriptionsCommand(line),
  webhooks: async (line) => (await import('./webhooks/parked.ts')).webhooksCommand(line),
  deliveries: async (line) => (await import('./webhooks/deliveries.ts')).deliveriesCommand(line),
  events: async (line) => (await import('./events.ts')).eventsCommand(line),
  audit: async (line) => (await import('./audit/audit.ts')).auditCommand(line),
  rebuild: async (line) => (await import('./operations/rebuild.ts')).rebuildCommand(line),
  verify: async (line) => (await import('./audit/verify.ts')).verifyCommand(line),
  projections: async (line) => (await import('./operations/projections.ts')).projectionsCommand(line),
  transfer: async (line) => (await import('./operations/transfer.ts')).transferCommand(line),
  backup: async (line) => (await import('./operations/backup.ts')).backupCommand(line),
  doctor: async (line) => (await import('./operations/doctor.ts')).doctorCommand(line),
  rotate: async (line) => (await import('./operations/rotate.ts')).rotateCommand(line),
  restore: async (line) => (await import('./restore.ts')).restoreCommand(line),
  vault: async (line) => (await import('./operations/vault.ts')).vaultCommand(line),
  witness: async (line) => (await import('./operations/witness.ts')).witnessCommand(line),
  demo: async (line) => (await import('./directory/demo.ts')).demoCommand(line),
};

/** The command of this name. Every command for anything else, which asks for help or is an error. */
function meantBy(word: string | undefined): readonly Making[] {
  const meant = word !== undefined && Object.hasOwn(commands, word) ? commands[word] : undefined;
  return meant ? [meant] : Object.values(commands);
}

/** The whole command line, with these of its commands. */
export async function programOf(line: CommandLine, makings: readonly Making[]): Promise<Command> {
  const program = new Command('commonweal')
    .description('A directory of community services in which every change is an appended event.')
    .version(release, '--version', 'show the version')
    .configureOutput({ writeErr: toStderr, outputError: printError })
    .exitOverride();
  program.option(
    '--as <administrator>',
    'who you are, by the email address or id of an administrator’s account: recorded as a claim',
  );
  program.hook('preAction', () => {
    line.as = program.opts<{ readonly as?: string }>().as;
    if (line.as !== undefined && appendsNothing.includes(program.args[0] ?? ''))
      throw new UsageError(`--as: ${program.args[0] ?? ''} records nothing that somebody did.`);
  });
  for (const make of makings) program.addCommand(withJson(await make(line)));
  return program;
}

/** Runs one command line. Returns its exit code: 0 done, 1 refused or failed, 2 not understood. */
export async function runCli(argv: readonly string[], environment: NodeJS.ProcessEnv): Promise<number> {
  // Files that a command writes are for their owner only, including those of SQLite.
  process.umask(0o077);
  const line: CommandLine = { environment, exitCode: 0 };
  // The reader of our output may stop early, as in `| head`. Nothing is left to do then.
  process.stdout.on('error', (error: NodeJS.ErrnoException) => {
    if (error.code !== 'EPIPE') throw error;
    process.exit(line.exitCode);
  });
  const program = await programOf(line, meantBy(argv[2]));
  try {
    await program.parseAsync([...argv]);
    return line.exitCode;
  } catch (error) {
    const { withDamagedFiles } = await import('../stores/damaged-files.ts');
    return report(withDamagedFiles(error, environment['DATA_DIR'] || defaultDataDir));
  }
}

/** Commands that append nothing. */
const appendsNothing = ['serve', 'status', 'events', 'verify', 'transfer', 'doctor', 'witness', 'needs'];

/** What is alike in all commands: --json where a result is printed, --as in the help where it may append, errors. */
function withJson(command: Command, appends = !appendsNothing.includes(command.name())): Command {
  command.configureOutput({ writeErr: toStderr, outputError: printError }).exitOverride();
  if (appends) command.configureHelp({ showGlobalOptions: true });
  for (const each of command.commands) withJson(each, appends);
  if (command.commands.length === 0) return command.option('--json', 'answer in JSON, for programs');
  const names = command.commands.map((each) => each.name()).join(', ');
  // Without one of its commands, Commander would print the whole help as the error.
  return command.configureOutput({
    writeErr: (text) => {
      if (text.startsWith('Usage: '))
        printError(`name one of the commands of ${command.name()}: ${names}`, toStderr);
      else toStderr(text);
    },
  });
}

const toStderr = (text: string): void => console.error(text.trimEnd());

/** Commander's own errors, such as an unknown option, in one line like all others. */
function printError(text: string, write: (line: string) => void): void {
  const [first = '', ...others] = text
    .trim()
    .replace(/^error: /, '')
    .split(/\s*\n\s*/);
  const hints = others.map((hint) => hint.replace(/^\((.*)\)$/, '$1'));
  const end = /[.?!]$/.test(first) ? '' : '.';
  write([`${first}${end}`, ...hints, 'Add --help to see what it takes.'].join(' '));
}

function report(error: unknown): number {
  if (error instanceof CommanderError) return error.exitCode === 0 ? 0 : 2;
  if (error instanceof UsageError) {
    console.error(error.message.replaceAll(/\s*\n\s*/g, ' '));
    return 2;
  }
  const expected =
    error instanceof ConfigError ||
    error instanceof CommandRefused ||
    error instanceof ConcurrencyConflict ||
    error instanceof InvalidEvent ||
    error instanceof DatapackageError ||
    error instanceof NotYetVisible ||
    error instanceof ExportError ||
    error instanceof ProofError ||
    error instanceof TransferRefused ||
    error instanceof BackupRefused ||
    error instanceof StoreError;
  if (!expected && process.env['LOG_LEVEL'] === 'debug') console.error(error);
  console.error(
    messageOf(error)
      .trim()
      .replaceAll(/\s*\n\s*/g, ' '),
  );
  return 1;
}
