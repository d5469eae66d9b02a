import { Command } from 'commander';
import { mostWeeks, neededIn, placeName, week, wordsOf } from '../../actions/directory/upkeep/needs.ts';
import { category } from '../../events/directory/category.ts';
import { answer, table } from '../../ground/print.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import type { CountedNeed } from '../../needs/published.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { count, option, UsageError } from '../options.ts';

interface ListOptions {
  readonly weeks: string;
  readonly week?: string;
  readonly kind?: string;
  readonly place?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** What people looked for and did not find. */
export function needsCommand(line: CommandLine): Command {
  const command = new Command('needs').description(
    'What people looked for on the public pages, and did not find.',
  );
  command
    .command('list')
    .description('List what people looked for, what found nothing most often first. Numbers are full tens.')
    .option('--weeks <n>', `how many weeks, at most ${mostWeeks}`, '1')
    .option('--week <week>', 'the last of them, such as 2026-W48 (default: the newest that is over)')
    .option('--kind <category>', 'only this kind of help')
    .option('--place <place>', 'only this place, as it is listed')
    .option('--limit <n>', 'the most lines to list', '100')
    .action(({ weeks, week: last, kind, place, limit, json }: ListOptions) => {
      const question = {
        weeks: count('--weeks', weeks),
        week: option('--week', week.optional(), last),
        kind: option('--kind', category.optional(), kind),
        place,
      };
      if (question.weeks > mostWeeks) throw new UsageError(`--weeks: must be at most ${mostWeeks}`);
      const most = count('--limit', limit);
      return withSystem(line, async (at) => {
        const { needs, from, until, leftOut } = await neededIn(at.side, question);
        const shown = needs.slice(0, most);
        const rows = shown.map((need) => [
          wordsOf(need) || '-',
          need.kind || '-',
          placeName(need),
          need.searches,
          need.foundNothing,
          need.openedNothing,
        ]);
        const data = shown.map((need) => ({
          words: need.words,
          what: wordsOf(need),
          kind: need.kind === '' ? null : need.kind,
          place: placeName(need),
          searches: need.searches,
          found_nothing: need.foundNothing,
          opened_nothing: need.openedNothing,
        }));
        answer(json, { from: from ?? null, until: until ?? null, left_out: leftOut, data }, [
          table(['WHAT', 'KIND', 'PLACE', 'SEARCHES', 'FOUND NOTHING', 'OPENED NOTHING'], rows),
          '',
          from === undefined || until === undefined
            ? 'No week has been counted to its end yet.'
            : `From ${from} to ${until}.`,
          ...(leftOut > 0 ? [`${leftOut} further searches were left out.`] : []),
        ]);
        if (needs.length > most) console.error('There are more: add --limit to see more at once.');
      });
    });
  command
    .command('show')
    .description('Show a week in sums: how much was looked for, and how much of it found nothing.')
    .argument('<week>', 'a week that is over, such as 2026-W48')
    .action((text: string, { json }: { readonly json?: boolean }) => {
      const shown = option('week', week, text);
      return withSystem(line, async (at) => {
        const { needs, from, until, leftOut } = await neededIn(at.side, { weeks: 1, week: shown });
        if (needs.length === 0)
          throw new CommandRefused('not_found', `Nothing of ${shown} is counted and over.`);
        const sum = (of: (need: CountedNeed) => number): number =>
          needs.reduce((all, need) => all + of(need), 0);
        const row = {
          week: shown,
          from,
          until,
          lines: needs.length,
          searches: sum(({ searches }) => searches),
          found_nothing: sum(({ foundNothing }) => foundNothing),
          opened_nothing: sum(({ openedNothing }) => openedNothing),
          left_out: leftOut,
        };
        answer(
          json,
          row,
          Object.entries(row).map(([name, value]) => `${name}: ${value ?? ''}`),
        );
      });
    });
  return command;
}
