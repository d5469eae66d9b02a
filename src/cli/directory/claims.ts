import { Command } from 'commander';
import { z } from 'zod';
import { approve, claimList, end, refuse } from '../../actions/directory/upkeep/claims/claims.ts';
import { claims, claimsQuery, claimStatuses } from '../../projections/directory/upkeep/claims.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { answer, table } from '../../ground/print.ts';
import { eachCommand } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, option } from '../options.ts';
import { showListed } from '../show-command.ts';

const claimStatus = z.enum(claimStatuses, { message: `must be one of ${claimStatuses.join(', ')}` });

interface ListOptions {
  readonly team?: string;
  readonly status?: string;
  readonly limit: string;
  readonly json?: boolean;
}

/** Who keeps the records of their organization, or wants to. */
export function claimsCommand(line: CommandLine): Command {
  const command = new Command('claims').description(
    'Agencies that keep their own records, or want to: proven by an address at the host of their website.',
  );
  command
    .command('list')
    .description('List claims, those that wait for the team first, the oldest first.')
    .option('--team <slug>', 'only those of this team’s directory')
    .option('--status <status>', 'begun, proven, approved, refused or ended')
    .option('--limit <n>', 'the most claims to list', '100')
    .action(({ team, status, limit, json }: ListOptions) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(claims);
        const query = { team: of, status: option('--status', claimStatus.optional(), status) };
        const most = count('--limit', limit);
        const collection = at.documents.collection(claims.collection);
        const docs = await collection.page({ ...claimsQuery(query), limit: most + 1 });
        const shown = await claimList.open(at, docs.slice(0, most));
        const rows = shown.map((each) => [
          each.claim,
          each.status,
          each.team,
          each.svc_id,
          each.host,
          each.begun_at,
        ]);
        answer(json, shown, table(['CLAIM', 'STATUS', 'TEAM', 'SVC_ID', 'HOST', 'BEGUN'], rows));
        if (docs.length > most) console.error('There are more: add --limit to see more at once.');
      }),
    );
  command.addCommand(
    showListed(
      line,
      { ...claimList, none: () => new CommandRefused('not_found', 'There is no such claim.') },
      {
        description: 'Show a claim: the record and the host. The address is never shown.',
        argument: '<claim>',
      },
    ),
  );
  const ofClaims = { each: ['id', ['<claim...>']], needs: [claims] } as const;
  command.addCommand(
    eachCommand(line, approve, {
      name: 'approve',
      description: 'Let those who proved claims keep the records. They get a link by mail.',
      ...ofClaims,
      print: (done) => [
        done.map(({ id, value: { status } }) => ({ claim: id, status })),
        done.map(({ id }) => `${id} is approved.`),
      ],
    }),
  );
  command.addCommand(
    eachCommand(line, refuse, {
      name: 'refuse',
      description: 'Refuse claims. Whoever proved one gets a mail, and the address cannot ask again.',
      ...ofClaims,
      options: { reason: ['--reason <words>', 'is mailed to them', { optional: true }] },
      print: (done) => [
        done.map(({ id, value: { status } }) => ({ claim: id, status })),
        done.map(({ id }) => `${id} is refused.`),
      ],
    }),
  );
  command.addCommand(
    eachCommand(line, end, {
      name: 'end',
      description: 'End claims: their links stop at once, and the addresses are erased.',
      ...ofClaims,
      print: (done) => [
        done.map(({ id, value: { status } }) => ({ claim: id, status })),
        done.map(({ id }) => `${id} has ended.`),
      ],
    }),
  );
  return command;
}
