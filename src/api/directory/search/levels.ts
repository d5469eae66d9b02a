import type { TermQuery } from '../../../stores/documents/port.ts';
import type { Concept } from './concepts.ts';
import type { ExpandedQuery } from './expand.ts';

type Groups = TermQuery['every'];

/** What the fields of a record say about it, by the tags of their terms: name, category, place, description. */
type Fields = 'n' | 'c' | 'nc' | 'ncp' | 'ncpd';

interface Level {
  readonly groups: Groups;
  /** A level that finds all that this one finds. */
  readonly within?: Level;
}

/** In how many concepts a record must agree, when no record agrees in all. */
export type Least = number;

/** More concepts than this are not combined. */
const mostCombined = 6;

/**
 * The ranking: each level is a query for terms, a record belongs to the first level that it matches, and within a level
 * the order is that of the ids. It depends on the query and the record alone. Best first:
 *
 * 1. The record is called so.
 * 2. Its name has the words next to each other.
 * 3. Its name has all words, and its category one of them.
 * 4. Its name has all words.
 * 5. The same with words for the same need, longer words and better spellings.
 * 6. Name, category and place have all words, the name at least one.
 * 7. Name, category and place have all words.
 * 8. The same with other words.
 * 9. The record has all words, the name or the category at least one.
 * 10. The record has all words.
 * 11. The same with other words.
 */
export function levelsOf(query: ExpandedQuery, filters: Groups = []): TermQuery[] {
  const { concepts, whole, pairs } = query;
  if (concepts.length === 0) return [];
  const all = (fields: Fields, others: boolean) => concepts.map((each) => groupOf(each, fields, others));
  const any = (fields: Fields) => concepts.flatMap((each) => groupOf(each, fields, false));
  const several = concepts.length > 1;
  const anywhereOtherwise: Level = { groups: all('ncpd', true) };
  const anywhere: Level = { groups: all('ncpd', false), within: anywhereOtherwise };
  const shownOtherwise: Level = { groups: all('ncp', true), within: anywhereOtherwise };
  const shown: Level = { groups: all('ncp', false), within: shownOtherwise };
  const namedOtherwise: Level = { groups: all('n', true), within: shownOtherwise };
  const named: Level = { groups: all('n', false), within: namedOtherwise };
  return excludingBefore(
    [
      { groups: [[`e${whole}`]], within: named },
      ...(pairs.length > 0 ? [{ groups: pairs.map((pair) => [`n${pair}`]), within: named }] : []),
      { groups: [...named.groups, any('c')], within: named },
      named,
      namedOtherwise,
      ...(several ? [{ groups: [...shown.groups, any('n')], within: shown }] : []),
      shown,
      shownOtherwise,
      ...(several ? [{ groups: [...anywhere.groups, any('nc')], within: anywhere }] : []),
      anywhere,
      anywhereOtherwise,
    ],
    filters,
  );
}

/** The levels when a record needs to agree in `least` of the concepts only: in name, category and place, and anywhere. */
export function partialLevels(query: ExpandedQuery, least: Least, filters: Groups = []): TermQuery[] {
  const concepts = query.concepts.slice(0, mostCombined);
  const inFields = (fields: Fields): Groups =>
    atLeast(
      least,
      concepts.map((each) => groupOf(each, fields, true)),
    );
  const anywhere: Level = { groups: inFields('ncpd') };
  const shown: Level = { groups: inFields('ncp'), within: anywhere };
  return excludingBefore([{ groups: inFields('n'), within: shown }, shown, anywhere], filters);
}

/** How many concepts partial levels combine. */
export const combined = ({ concepts }: ExpandedQuery): number => Math.min(concepts.length, mostCombined);

/**
 * Two wide levels, for orders other than that of relevance: what agrees in name, category and place, and what agrees
 * anywhere. The second finds whatever any level finds. `least` as in `partialLevels`. Without a query, the filters alone.
 */
export function bandsOf(
  query: ExpandedQuery | undefined,
  least: Least | undefined,
  filters: Groups,
): TermQuery[] {
  if (!query) return [{ every: filters }];
  if (query.concepts.length === 0) return [];
  const bands = (['ncp', 'ncpd'] as const).map((fields) => {
    const groups = query.concepts.map((each) => groupOf(each, fields, true));
    return least === undefined ? groups : atLeast(least, groups.slice(0, mostCombined));
  });
  return bands.map((groups) => ({ every: [...groups, ...filters] }));
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

function groupOf({ words, others, terms }: Concept, fields: Fields, withOthers: boolean): string[] {
  const stems = withOthers ? [...words, ...others] : words;
  return [...terms, ...Array.from(fields).flatMap((field) => stems.map((each) => field + each))];
}

/** The first levels have few terms, and are no part of the others by their form: those of a whole name and of its pairs. */
export const fewTerms = ({ concepts, pairs }: ExpandedQuery): number =>
  concepts.length === 0 ? 0 : pairs.length > 0 ? 2 : 1;

/** Each level without what the levels before it found. A level within another one before it is left out with that one. */
function excludingBefore(levels: readonly Level[], filters: Groups): TermQuery[] {
  return levels.map(({ groups }, place) => {
    const before = levels.slice(0, place);
    const except = before
      .filter(({ within }) => within === undefined || !before.includes(within))
      .map((level) => level.groups);
    return { every: [...groups, ...filters], ...(except.length === 0 ? {} : { except }) };
  });
}
