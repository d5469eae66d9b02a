import { Command } from 'commander';
import { z } from 'zod';
import { decide, organizationList } from '../../actions/directory/organizations.ts';
import type { Decision } from '../../actions/directory/records.ts';
import { organizationFieldsIn } from '../../projections/directory/organizations.ts';
import { eachCommand, listCommand } from '../action-command.ts';
import type { CommandLine } from '../command-line.ts';
import { showListed } from '../show-command.ts';

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
  command.addCommand(
    showListed(line, organizationList, {
      description: 'Show what an organization says.',
      argument: '<org_id>',
      shown: (found) => {
        const { org_id, team, status, contacts, review_note, submitted_at, updated_at, source } = found;
        return {
          ...{ org_id, team, status, ...organizationFieldsIn(found, 'team'), contacts },
          ...{ review_note, submitted_at, updated_at, source },
        };
      },
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
