import type { FastifyInstance } from 'fastify';
import type { ZodTypeProvider } from 'fastify-type-provider-zod';
import { resourceInput } from '../../../commands/directory/field-changes.ts';
import { submitResource } from '../../../commands/directory/resource.ts';
import { commons } from '../../../commands/teams/team.ts';
import { callerOf } from '../../http/bearer/guard.ts';
import { listPath } from '../../read-api.ts';
import { commandedRecord } from '../shapes.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { commanded, type WritingParts } from './writing.ts';
import { refuseUnreadable } from '../../http/idempotency.ts';

/** Submissions for review: to the team's own directory, or to the commons for callers without a team. */
export function submitResources(scope: FastifyInstance, parts: WritingParts): void {
  const { guard, contexts, base } = parts;
  scope.withTypeProvider<ZodTypeProvider>().post(listPath, {
    onRequest: [guard('resources:submit'), refuseUnreadable],
    schema: {
      tags: ['Resources'],
      summary: 'Submit a resource for review',
      description:
        'A team key submits to its own directory, a developer key to the commons. Needs resources:submit. With the same key, GET Location tells what became of it. Send an Idempotency-Key to be able to repeat the request safely.',
      security: [{ key: [] }],
      body: resourceInput,
      response: { 201: commandedRecord, ...problemResponses(400, 401, 403, 409, 413, 415, 422, 429, 503) },
    },
    handler: async (request, reply) => {
      const caller = callerOf(request);
      const team = caller.team ?? commons.team;
      const outcome = await submitResource(parts, { team, fields: request.body }, contexts(request, caller));
      const answer = await commanded(parts, outcome);
      return reply.code(201).header('location', `${base}${listPath}/${answer.svc_id}`).send(answer);
    },
  });
}
