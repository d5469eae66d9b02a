import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { formVersions } from '../../commands/forms/form-versions.ts';
import { noForm } from '../../commands/forms/form.ts';
import { forms, type FormDocument } from '../../projections/forms/forms.ts';
import {
  formSubmissions,
  submissionOrder,
  type SubmissionDocument,
} from '../../projections/forms/submissions.ts';
import { callerOf } from '../http/bearer/guard.ts';
import { teamOf, type TeamApiParts } from '../http/bearer/team-api.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { pageOf, pageQuery, TeamPages } from '../http/team-pages.ts';
import { problemResponses } from '../http/errors/problem-responses.ts';
import { form, formOf, submission, submissionsOf } from './form-shape.ts';

export const formsPath = '/dash/api/v1/forms';

const scopeNeeded = 'forms:read';
const uuid = z.uuid();

const submissionsQuery = pageQuery.extend({
  since: z.iso
    .datetime({ offset: true, error: 'must be a time like 2026-03-31T12:00:00Z' })
    // As it is stored.
    .transform((time) => new Date(time).toISOString())
    .optional()
    .describe('Only those submitted at this time or later (ISO 8601).'),
});

/** The forms of a team and what was sent with them, for its keys. */
export function serveForms(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, store, documents, personal, masterKey, base } = parts;
  const collection = documents.collection(forms.collection);
  const submissions = documents.collection(formSubmissions.collection);
  const formPages = new TeamPages<FormDocument>(masterKey, 'forms', ['slug']);
  const submissionPages = new TeamPages<SubmissionDocument>(masterKey, 'form-submissions', submissionOrder);
  const described = { tags: ['Forms'], security: [{ key: [] }] };

  scope.get(formsPath, {
    onRequest: guard(scopeNeeded),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
      summary: 'List forms',
      description: 'The forms of your team in the order of their slugs, closed ones too. Needs forms:read.',
      querystring: pageQuery,
      response: { 200: pageOf(form), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const asked = formPages.asked(request.raw.url ?? '', teamOf(callerOf(request)));
      const query = { where: { team: asked.team }, orderBy: ['slug'] as const };
      const { docs, rest } = formPages.page(asked, await collection.page({ ...query, ...asked.reading }));
      return { data: docs.map((doc) => formOf(doc, base)), ...rest };
    },
  });
  scope.get<{ Params: { id: string } }>(`${formsPath}/:id/submissions`, {
    onRequest: guard(scopeNeeded),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
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
      const asked = submissionPages.asked(request.raw.url ?? '', `${team} ${id}`, submissionsQuery);
      const from = asked.query.since;
      const doc = uuid.safeParse(id).success ? await collection.get(id) : undefined;
      if (doc?.team !== team) throw noForm();
      const query = { where: { form: id }, orderBy: submissionOrder };
      const read = await submissions.page({
        ...query,
        ...asked.reading,
        // A cursor stands after the time from which the list began.
        ...(from === undefined || asked.reading.after ? {} : { from }),
      });
      const { docs, rest } = submissionPages.page(asked, read);
      return { data: await submissionsOf(personal, docs, await formVersions(store, id)), ...rest };
    },
  });
}
