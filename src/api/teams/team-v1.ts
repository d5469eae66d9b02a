import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { close } from '../../actions/teams/closing.ts';
import { rename } from '../../actions/teams/teams.ts';
import { teamInDetail } from '../../actions/teams/usage.ts';
import { teamName } from '../../events/display-name.ts';
import { callerOf } from '../http/key-guard.ts';
import { problemResponses } from '../http/responses/problem-responses.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../http/team-door.ts';

export const teamPath = '/dash/api/v1/team';

const count = z.int().min(0);

/** What a team uses, in answers. */
const uses = z.object({
  members: count,
  invitations: count.describe('That wait.'),
  public_records: count,
  waiting_records: count,
  other_records: count,
  public_organizations: count,
  other_organizations: count,
  sources: count,
  views: count,
  open_forms: count,
  closed_forms: count,
  answers: count.describe('Answers to forms that are kept.'),
  keys: count.describe('That work.'),
  webhooks: count,
  sites: count.describe('Where people can sign in.'),
  payments: count,
  listed_members: count.describe('Members without an account.'),
});

const renamed = z.object({
  slug: z.string().describe('It stands in addresses, and never changes.'),
  name: z.string(),
});

const answer = renamed.extend({
  time_zone: z.string().nullable().describe('Of its records that tell no other.'),
  key_scopes: z.array(z.string()).describe('What its keys may have beside the public scopes.'),
  uses,
});

/** The team of a key: what it is called, what it uses, and how it is closed. */
export function serveTeam(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, now = () => new Date() } = parts;
  const tag = 'Team';
  scope.get(teamPath, {
    onRequest: guard('team:manage'),
    schema: {
      tags: [tag],
      security: [{ key: [] }],
      summary: 'Read your team',
      description: 'What your team is called, and what it uses, in numbers. Needs team:manage.',
      response: { 200: answer, ...problemResponses(401, 403, 429, 503) },
    },
    handler: async (request): Promise<z.output<typeof answer>> => {
      const slug = teamOf(callerOf(request));
      const team = await teamInDetail(parts, slug, now());
      if (!team) throw new Error(`The team ${slug} of a key is not shown.`);
      const { name, time_zone, scopes, uses: used } = team;
      return { slug, name, time_zone: time_zone ?? null, key_scopes: [...scopes], uses: used };
    },
  });
  serveTeamDoor(scope, parts, tag, (door) => {
    door.post(teamPath, rename, {
      method: 'PATCH',
      summary: 'Rename your team',
      description:
        'Gives your team another name. Its slug stays, and every address with it. Needs team:manage.',
      body: z.object({ name: teamName }),
      namesNothing: true,
      answer: renamed,
      show: ({ team, name }) => ({ slug: team, name }),
    });
    door.post(`${teamPath}/close`, close, {
      summary: 'Close your team',
      description:
        'Stops the keys, sites, webhooks and forms of your team, this key included, and takes out what is public of its directory. Nothing is erased. It is opened again in the dashboard or at the command line, because its keys are refused meanwhile. Needs team:manage. Send an Idempotency-Key to be able to repeat the request safely, while the key still works.',
      body: z.object({
        name: z.string().max(1_000).describe('The name of the team as it stands, to confirm.'),
      }),
      namesNothing: true,
      answer: renamed.extend({
        closed: z.boolean(),
        taken_out: count
          .nullable()
          .describe('Records and organizations. Null: they are still being taken out.'),
      }),
      show: ({ team, name, closed, moved }) => ({ slug: team, name, closed, taken_out: moved ?? null }),
    });
  });
}
