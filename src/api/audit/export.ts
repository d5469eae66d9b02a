import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { ExportError } from '../../audit/exports/export-error.ts';
import { exportConditions, exportFilter } from '../../audit/exports/filter.ts';
import { exportFormat } from '../../events/audit.ts';
import { commonProblem } from '../http/responses/errors.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import type { Caller } from '../http/key-lookup.ts';
import { callerOf } from '../http/key-guard.ts';
import type { TeamApiParts } from '../http/team-door.ts';
import { documentedOnly, readParameters, wrongParameter } from '../http/read-parameters.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { EventExports } from './event-exports.ts';

export const exportPath = '/audit/v1/export';

const querystring = z.strictObject({
  format: exportFormat.default('ndjson').describe('One line for each event, except that CSV has a header.'),
  proofs: z
    .enum(['true', 'false'], { error: 'must be true or false' })
    .default('false')
    .describe(
      '`true`: a zip file with the events, their hashes or inclusion proofs, and the manifest with the signed checkpoint, as `audit export` writes them.',
    ),
  ...exportConditions,
});

/** Exports of the audit log, streamed. */
export function serveExport(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, now = () => new Date() } = parts;
  const exports = new EventExports(parts);

  scope.get(exportPath, {
    onRequest: guard('audit:read'),
    exposeHeadRoute: false,
    // Compressing a million events would take longer than to read them.
    compress: false,
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Audit'],
      security: [{ key: [] }],
      summary: 'Export events of the audit log',
      description:
        'The events up to the newest checkpoint of the proof log that all conditions select, oldest first, as NDJSON, CSV, a batch of CloudEvents 1.0.2 or events of OCSF 1.8. A key of a team gets the events of its team; the whole log needs a key of the installation. A line of NDJSON is the content of the event’s leaf in the proof log. Each export is recorded. The stream ends early when something fails; an NDJSON export is whole when its last line ends in a line break and the connection was closed in order. With `proofs` it is a zip file, unpacked and checked anywhere with `commonweal verify --export`. One export of a team runs at a time, four of all teams, and two of the installation beside them; others get 503 with Retry-After. Needs audit:read.',
      querystring,
      produces: ['application/x-ndjson', 'text/csv', 'application/cloudevents-batch+json', 'application/zip'],
      response: {
        200: {
          description: 'The events.',
          content: {
            'application/x-ndjson': { schema: z.any() },
            'text/csv': { schema: z.any() },
            'application/cloudevents-batch+json': { schema: z.any() },
            'application/zip': { schema: z.any() },
          },
        },
        ...problemResponses(400, 401, 403, 429, 503),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const gone = new AbortController();
      request.raw.once('close', () => gone.abort(new Error('The reader is gone.')));
      const started = await exports
        .start({
          team: caller.kind === 'installation' ? undefined : caller.team,
          ...exportRequestOf(request, caller),
          signal: gone.signal,
          context: {
            actor: { kind: 'key', id: caller.keyId },
            commandId: crypto.randomUUID(),
            correlationId: request.id,
            at: now(),
          },
        })
        .catch((error: unknown) => {
          throw error instanceof ExportError ? later(error.message) : error;
        });
      return reply
        .header('content-disposition', `attachment; filename="${started.filename}"`)
        .type(started.mediaType)
        .send(started.stream);
    },
  });
}

const later = (sentence: string) =>
  commonProblem('unavailable', sentence, { headers: { 'retry-after': '30' } });

/** What a request asks for. A key of a team asks about its team. @throws Problem, BadQuery */
function exportRequestOf(request: FastifyRequest, caller: Caller) {
  const { format, proofs, ...conditions } = readParameters(request.raw.url ?? '', querystring);
  const parsed = exportFilter.safeParse(conditions);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw wrongParameter(String(issue?.path[0]), issue?.message);
  }
  const form = { format, proofs: proofs === 'true' };
  if (caller.kind === 'installation') return { ...form, filter: parsed.data };
  const { team = caller.team } = parsed.data;
  if (caller.team === undefined || team !== caller.team) {
    throw resourceProblem('forbidden', 'This key sees the events of its own team.');
  }
  return { ...form, filter: { ...parsed.data, team } };
}
