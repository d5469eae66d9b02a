import type { FastifyInstance, FastifyRequest, onRequestHookHandler } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { commandResource, type CommandOnResource } from '../../../commands/directory/resource.ts';
import { line } from '../../../events/define.ts';
import { integerOfSvcId } from '../../../events/ids.ts';
import { defined } from '../../../ground/defined.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { callerOf } from '../../http/bearer/guard.ts';
import { listPath } from '../../read-api.ts';
import { resourceChange } from '../../../commands/directory/field-changes.ts';
import { commandedRecord } from '../shapes.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { commanded, type WritingParts } from './writing.ts';
import { refuseUnreadable } from '../../http/idempotency.ts';

const words = line(2_000);
const nothing = z.strictObject({}).nullish();
const answers = {
  200: commandedRecord,
  ...problemResponses(400, 401, 403, 404, 409, 413, 415, 422, 429, 503),
};

/** Managing the resources of one's own directory (interface 2.3). Others get 404. */
export function manageResources(scope: FastifyInstance, parts: WritingParts): void {
  const { guard, contexts } = parts;
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const onRequest = [guard('directory:manage'), refuseUnknownId, refuseUnreadable];
  const described = (summary: string) => ({
    tags: ['Directory'],
    summary,
    description: 'For the resources of your own directory. Needs directory:manage.',
    security: [{ key: [] }],
    response: answers,
  });
  const command = async (request: FastifyRequest, asked: CommandOnResource) => {
    const caller = callerOf(request);
    const mine = caller.team === undefined ? asked : { ...asked, asTeam: caller.team };
    const outcome = await commandResource(parts, svcIdOf(request), mine, contexts(request, caller));
    return commanded(parts, outcome);
  };

  routes.patch(`${listPath}/:svc_id`, {
    onRequest,
    schema: { ...described('Revise a resource'), body: resourceChange },
    handler: (request) => command(request, { kind: 'revise', change: request.body }),
  });
  routes.post(`${listPath}/:svc_id/approve`, {
    onRequest,
    schema: {
      ...described('Approve a submission'),
      body: z.strictObject({ note: words.optional() }).nullish(),
    },
    handler: (request) => command(request, { kind: 'approve', ...defined({ note: request.body?.note }) }),
  });
  routes.post(`${listPath}/:svc_id/reject`, {
    onRequest,
    schema: { ...described('Reject a submission'), body: z.strictObject({ reason: words }) },
    handler: (request) => command(request, { kind: 'reject', reason: request.body.reason }),
  });
  routes.post(`${listPath}/:svc_id/deactivate`, {
    onRequest,
    schema: {
      ...described('Take a resource out of the directory'),
      body: z.strictObject({ reason: words.optional() }).nullish(),
    },
    handler: (request) =>
      command(request, { kind: 'deactivate', ...defined({ reason: request.body?.reason }) }),
  });
  routes.post(`${listPath}/:svc_id/reactivate`, {
    onRequest,
    schema: { ...described('Put a resource back into the directory'), body: nothing },
    handler: (request) => command(request, { kind: 'reactivate' }),
  });
}

const svcIdOf = ({ params }: FastifyRequest): string => (params as { readonly svc_id: string }).svc_id;

/** Refuses an id with a wrong checksum without reading a store. */
export const refuseUnknownId: onRequestHookHandler = (request, _reply, done) => {
  if (integerOfSvcId(svcIdOf(request)) === undefined) {
    throw commonProblem('not_found', 'There is no such resource in your directory.');
  }
  done();
};
