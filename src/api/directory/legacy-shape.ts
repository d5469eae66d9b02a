import { z } from 'zod';
import { legacyErrors } from './legacy-errors.ts';
import { defaultLimit, maximumLimit } from './legacy-query.ts';
import { listPath } from '../read-api.ts';
import { legacyList } from './shapes.ts';

/** The legacy endpoint in the API reference, in the words of interface 4.3 and 7.3. Used for documentation only. */
export const legacyShape = {
  tags: ['Legacy'],
  summary: 'List resources (deprecated)',
  description: `A paginated list of approved, active resources. Sunset on 2026-10-20; use ${listPath}. Page on by raising offset by limit, and stop when has_more is false. It refuses no parameter: what is wrong counts as not given.`,
  deprecated: true,
  security: [{ legacyKey: [] }, { legacyKeyInQuery: [] }],
  // The parameter `key` is documented as a security scheme.
  querystring: z.object({
    category: z
      .string()
      .describe('Category slug filter; all categories without it. An invalid slug is silently ignored.')
      .optional(),
    limit: z
      .int()
      .default(defaultLimit)
      .describe(`Page size. Maximum ${maximumLimit}; larger values are clamped to ${maximumLimit}.`),
    offset: z.int().default(0).describe('Records to skip.'),
    q: z
      .string()
      .describe(
        'What somebody looks for. The most relevant come first; total is left out when more than 1,000 match.',
      )
      .optional(),
    near: z
      .string()
      .describe(
        'A place as in the list of version 1: only what is around it, the nearest first, each with distance_km. Where nobody knows the place, near of the answer is null, and the records are from everywhere.',
      )
      .optional(),
    team: z
      .string()
      .describe('The slug of a team: only records of that team. Of a slug that nobody has there are none.')
      .optional(),
    lang: z
      .string()
      .describe(
        'The code of a language of the pages: distance_in_words, hours_in_words and confirmed_in_words are then in it, and nearest_location tells which of the locations is meant.',
      )
      .optional(),
  }),
  response: {
    200: answer('One page.', legacyList),
    401: refusal(401),
    403: refusal(403),
    410: refusal(410),
    503: answer('The service is starting, or a store is away.', z.object({ error: z.string() })),
  },
};

/** Headers of every answer of the endpoint (interface 4.3). */
function answer(description: string, schema: z.ZodType) {
  return {
    description,
    content: { 'application/json': { schema } },
    headers: {
      'X-Service-Deprecated': { type: 'string', enum: ['true'] },
      Sunset: { type: 'string', description: 'The day of the sunset (RFC 8594).' },
      'Access-Control-Allow-Origin': { type: 'string', enum: ['*'] },
    },
  };
}

function refusal(status: number) {
  const texts = Object.values(legacyErrors).flatMap((each) => (each.status === status ? [each.error] : []));
  return answer(texts.join('; '), z.object({ error: z.enum(texts as [string, ...string[]]) }));
}
