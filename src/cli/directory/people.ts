import type { Command } from 'commander';
import { z } from 'zod';
import { erasePerson } from '../../actions/directory/records.ts';
import { peopleOfResource } from '../../commands/directory/resource.ts';
import type { OpenedPerson } from '../../commands/directory/sealed-people.ts';
import { svcId } from '../../events/directory/resource.ts';
import { eachCommand } from '../action-command.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

/** `resources people`, `resources erase-person`: the persons whom a resource names. */
export function addPeopleCommands(line: CommandLine, resources: Command): void {
  resources
    .command('people <svc_id>')
    .description('List the people whom a record names or has named: contacts, and who verified it.')
    .action((id: string, { json }: { json?: boolean }) =>
      withStores(line, async (at) => {
        const people = await peopleOfResource(at, option('svc_id', svcId, id));
        const rows = people.map((each) => [each.person, each.field, each.standing, personText(each)]);
        answer(json, people, table(['PERSON', 'FIELD', 'STANDING', 'SAID'], rows));
      }),
    );
  resources.addCommand(
    eachCommand(line, erasePerson, {
      name: 'erase-person',
      description: 'Erase people from a record and its history, for ever.',
      options: { svc_id: ['<svc_id>'] },
      each: ['id', ['<person...>', '', { schema: z.uuid() }]],
      print: (done, { svc_id = '' }) => [
        { svc_id, erased: done.map(({ id }) => id) },
        done.map(({ id }) => `${id} is erased from ${svc_id}.`),
      ],
    }),
  );
}

function personText({ said }: OpenedPerson): string {
  if (typeof said !== 'object') return said ?? '';
  const { name, title, department, email } = said;
  return [name, title, department, email].filter((part) => part !== undefined).join(', ');
}
