import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { z } from 'zod';
import { recordDownload, submissionsCsv, submitted } from '../../actions/forms/submissions-csv.ts';
import { wordsOf } from '../../commands/forms/answer-words.ts';
import { readDefinition } from '../../commands/forms/definition-input.ts';
import { commandForm, formIdOf, noForm, publishForm, type FormCommand } from '../../commands/forms/form.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { formVersions } from '../../commands/forms/form-versions.ts';
import { eraseSubmission } from '../../commands/forms/submission.ts';
import { slug } from '../../events/define.ts';
import type { FormDefinition } from '../../events/forms/definition.ts';
import { memberRole } from '../../events/teams/team.ts';
import { forms, type FormDocument } from '../../projections/forms/forms.ts';
import { formSubmissions } from '../../projections/forms/submissions.ts';
import { withSystem, type CommandLine, type CommandSystem } from '../command-line.ts';
import { count, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';

interface OfOne {
  readonly team: string;
  readonly slug: string;
  readonly json?: boolean;
}
interface WithFile extends OfOne {
  readonly file: string;
}
interface Listing extends OfOne {
  readonly since?: string;
  readonly limit: string;
}

/** The forms of teams, and what was sent with them. */
export function formsCommand(line: CommandLine): Command {
  const command = new Command('forms').description('Forms of teams, and what people send with them.');
  const ofOne = (name: string, description: string) =>
    command
      .command(name)
      .description(description)
      .requiredOption('--team <slug>', 'the team')
      .requiredOption('--slug <slug>', 'the name of the form in its address, /f/{team}/{slug}');

  ofOne('publish', 'Publish a form.')
    .requiredOption('--file <path>', 'the form as JSON (docs/forms.md)')
    .action((given: WithFile) =>
      withSystem(line, async (at) => {
        const of = named(given);
        const definition = definitionIn(given.file);
        const outcome = await publishForm(at.store, of, definition, at.context());
        await at.waitUntilVisible(outcome);
        const path = `/f/${of.team}/${of.slug}`;
        answer(
          given.json,
          { form: formIdOf(of.team, of.slug), path },
          `The form is open at ${path}. Its answers are read by admins, until "forms readers" chooses others.`,
        );
      }),
    );
  ofOne('revise', 'Change a form. Its address stays.')
    .requiredOption('--file <path>', 'the whole form as JSON (docs/forms.md)')
    .action((given: WithFile) => changed(given, { kind: 'revise', definition: definitionIn(given.file) }));
  ofOne('close', 'Close a form. It takes no more submissions.').action((given: OfOne) =>
    changed(given, { kind: 'close' }),
  );
  ofOne('reopen', 'Open a form again.').action((given: OfOne) => changed(given, { kind: 'reopen' }));

  ofOne('readers', 'Choose who of the team reads the answers to a form.')
    .requiredOption(
      '--role <role>',
      'admin: admins only; reviewer: reviewers and admins; member: every member',
    )
    .action((given: OfOne & { readonly role: string }) =>
      changed(given, { kind: 'choose readers', readers: option('--role', memberRole, given.role) }),
    );

  command
    .command('list')
    .description('List the forms of a team.')
    .requiredOption('--team <slug>', 'the team')
    .action(({ team, json }: { team: string; json?: boolean }) =>
      withSystem(line, async (at) => {
        await at.waitUntilCurrent(forms);
        const docs = await at.documents
          .collection(forms.collection)
          .page({ where: { team: option('--team', slug, team) }, orderBy: ['slug'], limit: 10_000 });
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
    .action((given: OfOne & { readonly ofVersion?: string }) =>
      withSystem(line, async (at) => {
        const doc = await found(at, named(given));
        const version = count('--of-version', given.ofVersion ?? String(doc.version));
        const definition = (await formVersions(at.store, doc.form)).get(version);
        if (!definition) throw new CommandRefused('not_found', `The form has no version ${version}.`);
        answer(true, given.json ? { ...doc, version, definition } : definition, '');
      }),
    );

  ofOne('submissions', 'List what was sent with a form, the oldest first.')
    .option('--since <time>', 'only what was sent at this time or later, in ISO 8601')
    .option('--limit <n>', 'the most submissions to list', '100')
    .action((given: Listing) =>
      withSystem(line, async (at) => {
        const most = count('--limit', given.limit);
        const doc = await found(at, named(given));
        const from = sinceIn(given.since);
        await recordDownload(at, doc, 'json', at.context(), { from, atMost: most });
        const versions = await formVersions(at.store, doc.form);
        const shown: object[] = [];
        let more = false;
        for await (const { submission, submitted_at, form_version, answers } of submitted(
          at,
          doc.form,
          from,
        )) {
          more = shown.length === most;
          if (more) break;
          const definition = versions.get(form_version);
          shown.push({
            submission,
            submitted_at,
            form_version,
            erased: answers === undefined,
            answers,
            ...(answers && definition ? { words: wordsOf(definition, answers) } : {}),
          });
        }
        answer(
          given.json,
          shown,
          shown.map((each) => JSON.stringify(each)),
        );
        if (more) console.error('There are more: add --limit to see more at once, or --since to go on.');
      }),
    );
  ofOne('export', 'Write all that was sent with a form to the output.')
    .requiredOption('--csv', 'as a table with a column for each field (the only format so far)')
    .option('--since <time>', 'only what was sent at this time or later, in ISO 8601')
    .action((given: OfOne & { readonly since?: string }) =>
      withSystem(line, async (at) => {
        const doc = await found(at, named(given));
        const from = sinceIn(given.since);
        await recordDownload(at, doc, 'csv', at.context(), { from });
        for await (const line of submissionsCsv(at, doc.form, from)) process.stdout.write(line);
      }),
    );
  command
    .command('erase <submission...>')
    .description('Erase the answers of submissions, for ever.')
    .action((ids: string[], { json }: { json?: boolean }) =>
      withSystem(line, async (at) => {
        const submissions = ids.map((id) => option('submission', z.uuid(), id));
        for (const submission of submissions)
          await at.waitUntilVisible(await eraseSubmission(at, submission, {}, at.context()));
        answer(
          json,
          submissions.map((submission) => ({ submission, erased: true })),
          submissions.map((submission) => `The answers of ${submission} are erased.`),
        );
      }),
    );
  return command;

  function changed(given: OfOne, asked: Exclude<FormCommand, { readonly kind: 'publish' }>): Promise<void> {
    return withSystem(line, async (at) => {
      const of = named(given);
      const outcome = await commandForm(at.store, of, asked, at.context());
      await at.waitUntilVisible(outcome);
      const { status = 'open', version = 1, readers = 'admin' } = outcome.state ?? {};
      const form = formIdOf(of.team, of.slug);
      answer(
        given.json,
        { form, status, version, readers },
        `The form ${of.slug} is ${status}, in version ${version}. Its answers are read by ${readersText[readers]}.`,
      );
    });
  }
}

const readersText = {
  admin: 'admins',
  reviewer: 'reviewers and admins',
  member: 'every member of the team',
} as const;

const named = (given: OfOne) => ({
  team: option('--team', slug, given.team),
  slug: option('--slug', slug, given.slug),
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
  await at.waitUntilCurrent(forms, formSubmissions);
  const doc = await at.documents.collection(forms.collection).get(formIdOf(of.team, of.slug));
  if (!doc) throw noForm();
  return doc;
}

/** @throws UsageError */
function sinceIn(text: string | undefined): string | undefined {
  const time = option('--since', z.iso.datetime({ offset: true }).optional(), text);
  return time === undefined ? undefined : new Date(time).toISOString();
}
