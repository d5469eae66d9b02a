import type { FastifyPluginCallback, FastifyReply, FastifyRequest } from 'fastify';
import { baseOf, type ServerDependencies } from '../../dependencies.ts';
import { documentedOnly } from '../../http/read-parameters.ts';
import { commandContexts } from '../../http/idempotency.ts';
import { sendResponse } from '../../http/responses/send-response.ts';
import { callerOf, type Guard } from '../../http/key-guard.ts';
import { serveBulkActions } from './bulk-actions.ts';
import { serveChanges } from './changes.ts';
import { serveDuplicates } from './duplicates.ts';
import { serveImports } from './imports.ts';
import { serveViews } from './views.ts';
import { serveHsds } from '../hsds/endpoints.ts';
import { listPath } from '../../read-api.ts';
import { listOf } from './list.ts';
import { listQuery } from '../list-query.ts';
import { serveOrganizations } from './organizations.ts';
import { resourceById } from './resource-by-id.ts';
import { serveReports } from './reports.ts';
import { serveSuggestions } from './suggestions.ts';
import { oneRecord, recordList } from '../shapes.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { serveClaims } from '../upkeep/claims/claims-v1.ts';
import { serveAsking } from '../upkeep/asking/asking-v1.ts';
import { serveNeeds } from '../upkeep/needs-v1.ts';
import { serveWriting } from './writing.ts';

declare module 'fastify' {
  interface FastifyRequest {
    /** The stamp of the list when the request arrived. */
    listStamp: Promise<string | undefined> | undefined;
  }
}

const security = [{ key: [] }];
const vary = 'authorization, accept-encoding, origin';

/**
 * The service API (interface 4.2): list, read, follow changes, submit, and manage one's own directory. The HSDS API has
 * the same keys.
 */
export const resourcesV1: FastifyPluginCallback<ServerDependencies & { readonly guard: Guard }> = (
  scope,
  dependencies,
  done,
) => {
  const { guard } = dependencies;
  const list = listOf(dependencies);
  const one = resourceById(dependencies);
  const contexts = commandContexts(dependencies.masterKey, dependencies.now ?? (() => new Date()));
  const parts = { ...dependencies, contexts, base: baseOf(dependencies) };

  scope.decorateRequest('caller', undefined);
  scope.decorateRequest('listStamp', undefined);
  /** In the same tick as the guard's look-up of the key, so that both share one command to the server. */
  const askStamp = (request: FastifyRequest, _: FastifyReply, next: () => void) => {
    request.listStamp = list.stamp(request.raw.socket);
    // Prevents an unhandled rejection. A request that passes the guard awaits the stamp and gets the error.
    request.listStamp.catch(() => undefined);
    next();
  };
  scope.get(listPath, {
    onRequest: [askStamp, guard('resources:read')],
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Resources'],
      summary: 'List resources',
      description:
        'Public resources of all directories, in the order of their numbers unless a parameter says otherwise. Needs resources:read.',
      security,
      querystring: listQuery,
      response: { 200: recordList, ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(
        await list.answer(request.raw.url ?? '', callerOf(request), await request.listStamp),
        vary,
        request,
        reply,
      ),
  });
  scope.get<{ Params: { svc_id: string } }>(`${listPath}/:svc_id`, {
    onRequest: guard('resources:read'),
    schema: {
      tags: ['Resources'],
      summary: 'Read one resource',
      description:
        'A public resource; with the key that submitted it also what became of it: status, submitted_at and review_note. With directory:manage also any resource of your own directory. One that was merged into another answers 410 with merged_into.',
      security,
      response: { 200: oneRecord, ...problemResponses(401, 403, 404, 410, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(await one(request.params.svc_id, callerOf(request)), vary, request, reply),
  });
  serveChanges(scope, parts, vary);
  serveHsds(scope, parts, vary);
  serveWriting(scope, parts);
  serveReports(scope, parts);
  serveSuggestions(scope, parts);
  serveClaims(scope, parts);
  serveNeeds(scope, parts);
  serveAsking(scope, parts);
  serveOrganizations(scope, parts);
  serveBulkActions(scope, parts);
  serveDuplicates(scope, parts);
  serveViews(scope, parts);
  serveImports(scope, parts);
  done();
};
