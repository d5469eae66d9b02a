import { z } from 'zod';
import { category } from '../../events/directory/category.ts';
import { cell, readTable } from '../../tables/read-table.ts';

/** How much a term decides. The words are explained in the table. */
export const weight = z.enum(['first', 'need', 'besides', 'weak']);
export type Weight = z.infer<typeof weight>;

/** Which category a branch of the taxonomy stands for, and why. */
export const decisions211 = readTable(
  'taxonomy-211.tsv',
  {
    code: z.string().refine(is211Code, 'must be a code such as BD-1800.2000-640'),
    category: z.union([z.literal('').transform(() => undefined), category]),
    weight,
    why: cell,
  },
  ['code'],
);
type Decision = (typeof decisions211)[number];

const decisionByCode = new Map(decisions211.map((decision) => [decision.code, decision]));

/** The decision of the longest listed code that this one begins with. */
export function decisionOf211(code: string): Decision | undefined {
  for (let length = code.length; length > 0; length--) {
    const decision = decisionByCode.get(code.slice(0, length));
    if (decision) return decision;
  }
  return undefined;
}

/** The facet under which taxonomy files list terms that tell how a service is given. */
export const modalityFacet = /^modality|delivery format/i;

/** The facet of terms that tell by whom it is given. */
export const organizationFacet = /^organization\/facility type/i;

/** Facets of target populations, for files whose codes do not tell them. */
export const populationFacet = /target population/i;

export function is211Code(code: string): boolean {
  return /^[BDFHJLNPRTY][A-Z]?(-\d{4}(\.\d{4}(-\d{3}(\.\d{2})*)?)?)?$/.test(code);
}

/** How deep in the taxonomy a code lies, 1 to 6. */
export const levelOf211 = (code: string): number => (code.length === 1 ? 1 : 1 + code.split(/[-.]/).length);

/** The second level, `BM`. A church that gives clothes, furniture and toys meets one need. */
export const branchOf211 = (code: string): string => code.split('-', 1)[0] ?? code;
