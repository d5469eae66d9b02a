import type { FastifyInstance, FastifyReply, FastifyRequest } from 'fastify';
import { setTimeout } from 'node:timers/promises';
import { z } from 'zod';
import type { ServerDependencies } from '../../dependencies.ts';
import type { Guard } from '../../http/key-guard.ts';
import { byteRange } from './byte-range.ts';
import { matches } from '../../http/responses/etag.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { DailyPackage, type Package } from './daily-package.ts';

export const packagePath = '/hsds/package.zip';

/** How long a request waits for the first package. Later ones are made while the one before is served. */
const patienceMs = 20_000;
const retryAfterSeconds = '30';

/** The public dataset as a file. */
export function servePackage(
  scope: FastifyInstance,
  dependencies: ServerDependencies & { readonly guard: Guard },
  vary: string,
): void {
  const { documents, guard, now = () => new Date() } = dependencies;
  const daily = new DailyPackage(documents, now);
  scope.addHook('onClose', () => daily.stop());

  scope.route({
    method: ['GET', 'HEAD'],
    url: packagePath,
    onRequest: guard('resources:read'),
    // The zip is compressed already, and a range is one of its bytes.
    compress: false,
    schema: {
      tags: ['HSDS'],
      summary: 'Load the public dataset',
      description:
        'All public services as an HSDS 3.1 CSV datapackage in a zip file, in the tier of developer keys, made once a day (UTC). Takes If-None-Match and Range. Needs resources:read.',
      security: [{ key: [] }],
      produces: ['application/zip'],
      response: {
        200: { description: 'The zip file.', content: { 'application/zip': { schema: z.any() } } },
        ...problemResponses(401, 403, 429, 503),
      },
    },
    handler: async (request, reply) =>
      sendPackage(daily, await packageFor(daily, request), vary, request, reply),
  });
}

/** The package of today; while it is made, the one before. @throws Problem not_ready */
async function packageFor(daily: DailyPackage, request: FastifyRequest): Promise<Package> {
  const made = daily.today();
  const { finished } = daily;
  if (finished) {
    // The one before is served meanwhile, and the next request tries again.
    made.catch((error: unknown) => request.log.error(error, 'The HSDS package of today could not be made.'));
    return finished;
  }
  const waiting = new AbortController();
  const patience = setTimeout(patienceMs, undefined, { signal: waiting.signal }).catch(() => undefined);
  try {
    const first = await Promise.race([made, patience]);
    if (first) return first;
  } finally {
    waiting.abort();
  }
  made.catch((error: unknown) => request.log.error(error, 'The HSDS package of today could not be made.'));
  throw commonProblem('not_ready', 'The package of today is being made. Ask again later.', {
    headers: { 'retry-after': retryAfterSeconds },
  });
}

async function sendPackage(
  daily: DailyPackage,
  made: Package,
  vary: string,
  request: FastifyRequest,
  reply: FastifyReply,
): Promise<FastifyReply> {
  const { etag, bytes } = made;
  reply.headers({
    etag,
    'last-modified': made.made.toUTCString(),
    'accept-ranges': 'bytes',
    'cache-control': 'private, no-cache',
    vary,
  });
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-disposition', `attachment; filename="hsds-${made.day}.zip"`).type('application/zip');

  const ifRange = request.headers['if-range'];
  const requested = ifRange === undefined || ifRange === etag ? request.headers.range : undefined;
  const range = byteRange(requested, bytes);
  if (range === 'unsatisfiable') {
    return reply
      .code(416)
      .headers({ 'content-range': `bytes */${bytes}`, 'content-length': '0' })
      .send();
  }
  const { first, last } = range ?? { first: 0, last: bytes - 1 };
  if (range) reply.code(206).header('content-range', `bytes ${first}-${last}/${bytes}`);
  reply.header('content-length', String(last - first + 1));
  if (request.method === 'HEAD') return reply.send();
  const file = await daily.open(made);
  return reply.send(file.createReadStream({ start: first, end: last }));
}
