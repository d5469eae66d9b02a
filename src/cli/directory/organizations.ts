import { Command } from 'commander';
import { z } from 'zod';
import { decide, organizationList } from '../../actions/directory/organizations.ts';
import type { Decision } from '../../actions/directory/records.ts';
import { findIn } from '../../actions/listing.ts';
import { orgId } from '../../events/directory/organization-fields.ts';
import { answer } from '../../ground/print.ts';
import { organizationFieldsIn, organizations } from '../../projections/directory/organizations.ts';
import { eachCommand, listCommand } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { option } from '../options.ts';

const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;

export function organizationsCommand(line: CommandLine): Command {
  const command = new Command('organizations').description('Organizations that offer the services.');
  command.addCommand(
    listCommand(line, organizationList, {
      description: 'List the organizations of a team, in the order of their names.',
      noun: 'organizations',
      filters: {
        status: [
          '--status <status>',
          'submitted, approved, rejected or inactive',
          {
            schema: z.enum(statuses, { message: `must be one of ${statuses.join(', ')}` }),
            optional: true,
          },
        ],
      },
      columns: {
        ORG_ID: ({ org_id }) => org_id,
        STATUS: ({ status }) => status,
        TEAM: ({ team }) => team,
        NAME: ({ name }) => name,
      },
    }),
  );
  command
    .command('show <org_id>')
    .description('Show what an organization says.')
    .action((id: string, { json }: { readonly json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(organizations);
        const found = await findIn(organizationList, at, undefined, option('org_id', orgId, id));
        if (!found) throw organizationList.none();
        const { org_id, team, status, contacts, review_note, submitted_at, updated_at, source } = found;
        const shown = {
          ...{ org_id, team, status, ...organizationFieldsIn(found, 'team'), contacts },
          ...{ review_note, submitted_at, updated_at, source },
        };
        const lines = Object.entries(shown)
          .filter(([, value]) => value !== undefined)
          .map(([name, value]) => `${name}: ${typeof value === 'string' ? value : JSON.stringify(value)}`);
        answer(json, shown, lines);
      }),
    );
  const decision = (name: Decision, description: string, words?: 'note' | 'reason') =>
    command.addCommand(
      eachCommand(line, decide, {
        name,
        description,
        each: ['org_id', ['<org_id...>']],
        ...(words && { options: { [words]: [`--${words} <text>`, 'recorded in the log, in clear'] } }),
        fixed: { decision: name },
        print: (done) => [
          done.map(({ value: { organization } }) => ({
            org_id: organization.org_id,
            status: organization.status,
          })),
          done.map(({ value: { organization } }) => `${organization.org_id} is ${organization.status}.`),
        ],
      }),
    );
  decision(
    'approve',
    'Approve organizations: they become public. A note is recorded in clear and for ever: do not name a person.',
    'note',
  );
  decision(
    'reject',
    'Reject organizations, with a reason. It is recorded in clear and for ever: do not name a person.',
    'reason',
  );
  decision(
    'deactivate',
    'Take public organizations out. A reason is recorded in clear and for ever: do not name a person.',
    'reason',
  );
  decision('reactivate', 'Make deactivated organizations public again.');
  return command;
}
