import { CommandRefused } from '../../ground/refusals.ts';
import type { ReviewStatus } from '../../commands/directory/reviewed-state.ts';
import { clients } from '../../projections/oauth-clients.ts';
import { teams } from '../../projections/teams.ts';
import type { PersonalData } from '../../personal/personal-data.ts';
import type { Documents } from '../../stores/documents/port.ts';
import type { EventStore, RecordedEvent } from '../../stores/event-store/port.ts';
import { consentsThen, type Between, type ConsentThen } from './consents.ts';
import { directoryThen, type DirectoryThen, type RecordThen } from './directory.ts';
import { documentsUpTo } from './documents-up-to.ts';
import { keysThen, type KeyThen } from './keys.ts';
import { LogUpTo } from './log-up-to.ts';
import { membersThen, type MemberThen, type TeamThen } from './members.ts';
import type { Moment } from './moment.ts';
import type { ListRequest, AsOfReader, ListPage } from './reader.ts';
import { streamThen, type StreamThen } from './streams.ts';
import { subscriptionsThen, type SubscriptionThen } from './subscriptions.ts';
import { tokensThen, type GrantThen } from './tokens.ts';

/** The questions that can be asked as of a time. */
export const asOfQuestions = [
  'streams',
  'consents',
  'tokens',
  'keys',
  'directory',
  'members',
  'subscriptions',
] as const;
export type AsOfQuestion = (typeof asOfQuestions)[number];

/** What is asked. Each question looks at its own conditions alone. */
export interface AsOfRequest extends Between {
  readonly question: AsOfQuestion;
  readonly stream?: string | undefined;
  readonly team?: string | undefined;
  readonly status?: ReviewStatus | undefined;
}

/** An answer: a page of a list, and what is said beside it. */
export type Answer =
  | (ListPage<RecordedEvent> & {
      readonly question: 'streams';
      readonly beside: Pick<StreamThen, 'stream' | 'documents'>;
    })
  | (ListPage<ConsentThen> & { readonly question: 'consents' })
  | (ListPage<GrantThen> & { readonly question: 'tokens' })
  | (ListPage<KeyThen> & { readonly question: 'keys' })
  | (ListPage<SubscriptionThen> & { readonly question: 'subscriptions' })
  | (ListPage<MemberThen> & { readonly question: 'members'; readonly beside: { readonly team: TeamThen } })
  | (ListPage<RecordThen> & {
      readonly question: 'directory';
      readonly beside: Pick<DirectoryThen, 'counts'>;
    });

/**
 * Answers a question as of a moment, by folding the log up to it. What today's read models say is not asked: they could have
 * been changed, or built by a faulty release. Of some the names of the streams are taken that a question concerns, so that
 * not the whole log is read: see `concernedEvents`. Without `documents` it is.
 *
 * @throws CommandRefused not_found, also for what belongs to another team than the reader's; invalid, for a question that
 * lacks a part
 */
export async function answerAsOf(
  {
    store,
    personal,
    documents,
  }: {
    readonly store: EventStore;
    readonly personal: PersonalData;
    readonly documents?: Documents | undefined;
  },
  request: AsOfRequest,
  { position, at }: Pick<Moment, 'position' | 'at'>,
  reader: AsOfReader,
  list: ListRequest,
): Promise<Answer> {
  const log = new LogUpTo(store, position);
  const parts = { log, personal, documents };
  const { question } = request;
  switch (question) {
    case 'streams': {
      const { stream: name } = request;
      if (name === undefined) throw new CommandRefused('invalid', 'Say which stream (stream).');
      const after = list.after === undefined ? -1 : Number(list.after);
      const then = await streamThen({ store, log, personal }, { stream: name, at }, reader, {
        after,
        limit: list.limit,
      });
      const { page: entries, events: total, hasMore, stream, documents } = then;
      const next = hasMore ? { next: String(after + entries.length) } : {};
      return { question, entries, total, ...next, beside: { stream, documents } };
    }
    case 'consents':
    case 'tokens': {
      await requireBetween(log, request, reader);
      return question === 'consents'
        ? { question, ...(await consentsThen(parts, request, list)) }
        : { question, ...(await tokensThen(parts, at, request, list)) };
    }
    case 'keys': {
      const team = teamOf(request, reader);
      if (team !== undefined) await requireTeam(log, team);
      return { question, ...(await keysThen(parts, { at, team }, list)) };
    }
    case 'members': {
      const team = requiredTeam(request, reader);
      const then = await membersThen({ log, personal }, { at, team }, reader, list);
      return { question, ...then.members, beside: { team: then.team } };
    }
    case 'subscriptions': {
      const team = await existingTeam(log, request, reader);
      return { question, ...(await subscriptionsThen(parts, { team }, list)) };
    }
    case 'directory': {
      const team = await existingTeam(log, request, reader);
      const { counts, records } = await directoryThen(parts, { team, status: request.status }, reader, list);
      return { question, ...records, beside: { counts } };
    }
  }
}

async function requireBetween(
  log: LogUpTo,
  { question, person, client }: AsOfRequest,
  { team }: AsOfReader,
): Promise<void> {
  if (person === undefined && client === undefined)
    throw new CommandRefused(
      'invalid',
      `Say whose ${question}: of a person (person), or for a site (client).`,
    );
  if (team === undefined) return;
  if (client === undefined)
    throw new CommandRefused(
      'invalid',
      `A key of a team asks for the ${question} of its sites: name one (client).`,
    );
  const site = await documentsUpTo(log).collection(clients.collection).get(client);
  if (site?.team !== team)
    throw new CommandRefused('not_found', `Your team had no site ${client.slice(0, 100)} then.`);
}

/** A team's key asks about its team, whether it names it or not. */
function teamOf({ team }: AsOfRequest, reader: AsOfReader): string | undefined {
  if (reader.team === undefined || team === undefined || team === reader.team) return reader.team ?? team;
  throw noTeam(team);
}

function requiredTeam(request: AsOfRequest, reader: AsOfReader): string {
  const team = teamOf(request, reader);
  if (team === undefined)
    throw new CommandRefused('invalid', `Say of which team (team) the ${request.question} are asked for.`);
  return team;
}

async function existingTeam(log: LogUpTo, request: AsOfRequest, reader: AsOfReader): Promise<string> {
  const team = requiredTeam(request, reader);
  await requireTeam(log, team);
  return team;
}

async function requireTeam(log: LogUpTo, team: string): Promise<void> {
  if (!(await documentsUpTo(log).collection(teams.collection).get(team))) throw noTeam(team);
}

const noTeam = (team: string): CommandRefused =>
  new CommandRefused('not_found', `There was no team ${team.slice(0, 100)} then.`);
