import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import { eraseResourcePerson, peopleOfResource } from '../../../commands/directory/resource.ts';
import { defined } from '../../../ground/defined.ts';
import { callerOf } from '../../http/bearer/guard.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { listPath } from '../../read-api.ts';
import { refuseUnknownId } from './manage.ts';
import { commandedRecord, personOfResource } from '../shapes.ts';
import { commanded, type WritingParts } from './writing.ts';
import { refuseUnreadable } from '../../http/idempotency.ts';

const peoplePath = `${listPath}/:svc_id/people`;
const ofOne = z.object({ svc_id: z.string() });

/** The persons whom a resource of one's own directory names or has named, and their erasure. */
export function servePeople(scope: FastifyInstance, parts: WritingParts): void {
  const routes = scope.withTypeProvider<ZodTypeProvider>();
  const { guard, contexts } = parts;
  const described = { tags: ['Directory'], security: [{ key: [] }] };

  routes.get(peoplePath, {
    onRequest: [guard('directory:manage'), refuseUnknownId],
    schema: {
      ...described,
      summary: 'List the persons whom a resource names or has named',
      description:
        'Contacts, and who verified the record: those it names now, those whom a change has removed, and those who were erased. Needs directory:manage.',
      params: ofOne,
      response: {
        200: z.object({ data: z.array(personOfResource) }),
        ...problemResponses(401, 403, 404, 429, 503),
      },
    },
    handler: async (request) => {
      const people = await peopleOfResource(parts, request.params.svc_id, byTeamOf(callerOf(request)));
      return {
        data: people.map(({ person, field, standing, said = null }) => ({
          id: person,
          field,
          standing,
          said,
        })),
      };
    },
  });
  routes.delete(`${peoplePath}/:id`, {
    onRequest: [guard('directory:manage'), refuseUnknownId, refuseUnreadable],
    schema: {
      ...described,
      summary: 'Erase a person from a resource',
      description:
        'Destroys the key under which everything that the resource has ever said about the person is sealed, also in its history. It cannot be undone. Needs directory:manage.',
      params: ofOne.extend({ id: z.string() }),
      response: { 200: commandedRecord, ...problemResponses(401, 403, 404, 409, 422, 429, 503) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { svc_id, id } = request.params;
      const erasing = { person: id, ...byTeamOf(caller) };
      return commanded(parts, await eraseResourcePerson(parts, svc_id, erasing, contexts(request, caller)));
    },
  });
}

const byTeamOf = ({ team }: { readonly team?: string | undefined }) => defined({ asTeam: team });
