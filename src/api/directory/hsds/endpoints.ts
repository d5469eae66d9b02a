import type { FastifyInstance } from 'fastify';
import { referencePath } from '../../reference-page.ts';
import { addressOf, type ServerDependencies } from '../../dependencies.ts';
import { callerOf, type Guard } from '../../http/key-guard.ts';
import { documentedOnly } from '../../http/read-parameters.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { sendMoved } from '../../pages/redirects.ts';
import { sendResponse } from '../../http/responses/send-response.ts';
import { hsdsOrganizations, organizationsPath } from './organizations.ts';
import { servePackage } from './package.ts';
import { organizationsQuery, servicesQuery } from './query.ts';
import { hsdsPath, hsdsServices, servicesPath } from './services.ts';
import { apiInformation, organization, organizationsPage, service, servicesPage } from './shapes.ts';

const tags = ['HSDS'];
const security = [{ key: [] }];

/** Open Referral's own API (HSDS 3.1): the public directory for programs that speak it. */
export function serveHsds(
  scope: FastifyInstance,
  dependencies: ServerDependencies & { readonly guard: Guard },
  vary: string,
): void {
  const services = hsdsServices(dependencies);
  const onRequest = dependencies.guard('resources:read');
  // Never the Host of the request, which whoever asks may choose, and a cache may keep.
  const address = addressOf(dependencies.config, scope);
  const information = () => ({
    version: '3.1',
    profile: address() + referencePath,
    openapi_url: `${address()}/openapi.json`,
  });
  scope.get(hsdsPath, { schema: { hide: true }, handler: information });
  scope.get(`${hsdsPath}/`, {
    schema: {
      tags,
      summary: 'About this API',
      description: 'The version of HSDS that it speaks, and where it is described. Needs no key.',
      response: { 200: apiInformation },
    },
    handler: information,
  });
  scope.get(servicesPath, {
    onRequest,
    validatorCompiler: documentedOnly,
    schema: {
      tags,
      summary: 'List services',
      description:
        'Public resources as HSDS services, by page number, in the tier of the key. What follows a directory uses the feed of changes instead: pages shift when resources come and go. Needs resources:read.',
      security,
      querystring: servicesQuery,
      response: { 200: servicesPage, ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(
        await services.list(request.raw.url ?? '', callerOf(request), request.raw.socket),
        vary,
        request,
        reply,
      ),
  });
  scope.get<{ Params: { id: string } }>(`${servicesPath}/:id`, {
    onRequest,
    schema: {
      tags,
      summary: 'Read one service',
      description:
        'A public resource with all that belongs to it, in the tier of the key. One that was merged into another answers 308 with the address of that. Needs resources:read.',
      security,
      response: { 200: service, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request, reply) => {
      const answer = await services.one(request.params.id, callerOf(request));
      if ('movedTo' in answer) return sendMoved(reply, answer.movedTo);
      return sendResponse(answer, vary, request, reply);
    },
  });
  const organizations = hsdsOrganizations(dependencies);
  scope.get(organizationsPath, {
    onRequest,
    validatorCompiler: documentedOnly,
    schema: {
      tags,
      summary: 'List organizations',
      description:
        'Public organizations in the order of their names, by page number, in the tier of the key. An organization that has no record of its own is not among them. Needs resources:read.',
      security,
      querystring: organizationsQuery,
      response: { 200: organizationsPage, ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(await organizations.list(request.raw.url ?? '', callerOf(request)), vary, request, reply),
  });
  scope.get<{ Params: { id: string } }>(`${organizationsPath}/:id`, {
    onRequest,
    schema: {
      tags,
      summary: 'Read one organization',
      description:
        'A public organization with its phones and locations, in the tier of the key. Also by the id that it had before it had a record of its own. Its services: GET /hsds/services?organization_id=. Needs resources:read.',
      security,
      response: { 200: organization, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request, reply) =>
      sendResponse(await organizations.one(request.params.id, callerOf(request)), vary, request, reply),
  });
  servePackage(scope, dependencies, vary);
}
