import { Command } from 'commander';
import { eraseContact, reportBounce } from '../../actions/directory/upkeep/agency-contacts.ts';
import {
  afterDays,
  askingState,
  beginAsking,
  endAsking,
  previewAsking,
} from '../../actions/directory/upkeep/asking.ts';
import { slug } from '../../events/define.ts';
import { organizations } from '../../projections/directory/organizations.ts';
import { recordLookup } from '../../projections/directory/record-lookup.ts';
import { resources } from '../../projections/directory/resources.ts';
import { agencyContacts } from '../../projections/directory/upkeep/agency-contacts.ts';
import { teams } from '../../projections/teams.ts';
import { counted } from '../../ground/counted.ts';
import { answer } from '../../ground/print.ts';
import { actionCommand, type InputOption } from '../action-command.ts';
import { withSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { option } from '../options.ts';

interface TeamOption {
  readonly team: string;
  readonly afterDays?: string;
  readonly json?: boolean;
}

const afterOption: InputOption = [
  '--after-days <days>',
  'after how many days without a confirmation; default: when the first part of a record is stale',
  { schema: afterDays, read: Number, optional: true },
];

const needed = [recordLookup, resources, organizations, agencyContacts, teams] as const;

/** Asking the contacts of agencies by mail whether their records are still right. */
export const askingCommand = (line: CommandLine): Command =>
  new Command('asking')
    .description('Asking agencies by mail whether their records are still right.')
    .addCommand(showAsking(line))
    .addCommand(preview(line))
    .addCommand(
      actionCommand(line, beginAsking, {
        name: 'on',
        description: 'Ask the agencies of a team from now on. First look at the preview.',
        ofTeam: true,
        options: {
          after_days: afterOption,
          seen: ['--seen <code>', 'the code that the preview has shown'],
        },
        print: (_, _texts, { team }) => [
          { team, on: true },
          `The agencies of ${team as string} are asked from now on.`,
        ],
      }),
    )
    .addCommand(
      actionCommand(line, endAsking, {
        name: 'off',
        description: 'Ask the agencies of a team no more. Links that were mailed still work.',
        ofTeam: true,
        options: {},
        print: (_, _texts, { team }) => [
          { team, on: false },
          `The agencies of ${team as string} are asked no more.`,
        ],
      }),
    )
    .addCommand(
      actionCommand(line, eraseContact, {
        name: 'erase',
        description:
          'Erase an address that was asked, in every team, for ever. It gets no such mail any more.',
        options: { address: ['<address>', 'the email address'] },
        needs: needed,
        print: () => [{ erased: true }, 'The address is erased.'],
      }),
    );

const showAsking = (line: CommandLine): Command =>
  new Command('show')
    .description('Show whether a team asks its agencies, and how far it has come.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: TeamOption) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, option('--team', slug, team));
        await at.waitUntilCurrent(...needed);
        const state = await askingState(at, of, new Date());
        const { on, after_days, month, stopped, unreachable, last } = state;
        const call = Object.values(last?.counts.call ?? {}).reduce((sum, each) => sum + each, 0);
        answer(json, state, [
          on
            ? `Agencies are asked ${after_days} days after the last confirmation.`
            : 'Agencies are not asked. Look at "asking preview", then "asking on".',
          `In the last 30 days: ${counted(month.mailed, 'mail')}; ${counted(month.answered, 'contact')} answered, ${counted(month.silent, 'contact')} did not.`,
          `Contacts that want no mails: ${stopped}; that no mail reaches: ${unreachable}.`,
          ...(last
            ? [
                `As of ${last.at}: due are ${counted(last.counts.due, 'record')}, of which ${call} must be called.`,
              ]
            : []),
        ]);
      }),
    );

const preview = (line: CommandLine): Command =>
  new Command('preview')
    .description('Show the first mail and how many contacts would be asked. Nobody is asked by it.')
    .requiredOption('--team <slug>', 'the team')
    .option('--after-days <days>', 'after how many days without a confirmation')
    .action(({ team, afterDays: days, json }: TeamOption) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, option('--team', slug, team));
        await at.waitUntilCurrent(...needed);
        const after_days = days === undefined ? undefined : option('--after-days', afterDays, Number(days));
        const base = at.config.baseUrl ?? 'http://localhost:8080';
        const shown = await previewAsking(at, { team: of, after_days }, { base }, new Date());
        const { counts, isPart, mail, seen } = shown;
        answer(json, shown, [
          ...(mail ? [`Subject: ${mail.subject}`, '', mail.text, ''] : ['There is nobody to ask.', '']),
          `Due are ${isPart ? 'at least ' : ''}${counted(counts.due, 'record')}. By and by ${counted(counts.contacts, 'contact')} would be asked about ${counts.ask} of them.`,
          `Code, good for an hour: ${seen}`,
        ]);
      }),
    );

/** Mails of this service. */
export const mailCommand = (line: CommandLine): Command =>
  new Command('mail').description('Mails of this service.').addCommand(
    actionCommand(line, reportBounce, {
      name: 'bounced',
      description:
        'Say that mails to an address came back: its agencies’ next contacts are asked, or they are called.',
      options: { address: ['<address>', 'the email address'] },
      needs: needed,
      print: ({ contacts }) => [
        { contacts },
        `Nobody is asked at this address any more: ${contacts === 1 ? '1 contact' : `${contacts} contacts`}.`,
      ],
    }),
  );
