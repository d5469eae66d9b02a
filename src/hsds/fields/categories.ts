import { categories, type Category, category } from '../../events/directory/category.ts';
import { hintIn } from './keywords.ts';
import {
  branchOf211,
  decisionOf211,
  is211Code,
  levelOf211,
  modalityFacet,
  organizationFacet,
  populationFacet,
  type Weight,
  weight,
} from './taxonomy-211.ts';
import { z } from 'zod';
import { cell, readTable } from '../../tables/read-table.ts';

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

/** A taxonomy term as in its file. Absent texts are empty. */
export interface Term {
  readonly code: string;
  readonly name: string;
  readonly facet: string;
  /** The id of the parent term. */
  readonly parent: string;
  readonly parentName: string;
  /** The name of the taxonomy that it belongs to. */
  readonly taxonomy: string;
}

/** Finds terms by id. */
export type Terms = Pick<ReadonlyMap<string, Term>, 'get'>;

/** What one term says about the category of a service. */
export interface Vote {
  readonly category: Category;
  readonly weight: Weight;
  /** How specific the term is: its depth in the taxonomy. */
  readonly level: number;
  /** The part of the taxonomy that it is in. Three kinds of utility bill are one need, not three. */
  readonly branch: string;
}

/**
 * What a term says about the category: by its 211 code, else as an Open Eligibility term, else by its parent term,
 * else by the words of its name. Terms for target populations say nothing.
 */
export function voteOf(term: Term, terms: Terms = new Map<string, Term>()): Vote | undefined {
  const lineage = lineageOf(term, terms);
  if (lineage.some(isPopulation)) return undefined;
  for (const [distance, step] of lineage.entries()) {
    const vote = voteBy211(step.code) ?? voteByOpenEligibility(step, lineage.length - distance);
    if (!vote) continue;
    const weight = vote.category === 'other' ? vote.weight : weightIn(term.facet, vote.weight);
    return { ...vote, weight, level: vote.level + distance };
  }
  const category = hintIn(term.name)?.category;
  return category && { category, weight: 'need', level: lineage.length, branch: term.name };
}

/**
 * The points of a category. Its heaviest term counts in full, each further branch of the taxonomy adds a little. The
 * name of a service weighs more than a term, for publishers name a service by its main need. The description weighs
 * less: it tells the rest too. A text that no term agrees with weighs half, if a term names another need.
 */
const points = {
  first: 6,
  need: 3,
  besides: 2,
  weak: 1,
  furtherBranch: 0.75,
  furtherBranches: 2,
  /** Any need comes before `other`, but nothing that only tells how or by whom. */
  other: 1.75,
  name: 3.5,
  description: 2,
} as const;

/** In a description longer than this many characters, one matching word is no sign of what the service is for. */
const shortDescription = 200;

export interface Categories {
  /** The need that a person comes with. */
  readonly category: Category;
  /** Further needs that its terms name, most important first, without the main one. */
  readonly categories: readonly Category[];
}

interface Candidate {
  readonly category: Category;
  readonly points: number;
  readonly level: number;
  /** A term names this need. */
  readonly named: boolean;
}

/**
 * The categories of a service by its terms, its name and its description. The most points decide; between equals the
 * most specific term, then the more urgent need. Without any sign it is `other`.
 */
export function categoriesOf(votes: readonly Vote[], name: string, description = ''): Categories {
  const named = hintIn(name)?.category;
  const described = hintIn(description);
  const telling = described && (described.words > 1 || description.length <= shortDescription);
  const decided = votes.some(({ weight }) => weight !== 'weak');
  const ranked = categories
    .map((category): Candidate => {
      const own = votes.filter((vote) => vote.category === category);
      const byText =
        (category === named ? points.name : 0) +
        (telling && category === described.category ? points.description : 0);
      return {
        category,
        points: pointsOf(own) + (decided && own.length === 0 ? byText / 2 : byText),
        level: Math.max(0, ...own.map(({ level }) => level)),
        named: own.some(({ weight }) => weight !== 'weak'),
      };
    })
    .filter((candidate) => candidate.points > 0)
    .sort((a, b) => b.points - a.points || b.level - a.level);
  const [main, ...further] = ranked;
  return {
    category: main?.category ?? 'other',
    categories: further
      .filter(({ category, named }) => named && category !== 'other')
      .map(({ category }) => category),
  };
}

function pointsOf(votes: readonly Vote[]): number {
  if (votes.length === 0) return 0;
  const best = Math.max(...votes.map(weightOf));
  const branches = new Set(votes.filter((vote) => vote.category !== 'other').map(({ branch }) => branch))
    .size;
  return best + Math.min(points.furtherBranches, points.furtherBranch * Math.max(0, branches - 1));
}

const weightOf = ({ category, weight }: Vote): number =>
  category === 'other' && weight === 'need' ? points.other : points[weight];

function voteBy211(code: string): Vote | undefined {
  if (!is211Code(code)) return undefined;
  const { category, weight } = decisionOf211(code) ?? {};
  return category && weight && { category, weight, level: levelOf211(code), branch: branchOf211(code) };
}

const decisionByName = new Map<string, Pick<Vote, 'category' | 'weight'>>([
  ...kinds.map(({ kind, category }) => [kind, { category, weight: 'need' }] as const),
  ...namedTerms.map(({ term, ...decision }) => [term, decision] as const),
]);

/**
 * First by name, which publishers keep when they renumber terms. Then by code, unless the term is in another
 * taxonomy.
 */
function voteByOpenEligibility(term: Term, level: number): Vote | undefined {
  const named = decisionByName.get(term.name.toLowerCase().replace(/\s+and\s+/g, ' & '));
  if (named) return { category: named.category, weight: named.weight, level, branch: term.name };
  if (!/^1[1-3]\d\d$/.test(term.code) || !/^$|open.?eligibility/i.test(term.taxonomy)) return undefined;
  const number = Number(term.code);
  const coded = kinds.find(({ code, first, last }) => number === code || (first <= number && number <= last));
  return coded && { category: coded.category, weight: 'need', level, branch: term.code };
}

/** The facet of a term may make it lighter, unless it names what people come for. */
function weightIn(facet: string, weight: Weight): Weight {
  if (weight !== 'need') return weight;
  if (modalityFacet.test(facet)) return 'weak';
  return organizationFacet.test(facet) ? 'besides' : weight;
}

const isPopulation = ({ code, name, facet, parentName }: Term): boolean =>
  /^Y([A-Z]?(-|$))/.test(code) ||
  populationFacet.test(facet) ||
  [name, parentName].some((text) => text.toLowerCase() === situations || populationFacet.test(text));

/** The term and its ancestors, nearest first. Stops at a cycle. */
/** A taxonomy is a few levels deep. A longer lineage is a circle of terms. */
const deepest = 32;

function lineageOf(term: Term, terms: Terms): Term[] {
  const lineage = [term];
  for (
    let above = terms.get(term.parent);
    above && !lineage.includes(above) && lineage.length < deepest;
    above = terms.get(above.parent)
  ) {
    lineage.push(above);
  }
  return lineage;
}
