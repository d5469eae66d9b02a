import { z } from 'zod';
import { category } from '../../events/directory/category.ts';
import { cell, readTable } from '../../tables/read-table.ts';
import { weight } from './taxonomy-211.ts';

const code = z.coerce.number().int().positive();

/**
 * The kinds of human services of Open Eligibility. It also has human situations, which tell for whom a service is and
 * must never decide.
 */
export const kinds = readTable(
  'open-eligibility-kinds.tsv',
  { kind: cell, category, code, first: code, last: code },
  ['kind'],
);

/** Terms below the kinds, by name. */
export const namedTerms = readTable('open-eligibility.tsv', { term: cell, category, weight }, ['term']);

/** The root of the human situations, which must never decide. */
export const situations = 'human situations';
