import { categories, type Category } from '../events/directory/category.ts';
import { hintIn } from './keywords.ts';
import { kinds, kindsByCode, needsByName, situations } from './open-eligibility.ts';
import {
  branchOf211,
  is211Code,
  levelOf211,
  needsByCode,
  populationFacet,
  weakCodes,
  weakFacet,
} from './taxonomy-211.ts';

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

/** What one term says about the category of a service. */
export interface Vote {
  readonly category: Category;
  /**
   * The term tells how or by whom a service is given, not which need it meets. It counts only where no other term
   * does.
   */
  readonly weak: boolean;
  /** How specific the term is: its depth in the taxonomy. */
  readonly level: number;
  /** The part of the taxonomy that it is in. Three kinds of utility bill are one need, not three. */
  readonly branch: string;
}

/**
 * What a term says about the category: by its 211 code, else as an Open Eligibility term, else by its parent term,
 * else by the words of its name. Terms for target populations say nothing.
 */
export function voteOf(term: Term, terms: ReadonlyMap<string, Term> = new Map()): Vote | undefined {
  const lineage = lineageOf(term, terms);
  if (lineage.some(isPopulation)) return undefined;
  for (const [distance, step] of lineage.entries()) {
    const vote = voteBy211(step.code) ?? voteByOpenEligibility(step, lineage.length - distance);
    if (vote) return { ...vote, weak: vote.weak || weakFacet.test(term.facet), level: vote.level + distance };
  }
  const category = hintIn(term.name)?.category;
  return category && { category, weak: false, level: lineage.length, branch: term.name };
}

/** In a description longer than this many characters, one matching word is no sign of what the service is for. */
const shortDescription = 200;

/**
 * The category of a service: the need that its terms name from the most branches of the taxonomy. Any need comes
 * before `other`. Between equals the order is: the need that the service's name suggests, the need of the most weak
 * terms, the most specific, the need that the description suggests, the more urgent. Weak terms decide only where no
 * other term does, and the name chooses among them. Without terms the words of the name decide, then those of the
 * description. Otherwise it is `other`.
 */
export function categoryOf(votes: readonly Vote[], name: string, description = ''): Category {
  const strong = votes.filter(({ weak }) => !weak);
  const weak = votes.filter((vote) => vote.weak);
  const needed = decide(strong, weak, name, description);
  if (needed !== undefined) return needed;
  const named = hintIn(name)?.category;
  if (named !== undefined && weak.some(({ category }) => category === named)) return named;
  const byWeak = decide(weak, [], name, description);
  if (byWeak !== undefined) return byWeak;
  if (strong.length > 0) return 'other';
  if (named !== undefined || weak.length > 0) return named ?? 'other';
  const described = hintIn(description);
  return described && (described.words > 1 || description.length <= shortDescription)
    ? described.category
    : 'other';
}

interface Candidate {
  readonly category: Category;
  readonly votes: number;
  readonly weakVotes: number;
  readonly level: number;
}

/** The need that the votes decide for. Undefined when all of them say `other`. */
function decide(
  votes: readonly Vote[],
  weak: readonly Vote[],
  name: string,
  description: string,
): Category | undefined {
  let candidates = categories
    .filter((category) => category !== 'other')
    .map((category): Candidate => {
      const own = votes.filter((vote) => vote.category === category);
      return {
        category,
        votes: new Set(own.map((vote) => vote.branch)).size,
        weakVotes: weak.filter((vote) => vote.category === category).length,
        level: Math.max(0, ...own.map((vote) => vote.level)),
      };
    })
    .filter((candidate) => candidate.votes > 0);

  const spokenFor = (text: string) => (candidate: Candidate) =>
    Number(candidate.category === hintIn(text)?.category);
  const preferences: readonly ((candidate: Candidate) => number)[] = [
    (candidate) => candidate.votes,
    spokenFor(name),
    (candidate) => candidate.weakVotes,
    (candidate) => candidate.level,
    spokenFor(description),
  ];
  for (const preference of preferences) {
    if (candidates.length < 2) break;
    const most = Math.max(...candidates.map(preference));
    candidates = candidates.filter((candidate) => preference(candidate) === most);
  }
  return candidates[0]?.category;
}

function voteBy211(code: string): Vote | undefined {
  if (!is211Code(code)) return undefined;
  const weak = weakCodes.some((prefix) => code.startsWith(prefix));
  for (let length = code.length; length > 0; length--) {
    const category = needsByCode[code.slice(0, length)];
    if (category) return { category, weak, level: levelOf211(code), branch: branchOf211(code) };
  }
  return undefined;
}

const categoryOfName = new Map<string, Category>([
  ...Object.entries(kinds),
  ...categories.flatMap((category) =>
    (needsByName[category]?.split(',') ?? []).map((name) => [name.trim(), category] as const),
  ),
]);

/**
 * First by name, which publishers keep when they renumber terms. Then by code, unless the term is in another
 * taxonomy.
 */
function voteByOpenEligibility(term: Term, level: number): Vote | undefined {
  const named = categoryOfName.get(term.name.toLowerCase().replace(/\s+and\s+/g, ' & '));
  if (named) return { category: named, weak: false, level, branch: term.name };
  if (!/^1[1-3]\d\d$/.test(term.code) || !/^$|open.?eligibility/i.test(term.taxonomy)) return undefined;
  const coded = kindsByCode.findLast(([from]) => from <= Number(term.code))?.[1];
  return coded && { category: coded, weak: false, level, branch: term.code };
}

const isPopulation = ({ code, name, facet, parentName }: Term): boolean =>
  /^Y([A-Z]?(-|$))/.test(code) ||
  populationFacet.test(facet) ||
  [name, parentName].some((text) => text.toLowerCase() === situations || populationFacet.test(text));

/** The term and its ancestors, nearest first. Stops at a cycle. */
function lineageOf(term: Term, terms: ReadonlyMap<string, Term>): Term[] {
  const lineage = [term];
  for (
    let above = terms.get(term.parent);
    above && !lineage.includes(above);
    above = terms.get(above.parent)
  ) {
    lineage.push(above);
  }
  return lineage;
}
