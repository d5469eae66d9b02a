import { Command } from 'commander';
import type { z } from 'zod';
import { oneOf, type Listing } from '../actions/listing.ts';
import { answer } from '../ground/print.ts';
import { withSystem, type CommandLine, type CommandSystem } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { option } from './options.ts';

type ReadModel = { readonly collection: { readonly name: string } };

interface ShowCommand<Row> {
  readonly description: string;
  /** Such as `<report>`. */
  readonly argument: string;
  readonly about?: string;
  /** How an id is written. Default: as it likes. */
  readonly id?: z.ZodType<string>;
  /** The name alone does not tell which: a team is named as well. */
  readonly ofTeam?: true;
  /** Read models that show the whole log first. */
  readonly needs: readonly ReadModel[];
  /** @throws CommandRefused not_found */
  readonly find: (at: CommandSystem, id: string, team: string) => Promise<Row>;
}

/** A command that shows one of the things that a list has: all that is stored of it, one field a line. */
export function showCommand<Row extends object>(
  line: CommandLine,
  { description, argument, about, id: schema, ofTeam, needs, find }: ShowCommand<Row>,
): Command {
  const command = new Command('show').description(description).argument(argument, about);
  if (ofTeam) command.requiredOption('--team <slug>', 'the team');
  return command.action((text: string, { team, json }: { readonly team?: string; readonly json?: boolean }) =>
    withSystem(line, async (at) => {
      const id = schema ? option(argument.slice(1, -1), schema, text) : text;
      const of = (await namedTeam(at, team)) ?? '';
      await at.waitUntilCurrent(...needs);
      const row = await find(at, id, of);
      answer(json, row, fieldLines(row));
    }),
  );
}

/** The same for a thing with an id of its own, from the list that the pages and v1 have too. */
export const showListed = <Doc extends { readonly team?: string | undefined }, Row extends object>(
  line: CommandLine,
  listing: Listing<Doc, Row>,
  {
    description,
    argument,
    about,
    id = listing.id,
    shown = (row) => row,
  }: Pick<ShowCommand<Row>, 'description' | 'argument' | 'about' | 'id'> & {
    /** What of it operators see. Default: everything. */
    readonly shown?: (row: Row) => object;
  },
): Command =>
  showCommand(line, {
    description,
    argument,
    ...(about !== undefined && { about }),
    id,
    needs: [listing.readModel],
    find: async (at, of) => shown(await oneOf(listing, at, undefined, of)),
  });

/** Each field that says something, in a line. */
export const fieldLines = (row: object): string[] =>
  Object.entries(row)
    .filter(([, value]) => value !== undefined && value !== null)
    .map(([name, value]) => `${name}: ${isPlain(value) ? value : JSON.stringify(value)}`);

/** What a terminal would act on is written as JSON writes it. */
const isPlain = (value: unknown): value is string => typeof value === 'string' && !/\p{Cc}/u.test(value);
