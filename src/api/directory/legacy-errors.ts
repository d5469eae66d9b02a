import type { FastifyReply } from 'fastify';

/** The errors of the legacy endpoint, word for word as in interface 7.3 where it defines them. */
export const legacyErrors = {
  key_required: { status: 401, error: 'API key required' },
  key_invalid: { status: 401, error: 'Invalid or inactive API key' },
  domain: { status: 403, error: 'Domain not authorized for this API key' },
  scope: { status: 403, error: 'This API key lacks the scope resources:read' },
  https: { status: 403, error: 'HTTPS required' },
  not_found: { status: 404, error: 'Not found' },
  method: { status: 405, error: 'Method not allowed' },
  gone: { status: 410, error: 'This endpoint is gone; its successor is /dash/api/v1/resources' },
} as const;

export type LegacyError = keyof typeof legacyErrors;

/** An error of the legacy endpoint, in the legacy format. */
export class LegacyRefusal extends Error {
  readonly code: LegacyError;
  readonly status: number;

  constructor(code: LegacyError) {
    super(legacyErrors[code].error);
    this.name = 'LegacyRefusal';
    this.code = code;
    this.status = legacyErrors[code].status;
  }
}

export function sendLegacyError(reply: FastifyReply, status: number, error: string): FastifyReply {
  return reply
    .removeHeader('etag')
    .code(status)
    .headers({ 'cache-control': 'no-store', 'content-type': 'application/json; charset=utf-8' })
    .send(Buffer.from(JSON.stringify({ error })));
}
