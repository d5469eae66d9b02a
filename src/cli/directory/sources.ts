import { Command } from 'commander';
import { chooseSourcePrecedence, renameSource, sourceList } from '../../actions/directory/sources.ts';
import { fieldGroups } from '../../events/directory/upkeep/precedence.ts';
import { requireSource } from '../../imports/choose-source.ts';
import { sources, sourcesOf } from '../../projections/directory/sources.ts';
import { actionCommand, listCommand } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { showCommand } from '../show-command.ts';
import { followingCommands } from './followings.ts';

/** Where the records of a team come from. */
export const sourcesCommand = (line: CommandLine): Command =>
  followingCommands(line).reduce((command, each) => command.addCommand(each), ofFiles(line));

const ofFiles = (line: CommandLine): Command =>
  new Command('sources')
    .description('The sources of a team’s directory: what imports bring its records from.')
    .addCommand(
      listCommand(line, sourceList, {
        description: 'List the sources of a team.',
        noun: 'sources',
        columns: {
          NAME: ({ name }) => name,
          ID: ({ source }) => source,
          'LAST IMPORT': ({ last_import_on: last, newest_record_on: newest }) => last ?? newest ?? '',
        },
      }),
    )
    .addCommand(
      showCommand(line, {
        description: 'Show a source.',
        argument: '<source>',
        about: 'its name or id',
        ofTeam: true,
        needs: [sources],
        find: async ({ documents }, text, team) => requireSource(await sourcesOf(documents, team), text),
      }),
    )
    .addCommand(
      actionCommand(line, renameSource, {
        name: 'rename',
        description: 'Call a source otherwise. Its records stay its records, with the ids that they have.',
        ofTeam: true,
        options: { source: ['<source>', 'its name or id'], name: ['<name>', 'the new name'] },
        needs: [sources],
        print: (renamed) => [renamed, `${renamed.source} is called ${renamed.name}.`],
      }),
    )
    .addCommand(
      actionCommand(line, chooseSourcePrecedence, {
        name: 'precedence',
        description:
          'Choose the fields for which the word of a source counts before what people, or other sources, have changed.',
        ofTeam: true,
        options: {
          source: ['<source>', 'its name or id'],
          groups: [
            '--first <list>',
            `${fieldGroups.join(', ')}, separated by commas; or none`,
            { read: (text) => (text === 'none' ? [] : text.split(',')) },
          ],
        },
        needs: [sources],
        print: (chosen) => [
          chosen,
          `${chosen.name} counts first for ${chosen.counts_first.join(', ') || 'nothing'}.`,
        ],
      }),
    );
