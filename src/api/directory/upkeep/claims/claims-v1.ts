import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import {
  approve,
  claimList,
  end,
  refuse,
  type Claim,
} from '../../../../actions/directory/upkeep/claims/claims.ts';
import { words } from '../../../../actions/directory/records.ts';
import { claimEnders, claimId } from '../../../../events/directory/upkeep/claim.ts';
import { defined } from '../../../../ground/defined.ts';
import {
  claims,
  claimsQuery,
  claimStatuses,
  type ClaimStatus,
} from '../../../../projections/directory/upkeep/claims.ts';
import { callerOf } from '../../../http/key-guard.ts';
import { ListCursors } from '../../../http/list-cursors.ts';
import { documentedOnly } from '../../../http/read-parameters.ts';
import { problemResponses } from '../../../http/responses/problem-responses.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../../../http/team-door.ts';
import { pageIn, pageOf } from '../../../http/team-pages.ts';
import { readStatusQuery, statusListQuery, type StatusCursors } from '../../v1/status-query.ts';

export const claimsPath = '/dash/api/v1/claims';

const time = z.iso.datetime();

/** A claim in answers. The address is not in it. */
const claim = z.object({
  id: claimId,
  svc_id: z.string().describe('The record on whose page it was asked.'),
  host: z
    .string()
    .describe('The host of the website, at which they proved an address once proven_at is there.'),
  status: z
    .enum(claimStatuses)
    .describe('begun: a mail was sent; proven: waits for the team; approved: they keep the records.'),
  reason: z.string().nullable().describe('The words of a refusal.'),
  ended_by: z.enum(claimEnders).nullable(),
  begun_at: time,
  proven_at: time.nullable(),
  settled_at: time.nullable(),
});

const showClaim = (shown: Claim): z.output<typeof claim> => ({
  id: shown.claim,
  svc_id: shown.svc_id,
  host: shown.host,
  status: shown.status,
  reason: shown.reason ?? null,
  ended_by: shown.ended_by ?? null,
  begun_at: shown.begun_at,
  proven_at: shown.proven_at ?? null,
  settled_at: shown.settled_at ?? null,
});

const querystring = statusListQuery(claimStatuses, 'claims');

/** Who keeps the records of their organization, or wants to, for reviewers of one's own directory. */
export function serveClaims(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey } = parts;
  const collection = documents.collection(claims.collection);
  const cursors: StatusCursors<ClaimStatus> = new ListCursors(masterKey, claimList.name);

  scope.get(claimsPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Directory'],
      security: [{ key: [] }],
      summary: 'List claims',
      description:
        'Who keeps the records of their organization in your own directory, or wants to: those that wait first, the oldest first. Needs directory:manage.',
      querystring,
      response: { 200: pageOf(claim), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const { status, place, limit } = readStatusQuery(request.raw.url ?? '', querystring, team, cursors);
      const query = claimsQuery({ team, status });
      const docs = await collection.page({ ...query, limit: limit + 1, ...defined({ after: place }) });
      const page = pageIn(docs, limit, (last) =>
        cursors.seal(team, [status ?? null, query.orderBy.map((field) => last[field])]),
      );
      return { data: (await claimList.open(parts, page.docs)).map(showClaim), ...page.rest };
    },
  });
  serveTeamDoor(scope, parts, 'Directory', (door) => {
    const settled = { answer: claim, show: showClaim, none: claimList.none };
    door.one(`${claimsPath}/:id`, claimList, {
      answer: claim,
      show: showClaim,
      summary: 'Read a claim',
      description: 'A claim of records of your own directory. Needs directory:manage.',
    });
    door.post(`${claimsPath}/:id/approve`, approve, {
      ...settled,
      summary: 'Approve a claim',
      description:
        'Those who proved it keep the records of the organization at that host, and get a link by mail. Needs directory:manage.',
    });
    door.post(`${claimsPath}/:id/refuse`, refuse, {
      ...settled,
      summary: 'Refuse a claim',
      description: 'The address cannot ask again. Whoever proved it gets a mail. Needs directory:manage.',
      body: z.strictObject({ reason: words.optional().describe('Is mailed to them.') }),
    });
    door.post(`${claimsPath}/:id/end`, end, {
      ...settled,
      summary: 'End a claim',
      description: 'Its link stops at once, and the address is erased. Needs directory:manage.',
    });
  });
}
