import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { memberRole } from '../../events/teams/team.ts';
import { members, type MemberDocument } from '../../projections/teams/members.ts';
import { callerOf } from '../http/bearer/guard.ts';
import { teamOf, type TeamApiParts } from '../http/bearer/team-api.ts';
import { documentedOnly } from '../http/documented-only.ts';
import { peopleNamed } from '../../actions/accounts/people-named.ts';
import { pageOf, pageQuery, TeamPages } from '../http/team-pages.ts';
import { problemResponses } from '../http/errors/problem-responses.ts';

export const membersPath = '/dash/api/v1/members';

/** A member in answers. */
const member = z.object({
  id: z.uuid().describe('The same id as in webhooks.'),
  name: z.string().nullable().describe('The current name. Null when the person was erased.'),
  email: z.string().nullable().describe('The current address. Null when the person was erased.'),
  role: memberRole,
  since: z.iso.datetime().describe('When the person joined.'),
  erased: z.boolean(),
});

/** The order of the list: who has been a member longest first. */
const order = ['joined_at', 'user'] as const;

/** The members of a team, for its own keys. */
export function serveMembers(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey } = parts;
  const collection = documents.collection(members.collection);
  const pages = new TeamPages<MemberDocument>(masterKey, 'members', order);

  scope.get(membersPath, {
    onRequest: guard('members:read'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Members'],
      security: [{ key: [] }],
      summary: 'List members',
      description:
        'The members of your team with their current names, addresses and roles, who joined first first. Needs members:read.',
      querystring: pageQuery,
      response: { 200: pageOf(member), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const asked = pages.asked(request.raw.url ?? '', teamOf(callerOf(request)));
      const where = { team: asked.team, status: 'member' } as const;
      const read = await collection.page({ where, orderBy: order, ...asked.reading });
      const { docs, rest } = pages.page(asked, read);
      return { data: await membersOf(parts, docs), ...rest };
    },
  });
}

/** Members with what their accounts say now. */
async function membersOf(
  parts: Pick<TeamApiParts, 'documents' | 'personal'>,
  docs: readonly MemberDocument[],
): Promise<z.output<typeof member>[]> {
  const named = await peopleNamed(
    parts,
    docs.map(({ user }) => user),
  );
  return docs.map(({ user, role, joined_at }) => {
    const person = named.get(user);
    const { name, email } = person ?? { name: null, email: null };
    return { id: user, name, email, role, since: joined_at, erased: person === undefined };
  });
}
