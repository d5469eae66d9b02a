import type { Command } from 'commander';
import { z } from 'zod';
import {
  eraseResourcePerson,
  peopleOfResource,
  type PersonOfResource,
} from '../../commands/directory/resource.ts';
import { svcId } from '../../events/directory/resource.ts';
import { withStores, withSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

/** `resources people`, `resources erase-person`: the persons whom a resource names. */
export function addPeopleCommands(line: CommandLine, resources: Command): void {
  resources
    .command('people <svc_id>')
    .description('List the persons whom a resource names or has named: contacts, and who verified it.')
    .action((id: string, { json }: { json?: boolean }) =>
      withStores(line, async (at) => {
        const people = await peopleOfResource(at, option('svc_id', svcId, id));
        const rows = people.map((each) => [each.person, each.field, each.standing, told(each)]);
        answer(json, people, table(['PERSON', 'FIELD', 'STANDING', 'SAID'], rows));
      }),
    );
  resources
    .command('erase-person <svc_id> <person...>')
    .description('Erase persons from a resource and its history, for ever.')
    .action((id: string, persons: string[], { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const svc_id = option('svc_id', svcId, id);
        for (const person of persons.map((each) => option('person', z.uuid(), each))) {
          await at.waitUntilVisible(await eraseResourcePerson(at, svc_id, { person }, at.context()));
        }
        const erased = persons.map((person) => `${person} is erased from ${svc_id}.`);
        answer(json, { svc_id, erased: persons }, erased);
      }),
    );
}

function told({ said }: PersonOfResource): string {
  if (typeof said !== 'object') return said ?? '';
  const { name, title, department, email } = said;
  return [name, title, department, email].filter((part) => part !== undefined).join(', ');
}
