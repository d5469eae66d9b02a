import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { erase, reportList, resolve } from '../../../actions/directory/upkeep/reports.ts';
import { noReport } from '../../../commands/directory/upkeep/mistake.ts';
import { mistakeOutcome } from '../../../events/directory/upkeep/mistake.ts';
import { defined } from '../../../ground/defined.ts';
import { mistakes, reportsQuery } from '../../../projections/directory/upkeep/mistakes.ts';
import { callerOf } from '../../http/key-guard.ts';
import { teamOf, type TeamApiParts, serveTeamDoor } from '../../http/team-door.ts';
import { documentedOnly } from '../../http/read-parameters.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { pageIn, pageOf } from '../../http/team-pages.ts';
import { report, reportStatuses, showReport } from './report-shape.ts';
import { readStatusQuery, statusListQuery, type StatusCursors } from './status-query.ts';

export const reportsPath = '/dash/api/v1/reports';

const querystring = statusListQuery(reportStatuses, 'reports');

/** Reports of mistakes in one's own directory, for its reviewers. */
export function serveReports(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey } = parts;
  const collection = documents.collection(mistakes.collection);
  const cursors: StatusCursors<(typeof reportStatuses)[number]> = new ListCursors(masterKey, reportList.name);

  scope.get(reportsPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Directory'],
      security: [{ key: [] }],
      summary: 'List reports of mistakes',
      description:
        'What people have reported about the public records of your own directory: open reports first, the oldest first. Needs directory:manage.',
      querystring,
      response: { 200: pageOf(report), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const { status, place, limit } = readStatusQuery(request.raw.url ?? '', querystring, team, cursors);
      const query = reportsQuery({ team, status });
      const docs = await collection.page({ ...query, limit: limit + 1, ...defined({ after: place }) });
      const page = pageIn(docs, limit, (last) =>
        cursors.seal(team, [status ?? null, query.orderBy.map((field) => last[field])]),
      );
      return { data: (await reportList.open(parts, page.docs)).map(showReport), ...page.rest };
    },
  });
  serveTeamDoor(scope, parts, 'Directory', (door) => {
    const answered = { answer: report, show: showReport };
    door.one(`${reportsPath}/:id`, reportList, {
      ...answered,
      summary: 'Read a report of a mistake',
      description: 'A report about a record of your own directory. Needs directory:manage.',
    });
    door.post(`${reportsPath}/:id/resolve`, resolve, {
      ...answered,
      none: noReport,
      summary: 'Say what came of a report',
      description:
        'fixed: the record was corrected; dismissed: nothing was wrong. The record itself is changed with its own endpoints. Needs directory:manage.',
      body: z.strictObject({ outcome: mistakeOutcome }),
    });
    door.post(`${reportsPath}/:id/said`, erase, {
      ...answered,
      none: noReport,
      method: 'DELETE',
      summary: 'Erase what a report says',
      description:
        'Destroys the key under which the text and the contact of the report are sealed, also in its history. It cannot be undone. Needs directory:manage.',
    });
  });
}
