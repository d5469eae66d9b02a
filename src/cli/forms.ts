import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { z } from 'zod';
import type { Action } from '../actions/action.ts';
import {
  chooseMails,
  chooseReaders,
  chooseRetention,
  close,
  erase,
  publish,
  reopen,
  revise,
} from '../actions/forms.ts';
import { chooseState } from '../actions/forms-answers.ts';
import { recordDownload, submissionsCsv, submitted } from '../actions/forms-csv.ts';
import { wordsOf } from '../events/forms/answer-words.ts';
import { readDefinition } from '../events/forms/definition-input.ts';
import { formIdOf, noForm } from '../commands/forms.ts';
import { CommandRefused } from '../ground/refusals.ts';
import { formVersions } from '../commands/forms-versions.ts';
import { slug } from '../events/define.ts';
import type { FormDefinition } from '../events/forms/definition.ts';
import { submissionState } from '../events/forms/submission.ts';
import type { MemberRole } from '../events/teams.ts';
import { forms, type FormDocument, formSubmissions } from '../projections/forms.ts';
import { requireAccount } from './account.ts';
import { actionCommand, eachCommand, performFor, type InputOption } from './action-command.ts';
import { withSystem, type CommandLine, type CommandSystem } from './command-line.ts';
import { namedTeam } from './named-team.ts';
import { count, option, UsageError } from './options.ts';
import { answer, table } from '../ground/print.ts';

interface OfOne {
  readonly team: string;
  readonly slug: string;
  readonly json?: boolean;
}
interface Listing extends OfOne {
  readonly since?: string;
  readonly state?: string;
  readonly limit: string;
}

const slugAbout = 'the name of the form in its address, /f/{team}/{slug}';

/** The forms of teams, and what was sent with them. Over 300 lines: one command a paragraph. */
export function formsCommand(line: CommandLine): Command {
  const command = new Command('forms').description('Forms of teams, and what people send with them.');
  const ofOne = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--team <slug>', 'the team')
      .requiredOption('--slug <slug>', slugAbout);

  command.addCommand(
    actionCommand(line, publish, {
      name: 'publish',
      description: 'Publish a form.',
      ofTeam: true,
      options: { slug: slugOption, definition: fileOption('the form as JSON (docs/forms.md)') },
      print: (published) => [
        published,
        `The form is open at ${published.path}. Its answers are read by admins, until "forms readers" chooses others.`,
      ],
    }),
  );
  const change = <Input extends z.ZodObject>(
    action: Action<Input, Changed>,
    name: string,
    description: string,
    options: Readonly<Record<string, InputOption>> = {},
  ) =>
    command.addCommand(
      actionCommand(line, action, {
        name,
        description,
        ofTeam: true,
        options: { slug: slugOption, ...options },
        print: (form, { slug: of = '' }) => [
          form,
          `The form ${of} is ${form.status}, in version ${form.version}. Its answers are read by ${readersText[form.readers]}.`,
        ],
      }),
    );
  change(revise, 'revise', 'Change a form. Its address stays.', {
    definition: fileOption('the whole form as JSON (docs/forms.md)'),
  });
  change(close, 'close', 'Close a form. It takes no more answers.');
  change(reopen, 'reopen', 'Open a form again.');
  change(chooseReaders, 'readers', 'Choose who of the team reads the answers to a form.', {
    readers: ['--role <role>', 'admin: admins only; reviewer: reviewers and admins; member: every member'],
  });

  change(chooseRetention, 'keep', 'Choose after how many days answers to a form are erased.', {
    days: [
      '--days <n>',
      'erase answers after so many days; left out: keep them until somebody erases them',
      { read: (text) => (/^\d{1,9}$/.test(text) ? Number(text) : Number.NaN) },
    ],
  });
  change(
    chooseMails,
    'mails',
    'Choose who is told of answers to a form by mail, and whether senders get receipts.',
    {
      members: [
        '--members <addresses>',
        'the email addresses of members, with commas between them; left out: nobody',
        {
          optional: true,
          standard: '',
          find: async (at, text) =>
            Promise.all(
              text
                .split(',')
                .filter((each) => each.trim() !== '')
                .map(async (each) => (await requireAccount(at, each.trim(), { confirmed: true })).user),
            ),
        },
      ],
      content: ['--content <yes|no>', 'put the answers into these mails (default: no)', yesOrNo],
      receipts: ['--receipts <yes|no>', 'let senders ask for a receipt (default: no)', yesOrNo],
    },
  );

  command
    .command('list')
    .description('List the forms of a team.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: { team: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        const of = await namedTeam(at, team);
        await at.waitUntilCurrent(forms);
        const docs = await at.documents
          .collection(forms.collection)
          .page({ where: { team: of }, orderBy: ['slug'], limit: 10_000 });
        const shown = docs.map(({ form, slug: name, status, version, readers, changed_at }) => ({
          form,
          slug: name,
          status,
          version,
          readers,
          changed_at,
        }));
        const rows = shown.map((each) => [
          each.slug,
          each.status,
          each.version,
          each.readers,
          each.changed_at,
          each.form,
        ]);
        answer(json, shown, table(['SLUG', 'STATUS', 'VERSION', 'READERS', 'CHANGED', 'FORM'], rows));
      }),
    );
  ofOne('show', 'Show a form as JSON: its definition can be changed and passed to revise.')
    .option('--of-version <n>', 'as it was in an earlier version, in all languages')
    .action((options: OfOne & { readonly ofVersion?: string }) =>
      withSystem(line, async (at) => {
        const doc = await found(at, named(options));
        const version = count('--of-version', options.ofVersion ?? String(doc.version));
        const definition = (await formVersions(at.store, doc.form)).get(version);
        if (!definition) throw new CommandRefused('not_found', `The form has no version ${version}.`);
        answer(true, options.json ? { ...doc, version, definition } : definition, '');
      }),
    );

  ofOne('submissions', 'List what was sent with a form, the oldest first.')
    .option('--since <time>', 'only what was sent at this time or later, in ISO 8601')
    .option('--state <state>', 'only those in this state: new, in_work or done')
    .option('--limit <n>', 'the most answers to list', '100')
    .action((options: Listing) =>
      withSystem(line, async (at) => {
        const most = count('--limit', options.limit);
        const which = { from: sinceIn(options.since), state: stateIn(options.state) };
        const doc = await found(at, named(options));
        await recordDownload(at, doc, 'json', at.context(), { ...which, atMost: most });
        const versions = await formVersions(at.store, doc.form);
        const shown: object[] = [];
        let more = false;
        for await (const each of submitted(at, doc.form, which)) {
          const { submission, submitted_at, form_version, state, state_at, by, answers } = each;
          more = shown.length === most;
          if (more) break;
          const definition = versions.get(form_version);
          shown.push({
            submission,
            submitted_at,
            form_version,
            state,
            state_at,
            state_by: by,
            erased: answers === undefined,
            answers,
            ...(answers && definition ? { words: wordsOf(definition, answers) } : {}),
          });
        }
        answer(
          options.json,
          shown,
          shown.map((each) => JSON.stringify(each)),
        );
        if (more) console.error('There are more: add --limit to see more at once, or --since to go on.');
      }),
    );
  ofOne('export', 'Write all that was sent with a form to the output.')
    .requiredOption('--csv', 'as a table with a column for each field (the only format so far)')
    .option('--since <time>', 'only what was sent at this time or later, in ISO 8601')
    .option('--state <state>', 'only those in this state: new, in_work or done')
    .action((options: OfOne & { readonly since?: string; readonly state?: string }) =>
      withSystem(line, async (at) => {
        const which = { from: sinceIn(options.since), state: stateIn(options.state) };
        const doc = await found(at, named(options));
        await recordDownload(at, doc, 'csv', at.context(), which);
        for await (const line of submissionsCsv(at, doc.form, which)) process.stdout.write(line);
      }),
    );
  command.addCommand(
    eachCommand(line, chooseState, {
      name: 'state',
      description: 'Say how far the team is with answers.',
      each: ['submission', ['<submission...>']],
      options: { state: ['--state <state>', 'new, in_work or done'] },
      print: (done, { state = '' }) => [
        done.map(({ value }) => value),
        done.map(({ id }) => `${id} is ${state === 'in_work' ? 'in work' : state}.`),
      ],
    }),
  );
  command
    .command('erase <submission...>')
    .description('Erase answers, for ever.')
    .action((ids: string[], { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const submissions = ids.map((id) => option('submission', z.uuid(), id));
        for (const submission of submissions) await performFor(at, erase, { submission });
        answer(
          json,
          submissions.map((submission) => ({ submission, erased: true })),
          submissions.map((submission) => `The answers of ${submission} are erased.`),
        );
      }),
    );
  return command;
}

/** What a form is after a change. */
interface Changed {
  readonly form: string;
  readonly status: 'open' | 'closed';
  readonly version: number;
  readonly readers: MemberRole;
}

const yesOrNo = {
  optional: true,
  standard: 'no',
  read: (text: string) => ({ yes: true, no: false })[text],
} as const;

const slugOption: InputOption = ['--slug <slug>', slugAbout];

const fileOption = (about: string): InputOption => ['--file <path>', about, { read: definitionIn }];

const readersText = {
  admin: 'admins',
  reviewer: 'reviewers and admins',
  member: 'every member of the team',
} as const;

const named = (options: OfOne) => ({
  team: option('--team', slug, options.team),
  slug: option('--slug', slug, options.slug),
});

/** @throws UsageError, CommandRefused */
function definitionIn(path: string): FormDefinition {
  let written: unknown;
  try {
    written = JSON.parse(readFileSync(path, 'utf8'));
  } catch (error) {
    throw new UsageError(`--file ${path}: ${(error as Error).message}`);
  }
  return readDefinition(written);
}

async function found(
  at: CommandSystem,
  of: { readonly team: string; readonly slug: string },
): Promise<FormDocument> {
  await namedTeam(at, of.team);
  await at.waitUntilCurrent(forms, formSubmissions);
  const doc = await at.documents.collection(forms.collection).get(formIdOf(of.team, of.slug));
  if (!doc) throw noForm();
  return doc;
}

/** @throws UsageError */
const stateIn = (text: string | undefined) => option('--state', submissionState.optional(), text);

/** @throws UsageError */
function sinceIn(text: string | undefined): string | undefined {
  const time = option('--since', z.iso.datetime({ offset: true }).optional(), text);
  return time === undefined ? undefined : new Date(time).toISOString();
}
