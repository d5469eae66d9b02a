import { Command } from 'commander';
import { z } from 'zod';
import { eraseAccount as eraseAction, keepAccount } from '../../actions/accounts/erasure.ts';
import { erasePerson } from '../../actions/directory/records.ts';
import { erase as eraseReport } from '../../actions/directory/upkeep/reports.ts';
import { erase as eraseSubmission } from '../../actions/forms.ts';
import { invitationMailKey } from '../../actions/teams/invitation-mails.ts';
import { withdraw as withdrawInvitation } from '../../actions/teams/invitations.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { invitationOf } from '../../commands/teams/invitation-keys.ts';
import type { KeyOfPerson } from '../../erasure/obstacles.ts';
import { svcId } from '../../events/directory/resource.ts';
import { apiKeys } from '../../projections/keys.ts';
import { invitations } from '../../projections/teams-invitations.ts';
import { members } from '../../projections/teams-members.ts';
import { people } from '../../projections/accounts-people.ts';
import { accountNamed } from '../account.ts';
import { performFor } from '../action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import type { Person } from '../../commands/accounts/user-state.ts';

interface Choices {
  readonly now?: boolean;
  readonly withdraw?: boolean;
  readonly evenIfLast?: boolean;
  readonly submission?: string;
  readonly report?: string;
  readonly invitation?: string;
  readonly resource?: string;
  readonly json?: boolean;
}

export function eraseCommand(line: CommandLine): Command {
  return new Command('erase')
    .description(
      'Erase a person, for ever: after a time of grace in which it can be withdrawn, or --now. Or erase what somebody has sent.',
    )
    .argument('[person]', 'the email address or the id of an account; with --resource, the id of a contact')
    .option('--now', 'at once, without the time of grace')
    .option('--withdraw', 'withdraw the request: the account stays')
    .option('--even-if-last', 'even if nobody else can administer the installation or a team afterwards')
    .option('--submission <id>', 'what somebody has sent with a form')
    .option('--report <id>', 'what somebody has said in a report of a mistake')
    .option('--invitation <id>', 'an invitation to a team, with the address in it')
    .option('--resource <svc_id>', 'a person whom this record names (see resources people)')
    .action((person: string | undefined, choices: Choices) =>
      withSystem(line, (at) => eraseOne(at, person, choices)),
    );
}

async function eraseOne(at: CommandSystem, person: string | undefined, choices: Choices): Promise<void> {
  const { submission, report, invitation, resource, json } = choices;
  const others = [submission, report, invitation].filter((id) => id !== undefined);
  if (
    others.length + (person === undefined ? 0 : 1) !== 1 ||
    (resource !== undefined && person === undefined)
  ) {
    throw new UsageError(
      'Say what to erase: a person, or one of --submission, --report, --invitation; with --resource, the person whom it names.',
    );
  }
  const nobodyReads = (what: string, id: string) =>
    answer(
      json,
      { [what]: id, status: 'erased' },
      `The ${what} ${id} is erased. Nobody can read what it said.`,
    );
  if (submission !== undefined) {
    await performFor(at, eraseSubmission, { submission: option('--submission', z.uuid(), submission) });
    nobodyReads('submission', submission);
    return;
  }
  if (report !== undefined) {
    await performFor(at, eraseReport, { id: option('--report', z.uuid(), report) });
    nobodyReads('report', report);
    return;
  }
  if (invitation !== undefined)
    return eraseInvitation(at, option('--invitation', z.uuid(), invitation), json);
  if (resource !== undefined) {
    const id = option('person', z.uuid(), person);
    await performFor(at, erasePerson, { svc_id: option('--resource', svcId, resource), id });
    answer(json, { svc_id: resource, erased: [id] }, `${id} is erased from ${resource}.`);
    return;
  }
  return eraseAccount(at, await accountNamed(at, person ?? ''), choices);
}

async function eraseInvitation(
  at: CommandSystem,
  invitation: string,
  json: boolean | undefined,
): Promise<void> {
  await at.waitUntilCurrent(invitations);
  const found = await at.documents.collection(invitations.collection).get(invitation);
  if (!found) throw new CommandRefused('not_found', 'There is no such invitation.');
  if (found.status === 'open') await performFor(at, withdrawInvitation, { invitation });
  await at.outbox.withdraw([invitationMailKey(invitation)]);
  await at.personal.untilNobodyReads(invitationOf(invitation));
  answer(
    json,
    { invitation, team: found.team, status: 'erased' },
    `The invitation ${invitation} is erased. It cannot be used, and nobody can read its address.`,
  );
}

async function eraseAccount(at: CommandSystem, person: Person, choices: Choices): Promise<void> {
  const { user } = person;
  const { json, withdraw, now, evenIfLast } = choices;
  if (withdraw) {
    await performFor(at, keepAccount, { user });
    answer(json, { user, status: 'active' }, `${user} stays. No erasure is asked for.`);
    return;
  }
  await at.waitUntilCurrent(people, members, apiKeys);
  const { keys, dueAt } = await performFor(at, eraseAction, { user, now, evenIfLast });
  if (dueAt === undefined) {
    answer(json, { user, status: 'erased', keys }, [
      `${user} is erased. Nobody can read what was sealed for the person: profile, addresses, what others recorded about them as personal, labels of their keys.`,
      'Other free words in the log stay, such as reasons: docs/audit.md, "Erasure".',
      ...keysShown(keys),
    ]);
    return;
  }
  const held = person.holds.length > 0;
  answer(json, { user, status: 'erasure_requested', due_at: dueAt, held, keys }, [
    `${user} will be erased after ${dueAt}. Until then: commonweal erase ${user} --withdraw`,
    ...(held
      ? ['The person is under a legal hold: nothing is erased before it is lifted, also when it is due.']
      : []),
    ...keysShown(keys),
  ]);
}

function keysShown(keys: readonly KeyOfPerson[]): string[] {
  if (keys.length === 0) return [];
  const rows = keys.map(({ key_id, team = '-', scopes, created_at, label = '' }) => [
    key_id,
    team,
    scopes.join(','),
    created_at,
    label,
  ]);
  return [
    'The person made these keys. They work on. Revoke those that nobody else needs (keys revoke <id>):',
    table(['KEY', 'TEAM', 'SCOPES', 'SINCE', 'LABEL'], rows),
  ];
}
