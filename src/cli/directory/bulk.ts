import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { bulkList, cancelBulk, undoBulk } from '../../actions/directory/bulk.ts';
import { decideMany } from '../../actions/directory/bulk-many.ts';
import { bulkDecisions, bulkSkips, type BulkDecision } from '../../events/directory/bulk.ts';
import { counted } from '../../ground/counted.ts';
import { table } from '../../ground/print.ts';
import type { BulkReport } from '../../imports/bulk-state.ts';
import { bulkActions, type BulkDocument } from '../../projections/directory/bulk-actions.ts';
import { recordLookup } from '../../projections/directory/record-lookup.ts';
import { resources } from '../../projections/directory/resources.ts';
import { actionCommand, listCommand, type InputOption } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { UsageError } from '../options.ts';
import { showListed } from '../show-command.ts';
import { printable } from './import-report.ts';
import { undoneLines } from './imports.ts';

/** So many skipped records are shown to people. */
const mostShown = 50;

const descriptions: Readonly<Record<BulkDecision, string>> = {
  approve: 'Approve many records at once. They become public.',
  reject: 'Reject many records at once.',
  'take-out': 'Take many records out of the directory at once. Nothing is deleted.',
  kind: 'Give many records another kind of help at once.',
  verified: 'Mark many records as verified on a day at once.',
};

const which: Readonly<Record<string, InputOption>> = {
  filter: [
    '--filter <query>',
    'all that fit the filter of a table, such as "status=submitted&category=food"',
  ],
  ids: [
    '--ids-from <file>',
    'a file with the id of a record in each line; - reads them from here',
    { find: idsIn, optional: true },
  ],
};

const what: Readonly<Record<BulkDecision, Readonly<Record<string, InputOption>>>> = {
  approve: { reason: ['--note <text>', 'recorded in the log'] },
  reject: { reason: ['--reason <text>', 'read by those who submitted them, and recorded in the log'] },
  'take-out': { reason: ['--reason <text>', 'recorded in the log'] },
  kind: { category: ['--category <category>', 'the new kind of help, such as food'] },
  verified: { day: ['--day <date>', 'the day on which they were checked, such as 2026-11-27'] },
};

/** Decisions about many records at once, and undoing them. */
export function bulkCommand(line: CommandLine): Command {
  const command = new Command('bulk').description(
    'Decisions about many records of a team at once, and undoing them.',
  );
  for (const decision of bulkDecisions)
    command.addCommand(
      actionCommand(line, decideMany(decision), {
        name: decision,
        description: descriptions[decision],
        ofTeam: true,
        options: { ...which, ...what[decision] },
        check: ({ filter, ids }) => {
          if ((filter === undefined) === (ids === undefined))
            throw new UsageError('Name the records with --filter or with --ids-from: one of the two.');
        },
        needs: [resources, recordLookup],
        print: (value) => [value, describe(value.bulk, value.report)],
      }),
    );
  command.addCommand(
    listCommand(line, bulkList, {
      description: 'List decisions about many records of a team, the newest first.',
      noun: 'bulk actions',
      columns: {
        BULK: (each) => each.bulk,
        BEGAN: (each) => each.began_at,
        WHAT: (each) => each.decision,
        RECORDS: (each) => each.number,
        STATUS: (each) => each.status,
        DONE: (each) => each.counts?.done ?? '',
        SKIPPED: (each) => skippedOf(each),
      },
    }),
  );
  command.addCommand(
    showListed(line, bulkList, {
      description: 'Show one bulk action.',
      argument: '<bulk>',
      about: 'its id, from bulk list',
    }),
  );
  command.addCommand(
    actionCommand(line, undoBulk, {
      name: 'undo',
      description:
        'Take back what a bulk action did, where nobody has changed it since. Webhooks that went out stay sent.',
      ofTeam: true,
      options: { id: ['<bulk>', 'its id, from bulk list'] },
      needs: [bulkActions],
      print: ({ report }) => [report ?? null, report ? undoneLines('The bulk action', report) : []],
    }),
  );
  command.addCommand(
    actionCommand(line, cancelBulk, {
      name: 'stop',
      description: 'Stop a bulk action that runs. What is done stays, and can be undone.',
      ofTeam: true,
      options: { id: ['<bulk>', 'its id, from bulk list'] },
      print: (bulk) => [{ bulk }, 'It stops in a moment.'],
    }),
  );
  return command;
}

const skippedOf = ({ counts }: BulkDocument): number | '' =>
  counts ? bulkSkips.reduce((sum, why) => sum + (counts.skipped[why] ?? 0), 0) : '';

function describe(bulk: string, report: BulkReport | undefined): string[] {
  if (!report) return [`The bulk action ${bulk} was begun before.`];
  const { done, unchanged, skipped_records: skipped, not_listed, left, stopped } = report;
  const all = skipped.length + not_listed;
  const lines = [
    `${counted(done, 'record')} done, ${unchanged} unchanged, ${all} skipped. Undo it with bulk undo ${bulk}`,
    ...(stopped === undefined ? [] : [`It was stopped: ${left ?? 0} were not reached.`]),
  ];
  if (all === 0) return lines;
  const shown = skipped.slice(0, mostShown);
  return [
    ...lines,
    '',
    'Skipped:',
    table(
      ['RECORD', 'WHY', 'NAME'],
      shown.map((each) => [each.svc_id, each.cause, each.name]),
    ),
    ...(all > shown.length
      ? [`… and ${all - shown.length} more. With --json, the first 10,000 are listed.`]
      : []),
  ].map(printable);
}

/** The ids in a file, in whatever way they are separated. @throws UsageError */
function idsIn(_: unknown, file: string): Promise<readonly string[]> {
  let text: string;
  try {
    text = readFileSync(file === '-' ? 0 : file, 'utf8');
  } catch (error) {
    throw new UsageError(`--ids-from: ${file} cannot be read: ${(error as Error).message}`);
  }
  const words = text.split(/[\s,;]+/).filter((word) => word !== '');
  const wrong = words.find((word) => !/^r_[0-9a-f]{16}$/.test(word));
  if (wrong !== undefined)
    throw new UsageError(
      `--ids-from: ${wrong.slice(0, 40)} is no id of a record, such as r_0123456789abcdef.`,
    );
  if (words.length === 0) throw new UsageError(`--ids-from: ${file} names no record.`);
  return Promise.resolve(words);
}
