import type { FastifyReply, FastifyRequest } from 'fastify';
import { keptForm } from './compression.ts';
import { matches } from './etag.ts';
import type { CachedResponse } from './cached-response.ts';

/** Only the client may cache it, and must revalidate it each time, because the key may have been revoked. */
const cacheControl = 'private, no-cache';
const json = 'application/json; charset=utf-8';

/** Sends a response, or 304 when the client already has it. For admitted requests only. */
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
