import { distanceKm, type Point } from '../../../ground/earth.ts';
import { readPlaces } from '../../../projections/directory/places.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';

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
