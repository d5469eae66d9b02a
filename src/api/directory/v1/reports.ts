import type { FastifyInstance } from 'fastify';
import type { MasterKey } from '../../../ground/master-key.ts';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  eraseReport,
  noReport,
  resolveReport,
  type MistakeOutcomeOf,
} from '../../../commands/directory/mistake.ts';
import { mistakeOutcome } from '../../../events/directory/mistake.ts';
import { defined } from '../../../ground/defined.ts';
import { mistakes, reportsQuery } from '../../../projections/directory/mistakes.ts';
import { untilShown } from '../../../projections/until-shown.ts';
import { documentedOnly } from '../../http/documented-only.ts';
import { callerOf } from '../../http/bearer/guard.ts';
import type { Caller } from '../../http/bearer/caller.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { pageIn, pageOf } from '../../http/team-pages.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import type { WritingParts } from './writing.ts';
import { refuseUnreadable } from '../../http/idempotency.ts';
import { report, reportsOf } from './report-shape.ts';
import { readReportsQuery, reportsListQuery, type ReportCursors } from './reports-query.ts';

export const reportsPath = '/dash/api/v1/reports';

const uuid = z.uuid();

/** Reports of mistakes in one's own directory, for its reviewers. */
export function serveReports(
  scope: FastifyInstance,
  parts: WritingParts & { readonly masterKey: MasterKey },
): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { guard, contexts, documents, personal, masterKey } = parts;
  const collection = documents.collection(mistakes.collection);
  const cursors: ReportCursors = new ListCursors(masterKey, 'mistake-reports');
  const described = { tags: ['Directory'], security: [{ key: [] }] };
  const ofOne = z.object({ id: z.string() });
  const errors = problemResponses(401, 403, 404, 409, 422, 429, 503);

  const shown = async (id: string, caller: Caller) => {
    const doc = uuid.safeParse(id).success ? await collection.get(id) : undefined;
    if (doc === undefined || doc.team !== caller.team) throw noReport();
    const [only] = await reportsOf(personal, [doc]);
    return only as z.output<typeof report>;
  };
  const commanded = async (id: string, caller: Caller, outcome: MistakeOutcomeOf) => {
    await untilShown(documents, outcome);
    return shown(id, caller);
  };

  scope.get(reportsPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      ...described,
      summary: 'List reports of mistakes',
      description:
        'What people have reported about the public records of your own directory: open reports first, the oldest first. Needs directory:manage.',
      querystring: reportsListQuery,
      response: { 200: pageOf(report), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const { team = '' } = callerOf(request);
      const { status, place, limit } = readReportsQuery(request.raw.url ?? '', team, cursors);
      const query = reportsQuery({ team, status });
      const docs = await collection.page({ ...query, limit: limit + 1, ...defined({ after: place }) });
      const page = pageIn(docs, limit, (last) =>
        cursors.seal(team, [status ?? null, query.orderBy.map((field) => last[field])]),
      );
      return { data: await reportsOf(personal, page.docs), ...page.rest };
    },
  });
  routes.get(`${reportsPath}/:id`, {
    onRequest: guard('directory:manage'),
    schema: {
      ...described,
      summary: 'Read a report of a mistake',
      description: 'A report about a record of your own directory. Needs directory:manage.',
      params: ofOne,
      response: { 200: report, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      return shown(request.params.id, callerOf(request));
    },
  });
  routes.post(`${reportsPath}/:id/resolve`, {
    onRequest: [guard('directory:manage'), refuseUnreadable],
    schema: {
      ...described,
      summary: 'Say what came of a report',
      description:
        'fixed: the record was corrected; dismissed: nothing was wrong. The record itself is changed with its own endpoints. Needs directory:manage.',
      params: ofOne,
      body: z.strictObject({ outcome: mistakeOutcome }),
      response: { 200: report, ...errors, ...problemResponses(400, 413, 415) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      await shown(id, caller);
      const asked = { outcome: request.body.outcome, ...byTeamOf(caller) };
      return commanded(id, caller, await resolveReport(parts, id, asked, contexts(request, caller)));
    },
  });
  routes.delete(`${reportsPath}/:id/said`, {
    onRequest: [guard('directory:manage'), refuseUnreadable],
    schema: {
      ...described,
      summary: 'Erase what a report says',
      description:
        'Destroys the key under which the text and the contact of the report are sealed, also in its history. It cannot be undone. Needs directory:manage.',
      params: ofOne,
      response: { 200: report, ...errors },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { id } = request.params;
      await shown(id, caller);
      return commanded(id, caller, await eraseReport(parts, id, byTeamOf(caller), contexts(request, caller)));
    },
  });
}

const byTeamOf = ({ team }: Caller) => defined({ asTeam: team });
