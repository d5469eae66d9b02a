import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  add,
  decide,
  erasePerson,
  organizationList,
  revise,
} from '../../../actions/directory/organizations.ts';
import { words, type Decision } from '../../../actions/directory/records.ts';
import { defined } from '../../../ground/defined.ts';
import {
  organizations,
  type OrganizationDocument,
  type OrganizationView,
} from '../../../projections/directory/organizations.ts';
import { tierOf, type Caller } from '../../http/key-lookup.ts';
import { callerOf, insufficientScope } from '../../http/key-guard.ts';
import { type TeamApiParts, serveTeamDoor } from '../../http/team-door.ts';
import { documentedOnly, readParameters } from '../../http/read-parameters.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { commonProblem } from '../../http/responses/errors.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { pageIn, pageOf } from '../../http/team-pages.ts';
import { listQuery, statuses } from '../list-query.ts';
import {
  commandedOrganization,
  organizationRecord,
  showCommanded,
  showOrganizations,
} from '../organization-shape.ts';

export const organizationsPath = '/dash/api/v1/organizations';

const query = z.strictObject({
  limit: listQuery.shape.limit,
  cursor: listQuery.shape.cursor,
  status: z
    .enum(statuses, { error: `must be one of ${statuses.join(', ')}` })
    .optional()
    .describe('Organizations of your own directory with this status. Needs directory:manage.'),
});

/** The organizations that offer services, and managing those of one's own directory. */
export function serveOrganizations(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, personal, masterKey } = parts;
  const collection = documents.collection(organizations.collection);
  const cursors = new ListCursors<readonly (string | number)[]>(masterKey, organizationList.name);
  const { orderBy } = organizationList;

  scope.get(organizationsPath, {
    onRequest: guard('resources:read'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Organizations'],
      security: [{ key: [] }],
      summary: 'List organizations',
      description:
        'Public organizations of all directories in the order of their names, in the tier of the key. Their services name them in organization.id. Needs resources:read.',
      querystring: query,
      response: { 200: pageOf(organizationRecord), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const { limit, cursor, status } = readParameters(request.raw.url ?? '', query);
      const { team } = caller;
      const manages = caller.scopes.has('directory:manage') && team !== undefined;
      if (status !== undefined && !manages) throw insufficientScope('directory:manage');
      const of = JSON.stringify([status === undefined ? null : (team ?? null), status ?? null]);
      const docs = await collection.page({
        where: status === undefined ? { listed: 1 } : { team: team ?? '', status },
        orderBy,
        limit: limit + 1,
        ...defined({ after: cursors.open(cursor, of) }),
      });
      const page = pageIn(docs, limit, (last) =>
        cursors.seal(
          of,
          orderBy.map((field) => last[field] as string),
        ),
      );
      const data = await showOrganizations(personal, page.docs, () =>
        status === undefined ? tierOf(caller) : 'stored',
      );
      return { data, ...page.rest };
    },
  });
  scope.get<{ Params: { org_id: string } }>(`${organizationsPath}/:org_id`, {
    onRequest: guard('resources:read'),
    schema: {
      tags: ['Organizations'],
      security: [{ key: [] }],
      summary: 'Read one organization',
      description:
        'A public organization; with directory:manage also any of your own directory, with what is confidential. Needs resources:read.',
      response: { 200: organizationRecord, ...problemResponses(401, 403, 404, 429, 503) },
    },
    handler: async (request) => {
      const caller = callerOf(request);
      const doc = await collection.get(request.params.org_id);
      const view = doc && viewOf(caller, doc);
      if (!view) throw commonProblem('not_found', 'There is no such organization.');
      const [shown] = await showOrganizations(personal, [doc], () => view);
      return shown;
    },
  });
  serveTeamDoor(scope, parts, 'Directory', (door) => {
    const answered = {
      answer: commandedOrganization,
      show: (done: Parameters<typeof showCommanded>[1]) => showCommanded(personal, done),
      none: organizationList.none,
    };
    door.post(`${organizationsPath}/:org_id`, revise, {
      ...answered,
      method: 'PATCH',
      summary: 'Revise an organization',
      description:
        'For the organizations of your own directory. null removes an optional field. Needs directory:manage.',
      body: revise.input.omit({ org_id: true, seen: true }),
    });
    door.post(organizationsPath, add, {
      ...answered,
      summary: 'Add an organization',
      description:
        'To your own directory. It waits for review. Needs directory:manage. Send an Idempotency-Key to be able to repeat the request safely.',
      body: add.input,
      location: ({ organization }) => `${organizationsPath}/${organization.org_id}`,
      namesNothing: true,
    });
    const decision = (name: Decision, summary: string, body: z.ZodType) =>
      door.post(`${organizationsPath}/:org_id/${name}`, decide, {
        ...answered,
        summary,
        description: 'For the organizations of your own directory. Needs directory:manage.',
        body,
        fixed: { decision: name },
      });
    decision('approve', 'Approve an organization', z.strictObject({ note: words.optional() }).nullish());
    decision('reject', 'Reject an organization', z.strictObject({ reason: words }));
    const reason = z.strictObject({ reason: words.optional() }).nullish();
    decision('deactivate', 'Take an organization out of the directory', reason);
    decision('reactivate', 'Put an organization back into the directory', z.strictObject({}).nullish());
    door.post(`${organizationsPath}/:org_id/people/:id`, erasePerson, {
      ...answered,
      method: 'DELETE',
      summary: 'Erase a person from an organization',
      description:
        'Destroys the key under which everything that the organization has ever said about the person is sealed, also in its history. It cannot be undone. Needs directory:manage.',
    });
  });
}

/** Undefined: the caller may not see it. */
function viewOf(caller: Caller, doc: OrganizationDocument): OrganizationView | undefined {
  if (doc.team === caller.team && caller.scopes.has('directory:manage')) return 'stored';
  return doc.listed === 1 ? tierOf(caller) : undefined;
}
