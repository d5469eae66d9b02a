import type { TermQuery } from '../../../stores/documents/port.ts';
import type { Concept } from './words/concepts.ts';
import type { ExpandedQuery } from './words/expand.ts';

type Groups = TermQuery['every'];

/** What the fields of a record say about it, by the tags of their terms: name, category, place, description. */
type Fields = 'n' | 'c' | 'nc' | 'ncp' | 'ncpd';

interface Rank {
  readonly groups: Groups;
  /** A rank that finds all that this one finds. */
  readonly within?: Rank;
}

/** In how many concepts a record must agree, when no record agrees in all. */
export type Least = number;

/** More concepts than this are not combined. */
const mostCombined = 6;

/**
 * The ranking: each rank is a query for terms, a record belongs to the first rank that it matches, and within a rank
 * the order is that of the ids. It depends on the query and the record alone. Best first:
 *
 * 1. The record is called so: itself, then its organization.
 * 2. Its name has the words next to each other: its own, then that of its organization.
 * 3. Its categories have them next to each other.
 * 4. Its name has all words, and its category one of them.
 * 5. Name or category have each word, or the name another word for it; the name has one of them as typed.
 * 6. The name has all of them with words for the same need, longer words and better spellings, and so has its category.
 * 7. Its name has all words.
 * 8. The name has all of them with other words.
 * 9. Name or category have each word, or the name another word for it.
 * 10. Name, category and place have all words, the name at least one.
 * 11. Name, category and place have all words.
 * 12. The same with other words.
 * 13. The record has all words, the name or the category at least one.
 * 14. The record has all words.
 * 15. Name, category and place have all of them, with what helps as well.
 * 16. The record has all of them with other words.
 */
export function ranksOf(query: ExpandedQuery, filters: Groups = []): TermQuery[] {
  const { concepts, whole, pairs } = query;
  if (concepts.length === 0) return [];
  const all = (fields: Fields, others: boolean) => concepts.map((each) => groupOf(each, fields, others));
  const subject = concepts.filter(({ isPlace }) => isPlace !== true);
  const any = (fields: Fields) =>
    (subject.length > 0 ? subject : concepts).flatMap((each) => groupOf(each, fields, false));
  const several = concepts.length > 1;
  const anywhereOtherwise: Rank = { groups: concepts.map(widestOf) };
  const anywhere: Rank = { groups: all('ncpd', false), within: anywhereOtherwise };
  const helpsToo: Rank = { groups: concepts.map(shownWidely), within: anywhereOtherwise };
  const shownOtherwise: Rank = { groups: all('ncp', true), within: helpsToo };
  const shown: Rank = { groups: all('ncp', false), within: shownOtherwise };
  /** Each word as typed in name or category, or another word for it in the name. */
  const strong: Rank = {
    groups: concepts.map((each) => [
      ...groupOf(each, 'nc', false),
      ...each.others.map((other) => `n${other}`),
    ]),
    within: shownOtherwise,
  };
  const namedOtherwise: Rank = { groups: all('n', true), within: strong };
  const named: Rank = { groups: all('n', false), within: namedOtherwise };
  const called: Rank = { groups: [[`e${whole}`]], within: named };
  const paired: Rank = { groups: pairs.map((pair) => [`n${pair}`]), within: named };
  const firstRanks: Rank[] = [
    { groups: [[`x${whole}`]], within: called },
    called,
    ...(pairs.length > 0
      ? [
          { groups: pairs.map((pair) => [`m${pair}`]), within: paired },
          paired,
          { groups: pairs.map((pair) => [`c${pair}`]), within: shown },
        ]
      : []),
  ];
  const furtherRanks: Rank[] = [
    { groups: [...named.groups, any('c')], within: named },
    ...(several ? [{ groups: [...strong.groups, any('n')], within: strong }] : []),
    { groups: [...namedOtherwise.groups, ...all('c', true)], within: namedOtherwise },
    named,
    namedOtherwise,
    strong,
    ...(several ? [{ groups: [...shown.groups, any('n')], within: shown }] : []),
    shown,
    shownOtherwise,
    ...(several ? [{ groups: [...anywhere.groups, any('nc')], within: anywhere }] : []),
    anywhere,
    ...(concepts.some(({ wider }) => wider !== undefined) ? [helpsToo] : []),
    anywhereOtherwise,
  ];
  return excludingBefore([...firstRanks, ...preferring(query, furtherRanks)], filters);
}

/** Each rank that shows what a record is about, before it those of its records that agree in what is preferred. */
function preferring({ preferred = [] }: ExpandedQuery, ranks: readonly Rank[]): readonly Rank[] {
  const terms = preferred.flatMap((each) => groupOf(each, 'ncpd', true));
  if (terms.length === 0) return ranks;
  const aboutIt = ranks.findIndex(({ groups }) =>
    groups.some((group) => group.some((term) => term.startsWith('d'))),
  );
  return ranks.flatMap((rank, place) =>
    place < aboutIt ? [{ groups: [...rank.groups, terms], within: rank }, rank] : [rank],
  );
}

/**
 * The ranks when a record needs to agree in `least` of the concepts only: in name, category and place, and anywhere. What is
 * needed is among them: "wic office ward 7" is not about any office of a ward 7.
 */
export function partialRanks(query: ExpandedQuery, least: Least, filters: Groups = []): TermQuery[] {
  const ranks = partOf(query.concepts, least);
  const needs = neededOf(query.concepts);
  if (least > 1 || needs.length === 0) return excludingBefore(ranks, filters);
  // In one word any record may agree: those with a need come first.
  return excludingBefore([...partOf(needs, least, ranks.at(-1)), ...ranks], filters);
}

/** `within`: what finds all that these ranks find. */
function partOf(concepts: readonly Concept[], least: Least, within?: Rank): Rank[] {
  const agreeing = (groupFor: (concept: Concept) => string[]): Groups =>
    agreeingInPart(concepts, least, groupFor);
  const anywhere: Rank = { groups: agreeing(widestOf), ...(within && { within }) };
  const shown: Rank = { groups: agreeing(shownWidely), within: anywhere };
  const named: Rank = { groups: agreeing((each) => groupOf(each, 'n', true)), within: shown };
  return [named, shown, anywhere];
}

/** The needs and places among other words. */
function neededOf(all: readonly Concept[]): readonly Concept[] {
  const concepts = all.slice(0, mostCombined);
  const needs = concepts.filter(({ isNeed, isPlace }) => isNeed || isPlace);
  return needs.length === concepts.length ? [] : needs;
}

/** All records whose name, category and place agree, with other words too. */
export const shownGroups = ({ concepts }: ExpandedQuery): Groups =>
  concepts.map((each) => groupOf(each, 'ncp', true));

/** The last rank of what a record shows in name, category and place: those before it lie within it. */
export const shownRank = (query: ExpandedQuery, ranks: readonly TermQuery[]): number => {
  const groups = shownGroups(query).map(String);
  return ranks.findLastIndex(({ every }) => groups.every((group, at) => group === String(every[at])));
};

/** How many concepts partial ranks combine. */
export const combined = ({ concepts }: ExpandedQuery): number => Math.min(concepts.length, mostCombined);

/**
 * Two wide ranks, for orders other than that of relevance: what agrees in name, category and place, and what agrees
 * anywhere. The second finds whatever any rank finds. `least` as in `partialRanks`. Without a query, the filters alone.
 */
export function wideRanksOf(
  query: ExpandedQuery | undefined,
  least: Least | undefined,
  filters: Groups,
): TermQuery[] {
  if (!query) return [{ every: filters }];
  if (query.concepts.length === 0) return [];
  const wide = [(each: Concept) => groupOf(each, 'ncp', true), widestOf].map((groupFor) =>
    least === undefined ? query.concepts.map(groupFor) : agreeingInPart(query.concepts, least, groupFor),
  );
  return wide.map((groups) => ({ every: [...groups, ...filters] }));
}

/** The groups of what agrees in at least `least` of the concepts; where that is several, in as many needs and places. */
function agreeingInPart(
  all: readonly Concept[],
  least: Least,
  groupFor: (concept: Concept) => string[],
): Groups {
  const needs = least > 1 ? neededOf(all) : [];
  return [
    ...atLeast(Math.min(least, needs.length), needs.map(groupFor)),
    ...atLeast(least, all.slice(0, mostCombined).map(groupFor)),
  ];
}

/** The groups of what agrees in at least `least` of these: of every so many of them, one is needed. */
function atLeast(least: Least, groups: Groups): Groups {
  const size = groups.length - least + 1;
  const choose = (from: number, count: number): string[][] =>
    count === 0
      ? [[]]
      : groups
          .slice(from)
          .flatMap((group, place) => choose(from + place + 1, count - 1).map((rest) => [...group, ...rest]));
  return choose(0, size);
}

function groupOf({ words, others, terms, isPlace }: Concept, named: Fields, withOthers: boolean): string[] {
  // Where help shall be, a name does not tell.
  const fields = isPlace === true ? 'p' : named;
  const stems = withOthers ? [...words, ...others] : words;
  return [...terms, ...Array.from(fields).flatMap((field) => stems.map((each) => field + each))];
}

/** What a record says of itself; of what helps as well, its categories. */
const shownWidely = (concept: Concept): string[] => [
  ...groupOf(concept, 'ncp', true),
  ...(concept.wider ?? []).map((other) => `c${other}`),
];

/** The same, or the word anywhere: whatever is found, has one of these. */
const widestOf = (concept: Concept): string[] => [
  ...shownWidely(concept),
  ...[...concept.words, ...concept.others].map((word) => `d${word}`),
];

/** The first ranks have few terms, and are no part of the others by their form: those of a whole name and of pairs. */
export const fewTerms = ({ concepts, pairs }: ExpandedQuery): number =>
  concepts.length === 0 ? 0 : pairs.length > 0 ? 5 : 2;

/** Each rank without what the ranks before it found. A rank within another one before it is left out with that one. */
function excludingBefore(ranks: readonly Rank[], filters: Groups): TermQuery[] {
  return ranks.map(({ groups }, place) => {
    const before = ranks.slice(0, place);
    const except = before
      .filter(({ within }) => within === undefined || !before.includes(within))
      .map((rank) => rank.groups);
    return { every: [...groups, ...filters], ...(except.length === 0 ? {} : { except }) };
  });
}
