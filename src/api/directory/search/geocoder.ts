import { categories } from '../../../events/directory/category.ts';
import type { Location } from '../../../events/directory/location.ts';
import { distanceKm, shownKm, type Circle, type Point } from '../../../ground/earth.ts';
import { addressOf, hasAmericanCode, townKeyOf, type Address } from '../../../places/address-key.ts';
import {
  codeOfTerm,
  keyInWord,
  neighbourTermOf,
  wholeTerm,
  wordBeginning,
} from '../../../places/address-terms.ts';
import { gazetteerPlace } from '../../../places/gazetteer-place.ts';
import { postalCode } from '../../../places/postal-codes.ts';
import { addressTermsWithin } from '../../../places/terms-within.ts';
import { townsOfKey } from '../../../places/towns.ts';
import { cellsWithin } from '../../../projections/directory/search-cells.ts';
import {
  readPlaces,
  streetsAt,
  writtenPlaces,
  type Unplaced,
} from '../../../projections/directory/places.ts';
import { middleOf, type IndexedPlaces } from './own-places.ts';

/** What is asked of the index of the search. */
interface IndexedAddresses extends IndexedPlaces {
  stamp(): Promise<string | undefined>;
  beginning(letters: string, limit: number): Promise<string[]>;
  wordsStamp(letters: string): Promise<string>;
}

/** How far a record is, and whether only its postal code or town is known. */
export interface Distance {
  readonly km: number;
  readonly approximate: boolean;
  /** The coordinates that it is measured to. */
  readonly point?: Point;
}

/** Addresses of the directory that are looked at: those of 100,000 records are some thousands. */
const mostAddresses = 20_000;
/** For at most this many that the gazetteer does not know, the place is found by their neighbours. */
const mostUnknown = 200;
/** How long the middle of neighbours holds, and how long it holds that there is none; in milliseconds. */
const middleMs = 10 * 60_000;
const noMiddleMs = 30_000;
/** A town without a state must be this near to the directory. Otherwise the gazetteer does not have the town that is meant. */
const namelessKm = 1_000;
/** Coordinates that so many streets share are the place of none of them. A corner has two streets, a mall a few. */
const mostStreets = 6;
/** More addresses are not remembered. */
const mostRemembered = 50_000;

/** Terms of addresses that are all at one distance. */
export interface PlacedTerms {
  readonly km: number;
  readonly terms: readonly string[];
}

interface Found {
  readonly place: Point | undefined;
  /** Without what neighbours tell. */
  readonly byGazetteer: Point | undefined;
}

interface Middle {
  readonly place: Point | undefined;
  readonly until: number;
}

/**
 * Where locations without coordinates are: by the gazetteer, which knows the postal codes and towns of the United States,
 * and else in the middle of the directory's own locations of that postal code or town. Nothing of it is stored: another
 * gazetteer, or another record, counts from the next search on.
 */
export class Geocoder {
  readonly #index: IndexedAddresses;
  readonly #now: () => number;
  /** What the gazetteer says of addresses that were asked for. */
  readonly #places = new Map<string, Point | undefined>();
  /** Whether addresses are found by their terms. Remembered, so that one more record costs 2 ms of looking, not 40. */
  readonly #foundByTerms = new Map<string, boolean>();
  /** The addresses of the directory that the gazetteer does not know, or knows otherwise than their terms say. */
  #others: ReadonlyMap<string, Found> = new Map();
  readonly #middles = new Map<string, Middle>();
  readonly #sharedPoints = new Map<string, { readonly isShared: boolean; readonly until: number }>();
  #read: { readonly stamp: string | undefined; readonly words: string; readonly until: number } | undefined;
  #reading: Promise<void> | undefined;

  constructor(index: IndexedAddresses, now: () => number = Date.now) {
    this.#index = index;
    this.#now = now;
  }

  /** Learns which addresses the directory has, where that may have changed. Before a search near a place. */
  async refresh(): Promise<void> {
    const stamp = await this.#index.stamp();
    const isCurrent = (read = this.#read): boolean => read !== undefined && read.until > this.#now();
    if (stamp !== undefined && this.#read?.stamp === stamp && isCurrent()) return;
    await (this.#reading ??= this.#learn(stamp, isCurrent).finally(() => (this.#reading = undefined)));
  }

  /** Most changes of a directory add no address: then nothing is read. */
  async #learn(stamp: string | undefined, isCurrent: () => boolean): Promise<void> {
    // Before the words: what is added meanwhile is read again.
    const words = await this.#index.wordsStamp(wordBeginning);
    if (this.#read?.words === words && isCurrent()) {
      this.#read = { ...this.#read, stamp };
      return;
    }
    const others = new Map<string, Found>();
    let [estimated, until] = [0, this.#now() + middleMs];
    for (const key of (await this.#index.beginning(wordBeginning, mostAddresses)).map(keyInWord)) {
      if (this.#isFoundByItsTerms(key)) continue;
      const address = addressOf(key);
      const listed = this.#inGazetteer(key);
      if (listed) {
        others.set(key, { place: listed, byGazetteer: listed });
        continue;
      }
      const middle = estimated++ < mostUnknown ? await this.#amongNeighbours(key) : undefined;
      if (middle) until = Math.min(until, middle.until);
      const byGazetteer = await this.#nearestTown(address);
      others.set(key, { place: middle?.place ?? byGazetteer, byGazetteer });
    }
    this.#others = others;
    this.#read = { stamp, words, until };
  }

  /** The middle of the directory. Undefined where none of its records has coordinates. */
  async home(): Promise<Point | undefined> {
    return (await this.#middle(categories.map((slug) => `k${slug}`))).place;
  }

  /** The terms of what may lie in the ring: cells of the grid, postal codes and towns, and addresses of their own. */
  termsWithin(circle: Circle, beyondKm = 0): string[] {
    const { groups, others } = this.placedTermsWithin(circle, beyondKm);
    return [...others, ...groups.flatMap(({ terms }) => terms)];
  }

  /**
   * The same in groups, the nearest first: where the terms of a group tell right where a record is, it is no farther than
   * the group. The others are the terms of what lies anywhere in the ring.
   */
  placedTermsWithin(
    circle: Circle,
    beyondKm = 0,
  ): { readonly groups: readonly PlacedTerms[]; readonly others: readonly string[] } {
    const others = [...cellsWithin(circle, circle.radiusKm, beyondKm)];
    const groups = new Map<number, string[]>();
    const put = (term: string, place: Point): void => {
      const km = shownKm(distanceKm(circle, place));
      const terms = groups.get(km);
      if (terms) terms.push(term);
      else groups.set(km, [term]);
    };
    for (const term of addressTermsWithin(circle, beyondKm)) {
      const code = postalCode(codeOfTerm(term) ?? '');
      if (code) put(term, code);
      else others.push(term);
    }
    const isThere = (place: Point | undefined): place is Point => {
      const km = place && distanceKm(circle, place);
      return km !== undefined && km <= circle.radiusKm && km >= beyondKm;
    };
    for (const [key, { place, byGazetteer }] of this.#others) {
      if (place === byGazetteer && isThere(place)) put(wholeTerm(key), place);
      else if (isThere(place) || isThere(byGazetteer)) others.push(wholeTerm(key));
    }
    const placed = Array.from(groups, ([km, terms]) => ({ km, terms }));
    return { groups: placed.sort((one, other) => one.km - other.km), others };
  }

  /** The distance to the nearest place of a record, rounded to ten metres. Undefined where none of its places is known. */
  distanceTo(places: string | undefined, from: Point): Distance | undefined {
    if (places === undefined) return undefined;
    let nearest: Distance | undefined;
    for (const each of readPlaces(places)) {
      const approximate = !('latitude' in each);
      const place = approximate ? this.placeOf(each) : each;
      if (!place) continue;
      const km = shownKm(distanceKm(from, place));
      if (!nearest || km < nearest.km)
        nearest = { km, approximate, ...(approximate ? {} : { point: place }) };
    }
    return nearest;
  }

  /**
   * Which of these coordinates are those of so many streets that they can only be the middle of a postal code or a town:
   * whoever is there is only about so far.
   */
  async shared(points: readonly Point[]): Promise<ReadonlySet<Point>> {
    const now = this.#now();
    const are = await Promise.all(
      points.map(async (point) => {
        const key = streetsAt(point);
        const kept = this.#sharedPoints.get(key);
        if (kept && kept.until > now) return kept.isShared;
        const isShared = (await this.#index.beginning(key, mostStreets)).length === mostStreets;
        if (this.#sharedPoints.size >= mostRemembered) this.#sharedPoints.clear();
        this.#sharedPoints.set(key, { isShared, until: now + middleMs });
        return isShared;
      }),
    );
    return new Set(points.filter((_, at) => are[at]));
  }

  /** The shown location that is nearest to a point, of those whose place is known. */
  nearest(locations: readonly Location[], from: Point): Location | undefined {
    const placed = locations.flatMap((location) => {
      const km = this.distanceTo(writtenPlaces({ locations: [location] }), from)?.km;
      return km === undefined ? [] : [{ location, km }];
    });
    return placed.sort((one, other) => one.km - other.km)[0]?.location;
  }

  /**
   * Where an address is. A confidential location is where the gazetteer has its city, or nowhere: neighbours tell more
   * than the city, and somebody could add some.
   */
  placeOf({ address, confidential }: Unplaced): Point | undefined {
    const listed = this.#inGazetteer(address);
    if (listed) return listed;
    const other = this.#others.get(address);
    return confidential ? other?.byGazetteer : other?.place;
  }

  #isFoundByItsTerms(key: string): boolean {
    const before = this.#foundByTerms.get(key);
    if (before !== undefined) return before;
    const isFound = isFoundByItsTerms(addressOf(key));
    if (this.#foundByTerms.size >= mostRemembered) this.#foundByTerms.clear();
    this.#foundByTerms.set(key, isFound);
    return isFound;
  }

  #inGazetteer(key: string): Point | undefined {
    if (this.#places.has(key)) return this.#places.get(key);
    const place = gazetteerPlace(addressOf(key));
    if (this.#places.size >= mostRemembered) this.#places.clear();
    this.#places.set(key, place);
    return place;
  }

  /** Of a town without a state, that of its name which is nearest to the directory's own records. */
  async #nearestTown({ state, country, town }: Address): Promise<Point | undefined> {
    if (state !== undefined || country !== undefined) return undefined;
    const towns = townsOfKey(town);
    const home = await this.home();
    if (!home) return towns[0];
    const [nearest] = towns.sort((one, other) => distanceKm(one, home) - distanceKm(other, home));
    return nearest && distanceKm(nearest, home) <= namelessKm ? nearest : undefined;
  }

  async #amongNeighbours(key: string): Promise<Middle> {
    const { postalCode, town } = addressOf(key);
    const ofCode = postalCode === '' ? undefined : await this.#middle([`z${postalCode}`]);
    if (ofCode?.place || town === '') return ofCode ?? { place: undefined, until: Infinity };
    return this.#middle([neighbourTermOf(townKeyOf(key))]);
  }

  /** The middle of the locations with one of the terms. */
  async #middle(terms: readonly string[]): Promise<Middle> {
    const name = terms.join(' ');
    const kept = this.#middles.get(name);
    if (kept && kept.until > this.#now()) return kept;
    const place = await middleOf(this.#index, [terms]);
    const middle = { place, until: this.#now() + (place ? middleMs : noMiddleMs) };
    if (this.#middles.size >= mostRemembered) this.#middles.clear();
    this.#middles.set(name, middle);
    return middle;
  }
}

/** Whether the gazetteer has it where its terms say: at its postal code, or where it tells none, at its town in its state. */
function isFoundByItsTerms(address: Address): boolean {
  const place = gazetteerPlace(address);
  if (!place) return false;
  return place.by === 'postal code' || !hasAmericanCode(address);
}
