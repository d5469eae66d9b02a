import { distanceKm, type Point } from '../../../ground/earth.ts';
import { readPlaces } from '../../../projections/directory/places.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import { houseNumber, looksLikeStreet, streetSpellings } from '../../../places/streets.ts';
import { languagesIn } from '../../../projections/directory/languages.ts';
import { pairsOf, searchWords, stopWords } from '../../../projections/directory/search-words.ts';
import { stem } from '../../../tables/stem.ts';

/** What is asked of the index of the search. */
export interface IndexedPlaces {
  candidates(
    matching: TermQuery,
    limit: number,
    reading: { readonly also: readonly ['places'] },
  ): Promise<readonly { readonly places?: string }[]>;
}

/** Of how many records the middle is taken. */
const mostRecords = 500;
/** Places that are farther from each other are not one place: there are many streets called Main Street. */
const onePlaceKm = 25;
/** A street or neighbourhood is so near to the town or postal code that is named with it. */
const withinAreaKm = 40;
/** Around so many of them the others are counted. */
const mostCenters = 50;

/**
 * The middle of the coordinates of records that have these terms. Of records with one location, where there are any: of
 * others nobody can tell which location the terms are of. Where they lie in several places, that with the most of them.
 */
export async function middleOf(
  index: IndexedPlaces,
  every: TermQuery['every'],
  isMeant: (point: Point) => boolean = () => true,
): Promise<Point | undefined> {
  const records = await index.candidates({ every }, mostRecords, { also: ['places'] });
  const places = records.map(({ places: written }) => pointsIn(written).filter(isMeant));
  const single = places.filter(({ length }) => length === 1).flat();
  const all = clustered(single.length > 0 ? single : places.flat());
  if (all.length === 0) return undefined;
  return {
    latitude: median(all.map(({ latitude }) => latitude)),
    longitude: median(all.map(({ longitude }) => longitude)),
  };
}

/**
 * A street or a neighbourhood of which records tell in their addresses, the names of their locations and the areas that
 * they serve: the middle of these records. A house number counts where a record has it.
 */
export async function placeInRecords(
  text: string,
  area: { readonly point: Point } | undefined,
  index: IndexedPlaces,
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

const pointsIn = (places: string | undefined): Point[] =>
  places === undefined ? [] : readPlaces(places).filter((place) => 'latitude' in place);

/** The points around the one that has the most others near it. */
function clustered(points: readonly Point[]): readonly Point[] {
  let most: readonly Point[] = [];
  for (const center of points.slice(0, mostCenters)) {
    const around = points.filter((point) => distanceKm(point, center) <= onePlaceKm);
    if (around.length === points.length) return points;
    if (around.length > most.length) most = around;
  }
  return most;
}

function median(values: readonly number[]): number {
  const sorted = [...values].sort((one, other) => one - other);
  return sorted[Math.floor((sorted.length - 1) / 2)] as number;
}
