import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  mostWeeks,
  neededIn,
  placeName,
  readsNeeds,
  week,
  wordsOf,
} from '../../../actions/directory/upkeep/needs.ts';
import { categories, category } from '../../../events/directory/category.ts';
import { callerOf } from '../../http/key-guard.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { documentedOnly, readParameters } from '../../http/read-parameters.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { pageOf, pageQuery } from '../../http/team-pages.ts';
import { teamOf, type TeamApiParts } from '../../http/team-door.ts';

export const needsApiPath = '/dash/api/v1/needs';

const wrongWeeks = { error: `must be a whole number from 1 to ${mostWeeks}` };

const querystring = pageQuery.extend({
  weeks: z
    .int(wrongWeeks)
    .min(1, wrongWeeks)
    .max(mostWeeks, wrongWeeks)
    .default(1)
    .describe('How many weeks, of which `week` is the last.'),
  week: week.optional().describe('A week (ISO 8601), such as 2026-W48. Default: the newest that is over.'),
  kind: category.optional().describe('Only this kind of help.'),
  place: z.string().max(120).optional().describe('Only this place, as it is written in the answer.'),
});

const need = z.object({
  words: z
    .array(z.string())
    .describe(
      'Names of needs that the search knows, two at most; `?`: words that it does not know. Never what somebody typed.',
    ),
  what: z.string().describe('The same, to read.'),
  kind: z.enum(categories).nullable(),
  place: z
    .string()
    .describe(
      'A town, or `Postal code` with its first three digits. Also: `Other places`, `No place given`.',
    ),
  searches: z.int().describe('In full tens, as all of these: 38 is 30. A network counts once a day.'),
  found_nothing: z.int().describe('No record had all that was looked for.'),
  opened_nothing: z
    .int()
    .describe(
      'Something was found on the public pages, not in the widget, and the page of no record was opened.',
    ),
});

const answer = pageOf(need).extend({
  from: z.iso.date().nullable().describe('The first day, UTC. Null: no week has been counted to its end.'),
  until: z.iso.date().nullable(),
  left_out: z
    .int()
    .describe('Searches that were left out, because more different things were asked for than are counted.'),
});

/** What people looked for, for keys. What was published of a week never changes, so pages go on by their number. */
export function serveNeeds(scope: FastifyInstance, { guard, side, masterKey }: TeamApiParts): void {
  const cursors = new ListCursors<readonly [week: string, number]>(masterKey, 'needs');

  scope.get(needsApiPath, {
    onRequest: guard(readsNeeds.scope),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Directory'],
      security: [{ key: [] }],
      summary: 'List what people looked for in vain',
      description:
        'What people looked for on the public pages and in the widget, in all directories of the installation: what found nothing most often comes first. A line has at least ten networks of one day. Weeks are shown when they are over. Needs needs:read.',
      querystring,
      response: { 200: answer, ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const { limit, cursor, ...question } = readParameters(request.raw.url ?? '', querystring);
      const of = JSON.stringify([team, question]);
      const [ofWeek, first] = cursors.open(cursor, of) ?? [question.week, 0];
      const found = await neededIn(side, { ...question, week: ofWeek });
      const end = first + limit;
      const hasMore = found.week !== undefined && found.needs.length > end;
      return {
        from: found.from ?? null,
        until: found.until ?? null,
        left_out: found.leftOut,
        data: found.needs.slice(first, end).map((each) => ({
          words: [...each.words],
          what: wordsOf(each),
          kind: categories.find((slug) => slug === each.kind) ?? null,
          place: placeName(each),
          searches: each.searches,
          found_nothing: each.foundNothing,
          opened_nothing: each.openedNothing,
        })),
        has_more: hasMore,
        next_cursor: hasMore ? cursors.seal(of, [found.week, end]) : null,
      };
    },
  });
}
