import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { formList } from '../../actions/forms.ts';
import { oneOf } from '../../actions/listing.ts';
import { formVersions } from '../../commands/forms-versions.ts';
import { formSubmissions, submissionOrder, type SubmissionDocument } from '../../projections/forms.ts';
import { callerOf } from '../http/key-guard.ts';
import { teamOf, type TeamApiParts, serveTeamDoor } from '../http/team-door.ts';
import { documentedOnly } from '../http/read-parameters.ts';
import { submissionState } from '../../events/forms/submission.ts';
import { defined } from '../../ground/defined.ts';
import { pageOf, pageQuery, TeamPages } from '../http/team-pages.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { form, formOf, submission, submissionsOf } from './form-shape.ts';

export const formsPath = '/dash/api/v1/forms';

const submissionsQuery = pageQuery.extend({
  since: z.iso
    .datetime({ offset: true, error: 'must be a time like 2026-03-31T12:00:00Z' })
    // As it is stored.
    .transform((time) => new Date(time).toISOString())
    .optional()
    .describe('Only those submitted at this time or later (ISO 8601).'),
  state: submissionState.optional().describe('Only those with which your team is so far.'),
});

/** The forms of a team and what was sent with them, for its keys. */
export function serveForms(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, store, documents, personal, masterKey, base } = parts;
  const submissions = documents.collection(formSubmissions.collection);
  const submissionPages = new TeamPages<SubmissionDocument>(masterKey, 'form-submissions', submissionOrder);

  serveTeamDoor(scope, parts, 'Forms', (door) =>
    door.list(formsPath, formList, {
      summary: 'List forms',
      description: 'The forms of your team in the order of their slugs, closed ones too. Needs forms:read.',
      answer: form,
      show: (doc) => formOf(doc, base),
    }),
  );
  scope.get<{ Params: { id: string } }>(`${formsPath}/:id/submissions`, {
    onRequest: guard('forms:read'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Forms'],
      security: [{ key: [] }],
      summary: 'List what was sent with a form',
      description:
        'The submissions of a form of your team, the oldest first, with their answers. To follow a form, ask again with since a few minutes before the newest that you have, and know them by their ids. Needs forms:read.',
      params: z.object({ id: z.string() }),
      querystring: submissionsQuery,
      response: { 200: pageOf(submission), ...problemResponses(400, 401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const { id } = request.params;
      const team = teamOf(callerOf(request));
      // A cursor is good for one form.
      const listing = submissionPages.requestOf(request.raw.url ?? '', `${team} ${id}`, submissionsQuery);
      const from = listing.query.since;
      await oneOf(formList, parts, team, id);
      const where = defined({ form: id, state: listing.query.state });
      const query = { where, orderBy: submissionOrder };
      const read = await submissions.page({
        ...query,
        ...listing.reading,
        // A cursor stands after the time from which the list began.
        ...(from === undefined || listing.reading.after ? {} : { from }),
      });
      const { docs, rest } = submissionPages.page(listing, read);
      return { data: await submissionsOf(personal, docs, await formVersions(store, id)), ...rest };
    },
  });
}
