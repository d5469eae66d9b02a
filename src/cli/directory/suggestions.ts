import { Command } from 'commander';
import { z } from 'zod';
import { accept, dismiss, erase, suggestionList } from '../../actions/directory/upkeep/suggestions.ts';
import {
  suggestions,
  suggestionsQuery,
  suggestionStatuses,
} from '../../projections/directory/upkeep/suggestions.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { answer, table } from '../../ground/print.ts';
import { eachCommand } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, option } from '../options.ts';
import { showListed } from '../show-command.ts';

const suggestionStatus = z.enum(suggestionStatuses, {
  message: `must be one of ${suggestionStatuses.join(', ')}`,
});

interface ListOptions {
  readonly team?: string;
  readonly status?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** Suggested changes of public records. */
export function suggestionsCommand(line: CommandLine): Command {
  const command = new Command('suggestions').description(
    'Changes of public records that people and agencies have suggested.',
  );
  command
    .command('list')
    .description('List suggestions, open ones first, the oldest first.')
    .option('--team <slug>', 'only those of this team’s directory')
    .option('--status <status>', 'open, accepted or dismissed')
    .option('--limit <n>', 'the most suggestions to list', '100')
    .action(({ team, status, limit, json }: ListOptions) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(suggestions);
        const query = { team: of, status: option('--status', suggestionStatus.optional(), status) };
        const most = count('--limit', limit);
        const collection = at.documents.collection(suggestions.collection);
        const docs = await collection.page({ ...suggestionsQuery(query), limit: most + 1 });
        const shown = await suggestionList.open(at, docs.slice(0, most));
        const rows = shown.map((each) => [
          each.suggestion,
          each.status,
          each.team,
          each.svc_id,
          each.by,
          each.kind,
          each.changes.map(({ field }) => field).join(','),
          each.suggested_at,
        ]);
        answer(
          json,
          shown,
          table(['SUGGESTION', 'STATUS', 'TEAM', 'SVC_ID', 'BY', 'WHAT', 'FIELDS', 'SUGGESTED'], rows),
        );
        if (docs.length > most) console.error('There are more: add --limit to see more at once.');
      }),
    );
  command.addCommand(
    showListed(
      line,
      { ...suggestionList, none: () => new CommandRefused('not_found', 'There is no such suggestion.') },
      {
        description:
          'Show a suggestion: field by field what stood and what is suggested, and the words beside it.',
        argument: '<suggestion>',
      },
    ),
  );
  const ofSuggestions = { each: ['id', ['<suggestion...>']], needs: [suggestions] } as const;
  command.addCommand(
    eachCommand(line, accept, {
      name: 'accept',
      description: 'Take over suggestions: revise the record, or take it out where it has closed.',
      ...ofSuggestions,
      options: {
        fields: [
          '--fields <names>',
          'only these fields, with commas between them',
          { read: (text) => text.split(',').map((each) => each.trim()), optional: true },
        ],
        overwrite: [
          '--overwrite',
          'also replace what was changed since it was suggested',
          { read: () => true, optional: true },
        ],
      },
      print: (done) => [
        done.map(({ id, value: { status, taken } }) => ({ suggestion: id, status, taken })),
        done.map(({ id, value: { taken = [] } }) =>
          taken.length === 0 ? `${id} is accepted.` : `${id} is accepted: ${taken.join(', ')}.`,
        ),
      ],
    }),
  );
  command.addCommand(
    eachCommand(line, dismiss, {
      name: 'dismiss',
      description: 'Dismiss suggestions: the records stay as they are.',
      ...ofSuggestions,
      print: (done) => [
        done.map(({ id, value: { status } }) => ({ suggestion: id, status })),
        done.map(({ id }) => `${id} is dismissed.`),
      ],
    }),
  );
  command.addCommand(
    eachCommand(line, erase, {
      name: 'erase',
      description: 'Erase what was suggested and how to reach whoever suggested it, for ever.',
      ...ofSuggestions,
      print: (done) => [
        done.map(({ id }) => ({ suggestion: id, erased: true })),
        done.map(({ id }) => `What ${id} said is erased.`),
      ],
    }),
  );
  return command;
}
