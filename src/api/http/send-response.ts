import type { FastifyReply, FastifyRequest } from 'fastify';
import { keptForm } from './caching/compression.ts';
import { matches } from './caching/etag.ts';
import type { CachedResponse } from './caching/cached-response.ts';

/** Kept by nobody but who asked, and asked about each time: the key may have been revoked meanwhile. */
const cacheControl = 'private, no-cache';
const json = 'application/json; charset=utf-8';

/** Sends a finished answer, or 304 to who has it already. Only for requests that were let in. */
export function sendResponse(
  answer: CachedResponse,
  vary: string,
  request: FastifyRequest,
  reply: FastifyReply,
): string | Buffer | FastifyReply {
  const { etag, link } = answer;
  reply.headers(
    link === undefined
      ? { etag, vary, 'cache-control': cacheControl }
      : { etag, vary, link, 'cache-control': cacheControl },
  );
  if (matches(request.headers['if-none-match'], etag)) return reply.code(304).send();
  reply.header('content-type', json);
  return keptForm(answer, request, reply) ?? answer.body;
}
