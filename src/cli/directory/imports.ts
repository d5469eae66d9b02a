import { Command } from 'commander';
import { importList, undo } from '../../actions/directory/past-imports.ts';
import { counted } from '../../ground/counted.ts';
import { table } from '../../ground/print.ts';
import type { UndoneRecords } from '../../imports/undo-records.ts';
import { imports } from '../../projections/directory/imports.ts';
import { actionCommand, listCommand } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { showListed } from '../show-command.ts';
import { printable } from './import-report.ts';

/** So many records that stay are shown to people. */
const mostShown = 50;

/** The imports of a team, and taking one back. */
export const importsCommand = (line: CommandLine): Command =>
  new Command('imports')
    .description('The imports of a team’s directory, and undoing them.')
    .addCommand(
      listCommand(line, importList, {
        description: 'List the imports of a team, the newest first.',
        noun: 'imports',
        columns: {
          IMPORT: (each) => each.import,
          BEGAN: (each) => each.began_at,
          SOURCE: (each) => each.source,
          STATUS: (each) => each.status,
          NEW: (each) => each.counts?.new ?? '',
          REVISED: (each) => each.counts?.revised ?? '',
          'TAKEN OUT': (each) => each.counts?.deactivated ?? '',
          UNCHANGED: (each) => each.counts?.unchanged ?? '',
        },
      }),
    )
    .addCommand(
      showListed(line, importList, {
        description: 'Show an import: its counts, and what became of it.',
        argument: '<import>',
        about: 'its id, from imports list',
      }),
    )
    .addCommand(
      actionCommand(line, undo, {
        name: 'undo',
        description:
          'Take back what an import changed, where nobody has changed it since. Webhooks that went out stay sent.',
        ofTeam: true,
        options: { id: ['<import>', 'its id, from imports list'] },
        needs: [imports],
        print: ({ report }) => [report ?? null, report ? undoneLines('The import', report) : []],
      }),
    );

/** What undoing something came to, and what stays. */
export function undoneLines(
  what: string,
  { taken_out, revised, returned, left, left_records, not_listed, organizations: of }: UndoneRecords,
): string[] {
  const lines = [
    `${what} is undone: ${counted(taken_out, 'record')} taken out, ${revised} changed back, ${returned} put back, ${left} left as they are.`,
    ...(of && of.taken_out + of.revised + of.returned + of.left > 0
      ? [
          `Organizations: ${of.taken_out} taken out, ${of.revised} changed back, ${of.returned} put back, ${of.left} left as they are.`,
        ]
      : []),
    'Webhooks that went out stay sent.',
  ];
  if (left_records.length === 0) return lines;
  const shown = left_records.slice(0, mostShown);
  const more = left_records.length - shown.length + not_listed;
  return [
    ...lines,
    '',
    'Left as they are, because they were changed since:',
    table(
      ['RESOURCE', 'WHAT', 'NAME'],
      shown.map((each) => [each.svc_id, each.left.join(', '), each.name]),
    ),
    ...(more > 0 ? [`… and ${more} more. With --json, the first 10,000 are listed.`] : []),
  ].map(printable);
}
