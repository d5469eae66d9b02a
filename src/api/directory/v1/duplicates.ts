import type { FastifyInstance } from 'fastify';
import { z } from 'zod';
import { duplicateGroups, type DuplicateGroup } from '../../../actions/directory/duplicates.ts';
import { dismiss, merge, undoMerge } from '../../../actions/directory/merge.ts';
import { noResource } from '../../../commands/directory/resource-decider.ts';
import { likenesses } from '../../../events/directory/merges.ts';
import { numberIn } from '../../../events/ids.ts';
import { fieldsIn } from '../../../projections/directory/document-fields.ts';
import { resources } from '../../../projections/directory/resources.ts';
import { callerOf } from '../../http/key-guard.ts';
import { ListCursors } from '../../http/list-cursors.ts';
import { documentedOnly, readParameters } from '../../http/read-parameters.ts';
import { problemResponses } from '../../http/responses/problem-responses.ts';
import { serveTeamDoor, teamOf, type TeamApiParts } from '../../http/team-door.ts';
import { pageIn, pageOf, pageQuery } from '../../http/team-pages.ts';
import { listPath } from '../../read-api.ts';
import { statuses } from '../list-query.ts';

export const duplicatesPath = '/dash/api/v1/duplicates';

const inCommon = z.array(z.enum(likenesses));
const group = z.object({
  in_common: inCommon.describe('What at least two of them have in common.'),
  records: z.array(z.object({ svc_id: z.string(), name: z.string(), status: z.enum(statuses) })),
});

/** Where a group is in the order of all: it goes on there also when the group is merged meanwhile. */
type Place = readonly [nameKey: string, first: number];
const placeOf = ({ nameKey, records: [first = ''] }: DuplicateGroup): Place => [
  nameKey,
  numberIn(first) ?? 0,
];
const isAfter = ([name, first]: Place, [otherName, other]: Place): boolean =>
  name === otherName ? first > other : name > otherName;

const merged = z.object({
  svc_id: z.string().describe('The record that went.'),
  merged_into: z.string().describe('The record that stays.'),
});

/** Records of one's own directory that are probably the same, and merging them. */
export function serveDuplicates(scope: FastifyInstance, parts: TeamApiParts): void {
  const { guard, documents, masterKey } = parts;
  const cursors = new ListCursors<Place>(masterKey, 'duplicates');

  scope.get(duplicatesPath, {
    onRequest: guard('directory:manage'),
    validatorCompiler: documentedOnly,
    schema: {
      tags: ['Duplicates'],
      security: [{ key: [] }],
      summary: 'List duplicates',
      description:
        'Records of your own directory that are probably the same, in groups: one name, with a phone, an address or a web page in common. In the order of their names. Needs directory:manage.',
      querystring: pageQuery,
      response: { 200: pageOf(group), ...problemResponses(400, 401, 403, 429, 503) },
    },
    handler: async (request) => {
      const team = teamOf(callerOf(request));
      const { limit, cursor } = readParameters(request.raw.url ?? '', pageQuery);
      const after = cursors.open(cursor, team);
      const all = await duplicateGroups(documents, team);
      const next = after ? all.filter((each) => isAfter(placeOf(each), after)) : all;
      const page = pageIn(next.slice(0, limit + 1), limit, (last) => cursors.seal(team, placeOf(last)));
      const docs = await documents
        .collection(resources.collection)
        .getMany(page.docs.flatMap(({ records }) => records));
      const data = page.docs.map((each) => ({
        in_common: each.inCommon,
        records: each.records.flatMap((svc_id) => {
          const doc = docs.get(svc_id);
          return doc ? [{ svc_id, name: fieldsIn(doc, 'developer').name, status: doc.status }] : [];
        }),
      }));
      return { data, ...page.rest };
    },
  });
  serveTeamDoor(scope, parts, 'Duplicates', (door) => {
    const shared = { none: noResource };
    door.post(`${listPath}/:svc_id/merge`, merge, {
      ...shared,
      summary: 'Merge a resource into another one',
      description:
        'The resource of the address goes: it is public no more, reading it answers 410 with merged_into, and what its source says of it arrives at the one that stays. take names the fields that the one that stays takes from it; fields that belong together are taken together. Both are of your own directory. Needs directory:manage.',
      body: z.strictObject(merge.input.omit({ svc_id: true, seen: true }).shape),
      answer: merged,
      show: ({ duplicate, survivor }) => ({ svc_id: duplicate, merged_into: survivor }),
    });
    door.post(`${listPath}/:svc_id/unmerge`, undoMerge, {
      ...shared,
      summary: 'Undo a merge',
      description:
        'The resource of the address stands for itself again, as before. The one that stayed gives back what it took, where nobody has changed it since: left names the fields that stay. Needs directory:manage.',
      answer: z.object({ svc_id: z.string(), left: z.array(z.string()) }),
      show: ({ duplicate, left }) => ({ svc_id: duplicate, left: [...left] }),
    });
    door.post(`${listPath}/:svc_id/dismiss-duplicates`, dismiss, {
      ...shared,
      summary: 'Say that resources are no duplicates',
      description:
        'Of the group in which the resource of the address is. It is shown again when the resources have more in common. Needs directory:manage.',
      answer: z.object({ records: z.array(z.string()), in_common: inCommon }),
      show: ({ records, inCommon: common }) => ({ records: [...records], in_common: [...common] }),
    });
  });
}
