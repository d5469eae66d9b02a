import { Command, Option } from 'commander';
import { z } from 'zod';
import { confirm, decide, submit as submitAction, type Decision } from '../../actions/directory/records.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { resourceInput } from '../../commands/directory/field-changes.ts';
import { openPeople } from '../../commands/directory/sealed-people.ts';
import { commons } from '../../events/teams.ts';
import { slug } from '../../events/define.ts';
import { flatMembers } from '../../events/directory/flat-members.ts';
import { resourceFieldRows, type ResourceField } from '../../events/directory/resource-fields.ts';
import type { SealedPeople } from '../../events/directory/people.ts';
import { svcId } from '../../events/directory/resource.ts';
import { defined } from '../../ground/defined.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import { resources, wholeTier, type ResourceDocument } from '../../projections/directory/resources.ts';
import type { Collection } from '../../stores/documents/port.ts';
import { eachCommand, performFor } from '../action-command.ts';
import { withSystem, withNewOrExistingSystem, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, listed, option, UsageError } from '../options.ts';
import { answer, table } from '../../ground/print.ts';
import { showCommand } from '../show-command.ts';
import { bulkCommand } from './bulk.ts';
import { addDuplicatesCommands } from './duplicates.ts';
import { addPeopleCommands } from './people.ts';

const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;
const resourceStatus = z.enum(statuses, { message: `must be one of ${statuses.join(', ')}` });
type SubmitOptions = { readonly team: string; readonly json?: boolean } & Readonly<Record<string, unknown>>;

interface ListOptions {
  readonly team?: string | undefined;
  readonly status?: string;
  readonly limit: string;
  readonly after?: string;
  readonly json?: boolean;
}

export function resourcesCommand(line: CommandLine): Command {
  const command = new Command('resources').description('Records of the directories.');
  const submit = command
    .command('submit')
    .description('Submit a record for review.')
    .option('--team <slug>', 'the team that owns the directory', commons.team);
  const fieldOptions = optionRows.map((row) => ({ row, option: optionOf(row) }));
  for (const { option } of fieldOptions) submit.addOption(option);
  submit.action(({ team, json, ...values }: SubmitOptions) =>
    withNewOrExistingSystem(line, async (at) => {
      const named = fieldOptions.flatMap(({ row, option }) => {
        const text = values[option.attributeName()];
        return typeof text === 'string' ? [[row.name, valueOf(row, text)]] : [];
      });
      const fields = option('resource', resourceInput, Object.fromEntries(named));
      const input = { ...fields, team: option('--team', slug, team) };
      const { svc_id, id, status } = (await performFor(at, submitAction, input)).record;
      answer(json, { svc_id, id, status }, `${svc_id} is submitted to ${team}.`);
    }),
  );
  command
    .command('list')
    .description('List records, in the order of their ids.')
    .option('--team <slug>', 'only those of this team')
    .option('--status <status>', 'submitted, approved, rejected or inactive')
    .option('--limit <n>', 'the most records to list', '100')
    .option('--after <svc_id>', 'only records after this one; for the next page')
    .action((options: ListOptions) =>
      withSystem(line, async (at) => {
        const team = await namedTeam(at, options.team);
        await at.waitUntilCurrent(resources);
        const query = queryOf({ ...options, team });
        const collection = at.documents.collection(resources.collection);
        const after =
          options.after === undefined ? {} : { after: [await numberOf(collection, options.after)] };
        const found = await collection.page({ ...query, ...after, limit: query.limit + 1 });
        const shown = await described(at.personal, found.slice(0, query.limit));
        const rows = shown.map((each) => [each.svc_id, each.status, each.team, each.category, each.name]);
        answer(options.json, shown, table(['SVC_ID', 'STATUS', 'TEAM', 'CATEGORY', 'NAME'], rows));
        if (found.length > shown.length) {
          const last = shown.at(-1)?.svc_id ?? '';
          console.error(`There are more: add --after ${last} to go on, or --limit to see more at once.`);
        }
      }),
    );
  command.addCommand(
    showCommand(line, {
      description: 'Show all that a record says, to whoever it says it.',
      argument: '<svc_id>',
      id: svcId,
      needs: [resources],
      async find(at, id) {
        const doc = await at.documents.collection(resources.collection).get(id);
        const [shown] = doc ? await described(at.personal, [doc]) : [];
        if (!shown) throw noRecord(id);
        return shown;
      },
    }),
  );
  const decision = (name: Decision, description: string, words?: 'note' | 'reason') =>
    command.addCommand(
      eachCommand(line, decide, {
        name,
        description,
        each: ['svc_id', ['<svc_id...>']],
        ...(words && {
          options: { [words]: [`--${words} <text>`, 'shown to the submitter and recorded in the log'] },
        }),
        fixed: { decision: name },
        print: (done) => [
          done.map(({ value: { record } }) => ({ svc_id: record.svc_id, status: record.status })),
          done.map(({ value: { record } }) => `${record.svc_id} is ${record.status}.`),
        ],
      }),
    );
  decision(
    'approve',
    'Approve records: they become public. A note is recorded in clear and for ever: do not name a person.',
    'note',
  );
  decision(
    'reject',
    'Reject records, with a reason. It is recorded in clear and for ever: do not name a person.',
    'reason',
  );
  decision(
    'deactivate',
    'Take public records out of the directory. A reason is recorded in clear and for ever: do not name a person.',
    'reason',
  );
  decision('reactivate', 'Put records back into the directory that were taken out.');
  command.addCommand(
    eachCommand(line, confirm, {
      name: 'confirm',
      description: 'Confirm public records, or parts of them, as of today.',
      each: ['svc_id', ['<svc_id...>']],
      options: {
        parts: [
          '--parts <list>',
          'hours, phones or places, separated by commas; all where absent',
          { read: (text) => text.split(','), optional: true },
        ],
      },
      print: (done) => [
        done.map(({ value: { record } }) => ({ svc_id: record.svc_id, status: record.status })),
        done.map(({ value: { record } }) => `${record.svc_id} is confirmed as of today.`),
      ],
    }),
  );
  addPeopleCommands(line, command);
  command.addCommand(bulkCommand(line));
  addDuplicatesCommands(line, command);
  return command;
}

/** A field or a flat member that an option gives. */
interface OptionRow extends Pick<ResourceField, 'schema' | 'required'> {
  readonly name: string;
}

const optionRows: readonly OptionRow[] = [
  ...resourceFieldRows,
  ...Object.entries(flatMembers).map(([name, { schema }]) => ({ name, schema })),
];

const isListOfTexts = ({ schema }: OptionRow): boolean =>
  schema instanceof z.ZodArray &&
  (isTextual(schema.element as z.ZodType) || schema.element instanceof z.ZodEnum);
const isText = ({ schema }: OptionRow): boolean => isTextual(schema) || schema instanceof z.ZodEnum;
const isTextual = (schema: z.ZodType): boolean =>
  schema instanceof z.ZodPipe
    ? isTextual(schema.in as z.ZodType)
    : schema instanceof z.ZodString || schema instanceof z.ZodISODate;

/** `--languages <texts>`: texts as they are, lists of texts separated by commas, other values as JSON. */
function optionOf(row: OptionRow): Option {
  const [takes, help] = isText(row)
    ? ['text', row.name]
    : isListOfTexts(row)
      ? ['texts', `${row.name}, separated by commas`]
      : ['json', `${row.name}, as JSON`];
  const made = new Option(`${flagOf(row)} <${takes}>`, help);
  return made.makeOptionMandatory(row.required === true);
}

const flagOf = ({ name }: OptionRow): string => `--${name.replaceAll('_', '-')}`;

/** @throws UsageError */
function valueOf(row: OptionRow, text: string): unknown {
  if (isText(row)) return text;
  if (isListOfTexts(row)) return listed(text);
  try {
    return JSON.parse(text);
  } catch {
    throw new UsageError(`${flagOf(row)}: must be JSON`);
  }
}

/** @throws CommandRefused not_found */
async function numberOf(collection: Collection<ResourceDocument>, after: string): Promise<number> {
  const doc = await collection.get(option('--after', svcId, after));
  if (!doc) throw noRecord(after);
  return doc.number;
}

const noRecord = (id: string): CommandRefused => new CommandRefused('not_found', `There is no record ${id}.`);

function queryOf({ limit, team, ...others }: ListOptions) {
  const status = option('--status', resourceStatus.optional(), others.status);
  const where = defined({ team, status });
  const anything = team === undefined && status === undefined;
  return {
    where: anything ? { listed: 1 } : where,
    orderBy: ['number'],
    limit: count('--limit', limit),
  } as const;
}

async function described(personal: PersonalData, docs: readonly ResourceDocument[]) {
  const sealed = docs.map(({ people = '{}' }) => JSON.parse(people) as SealedPeople);
  const opened = await openPeople(personal, sealed);
  return docs.map((doc, place) => {
    const { team, status, review_note, submitted_at, source } = doc;
    const fields = JSON.parse(wholeTier(doc, undefined)) as {
      svc_id: string;
      name: string;
      category: string;
    };
    return { ...fields, ...opened[place], id: doc.number, team, status, review_note, submitted_at, source };
  });
}
