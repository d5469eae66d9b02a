import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { memberList } from '../../actions/teams/members.ts';
import { memberRole } from '../../events/teams.ts';
import { type TeamApiParts, serveTeamDoor } from '../http/team-door.ts';

export const membersPath = '/dash/api/v1/members';

/** A member in answers. */
const answer = z.object({
  id: z.uuid().describe('The same id as in webhooks.'),
  name: z.string().nullable().describe('The current name. Null when the person was erased.'),
  email: z.string().nullable().describe('The current address. Null when the person was erased.'),
  role: memberRole,
  since: z.iso.datetime().describe('When the person joined.'),
  erased: z.boolean(),
});

/** The members of a team, for its own keys. */
export const serveMembers = (scope: FastifyInstance, parts: TeamApiParts): void =>
  serveTeamDoor(scope, parts, 'Members', (door) => {
    door.list(membersPath, memberList, {
      summary: 'List members',
      description:
        'The members of your team with their current names, addresses and roles, who joined first first. Needs members:read.',
      answer,
      show: ({ user, name, email, role, joined_at }) => ({
        id: user,
        name,
        email,
        role,
        since: joined_at,
        erased: name === null,
      }),
    });
  });
