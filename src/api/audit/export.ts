import { setTimeout } from 'node:timers';
import { Readable } from 'node:stream';
import type { FastifyInstance, FastifyRequest } from 'fastify';
import { z } from 'zod';
import { exportable, provedEvents, type Exportable } from '../../audit/exports/exportable.ts';
import { ExportError } from '../../audit/exports/export-error.ts';
import {
  conditionsOf,
  exportConditions,
  exportFilter,
  isWhole,
  type ExportFilter,
} from '../../audit/exports/filter.ts';
import { formatOf } from '../../audit/exports/formats/format.ts';
import { logKey } from '../../audit/proof-log/log-key.ts';
import { recordAccess } from '../../commands/audit/access.ts';
import { installationOf } from '../../commands/installation.ts';
import { exportFormat } from '../../events/audit/audit-access.ts';
import { commonProblem } from '../http/errors.ts';
import { resourceProblem } from '../http/api-errors.ts';
import type { Caller } from '../http/bearer/caller.ts';
import { callerOf } from '../http/bearer/guard.ts';
import type { TeamApiParts } from '../http/bearer/team-api.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { refuseOtherMethods } from '../http/methods.ts';
import { problemResponses } from '../http/problem-responses.ts';
import { queryOf, readQuery } from '../http/query-string.ts';

export const exportPath = '/audit/v1/export';

/** Each reads the whole log: more at once would take the time of other requests. */
const atOnce = 2;
/** A reader that takes nothing for so long is cut off: it would keep others out. */
const stalledMs = 60_000;
/** Text that is sent at once. */
const pieceCharacters = 64 * 1024;

const querystring = z.strictObject({
  format: exportFormat.default('ndjson').describe('One line for each event, except that CSV has a header.'),
  ...exportConditions,
});

/** Exports of the audit log, streamed. */
export function serveExport(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, store, proofLog, vault, now = () => new Date() } = parts;
  let running = 0;

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
        'The events up to the newest checkpoint of the proof log that all conditions select, oldest first, as NDJSON, CSV or a batch of CloudEvents 1.0.2. A key of a team gets the events of its team; the whole log needs a key of the installation. A line of NDJSON is the content of the event’s leaf in the proof log. Each export is recorded. The stream ends early when something fails; an NDJSON export is whole when its last line ends in a line break and the connection was closed in order. Two exports run at a time; others get 503 with Retry-After. Needs audit:read.',
      querystring,
      produces: ['application/x-ndjson', 'text/csv', 'application/cloudevents-batch+json'],
      response: {
        200: {
          description: 'The events.',
          content: {
            'application/x-ndjson': { schema: z.any() },
            'text/csv': { schema: z.any() },
            'application/cloudevents-batch+json': { schema: z.any() },
          },
        },
        ...problemResponses(400, 401, 403, 429, 503),
      },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const { format, filter } = askedOf(request, caller);
      if (running >= atOnce) {
        throw commonProblem('unavailable', `${atOnce} exports are running. Ask again later.`, {
          headers: { 'retry-after': '30' },
        });
      }
      running += 1;
      let sent = false;
      const done = () => void (running -= 1);
      try {
        const from = await exportable(store, proofLog, (await logKey(vault))?.verifier);
        const gone = new AbortController();
        request.raw.once('close', () => gone.abort(new Error('The reader is gone.')));
        const events = isWhole(filter) ? from.checkpoint.size : await countOf(from, filter, gone.signal);
        const recorded = { format, filter: conditionsOf(filter), events, tree_size: from.checkpoint.size };
        await recordAccess(
          store,
          { type: 'AuditExported', data: recorded },
          {
            actor: { kind: 'key', id: caller.keyId },
            commandId: crypto.randomUUID(),
            correlationId: request.id,
            at: now(),
          },
        );
        const installation = (await installationOf(store)) ?? '';
        const form = formatOf(format, installation);
        const stream = cutWhenStalled(Readable.from(textOf(from, filter, form), { objectMode: false }));
        stream.once('close', done);
        sent = true;
        return await reply
          .header('cache-control', 'no-store')
          .header('content-disposition', `attachment; filename="${form.file}"`)
          .type(form.mediaType)
          .send(stream);
      } catch (error) {
        if (!(error instanceof ExportError)) throw error;
        throw commonProblem('unavailable', error.message, { headers: { 'retry-after': '30' } });
      } finally {
        if (!sent) done();
      }
    },
  });
  refuseOtherMethods(scope, exportPath, ['GET']);
}

/** What a request asks for. A key of a team asks about its team. @throws Problem, BadQuery */
function askedOf(request: FastifyRequest, caller: Caller) {
  const names = ['format', ...(Object.keys(exportConditions) as (keyof ExportFilter)[])] as const;
  const { format: named, ...given } = readQuery(queryOf(request.raw.url ?? ''), names);
  const format = exportFormat.safeParse(named ?? 'ndjson');
  if (!format.success) throw wrong('format', format.error);
  const parsed = exportFilter.safeParse(given);
  if (!parsed.success) throw wrong(undefined, parsed.error);
  if (caller.kind === 'installation') return { format: format.data, filter: parsed.data };
  const { team = caller.team } = parsed.data;
  if (caller.team === undefined || team !== caller.team) {
    throw resourceProblem('forbidden', 'This key sees the events of its own team.');
  }
  return { format: format.data, filter: { ...parsed.data, team } };
}

function wrong(name: string | undefined, { issues: [issue] }: z.ZodError) {
  const parameter = name ?? String(issue?.path[0]);
  return resourceProblem('invalid_parameter', `${parameter} ${issue?.message ?? 'is not valid'}.`);
}

/** Before anything is sent, because it is recorded. */
export async function countOf(from: Exportable, filter: ExportFilter, signal: AbortSignal): Promise<number> {
  let count = 0;
  for await (const page of provedEvents(from, { filter, proofs: false, signal })) count += page.length;
  return count;
}

/** The text of an export in pieces. A page of events is read when the pieces before it were taken. */
export async function* textOf(
  from: Exportable,
  filter: ExportFilter,
  form: ReturnType<typeof formatOf>,
): AsyncGenerator<string> {
  let text = form.begin;
  let empty = true;
  for await (const page of provedEvents(from, { filter, proofs: false })) {
    for (const event of page) {
      text += `${empty ? '' : form.between}${form.line(event).toString()}`;
      empty = false;
      if (text.length < pieceCharacters) continue;
      yield text;
      text = '';
    }
  }
  yield text + (empty ? form.endEmpty : form.end);
}

/** Ends a stream of which nothing is read any more. */
export function cutWhenStalled(stream: Readable): Readable {
  let timer: NodeJS.Timeout | undefined;
  const restart = () => {
    clearTimeout(timer);
    timer = setTimeout(() => stream.destroy(new Error('The reader takes nothing any more.')), stalledMs);
    timer.unref();
  };
  restart();
  stream.on('data', restart).pause();
  stream.once('close', () => clearTimeout(timer));
  return stream;
}
