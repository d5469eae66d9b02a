import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { asOfConditions, askAsOf, conditionsOf } from '../../actions/audit-as-of.ts';
import { perform, valueOf } from '../../actions/perform.ts';
import { asOfQuestions, type AsOfQuestion } from '../../audit/as-of/ask.ts';
import { Moments } from '../../audit/as-of/moment.ts';
import { answerJson } from '../../audit/as-of/answer-json.ts';
import { defined } from '../../ground/defined.ts';
import type { TeamApiParts } from '../http/team-door.ts';
import { documentedOnly, readParameters } from '../http/read-parameters.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import { commonProblem } from '../http/responses/errors.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { ListCursors } from '../http/list-cursors.ts';
import { pageQuery } from '../http/team-pages.ts';
import { answers } from './as-of-shapes.ts';
import { readerOf } from './reading.ts';
import { turnsOfQuestions } from './turns.ts';

export const asOfPath = '/audit/v1/as-of';

/** Each reads a part of the log: more at once would take the time of other requests. */
const atOnce = 2;
const waitAtMost = 20;

const questions: Readonly<Record<AsOfQuestion, { summary: string; description: string }>> = {
  streams: {
    summary: 'A stream as of a time',
    description:
      'The events that a stream had, oldest first, and what the read models said of it. Only a stream of your team, for a key of a team.',
  },
  consents: {
    summary: 'Consents in force as of a time',
    description:
      'What people had allowed sites: of a person, for a site, or both. A key of a team names one of its sites.',
  },
  tokens: {
    summary: 'Valid tokens as of a time',
    description:
      'The grants of which a code, an access token or a refresh token was valid: of a person, for a site, or both. A key of a team names one of its sites.',
  },
  keys: {
    summary: 'Valid keys as of a time',
    description: 'The API keys that were valid, and what they could be used for.',
  },
  directory: {
    summary: 'A directory as of a time',
    description: 'How many records of each status a team had, and the records.',
  },
  members: {
    summary: 'Members and roles as of a time',
    description: 'The members of a team with their roles, its enabled scopes, and its open invitations.',
  },
  subscriptions: {
    summary: 'Webhook subscriptions as of a time',
    description: 'The subscriptions of a team that were not deleted.',
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

const begunAt = ({ at, laterBefore, countedAll }: AsOfPlace) => ({
  at: new Date(at),
  laterBefore,
  countedAll,
});

/** What was true at a time, for keys with audit:read. */
export function serveAsOf(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, contexts, masterKey } = parts;
  const asOfParts = { ...parts, moments: new Moments(parts) };
  const turns = turnsOfQuestions(atOnce, waitAtMost);
  const cursors = new ListCursors<AsOfPlace>(masterKey, 'as-of-list');

  const answered = async (
    request: FastifyRequest<{ Params: { stream?: string } }>,
    question: AsOfQuestion,
    schema: typeof asOfQuery,
  ) => {
    const reader = readerOf(contexts, request);
    const { cursor, limit, at, position, ...conditions } = readParameters(request.raw.url ?? '', schema);
    const { stream } = request.params;
    const whole = JSON.stringify([reader.who.team, { question, ...defined({ ...conditions, stream }) }]);
    const place = cursors.open(cursor, whole);
    const input = {
      question,
      limit,
      ...conditions,
      ...defined({ stream, after: place?.after }),
      ...(place ? { position: place.position, begun: begunAt(place) } : { at, position }),
    };
    const performed = await turns.run(reader.who.team ?? '', () =>
      perform(askAsOf, asOfParts, { ...reader, input }),
    );
    // Everything else was read before.
    if (performed.kind === 'invalid') throw commonProblem('not_found', 'There is no such stream.');
    if (performed.kind === 'refused' && performed.refusal.code === 'invalid')
      throw resourceProblem('invalid_parameter', performed.refusal.message);
    const { moment, answer } = valueOf(performed);
    const { laterBefore, countedAll } = moment;
    const next =
      answer.next === undefined
        ? null
        : cursors.seal(whole, {
            position: String(moment.position),
            at: moment.at.toISOString(),
            laterBefore,
            countedAll,
            after: answer.next,
          });
    return { ...answerJson(moment, answer), has_more: next !== null, next_cursor: next };
  };

  for (const question of asOfQuestions) {
    const { summary, description } = questions[question];
    const inAddress = question === 'streams';
    const own: object = Object.fromEntries(
      conditionsOf[question].map((name) => [name, asOfConditions[name].optional()]),
    );
    const schema = z.strictObject({ ...asOfQuery.shape, ...(inAddress ? {} : own) });
    const url = inAddress ? `${asOfPath}/streams/:stream` : `${asOfPath}/${question}`;
    scope.get<{ Params: { stream?: string } }>(url, {
      onRequest: guard('audit:read'),
      validatorCompiler: documentedOnly,
      schema: {
        tags: ['Audit'],
        security: [{ key: [] }],
        summary,
        description: `${description} Answered from the log up to the last event that is not after the time. The reading is recorded. Needs audit:read.`,
        ...(inAddress ? { params: z.object({ stream: z.string() }) } : {}),
        querystring: schema,
        response: { 200: answers[question], ...problemResponses(400, 401, 403, 404, 429, 503) },
      },
      handler: (request) => answered(request, question, schema),
    });
  }
}
