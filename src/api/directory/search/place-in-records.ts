import { distanceKm, type Point } from '../../../ground/earth.ts';
import { houseNumber, looksLikeStreet, streetSpellings } from '../../../places/streets.ts';
import { languagesIn } from '../../../projections/directory/languages.ts';
import { pairsOf, searchWords, stopWords } from '../../../projections/directory/search-words.ts';
import { stem } from '../../../projections/directory/stem.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import { middleOf } from './own-places.ts';
import type { SearchIndex } from './search-index.ts';

/** A street or neighbourhood is so near to the town or postal code that is named with it. */
const withinAreaKm = 40;

/**
 * A street or a neighbourhood of which records tell in their addresses, the names of their locations and the areas that
 * they serve: the middle of these records. A house number counts where a record has it.
 */
export async function placeInRecords(
  text: string,
  area: { readonly point: Point } | undefined,
  index: SearchIndex,
): Promise<Point | undefined> {
  const words = searchWords(text);
  const isNear = (point: Point): boolean => !area || distanceKm(point, area.point) <= withinAreaKm;
  const middle = (every: TermQuery['every']): Promise<Point | undefined> => middleOf(index, every, isNear);
  if (looksLikeStreet(text, words)) {
    const [number, street] = houseNumber(words);
    const every = street.map((word) => streetSpellings(word).map(placeTerm));
    const exact = number === undefined ? undefined : await middle([...every, [placeTerm(number)]]);
    return exact ?? (await middle(every));
  }
  const telling = words.filter((word) => !stopWords.has(word));
  // Languages are among the words of places.
  if (telling.length === 0 || languagesIn(text).length > 0) return undefined;
  return middle([
    ...telling.map((word) => [placeTerm(word)]),
    ...pairsOf(telling).map((pair) => [`p${pair}`]),
  ]);
}

const placeTerm = (word: string): string => `p${stem(word)}`;
