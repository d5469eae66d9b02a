import type { FastifyReply, FastifyRequest } from 'fastify';
import { etagOf, matches } from './etag.ts';

/**
 * Sends a public response that may be cached for a while, or 304 when the client already has it (RFC 9110 section
 * 15.4.5).
 */
export function sendCacheable(
  body: string,
  headers: Readonly<Record<string, string>>,
  request: FastifyRequest,
  reply: FastifyReply,
): FastifyReply {
  const etag = etagOf(body);
  reply.headers({ ...headers, etag });
  return matches(request.headers['if-none-match'], etag) ? reply.code(304).send() : reply.send(body);
}
