import { Command } from 'commander';
import { asOfConditions, askAsOf } from '../../actions/audit-as-of.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import { asOfQuestions, type Answer } from '../../audit/as-of/ask.ts';
import { Moments, type Moment } from '../../audit/as-of/moment.ts';
import { answerJson } from '../../audit/as-of/answer-json.ts';
import type { System } from '../../container.ts';
import { counted } from '../../ground/counted.ts';
import { defined } from '../../ground/defined.ts';
import { answer as print, table } from '../../ground/print.ts';
import { requireAccount } from '../account.ts';
import { withStores, type CommandLine } from '../command-line.ts';
import { namedTeam } from '../named-team.ts';
import { count, option, UsageError } from '../options.ts';

interface Options {
  readonly at?: string;
  readonly position?: string;
  readonly team?: string;
  readonly person?: string;
  readonly client?: string;
  readonly status?: string;
  readonly limit: string;
  readonly after?: string;
  readonly scan?: boolean;
  readonly json?: boolean;
}

/** What was true at a time. */
export function asOfCommand(line: CommandLine): Command {
  return new Command('as-of')
    .description(
      'Say what was true at a time or at a position of the log. It is folded from the log, not read from the read models.',
    )
    .argument('<question>', `one of ${asOfQuestions.join(', ')}`)
    .argument('[stream]', 'for streams: the name of the stream, such as api-key-…')
    .option('--at <time>', 'a time with its zone, such as 2026-01-31T12:00:00Z')
    .option('--position <position>', 'a position of the log, instead of a time')
    .option('--team <slug>', 'of this team: keys, directory, members, subscriptions')
    .option('--person <id or email>', 'of this person: consents, tokens')
    .option('--client <id>', 'for this site: consents, tokens')
    .option('--status <status>', 'records with this status alone: directory')
    .option('--limit <count>', 'how many entries are shown at most', '100')
    .option('--after <key>', 'the next entries: the key that was printed last')
    .option(
      '--scan',
      'read the whole log, without the table of times and the names of streams in the read models',
    )
    .action((question: string, stream: string | undefined, options: Options) =>
      withStores(line, async (system, actor) => {
        const { json, limit, scan, person, ...conditions } = options;
        if (question === 'streams' && stream === undefined)
          throw new UsageError('Name the stream: audit as-of streams <stream> --at …');
        for (const name of ['team', 'client', 'status'] as const)
          option(`--${name}`, asOfConditions[name].optional(), conditions[name]);
        await namedTeam(system, conditions.team);
        const performed = await perform(
          askAsOf,
          { ...system, moments: new Moments(system) },
          {
            who: { kind: 'operator' },
            input: {
              question: option('question', askAsOf.input.shape.question, question),
              ...conditions,
              ...defined({ stream, scan, person: await personOf(system, person) }),
              limit: count('--limit', limit),
            },
            context: () => ({ actor, commandId: crypto.randomUUID(), at: new Date() }),
          },
        );
        const { moment, answer } = valueOf(performed);
        print(json, { ...answerJson(moment, answer), next: answer.next ?? null }, linesOf(moment, answer));
      }),
    );
}

/** An address is looked up and not recorded. @throws CommandRefused not_found */
const personOf = async (system: System, whom: string | undefined): Promise<string | undefined> =>
  whom?.includes('@') ? (await requireAccount(system, whom)).user : whom;

function linesOf(moment: Moment, answer: Answer): string[] {
  const { at, position, event, laterBefore, countedAll } = moment;
  return [
    `As of ${at.toISOString()}: position ${position}, ${event.type} in ${event.stream}, of ${String(event.metadata['at'])}.`,
    ...(laterBefore > 0
      ? [
          `${countedAll ? '' : 'At least '}${counted(laterBefore, 'event before it in the log has a later time and is', 'events before it in the log have a later time and are')} included: clocks disagreed.`,
        ]
      : []),
    '',
    ...besideLines(answer),
    answer.entries.length === 0 ? 'None.' : tableOf(answer),
    ...(answer.next === undefined
      ? []
      : [
          '',
          `${answer.entries.length} of ${answer.total}. The next ones: --after ${JSON.stringify(answer.next)}`,
        ]),
  ];
}

function besideLines(answer: Answer): string[] {
  if (answer.question === 'directory') {
    const { submitted, approved, rejected, inactive } = answer.beside.counts;
    return [`${approved} approved, ${submitted} submitted, ${rejected} rejected, ${inactive} inactive.`, ''];
  }
  if (answer.question === 'members') {
    const { name, scopes, invitations } = answer.beside.team;
    return [
      `${name}. Enabled scopes: ${scopes.join(', ') || 'none'}. Open invitations: ${invitations.length}.`,
      '',
    ];
  }
  if (answer.question !== 'streams') return [];
  return answer.beside.documents.flatMap(({ read_model, id, document, personal, standing }) => [
    `${read_model} ${id}${standing ? `: ${standing.valid ? 'valid' : `not valid, ${standing.because ?? ''}`}` : ''}`,
    ...Object.entries({ ...document, ...personal }).map(([name, value]) => `  ${name}: ${shown(value)}`),
    '',
  ]);
}

/** A value in one line. */
const shown = (value: unknown): string => {
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  return text.length > 160 ? `${text.slice(0, 159)}…` : text;
};

function tableOf(answer: Answer): string {
  switch (answer.question) {
    case 'streams':
      return table(
        ['revision', 'position', 'time', 'actor', 'event'],
        answer.entries.map(({ revision, position, metadata, type }) => {
          const actor = metadata['actor'] as { readonly kind: string; readonly id: string };
          return [revision, String(position), String(metadata['at']), `${actor.kind}:${actor.id}`, type];
        }),
      );
    case 'consents':
      return table(
        ['person', 'site', 'scopes', 'since'],
        answer.entries.map(({ user, client, scopes, granted_at }) => [
          user,
          client,
          scopes.join(','),
          granted_at,
        ]),
      );
    case 'tokens':
      return table(
        ['grant', 'person', 'site', 'issued', 'access tokens', 'refresh token until'],
        answer.entries.map((each) => [
          each.grant,
          each.user,
          each.client,
          each.issued_at,
          each.access_tokens.length,
          each.refresh_token_until ?? (each.code_until === undefined ? '' : 'code not exchanged'),
        ]),
      );
    case 'keys':
      return table(
        ['key', 'kind', 'team', 'usable scopes', 'created', 'by', 'label'],
        answer.entries.map((key) => [
          key.key_id,
          key.kind,
          key.team ?? '',
          key.usable_scopes.join(','),
          key.created_at,
          key.created_by ?? '',
          key.label ?? '',
        ]),
      );
    case 'directory':
      return table(
        ['svc_id', 'status', 'updated', 'name'],
        answer.entries.map(({ svc_id, status: now, updated_at, fields }) => [
          svc_id,
          now,
          updated_at,
          shown(fields.name),
        ]),
      );
    case 'members':
      return table(
        ['person', 'role', 'since', 'name', 'email'],
        answer.entries.map(({ user, role, joined_at, person: { name, email, personal_data } }) => [
          user,
          role,
          joined_at,
          name ?? `(${personal_data})`,
          email ?? '',
        ]),
      );
    case 'subscriptions':
      return table(
        ['subscription', 'status', 'host', 'events', 'created'],
        answer.entries.map(({ subscription, status: now, host, events, created_at }) => [
          subscription,
          now,
          host,
          events.join(','),
          created_at,
        ]),
      );
  }
}
