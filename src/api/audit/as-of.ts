import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { answerAsOf, asOfQuestions, type Asked, type AsOfQuestion } from '../../audit/as-of/ask.ts';
import { Moments, NoSuchMoment, type Moment } from '../../audit/as-of/moment.ts';
import type { AsOfReader, PersonalKind } from '../../audit/as-of/reader.ts';
import { saidAnswer } from '../../audit/as-of/said.ts';
import { recordAccess } from '../../commands/audit.ts';
import { CommandRefused } from '../../commands/errors.ts';
import { clientId } from '../../events/oauth/values.ts';
import { slug, text } from '../../events/define.ts';
import type { KeyScope } from '../../events/teams.ts';
import { defined } from '../../ground/defined.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import type { Caller } from '../http/bearer/caller.ts';
import { callerOf } from '../http/bearer/guard.ts';
import type { TeamApiParts } from '../http/bearer/team-api.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { ListCursors } from '../http/list-cursors.ts';
import { readParameters } from '../http/read-parameters.ts';
import { pageQuery } from '../http/team-pages.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { answers } from './as-of-shapes.ts';
import { readingOf } from './reading.ts';
import { turnsOfQuestions } from './turns.ts';

export const asOfPath = '/audit/v1/as-of';

/** Each reads a part of the log: more at once would take the time of other requests. */
const atOnce = 2;
const waitAtMost = 20;

/** What a key may see in clear, by the scope for which the API shows it elsewhere. */
const opening: Readonly<Partial<Record<KeyScope, PersonalKind>>> = {
  'members:read': 'members',
  'directory:manage': 'directory',
  'forms:read': 'forms',
  'payments:write': 'payments',
};

const parameters = {
  team: slug.describe('Of which team. A team’s key may leave it out: it asks about its own.'),
  person: z.uuid({ error: 'must be the id of a person' }),
  client: clientId,
  status: z.enum(['submitted', 'approved', 'rejected', 'inactive'], {
    error: 'must be submitted, approved, rejected or inactive',
  }),
};
type Parameter = keyof typeof parameters;

const questions: Readonly<
  Record<AsOfQuestion, { summary: string; description: string; parameters: readonly Parameter[] }>
> = {
  streams: {
    summary: 'A stream as of a time',
    description:
      'The events that a stream had, oldest first, and what the read models said of it. Only a stream of your team, for a key of a team.',
    parameters: [],
  },
  consents: {
    summary: 'Consents in force as of a time',
    description:
      'What people had allowed sites: of a person, for a site, or both. A key of a team names one of its sites.',
    parameters: ['person', 'client'],
  },
  tokens: {
    summary: 'Valid tokens as of a time',
    description:
      'The grants of which a code, an access token or a refresh token was valid: of a person, for a site, or both. A key of a team names one of its sites.',
    parameters: ['person', 'client'],
  },
  keys: {
    summary: 'Valid keys as of a time',
    description: 'The API keys that were valid, and what they could be used for.',
    parameters: ['team'],
  },
  directory: {
    summary: 'A directory as of a time',
    description: 'How many records of each status a team had, and the records.',
    parameters: ['team', 'status'],
  },
  members: {
    summary: 'Members and roles as of a time',
    description: 'The members of a team with their roles, its enabled scopes, and its open invitations.',
    parameters: ['team'],
  },
  subscriptions: {
    summary: 'Webhook subscriptions as of a time',
    description: 'The subscriptions of a team that were not deleted.',
    parameters: ['team'],
  },
};

const asOfQuery = pageQuery.extend({
  at: z.string().optional().describe('A time with its zone, such as 2026-01-31T12:00:00Z.'),
  position: z.string().optional().describe('A position of the log. Give this or a time.'),
});

/** Where a list goes on: at the same position of the log. */
interface AsOfPlace {
  readonly position: string;
  readonly at: string;
  readonly laterBefore: number;
  readonly countedAll: boolean;
  readonly after: string;
}

/** What was true at a time, for keys with audit:read. */
export function serveAsOf(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, contexts, store, side, personal, masterKey, now } = parts;
  const moments = new Moments({ store, side, now });
  const turns = turnsOfQuestions(atOnce, waitAtMost);
  const cursors = new ListCursors<AsOfPlace>(masterKey, 'as-of-list');

  const answered = async (request: FastifyRequest, question: AsOfQuestion, schema: typeof asOfQuery) => {
    const caller = callerOf(request);
    const {
      limit,
      cursor: sealed,
      at: time,
      position,
      ...query
    } = readParameters(request.raw.url ?? '', schema);
    const asked = askedIn(question, query, request);
    const reader = readerOf(caller);
    const whole = JSON.stringify([reader.team, asked]);
    const place = cursors.open(sealed, whole);
    return turns.run(caller.team ?? '', async () => {
      const at = await momentOf(moments, { at: time, position }, place);
      const list = { limit, ...(place ? { after: place.after } : {}) };
      const answer = await answerAsOf({ store, personal }, asked, at, reader, list).catch(refusedAsParameter);
      const { question: name, ...filter } = asked;
      const event = {
        type: 'AuditQueried',
        data: {
          question: 'as-of',
          filter: {
            about: name,
            ...defined(filter),
            position: String(at.position),
            at: at.at.toISOString(),
          },
          events: answer.entries.length,
        },
      } as const;
      await recordAccess(store, event, readingOf(contexts, request));
      const next =
        answer.next === undefined
          ? null
          : cursors.seal(whole, {
              position: String(at.position),
              at: at.at.toISOString(),
              laterBefore: at.laterBefore,
              countedAll: at.countedAll,
              after: answer.next,
            });
      return { ...saidAnswer(at, answer), has_more: next !== null, next_cursor: next };
    });
  };

  for (const question of asOfQuestions) {
    const { summary, description, parameters: names } = questions[question];
    const own: object = Object.fromEntries(names.map((name) => [name, parameters[name].optional()]));
    const schema = z.strictObject({ ...asOfQuery.shape, ...own });
    const url = question === 'streams' ? `${asOfPath}/streams/:stream` : `${asOfPath}/${question}`;
    scope.get(url, {
      onRequest: guard('audit:read'),
      validatorCompiler: documentedOnly,
      schema: {
        tags: ['Audit'],
        security: [{ key: [] }],
        summary,
        description: `${description} Answered from the log up to the last event that is not after the time. The reading is recorded. Needs audit:read.`,
        ...(question === 'streams' ? { params: z.object({ stream: z.string() }) } : {}),
        querystring: schema,
        response: { 200: answers[question], ...problemResponses(400, 401, 403, 404, 429, 503) },
      },
      handler: (request) => answered(request, question, schema),
    });
  }
}

/** A key of a team is answered about its team, a key of the installation about everything. */
const readerOf = ({ kind, team, scopes }: Caller): AsOfReader => ({
  ...(kind === 'installation' ? {} : { team: team ?? '' }),
  opens: new Set([...scopes].flatMap((scope) => opening[scope] ?? [])),
});

/** `query`: the parameters of the question, checked. */
function askedIn(question: AsOfQuestion, query: object, request: FastifyRequest): Asked {
  if (question !== 'streams') return { question, ...defined(query) };
  const stream = text(500).safeParse((request.params as { stream: string }).stream);
  if (!stream.success) throw new CommandRefused('not_found', 'There is no such stream.');
  return { question, stream: stream.data };
}

/** A list goes on where it began, whatever has happened since. */
async function momentOf(
  moments: Moments,
  { at, position }: Readonly<Record<'at' | 'position', string | undefined>>,
  place: AsOfPlace | undefined,
): Promise<Moment> {
  try {
    if (!place) return await moments.of({ at, position });
    const again = await moments.of({ position: place.position });
    const { laterBefore, countedAll } = place;
    return { ...again, at: new Date(place.at), laterBefore, countedAll };
  } catch (error) {
    if (error instanceof NoSuchMoment) throw wrong(error.message);
    throw error;
  }
}

function refusedAsParameter(error: unknown): never {
  if (error instanceof CommandRefused && error.code === 'invalid') throw wrong(error.message);
  throw error;
}

const wrong = (sentence: string) => resourceProblem('invalid_parameter', sentence);
