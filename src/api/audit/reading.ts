import type { FastifyRequest } from 'fastify';
import type { ActionRequest } from '../../actions/perform.ts';
import { defined } from '../../ground/defined.ts';
import { callerOf } from '../http/key-guard.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import type { CommandContexts } from '../http/idempotency.ts';

/**
 * Who reads the audit log by a request, and in which context it is recorded: a key of a team reads of its team, a key of the
 * installation everything. Each request is a reading of its own, also one that comes again with the same Idempotency-Key:
 * both were answered. @throws Problem
 */
export function readerOf(
  contexts: CommandContexts,
  request: FastifyRequest,
): Pick<ActionRequest, 'who' | 'context'> {
  const caller = callerOf(request);
  const { kind, scopes } = caller;
  if (kind !== 'installation' && caller.team === undefined)
    throw resourceProblem('forbidden', 'This key belongs to no team.');
  const { team } = kind === 'installation' ? {} : caller;
  return {
    who: { kind: 'key', scopes, ...defined({ team }) },
    context() {
      const { actor, at, correlationId } = contexts(request, caller);
      return { actor, at, commandId: crypto.randomUUID(), ...defined({ correlationId }) };
    },
  };
}
