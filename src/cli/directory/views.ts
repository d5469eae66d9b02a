import { Command } from 'commander';
import { removeView, saveView, viewList } from '../../actions/directory/views.ts';
import { oneOf } from '../../actions/listing.ts';
import { viewIdOf } from '../../events/teams.ts';
import { views } from '../../projections/teams.ts';
import { actionCommand, listCommand } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { showCommand } from '../show-command.ts';

/** The saved views of a team's directory. */
export const viewsCommand = (line: CommandLine): Command =>
  new Command('views')
    .description('The saved views of a team’s directory: filter, order and columns of its table.')
    .addCommand(
      listCommand(line, viewList, {
        description: 'List the saved views of a team.',
        noun: 'saved views',
        columns: { NAME: ({ name }) => name, QUERY: ({ query }) => query },
      }),
    )
    .addCommand(
      showCommand(line, {
        description: 'Show a saved view.',
        argument: '<name>',
        ofTeam: true,
        needs: [views],
        find: (at, name, team) => oneOf(viewList, at, team, viewIdOf(team, name)),
      }),
    )
    .addCommand(
      actionCommand(line, saveView, {
        name: 'save',
        description: 'Save a view for everybody in the team. One of the same name is replaced.',
        ofTeam: true,
        options: {
          name: ['<name>', 'what it is called'],
          query: ['<query>', 'as in the address of the table, such as "status=submitted&sort=-changed"'],
        },
        needs: [views],
        print: (saved: { readonly name: string; readonly query: string }) => [
          saved,
          `${saved.name} shows ${saved.query === '' ? 'everything' : saved.query}.`,
        ],
      }),
    )
    .addCommand(
      actionCommand(line, removeView, {
        name: 'remove',
        description: 'Remove a saved view.',
        ofTeam: true,
        options: { name: ['<name>', 'what it is called'] },
        needs: [views],
        print: (removed) => [removed, `${removed.name} is removed.`],
      }),
    );
