import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { accept, dismiss, erase, suggestionList } from '../../../actions/directory/upkeep/suggestions.ts';
import { suggestedFieldNames } from '../../../events/directory/upkeep/suggestion.ts';
import { defined } from '../../../ground/defined.ts';
import {
  suggestions,
  suggestionsQuery,
  suggestionStatuses,
  type SuggestionStatus,
} from '../../../projections/directory/upkeep/suggestions.ts';
import { callerOf } from '../../http/key-guard.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { documentedOnly } from '../../http/read-parameters.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../../http/team-door.ts';
import { pageIn, pageOf } from '../../http/team-pages.ts';
import { readStatusQuery, statusListQuery, type StatusCursors } from './status-query.ts';
import { showSuggestion, suggestion } from './suggestion-shape.ts';

export const suggestionsPath = '/dash/api/v1/suggestions';

const querystring = statusListQuery(suggestionStatuses, 'suggestions');

/** Suggested changes of records of one's own directory, for its reviewers. */
export function serveSuggestions(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey } = parts;
  const collection = documents.collection(suggestions.collection);
  const cursors: StatusCursors<SuggestionStatus> = new ListCursors(masterKey, suggestionList.name);

  scope.get(suggestionsPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Directory'],
      security: [{ key: [] }],
      summary: 'List suggested changes',
      description:
        'What people and agencies have suggested to change in the public records of your own directory: open suggestions first, the oldest first. Needs directory:manage.',
      querystring,
      response: { 200: pageOf(suggestion), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const target = request.raw.url ?? '';
      const { status, place, limit } = readStatusQuery(target, querystring, team, cursors);
      const query = suggestionsQuery({ team, status });
      const docs = await collection.page({ ...query, limit: limit + 1, ...defined({ after: place }) });
      const page = pageIn(docs, limit, (last) =>
        cursors.seal(team, [status ?? null, query.orderBy.map((field) => last[field])]),
      );
      return { data: (await suggestionList.open(parts, page.docs)).map(showSuggestion), ...page.rest };
    },
  });
  serveTeamDoor(scope, parts, 'Directory', (door) => {
    const answered = { answer: suggestion, show: showSuggestion };
    const settled = { ...answered, none: suggestionList.none };
    door.one(`${suggestionsPath}/:id`, suggestionList, {
      ...answered,
      summary: 'Read a suggested change',
      description: 'A suggestion about a record of your own directory. Needs directory:manage.',
    });
    door.post(`${suggestionsPath}/:id/accept`, accept, {
      ...settled,
      summary: 'Take over a suggested change',
      description:
        'Revises the record, or takes it out where it has closed. What was changed since it was suggested is refused (409), unless overwrite is true. Needs directory:manage.',
      body: z.strictObject({
        fields: z
          .array(z.enum(suggestedFieldNames))
          .min(1)
          .max(100)
          .optional()
          .describe('Only these fields. Default: all that are suggested.'),
        overwrite: z.boolean().optional().describe('Also replace what was changed since it was suggested.'),
      }),
    });
    door.post(`${suggestionsPath}/:id/dismiss`, dismiss, {
      ...settled,
      summary: 'Dismiss a suggested change',
      description: 'The record stays as it is. Needs directory:manage.',
    });
    door.post(`${suggestionsPath}/:id/suggested`, erase, {
      ...settled,
      method: 'DELETE',
      summary: 'Erase what was suggested',
      description:
        'Destroys the key under which the values, the note and the contact are sealed, also in its history. It cannot be undone. Needs directory:manage.',
    });
  });
}
