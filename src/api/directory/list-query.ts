import { z } from 'zod';
import { category } from '../../events/directory/category.ts';
import { wordsOf } from '../../stores/documents/port.ts';
import { queryOf, readQuery } from '../http/query-string.ts';
import type { Cursor, Cursors, Filter, Place } from './cursor.ts';
import { resourceProblem } from '../http/api-errors.ts';

/** The most words that a search may have. */
const maximumWords = 20;

export const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;

/** The query of the list, checked and documented by one schema. */
export const listQuery = z.strictObject({
  limit: z
    .int({ error: 'must be a whole number' })
    .min(1, { error: 'must be at least 1' })
    .max(100, { error: 'must be at most 100' })
    .default(25)
    .describe('Page size.'),
  cursor: z
    .string()
    .max(4_000, { error: 'is too long' })
    .optional()
    .describe('next_cursor of the page before. The filters need not be repeated and must not differ.'),
  category: category.optional().describe('Only resources of this category.'),
  q: z
    .string()
    .max(200, { error: 'must be at most 200 characters' })
    .refine((value) => value.isWellFormed(), { error: 'contains ill-formed Unicode' })
    .transform((value) => [...wordsOf(value)])
    .refine((words) => words.length > 0, { error: 'must have at least one letter or digit' })
    .refine((words) => words.length <= maximumWords, { error: `must be at most ${maximumWords} words` })
    .transform((words) => [...new Set(words)].join(' '))
    .optional()
    .describe('Words of which each must begin a word of the resource.'),
  updated_since: z
    .union([z.iso.datetime({ offset: true }), z.iso.date()], {
      error: 'must be an ISO 8601 time with its offset',
    })
    .transform((value) => new Date(value).toISOString())
    .refine((value) => /^\d{4}-/.test(value), { error: 'is out of range' })
    .optional()
    .describe('Only resources changed at or after this time, in the order of their changes.'),
  status: z
    .enum(statuses, { error: `must be one of ${statuses.join(', ')}` })
    .optional()
    .describe(
      'Resources of your own directory in this state. Needs directory:manage; no other filter goes with it.',
    ),
});

const names = Object.keys(listQuery.shape) as (keyof typeof listQuery.shape)[];

/** The parsed query. A cursor in it has been replaced by its filter and place. */
export interface ListQuery {
  readonly filter: Filter;
  readonly place: Place | undefined;
  readonly limit: number;
}

/**
 * Reads the query of a request. `team`: the team whose directory `status` refers to.
 * @throws Problem, BadQuery naming the parameter
 */
export function readListQuery(target: string, team: string | undefined, cursors: Cursors): ListQuery {
  const { limit, ...values } = readQuery(queryOf(target), names);
  const asked = listQuery.safeParse({
    ...values,
    ...(limit === undefined ? {} : { limit: /^\d{1,9}$/.test(limit) ? Number(limit) : limit }),
  });
  if (!asked.success) {
    const [issue] = asked.error.issues;
    throw resourceProblem(
      'invalid_parameter',
      `${String(issue?.path[0])} ${issue?.message ?? 'is not valid'}.`,
    );
  }
  const { cursor: sealed, category, q: words, updated_since: updatedSince, status } = asked.data;
  const filter: Filter = { category, words, updatedSince, status, team: status && team };
  refuseMixed(filter);
  if (sealed === undefined) return { filter, place: undefined, limit: asked.data.limit };
  const cursor = cursors.open(sealed);
  if (!cursor)
    throw resourceProblem('invalid_cursor', 'The cursor was not given out by this service, or was changed.');
  refuseDisagreement(cursor, filter, team);
  return { ...cursor, limit: asked.data.limit };
}

function refuseMixed({ category, words, updatedSince, status }: Filter): void {
  if (status === undefined) return;
  const other = category ? 'category' : words ? 'q' : updatedSince ? 'updated_since' : undefined;
  if (other) throw resourceProblem('invalid_parameter', `status cannot be combined with ${other}.`);
}

function refuseDisagreement(cursor: Cursor, asked: Filter, team: string | undefined): void {
  const parameters = {
    category: 'category',
    words: 'q',
    updatedSince: 'updated_since',
    status: 'status',
  } as const;
  for (const [field, name] of Object.entries(parameters) as [keyof typeof parameters, string][]) {
    if (asked[field] !== undefined && asked[field] !== cursor.filter[field]) {
      throw resourceProblem('invalid_cursor', `The cursor belongs to a list with another ${name}.`);
    }
  }
  if (cursor.filter.team !== undefined && cursor.filter.team !== team) {
    throw resourceProblem('invalid_cursor', 'The cursor belongs to the list of another directory.');
  }
}
