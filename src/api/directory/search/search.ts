import type { Point } from '../../../ground/earth.ts';
import type { Location } from '../../../events/directory/location.ts';
import { categories } from '../../../events/directory/category.ts';
import { resourceSearch } from '../../../projections/directory/resource-search.ts';
import type { Documents, TermQuery } from '../../../stores/documents/port.ts';
import { pageByChange } from './by-change.ts';
import { pageByDistance } from './by-distance.ts';
import { pageByLevels, type Page } from './by-levels.ts';
import { conceptsIn } from './concepts.ts';
import { expand, type ExpandedQuery, type Expansion } from './expand.ts';
import { countFacets, mostCounted, widestOf } from './facets.ts';
import { bandsOf, combined, fewTerms, levelsOf, partialLevels, type Least } from './levels.ts';
import { locate, type NamedPlace } from './named-place.ts';
import type { Levels } from './ranked.ts';
import type { Circle, SearchPage, SearchRequest, Sort, SearchFilters } from './request.ts';
import { SearchIndex, type Widest } from './search-index.ts';
import {
  cityKey,
  languageKey,
  organizationKey,
  postalCodeKey,
} from '../../../projections/directory/search-keys.ts';

/**
 * The search of the directory: for the read API, the legacy endpoint and the pages. It finds numbers of public records;
 * the records themselves are in the read model `resources`, which may be ahead of the search or behind it.
 */
export class Search {
  readonly #index: SearchIndex;

  constructor({ documents }: { readonly documents: Documents }) {
    this.#index = new SearchIndex(documents.collection(resourceSearch.collection));
  }

  /** The version of what searches find. See `Collection.stamp`. */
  stamp(): Promise<string | undefined> {
    return this.#index.stamp();
  }

  /** The middle of the directory's own addresses with this postal code or city. Coordinates are taken as they are. */
  placeNamed(text: string): Promise<NamedPlace | undefined> {
    return locate(text, this.#index);
  }

  /** Of locations that are shown, the nearest to a point of which it is known where it is. */
  nearestLocation(locations: readonly Location[], near: Point): Location | undefined {
    return this.#index.geocoder.nearest(locations, near);
  }

  /** A page of records. The rules of the order are in levels.ts and by-distance.ts. */
  async find(request: SearchRequest): Promise<SearchPage> {
    const { place, countUpTo, facets } = request;
    if (request.near) await this.#index.geocoder.refresh();
    const { query, didYouMean } = await this.#understood(request);
    const newest = orderOf(request) === 'id' ? undefined : (place?.newest ?? (await this.#index.newest()));
    const { page, least, widest } = await this.#firstThatFinds(request, query, newest);
    const union = this.#unionOf(query, least, request);
    const { next, ...rest } = page;
    const counted = await widest?.();
    return {
      ...rest,
      next: next && { ...next, query, newest, least },
      didYouMean,
      ...(countUpTo === undefined ? {} : { total: await this.#totalOf(union, countUpTo, counted) }),
      ...(facets && counted ? { facets: countFacets(counted, request, facets, this.#index.geocoder) } : {}),
    };
  }

  /** Counting facets has read enough for a small total. */
  async #totalOf(union: TermQuery, countUpTo: number, counted: Widest | undefined): Promise<number> {
    return counted && countUpTo <= mostCounted
      ? Math.min(counted.candidates.length, countUpTo + 1)
      : this.#index.count(union, countUpTo + 1);
  }

  async #understood({ text, place }: SearchRequest): Promise<Partial<Expansion>> {
    if (place?.query) return { query: place.query };
    return text === undefined ? {} : expand(conceptsIn(text), this.#index);
  }

  /** Records with all words. When there are none, those with as many as possible. */
  async #firstThatFinds(
    request: SearchRequest,
    query: ExpandedQuery | undefined,
    newest: string | undefined,
  ): Promise<Found> {
    const pageWith = async (least: Least | undefined): Promise<Found> => {
      const { facets } = request;
      const widest = facets && widestOf(this.#index, this.#unionOf(query, least, request), request, facets);
      return { page: await this.#page(request, query, least, newest, widest), least, widest };
    };
    if (request.place) return pageWith(request.place.least);
    const whole = await pageWith(undefined);
    if (!query || (await this.#findsAnything(whole.page, request, query, undefined))) return whole;
    for (let least = combined(query) - 1; least >= 1; least--) {
      const part = await pageWith(least);
      if (await this.#findsAnything(part.page, request, query, least)) return part;
    }
    return whole;
  }

  /** A page beyond the last record is empty as well. */
  async #findsAnything(
    { hits, mayHaveMore }: Page,
    request: SearchRequest,
    query: ExpandedQuery,
    least: Least | undefined,
  ): Promise<boolean> {
    if (hits.length > 0 || mayHaveMore === true) return true;
    return (
      request.skip !== undefined && (await this.#index.count(this.#unionOf(query, least, request), 1)) > 0
    );
  }

  #page(
    request: SearchRequest,
    query: ExpandedQuery | undefined,
    least: Least | undefined,
    newest: string | undefined,
    widest: Found['widest'],
  ): Promise<Page> {
    const order = orderOf(request);
    if (request.updatedSince !== undefined) {
      const union = this.#unionOf(query, least, request);
      return pageByChange(this.#index, { ...request, updatedSince: request.updatedSince }, union);
    }
    if (order === 'distance') {
      const near = request.near as Circle;
      const bands = bandsOf(query, least, groupsOf(request));
      return pageByDistance(this.#index, { ...request, near }, bands, newest);
    }
    const levels =
      query && order === 'relevance' ? levelsWith(query, least, this.#inCircle(request)) : undefined;
    const all = levels ?? { levels: [this.#unionOf(query, least, request)], apart: 0 };
    return pageByLevels(this.#index, request, { ...all, widest }, newest);
  }

  /** All that a search finds, whatever its order. */
  #unionOf(query: ExpandedQuery | undefined, least: Least | undefined, request: SearchRequest): TermQuery {
    return bandsOf(query, least, this.#inCircle(request)).at(-1) ?? { every: [[]] };
  }

  #inCircle(request: SearchRequest): TermQuery['every'] {
    const { near } = request;
    const groups = groupsOf(request);
    return near ? [...groups, this.#index.geocoder.termsWithin(near)] : groups;
  }
}

interface Found {
  readonly page: Page;
  readonly least: Least | undefined;
  /** With facets: see `Levels`. */
  readonly widest: (() => Promise<Widest>) | undefined;
}

/** Without a place there is no distance, and without words no relevance. */
function orderOf({ sort, near, text, place, updatedSince }: SearchRequest): Sort {
  if (updatedSince !== undefined) return 'id';
  const asked = sort ?? (near ? 'distance' : 'relevance');
  if (asked === 'distance' && !near) return 'id';
  return asked === 'relevance' && text === undefined && place?.query === undefined ? 'id' : asked;
}

const levelsWith = (query: ExpandedQuery, least: Least | undefined, filters: TermQuery['every']): Levels =>
  least === undefined
    ? { levels: levelsOf(query, filters), apart: fewTerms(query) }
    : { levels: partialLevels(query, least, filters), apart: 0 };

/** The filters; all records where nothing else says which: every record has a category. */
function groupsOf(request: SearchRequest): TermQuery['every'] {
  const groups = filterGroups(request);
  const isOpen = groups.length === 0 && request.text === undefined && !request.near;
  return isOpen ? [categories.map((slug) => `k${slug}`)] : groups;
}

/** The filters of a search as groups of terms. */
function filterGroups(filters: SearchFilters): TermQuery['every'] {
  const { category, city, postalCode, language, organization, free } = filters;
  return [
    ...(category === undefined ? [] : [[`k${category}`]]),
    ...(city === undefined ? [] : [[`y${cityKey(city)}`]]),
    ...(postalCode === undefined ? [] : [[`z${postalCodeKey(postalCode)}`]]),
    ...(language === undefined ? [] : [[`l${languageKey(language)}`]]),
    ...(organization === undefined ? [] : [[`o${organizationKey(organization)}`]]),
    ...(free === true ? [['f1']] : []),
  ];
}
