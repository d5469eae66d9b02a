import type { FastifyRequest } from 'fastify';
import type { CommandContext } from '../../events/metadata.ts';
import { callerOf } from '../http/bearer/guard.ts';
import type { CommandContexts } from '../http/idempotency.ts';

/**
 * The context in which a reading of the audit log is recorded. Each request is a reading of its own, also one that comes
 * again with the same Idempotency-Key: both were answered.
 */
export function readingOf(contexts: CommandContexts, request: FastifyRequest): CommandContext {
  const { actor, at, correlationId } = contexts(request, callerOf(request));
  return {
    actor,
    at,
    ...(correlationId === undefined ? {} : { correlationId }),
    commandId: crypto.randomUUID(),
  };
}
