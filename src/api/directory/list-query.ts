import { pageQuery } from '../http/team-pages.ts';
import { z } from 'zod';
import { category } from '../../events/directory/category.ts';
import { defined } from '../../ground/defined.ts';
import { invalidCursor } from '../http/list-cursors.ts';
import { readParameters } from '../http/read-parameters.ts';
import { resourceProblem } from '../http/responses/api-errors.ts';
import type { Cursors, Filter, Place } from './cursor.ts';
import { defaultRadiusKm, largestRadiusKm, type SearchQuery } from './search/search-query.ts';
import { facetNames, sorts, type Facet } from './search/request.ts';
import type { SearchCursor, SearchCursors } from './search/search-cursor.ts';

export const statuses = ['submitted', 'approved', 'rejected', 'inactive'] as const;

/** The longest text of a search. */
export const longestText = 200;
/** The longest name of a place. */
export const longestPlaceText = 120;

const wellFormed = (schema: z.ZodString) =>
  schema.refine((value) => value.isWellFormed(), { error: 'contains ill-formed Unicode' });
/** A text of a filter. An empty one is none. */
const text = (longest: number) =>
  wellFormed(z.string().max(longest, { error: `must be at most ${longest} characters` }))
    .transform((value) => (value.trim() === '' ? undefined : value))
    .optional();
const yesOrNo = z.enum(['true', 'false'], { error: 'must be true or false' }).optional();
const instant = z
  .union([z.iso.datetime({ offset: true }), z.iso.date()], {
    error: 'must be an ISO 8601 time with its offset',
  })
  .transform((value) => new Date(value).toISOString())
  .refine((value) => /^\d{4}-/.test(value), { error: 'is out of range' })
  .optional();

/** The query of the list, checked and documented by one schema. */
export const listQuery = z.strictObject({
  limit: pageQuery.shape.limit,
  cursor: pageQuery.shape.cursor.describe(
    'next_cursor of the page before. The filters need not be repeated and must not differ.',
  ),
  q: text(longestText).describe(
    'What somebody looks for: a need, a name, a place, a phone number, in English, Spanish or Haitian Creole, as people type it. Plurals, accents, a typing error and words for the same need are allowed for; a town, "open now" and "open saturday" are read. Where fewer than ten resources agree in all, the best that agree in part follow: see partial_from. Ordered by relevance unless sort says otherwise.',
  ),
  category: category.optional().describe('Only resources of this category.'),
  city: text(120).describe('Only resources with an address in this city.'),
  postal_code: text(20).describe('Only resources with an address of this postal code.'),
  language: text(60).describe(
    'Only resources where this language is spoken: its name, or its ISO 639-1 code.',
  ),
  organization: text(300).describe('Only resources of this organization.'),
  free: z
    .literal('true', { error: 'must be true' })
    .optional()
    .describe('Only resources for which nobody has to pay.'),
  open_now: yesOrNo.describe(
    'true: only resources that are open now by their opening hours. A page examines at most 1,000 resources; more_may_match then says that there may be more.',
  ),
  open_at: instant.describe('Only resources that are open at this time.'),
  near: text(longestPlaceText).describe(
    'Only resources near this place: latitude,longitude, a postal code, a town or county (with or without its state), a neighbourhood or a street. Each has distance_km; distance_approximate where only its postal code or town is known. The nearest first unless sort says otherwise.',
  ),
  radius_km: z
    .number({ error: 'must be a number of kilometres' })
    .min(0.1, { error: 'must be at least 0.1' })
    .max(largestRadiusKm, { error: `must be at most ${largestRadiusKm}` })
    .optional()
    .describe(`How far from near. Default: ${defaultRadiusKm}.`),
  sort: z
    .enum(sorts, { error: `must be one of ${sorts.join(', ')}` })
    .optional()
    .describe(
      'relevance needs q and distance needs near. By id, each resource is listed exactly once, whatever changes meanwhile; otherwise one that changes after the first page may be left out.',
    ),
  facets: z
    .string()
    .max(100, { error: 'is too long' })
    .transform((value) => [...new Set(value.split(','))])
    .pipe(z.array(z.enum(facetNames, { error: `must be of ${facetNames.join(', ')}` })))
    .optional()
    .describe(
      `Of ${facetNames.join(', ')}, separated by commas: how many resources have each value, counted over the first 1,000.`,
    ),
  updated_since: instant.describe(
    'Only resources changed at or after this time, in the order of their changes.',
  ),
  status: z
    .enum(statuses, { error: `must be one of ${statuses.join(', ')}` })
    .optional()
    .describe(
      'Resources of your own directory in this state. Needs directory:manage; no other filter goes with it.',
    ),
});

/** A query of the list without a search. A cursor in it has been replaced by its filter and place. */
export interface ListQuery {
  readonly filter: Filter;
  readonly place: Place | undefined;
  readonly limit: number;
}

/** A query that the search answers. */
export interface SearchListQuery {
  readonly wanted: SearchQuery;
  /** Of the page before. */
  readonly after: Omit<SearchCursor, 'wanted'> | undefined;
  readonly facets: readonly Facet[] | undefined;
  readonly limit: number;
}

interface ReadingCursors {
  readonly lists: Cursors;
  readonly searches: SearchCursors;
}

/**
 * Reads the query of a request. `team`: the team whose directory `status` refers to.
 * @throws Problem, BadQuery naming the parameter
 */
export function readListQuery(
  target: string,
  team: string | undefined,
  cursors: ReadingCursors,
): { readonly list: ListQuery } | { readonly search: SearchListQuery } {
  const query = readParameters(target, listQuery);
  const { cursor: sealed, status, facets, limit } = query;
  const wanted = searchQueryOf(query);
  const filter: Filter = {
    category: wanted.category,
    updatedSince: wanted.updatedSince,
    status,
    team: status && team,
  };
  refuseMixed(status, wanted, facets);
  if (sealed === undefined) {
    if (!isSearch(wanted) && facets === undefined) return { list: { filter, place: undefined, limit } };
    return { search: { wanted, after: undefined, facets, limit } };
  }
  const cursor = cursors.lists.open(sealed);
  if (cursor) {
    refuseOtherFilter(cursor.filter, filter, wanted, team);
    return { list: { ...cursor, limit } };
  }
  const search = cursors.searches.open(sealed);
  if (!search) throw invalidCursor('The cursor was not given out by this service, or was changed.');
  if (status !== undefined) throw invalidCursor('The cursor belongs to a list with another status.');
  refuseOtherSearch(search.wanted, wanted);
  const { wanted: before, ...after } = search;
  return { search: { wanted: before, after, facets, limit } };
}

function searchQueryOf(data: z.output<typeof listQuery>): SearchQuery {
  const { q, category, city, postal_code, language, organization, free, near, radius_km, sort } = data;
  const { open_now, open_at, updated_since } = data;
  const openAt = open_now === 'true' ? 'now' : open_at;
  if (open_now === 'true' && open_at !== undefined)
    throw invalid('open_now cannot be combined with open_at.');
  if (sort === 'distance' && near === undefined && data.cursor === undefined)
    throw invalid('sort=distance needs near.');
  if (sort === 'relevance' && q === undefined && data.cursor === undefined)
    throw invalid('sort=relevance needs q.');
  if (radius_km !== undefined && near === undefined && data.cursor === undefined)
    throw invalid('radius_km needs near.');
  if (sort !== undefined && updated_since !== undefined)
    throw invalid('sort cannot be combined with updated_since.');
  return defined({
    text: q,
    category,
    city,
    postalCode: postal_code,
    language,
    organization,
    free: free === 'true' ? true : undefined,
    near,
    radiusKm: radius_km,
    openAt,
    sort,
    updatedSince: updated_since,
  });
}

/** A list by category, or of changes, needs no search. */
function isSearch(wanted: SearchQuery): boolean {
  const { category: _category, updatedSince: _since, sort, ...filters } = wanted;
  return Object.keys(filters).length > 0 || (sort !== undefined && sort !== 'id');
}

function refuseMixed(status: string | undefined, wanted: SearchQuery, facets: unknown): void {
  if (status === undefined) return;
  const [other] = Object.keys(wanted) as (keyof SearchQuery)[];
  const name = other === undefined ? facets && 'facets' : parameterNames[other];
  if (typeof name === 'string') throw invalid(`status cannot be combined with ${name}.`);
}

const parameterNames: Readonly<Record<keyof SearchQuery, string>> = {
  text: 'q',
  category: 'category',
  city: 'city',
  postalCode: 'postal_code',
  language: 'language',
  organization: 'organization',
  free: 'free',
  near: 'near',
  radiusKm: 'radius_km',
  openAt: 'open_now or open_at',
  sort: 'sort',
  updatedSince: 'updated_since',
};

function refuseOtherFilter(
  cursor: Filter,
  filter: Filter,
  wanted: SearchQuery,
  team: string | undefined,
): void {
  for (const name of ['category', 'updatedSince', 'status'] as const) {
    if (filter[name] !== undefined && filter[name] !== cursor[name]) {
      throw otherParameter(name === 'status' ? 'status' : parameterNames[name]);
    }
  }
  const { category: _category, updatedSince: _since, sort, ...others } = wanted;
  const [other] = Object.keys(others) as (keyof SearchQuery)[];
  if (other !== undefined) throw otherParameter(parameterNames[other]);
  if (sort !== undefined && sort !== 'id') throw otherParameter('sort');
  if (cursor.team !== undefined && cursor.team !== team) {
    throw invalidCursor('The cursor belongs to the list of another directory.');
  }
}

function refuseOtherSearch(cursor: SearchQuery, wanted: SearchQuery): void {
  for (const name of Object.keys(wanted) as (keyof SearchQuery)[]) {
    if (wanted[name] !== cursor[name] && !(name === 'text' && sameWords(wanted.text, cursor.text))) {
      throw otherParameter(parameterNames[name]);
    }
  }
}

const sameWords = (one: string | undefined, other: string | undefined): boolean =>
  one !== undefined && other !== undefined && one.trim().toLowerCase() === other.trim().toLowerCase();

const invalid = (detail: string) => resourceProblem('invalid_parameter', detail);
const otherParameter = (name: string) => invalidCursor(`The cursor belongs to a list with another ${name}.`);
