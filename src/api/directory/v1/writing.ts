import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { z } from 'zod';
import {
  confirm,
  decide,
  erasePerson,
  revise,
  submit,
  words,
  type Commanded,
  type Decision,
} from '../../../actions/directory/records.ts';
import { resourceChange, resourceInput } from '../../../commands/directory/field-changes.ts';
import { noResource } from '../../../commands/directory/resource-decider.ts';
import { peopleOfResource } from '../../../commands/directory/resource.ts';
import { confirmationData } from '../../../events/directory/upkeep/confirmation.ts';
import { svcId } from '../../../events/directory/resource.ts';
import { callerOf } from '../../http/key-guard.ts';
import { teamOf, type TeamApiParts, refuseUnnamed, serveTeamDoor } from '../../http/team-door.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { listPath } from '../../read-api.ts';
import { recordOf } from '../managed-resource.ts';
import { commandedRecord, personOfResource } from '../shapes.ts';

const recordPath = `${listPath}/:svc_id`;
const noWords = z.strictObject({}).nullish();

/** Submissions for review, and managing the resources of one's own directory (interface 2.3). Others get 404. */
export function serveWriting(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, personal } = parts;
  const answered = {
    answer: commandedRecord,
    show: ({ record }: Commanded) => recordOf(personal, record),
    none: noResource,
  };
  serveTeamDoor(scope, parts, 'Resources', (door) =>
    door.post(listPath, submit, {
      ...answered,
      summary: 'Submit a resource for review',
      description:
        'A team key submits to its own directory, a developer key to the commons. Needs resources:submit. With the same key, GET Location tells what became of it. Send an Idempotency-Key to be able to repeat the request safely.',
      body: resourceInput,
      location: ({ record }) => `${listPath}/${record.svc_id}`,
      namesNothing: true,
    }),
  );
  serveTeamDoor(scope, parts, 'Directory', (door) => {
    const managing = {
      ...answered,
      description: 'For the resources of your own directory. Needs directory:manage.',
    };
    door.post(recordPath, revise, {
      ...managing,
      method: 'PATCH',
      summary: 'Revise a resource',
      body: resourceChange,
    });
    const decision = (name: Decision, summary: string, body: z.ZodType) =>
      door.post(`${recordPath}/${name}`, decide, { ...managing, summary, body, fixed: { decision: name } });
    decision('approve', 'Approve a submission', z.strictObject({ note: words.optional() }).nullish());
    decision('reject', 'Reject a submission', z.strictObject({ reason: words }));
    const reason = z.strictObject({ reason: words.optional() }).nullish();
    decision('deactivate', 'Take a resource out of the directory', reason);
    door.post(`${recordPath}/confirm`, confirm, {
      ...managing,
      summary: 'Confirm that a public resource is still right',
      description:
        'All of it, or the parts named: hours, phones, places. Its date of confirmation becomes today, by the team. Needs directory:manage.',
      body: z.strictObject({ parts: confirmationData.shape.parts }).nullish(),
    });
    decision('reactivate', 'Put a resource back into the directory', noWords);
    door.post(`${recordPath}/people/:id`, erasePerson, {
      ...answered,
      method: 'DELETE',
      summary: 'Erase a person from a resource',
      description:
        'Destroys the key under which everything that the resource has ever said about the person is sealed, also in its history. It cannot be undone. Needs directory:manage.',
    });
  });
  scope.withTypeProvider<ZodTypeProvider>().get(`${recordPath}/people`, {
    onRequest: [guard('directory:manage'), refuseUnnamed({ svc_id: svcId }, noResource)],
    schema: {
      tags: ['Directory'],
      security: [{ key: [] }],
      summary: 'List the persons whom a resource names or has named',
      description:
        'Contacts, and who verified the record: those it names now, those whom a change has removed, and those who were erased. Needs directory:manage.',
      params: z.object({ svc_id: z.string() }),
      response: {
        200: z.object({ data: z.array(personOfResource) }),
        ...problemResponses(401, 403, 404, 429, 503),
      },
    },
    handler: async (request) => {
      const by = { asTeam: teamOf(callerOf(request)) };
      const people = await peopleOfResource(parts, request.params.svc_id, by);
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
}
