import { z } from 'zod';
import { categoryOfTerm, categoryTaxonomy } from '../../../hsds/export/attributes.ts';
import { readParameters, wrongParameter } from '../../http/read-parameters.ts';
import type { Filter } from '../cursor.ts';
import { listQuery } from '../list-query.ts';

const yesOrNo = z.enum(['true', 'false'], { error: 'must be true or false' }).optional();

const pageNumber = z
  .int({ error: 'must be a whole number' })
  .min(1, { error: 'must be at least 1' })
  .max(100_000_000, { error: 'is beyond every directory' })
  .default(1)
  .describe('Number of the page, from 1.');

/** The query of the list of services, checked and documented by one schema. The names are those of HSDS 3.1. */
export const servicesQuery = z.strictObject({
  search: listQuery.shape.q,
  page: pageNumber,
  per_page: listQuery.shape.limit,
  full: yesOrNo.describe('true: each service with all that belongs to it.'),
  minimal: yesOrNo.describe('true: of each service its id alone, and when it last changed here.'),
  modified_after: listQuery.shape.updated_since.describe(
    'Only services changed at or after this time, in the order of their changes.',
  ),
  taxonomy_term_id: z
    .string()
    .max(200, { error: 'is too long' })
    .optional()
    .describe('Only services with this term: a category.'),
  taxonomy_id: z
    .string()
    .max(200, { error: 'is too long' })
    .optional()
    .describe('Only services with a term of this taxonomy.'),
  organization_id: z
    .string()
    .max(200, { error: 'is too long' })
    .optional()
    .describe(
      'Only services of this organization. Not together with search, modified_after or a term of a taxonomy.',
    ),
  format: z.literal('json', { error: 'must be json' }).optional(),
});

/** The query of the list of organizations. */
export const organizationsQuery = z.strictObject({
  page: pageNumber,
  per_page: listQuery.shape.limit,
  format: z.literal('json', { error: 'must be json' }).optional(),
});

/** How much of a service is shown. */
export type Form = 'brief' | 'full' | 'minimal';

export interface ServicesQuery {
  /** Undefined: no service can match. */
  readonly filter: Filter | undefined;
  /** What somebody looks for. */
  readonly text: string | undefined;
  readonly page: number;
  readonly perPage: number;
  readonly form: Form;
  /** As it was given. */
  readonly organizationId: string | undefined;
}

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readServicesQuery(target: string): ServicesQuery {
  const data = readParameters(target, servicesQuery);
  const { organization_id: organizationId } = data;
  const others = ['search', 'modified_after', 'taxonomy_term_id', 'taxonomy_id'] as const;
  const beside = organizationId === undefined ? undefined : others.find((name) => data[name] !== undefined);
  if (beside !== undefined) throw wrongParameter('organization_id', `cannot be used together with ${beside}`);
  const category = data.taxonomy_term_id === undefined ? undefined : categoryOfTerm(data.taxonomy_term_id);
  const unknown =
    (data.taxonomy_term_id !== undefined && category === undefined) ||
    (data.taxonomy_id !== undefined && data.taxonomy_id !== categoryTaxonomy.id);
  return {
    filter: unknown ? undefined : { category, updatedSince: data.modified_after },
    text: data.search,
    organizationId,
    page: data.page,
    perPage: data.per_page,
    form: data.minimal === 'true' ? 'minimal' : data.full === 'true' ? 'full' : 'brief',
  };
}

/** Reads the query of a request. @throws Problem, BadQuery naming the parameter */
export function readOrganizationsQuery(target: string): { readonly page: number; readonly perPage: number } {
  const { page, per_page: perPage } = readParameters(target, organizationsQuery);
  return { page, perPage };
}
