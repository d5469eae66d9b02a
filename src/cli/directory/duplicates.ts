import type { Command } from 'commander';
import { duplicateGroups } from '../../actions/directory/duplicates.ts';
import { dismiss, merge, undoMerge } from '../../actions/directory/merge.ts';
import { answer, table } from '../../ground/print.ts';
import { fieldsIn } from '../../projections/directory/document-fields.ts';
import { resources } from '../../projections/directory/resources.ts';
import { duplicateTraces, duplicateDecisions } from '../../projections/directory/duplicates.ts';
import { actionCommand } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { listed } from '../options.ts';

const id = '<svc_id>';

/** Adds the commands about records that are probably the same. */
export function addDuplicatesCommands(line: CommandLine, command: Command): void {
  command
    .command('duplicates')
    .description(
      'List records that are probably the same, in groups: one name, with a phone, an address or a web page in common.',
    )
    .requiredOption('--team <slug>', 'the team')
    .action(({ team: slug, json }: { readonly team: string; readonly json?: boolean }) =>
      withSystem(line, async (at) => {
        const team = await namedTeam(at, slug);
        await at.waitUntilCurrent(duplicateTraces, duplicateDecisions, resources);
        const groups = await duplicateGroups(at.documents, team);
        const docs = await at.documents
          .collection(resources.collection)
          .getMany(groups.flatMap(({ records }) => records));
        const nameOf = (svcId: string): string => {
          const doc = docs.get(svcId);
          return doc ? fieldsIn(doc, 'developer').name : '';
        };
        const rows = groups.map(({ records, inCommon }, place) => ({
          group: place + 1,
          in_common: inCommon,
          records: records.map((svc_id) => ({ svc_id, name: nameOf(svc_id) })),
        }));
        const cells = rows.flatMap(({ group, in_common, records }) =>
          records.map(({ svc_id, name }) => [group, svc_id, in_common.join(' '), name]),
        );
        answer(json, rows, table(['GROUP', 'SVC_ID', 'IN COMMON', 'NAME'], cells));
      }),
    );
  command.addCommand(
    actionCommand(line, merge, {
      name: 'merge',
      description: 'Merge a record into another one of its team, which stays.',
      options: {
        svc_id: [id, 'the record that goes'],
        into: ['--into <svc_id>', 'the record that stays'],
        take: [
          '--take <fields>',
          'fields that the one that stays takes from the other, separated by commas',
          { read: listed, optional: true },
        ],
      },
      print: ({ duplicate, survivor }) => [
        { duplicate, survivor },
        `${duplicate} is merged into ${survivor}.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, undoMerge, {
      name: 'unmerge',
      description:
        'Undo the merge of a record. What was changed since at the one that stays is named, and stays.',
      options: { svc_id: [id, 'the record that was merged'] },
      print: ({ duplicate, survivor, left }) => [
        { duplicate, survivor, left },
        left.length === 0
          ? `${duplicate} stands for itself again.`
          : `${duplicate} stands for itself again. Changed since at ${survivor}, and left: ${left.join(', ')}.`,
      ],
    }),
  );
  command.addCommand(
    actionCommand(line, dismiss, {
      name: 'dismiss-duplicates',
      description: 'Say that the records of a group are no duplicates.',
      options: { svc_id: [id, 'one of them'] },
      needs: [duplicateTraces, duplicateDecisions, resources],
      print: (_, { svc_id = '' }) => [{ svc_id }, `${svc_id} and those like it are no duplicates.`],
    }),
  );
}
