import { Command, Option } from 'commander';
import type { z } from 'zod';
import type { Action } from '../actions/action.ts';
import { queryOf, type Listing } from '../actions/listing.ts';
import { perform, valueOf } from '../actions/perform.ts';
import { paginateAll } from '../projections/engine/paginate.ts';
import { requireTeam } from '../commands/teams/team.ts';
import { slug } from '../events/define.ts';
import type { Change } from '../projections/until-shown.ts';
import { requireAccount } from './account.ts';
import { withNewOrExistingSystem, withSystem, type CommandLine, type CommandSystem } from './command-line.ts';
import { count, option, UsageError } from './options.ts';
import { watchedAt } from './progress.ts';
import { answer, table } from '../ground/print.ts';

/**
 * An option of a command that fills a field of an input: as Commander takes it (`--currency <code>`, or `<id>` for an
 * argument), what it says of it, and how it is read.
 */
export type InputOption = readonly [flags: string, about?: string, reading?: Reading];

interface Reading {
  /** Default: that of the field. */
  readonly schema?: z.ZodType;
  /** Before the schema checks it. */
  readonly read?: (text: string) => unknown;
  /** Looks up what the text names. No schema checks that. */
  readonly find?: (at: CommandSystem, text: string) => Promise<unknown>;
  /** Default: what the schema takes may be left out. */
  readonly optional?: boolean;
  /** The text when it is left out. */
  readonly standard?: string;
  /** The field that it fills, where another option may fill it too. */
  readonly fills?: string;
}

type Options = Readonly<Record<string, InputOption>>;
type Texts = Readonly<Record<string, string | undefined>>;
type ReadModel = { readonly collection: { readonly name: string } };
type Shape = Readonly<Record<string, unknown>>;

/** An account by its address. */
export const emailOption = (
  about: string,
  {
    confirmed = false,
    ...reading
  }: Pick<Reading, 'optional' | 'fills'> & { readonly confirmed?: boolean } = {},
): InputOption => [
  '--email <address>',
  about,
  { find: async (at, email) => (await requireAccount(at, email, { confirmed })).user, ...reading },
];

const teamOption: InputOption = ['--team <slug>', 'the team', { schema: slug }];

interface ActionCommand<Value> {
  readonly name: string;
  readonly description: string;
  /** It is done on behalf of a team that is named: by `--team`, unless the options say it otherwise. */
  readonly ofTeam?: true;
  /** By the field of the input. */
  readonly options: Options;
  /** What no option can tell alone. @throws UsageError */
  readonly check?: (texts: Texts) => void;
  /** Read models on which it is decided. They show the whole log first. */
  readonly needs?: readonly ReadModel[];
  /** It begins an installation, if there is none. */
  readonly begins?: true;
  /** It answers with a secret, which is printed before the read models show it, so that it cannot get lost. */
  readonly secret?: true;
  /** What one command of a `--key` is, such as "payment". Default: it takes no key. */
  readonly keyFor?: string;
  /** What is printed: for programs, and for people. */
  readonly print: (
    value: Value,
    texts: Texts,
    input: Shape,
  ) => readonly [json: unknown, lines: string | readonly string[]];
}

/** A command that performs an action. */
export function actionCommand<Input extends z.ZodObject, Value>(
  line: CommandLine,
  action: Action<Input, Value, CommandSystem>,
  { name, description, ofTeam, options, check, keyFor, begins, secret, needs, print }: ActionCommand<Value>,
): Command {
  const all = { ...(ofTeam && { team: teamOption }), ...options };
  const command = commandWith(name, description, all, action.input.shape);
  if (keyFor !== undefined)
    command.option(
      '--key <text>',
      `a text of your choice: the same command with the same key is one ${keyFor}`,
    );
  return command.action(() =>
    (begins ? withNewOrExistingSystem : withSystem)(line, async (at) => {
      const texts = textsOf(command, all);
      check?.(texts);
      const { key, json } = command.opts<{ readonly key?: string; readonly json?: boolean }>();
      const filled = await inputOf(at, all, texts, action.input.shape, ofTeam);
      const { team, ...others } = filled;
      if (needs) await at.waitUntilCurrent(...needs);
      await (secret ? waitAfterwards : waitAtOnce)(at, async (waiting) => {
        const performed = await perform(action, at, {
          who: { kind: 'operator', ...(ofTeam && { team: team as string }) },
          input: ofTeam ? others : filled,
          context: () => at.context(key === undefined ? undefined : `${keyFor ?? ''} ${String(team)} ${key}`),
          untilShown: (changes) => waiting.waitUntilVisible(changes),
          watched: watchedAt(line, { bar: json !== true }),
        });
        const [shown, lines] = print(valueOf(performed), texts, filled);
        answer(json, shown, lines);
      });
    }),
  );
}

type Work = (at: CommandSystem) => Promise<void>;
const waitAtOnce = (at: CommandSystem, work: Work): Promise<void> => work(at);

/** Prints secrets before anybody waits for the read models, so that they cannot get lost. */
export async function waitAfterwards(at: CommandSystem, work: Work): Promise<void> {
  const later: Change[] = [];
  const waitUntilVisible: CommandSystem['waitUntilVisible'] = (changes) => {
    later.push(...[changes].flat());
    return Promise.resolve();
  };
  await work(Object.assign(Object.create(at) as CommandSystem, { waitUntilVisible }));
  await at.waitOrWarn(later);
}

interface EachCommand<Value> extends Pick<ActionCommand<Value>, 'name' | 'description' | 'needs'> {
  /** The field of the input that names one of the things, and the argument that names them all: `<id...>`. */
  readonly each: readonly [field: string, argument: InputOption];
  /** The same for each of them. */
  readonly options?: Options;
  /** What the command says by its name alone. */
  readonly fixed?: Shape;
  readonly print: (
    done: readonly { readonly id: string; readonly value: Value }[],
    texts: Texts,
  ) => readonly [json: unknown, lines: string | readonly string[]];
}

/** A command that performs an action for one thing after the other. The first that is refused ends it. */
export function eachCommand<Input extends z.ZodObject, Value>(
  line: CommandLine,
  action: Action<Input, Value, CommandSystem>,
  { name, description, each: [field, argument], options = {}, fixed, needs = [], print }: EachCommand<Value>,
): Command {
  const { shape } = action.input;
  const command = commandWith(name, description, { ...options, [field]: argument }, shape);
  return command.action(() =>
    withSystem(line, async (at) => {
      const texts = textsOf(command, options);
      const same = { ...fixed, ...(await inputOf(at, options, texts, shape)) };
      const named = command.args.slice(Object.values(options).filter(([flags]) => isArgument(flags)).length);
      const [flags, , { schema = shape[field] as z.ZodType } = {}] = argument;
      const ids = named.map((text) => option(nameOf(flags), schema, text) as string);
      if (needs.length > 0) await at.waitUntilCurrent(...needs);
      const done: { readonly id: string; readonly value: Value }[] = [];
      for (const id of ids)
        done.push({ id, value: await performFor(at, action, { ...same, [field]: id }, { options }) });
      const [shown, lines] = print(done, texts);
      answer(command.opts<{ readonly json?: boolean }>().json, shown, lines);
    }),
  );
}

/**
 * Performs an action for a command that is no plain one, and waits until everybody sees it. `options`: those that fill
 * its input, by field. `key`: with the same one it is the same command.
 * @throws CommandRefused, UsageError
 */
export async function performFor<Input extends z.ZodObject, Value>(
  at: CommandSystem,
  action: Action<Input, Value, CommandSystem>,
  input: Readonly<Record<string, unknown>>,
  { options = {}, key }: { readonly options?: Options; readonly key?: string } = {},
): Promise<Value> {
  const performed = await perform(action, at, {
    who: { kind: 'operator' },
    input,
    context: () => at.context(key),
    untilShown: (changes) => at.waitUntilVisible(changes),
  });
  if (performed.kind === 'invalid')
    for (const [field, [flags]] of Object.entries(options)) {
      const sentence = performed.fields[field];
      if (sentence !== undefined) throw new UsageError(`${nameOf(flags)}: ${sentence}`);
    }
  return valueOf(performed);
}

interface ListCommand<Row> {
  /** Default: list. */
  readonly name?: string;
  readonly description: string;
  /** What is listed, such as "payments". */
  readonly noun: string;
  /** Of all teams, unless one is named, and without a limit. */
  readonly all?: true;
  /** By the field of the documents: which of them. */
  readonly filters?: Options;
  /** By heading. */
  readonly columns: Readonly<Record<string, (row: Row) => string | number>>;
}

/** A command that lists things of a team. */
export function listCommand<Doc extends { readonly team?: string | undefined }, Row>(
  line: CommandLine,
  listing: Listing<Doc, Row>,
  { name = 'list', description, noun, all, filters = {}, columns }: ListCommand<Row>,
): Command {
  const ofOne: InputOption = ['--team <slug>', 'those of one team', { schema: slug, optional: true }];
  const options = { team: all ? ofOne : teamOption, ...filters };
  const command = commandWith(name, description, options, {});
  if (!all) command.option('--limit <n>', `the most ${noun} to list`, '100');
  return command.action(({ limit, json }: { readonly limit?: string; readonly json?: boolean }) =>
    withSystem(line, async (at) => {
      const texts = textsOf(command, options);
      if (!all) option('--team', slug, texts['team']);
      const most = limit === undefined ? Infinity : count('--limit', limit);
      const where = (await inputOf(at, options, texts, {}, true)) as Record<string, string>;
      await at.waitUntilCurrent(listing.readModel);
      const collection = at.documents.collection(listing.readModel.collection);
      const query = queryOf(listing, where);
      const docs = all
        ? await paginateAll(collection, query)
        : await collection.page({ ...query, limit: most + 1 });
      const rows = await listing.open(at, docs.slice(0, most));
      const cells = rows.map((row) => Object.values(columns).map((cell) => cell(row)));
      answer(json, rows, table(Object.keys(columns), cells));
      if (docs.length > most) console.error('There are more: add --limit to see more at once.');
    }),
  );
}

function commandWith(name: string, description: string, options: Options, shape: Shape): Command {
  const command = new Command(name).description(description);
  for (const [field, [flags, about = '', { schema = shape[field], optional, standard }]] of entriesOf(
    options,
  )) {
    if (isArgument(flags)) command.argument(flags, about);
    else if (standard !== undefined) command.option(flags, about, standard);
    else if (optional ?? (schema as z.ZodType).safeParse(undefined).success) command.option(flags, about);
    else command.requiredOption(flags, about);
  }
  return command;
}

const entriesOf = (options: Options) =>
  Object.entries(options).map(
    ([field, [flags, about, reading = {}]]) => [field, [flags, about, reading]] as const,
  );

const isArgument = (flags: string): boolean => flags.startsWith('<');

/** The texts of a command line, by the field that they fill. */
function textsOf(command: Command, options: Options): Texts {
  const words = [...command.args];
  const named = command.opts<Texts>();
  return Object.fromEntries(
    Object.entries(options).map(([field, [flags]]) => [
      field,
      isArgument(flags) ? words.shift() : named[new Option(flags).attributeName()],
    ]),
  );
}

/**
 * The input that a command line asks for. What it says is understood before anything is looked up.
 * @throws UsageError naming the option, CommandRefused not_found
 */
async function inputOf(
  at: CommandSystem,
  options: Options,
  texts: Texts,
  shape: Shape,
  ofTeam = false,
): Promise<Record<string, unknown>> {
  const input: Record<string, unknown> = {};
  const chosen = entriesOf(options).flatMap(([field, [flags, , reading]]) => {
    const text = texts[field];
    return text === undefined ? [] : [{ field, flags, text, ...reading }];
  });
  for (const { field, fills = field, text, flags, find, schema = shape[fills], read } of chosen)
    if (!find) input[fills] = option(nameOf(flags), schema as z.ZodType, read ? read(text) : text);
  if (ofTeam && input['team'] !== undefined) await requireTeam(at.store, input['team'] as string);
  for (const { field, fills = field, text, find } of chosen) if (find) input[fills] = await find(at, text);
  return input;
}

/** How messages name it. */
const nameOf = (flags: string): string =>
  isArgument(flags) ? flags.slice(1, -1).replace('...', '') : (flags.split(' ')[0] ?? '');
