import type { Point } from '../../../ground/earth.ts';
import type { Location } from '../../../events/directory/location.ts';
import { categories, type Category } from '../../../events/directory/category.ts';
import { resourceSearch } from '../../../projections/directory/resource-search.ts';
import { defined } from '../../../ground/defined.ts';
import type { TermQuery } from '../../../stores/documents/port.ts';
import type { ServerDependencies } from '../../dependencies.ts';
import { CurrentZones } from '../default-zones.ts';
import { pageByChange } from './by-change.ts';
import { pageByDistance } from './by-distance.ts';
import { pageByRank, type Page } from './by-rank.ts';
import type { ExpandedQuery } from './words/expand.ts';
import { kindsNamed } from './words/kinds.ts';
import { countFacets, mostCounted, widestOf } from './facets.ts';
import { wideRanksOf, fewTerms, ranksOf, partialRanks, shownRank, type Least } from './ranking.ts';
import { locate, type NamedPlace } from './named-place.ts';
import { triesOf, type Tries, type Try, type Trying } from './tries.ts';
import { understood } from './understood.ts';
import type { Ranking } from './read-ranks.ts';
import type { Circle, Hit, SearchPage, SearchRequest, Sort, SearchFilters, WordsRead } from './request.ts';
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

  readonly #zones: CurrentZones;

  constructor(dependencies: Pick<ServerDependencies, 'documents' | 'config'>) {
    const { documents } = dependencies;
    this.#zones = new CurrentZones(dependencies);
    this.#index = new SearchIndex(documents.collection(resourceSearch.collection));
  }

  /** The version of what searches find. See `Collection.stamp`. */
  async stamp(): Promise<string | undefined> {
    const [index, zones] = await Promise.all([this.#index.stamp(), this.#zones.stamp()]);
    return index === undefined || zones === undefined ? undefined : `${index} ${zones}`;
  }

  /** The middle of the directory's own addresses with this postal code or city. Coordinates are taken as they are. */
  placeNamed(text: string): Promise<NamedPlace | undefined> {
    return locate(text, this.#index);
  }

  /** The shown location that is nearest to a point, of those whose place is known. */
  nearestLocation(locations: readonly Location[], near: Point): Location | undefined {
    return this.#index.geocoder.nearest(locations, near);
  }

  /** The kinds of help that some record is of, and whether some are known to be free of charge, and when they are open. */
  async offers(): Promise<{
    readonly kinds: readonly Category[];
    readonly free: boolean;
    readonly open: boolean;
  }> {
    const has = await Promise.all(categories.map((slug) => this.#index.hasAny([`k${slug}`])));
    const kinds = categories.filter((_, at) => has[at]);
    if (kinds.length === 0) return { kinds: categories, free: true, open: true };
    const [free, open] = await Promise.all([this.#index.hasAny(['f1']), this.#index.knowsHours()]);
    return { kinds, free, open };
  }

  /** A page of records. The rules of the order are in ranks.ts and by-distance.ts. */
  async find(wanted: SearchRequest): Promise<SearchPage> {
    const request = { ...wanted, zones: await this.#zones.now() };
    const { place, countUpTo, facets } = request;
    // Asked together: the thread that searches is woken once.
    const [words, newest] = await Promise.all([
      understood(request, this.#index),
      orderOf(request) === 'id' ? undefined : (place?.newest ?? this.#index.newest()),
      request.near ? this.#index.geocoder.refresh() : undefined,
    ]);
    const { query, didYouMean, read, here, placeInWords } = words;
    const tries = triesOf(request, words);
    const { page, tried, widest, left } = await this.#firstThatFinds(request, tries, newest);
    const { agreement, least } = tried;
    const { next, passedSome: _, ...rest } = page;
    const filled = await this.#filled(request, page, left, newest);
    const counted = await widest?.();
    return {
      ...rest,
      hits: await this.#withSharedPoints([...rest.hits, ...filled]),
      next: next && {
        ...next,
        query,
        newest,
        least,
        ...(agreement === 'all' ? {} : { agreement }),
        ...defined({ placeInWords }),
        ...defined({ read: agreement === 'around' ? { ...read, around: tried.request.near } : read }),
      },
      didYouMean,
      placeInWords,
      ...(agreement !== 'all' && rest.hits.length > 0 ? { partialFrom: 0 } : {}),
      ...(agreement === 'all' && filled.length > 0 ? { partialFrom: rest.hits.length } : {}),
      ...(here ? { asksForHere: here } : {}),
      ...(isOfInstant(read) ? { ofThisInstant: true } : {}),
      ...(countUpTo === undefined ? {} : { total: await this.#totalOf(tried, countUpTo, counted) }),
      ...(facets && counted
        ? { facets: countFacets(counted, tried.request, facets, this.#index.geocoder) }
        : {}),
    };
  }

  /** Coordinates that many streets have in common are about where a record is. */
  async #withSharedPoints(hits: readonly Hit[]): Promise<readonly Hit[]> {
    const points = hits.flatMap(({ point }) => point ?? []);
    if (points.length === 0) return hits;
    const shared = await this.#index.geocoder.shared(points);
    return hits.map((hit) => (hit.point && shared.has(hit.point) ? { ...hit, approximate: true } : hit));
  }

  /** The best records that agree in part, where all that agree are too few to fill a small page. */
  async #filled(
    { fill, place, limit, updatedSince, sort }: SearchRequest,
    { hits, next, mayHaveMore }: Page,
    left: readonly Trying[],
    newest: string | undefined,
  ): Promise<Hit[]> {
    const most = Math.min(limit, fewResults) - hits.length;
    if (!fill || place || next || mayHaveMore || updatedSince !== undefined || sort === 'id') return [];
    const seen = new Set(hits.map(({ number }) => number));
    const filled: Hit[] = [];
    // Records that agree in fewer and fewer words are of less and less use.
    let triedSoFar = 0;
    for (const trying of left) {
      if (filled.length >= most || triedSoFar === mostTries) break;
      const tried = await this.#tryOf(trying);
      if (!tried) continue;
      triedSoFar++;
      const request = { ...tried.request, limit: most + seen.size, facets: undefined };
      const page = await this.#page(request, tried.query, tried.least, newest, undefined);
      for (const hit of page.hits) {
        if (filled.length >= most || seen.has(hit.number)) continue;
        seen.add(hit.number);
        filled.push({ ...hit, equals: `try ${triedSoFar}: ${hit.equals ?? hit.number}` });
      }
    }
    return filled;
  }

  /** Counting facets has read enough for a small total. */
  async #totalOf(
    { query, least, request }: Try,
    countUpTo: number,
    counted: Widest | undefined,
  ): Promise<number> {
    return counted && countUpTo <= mostCounted
      ? Math.min(counted.candidates.length, countUpTo + 1)
      : this.#index.count(this.#unionOf(query, least, request), countUpTo + 1);
  }

  /** Records that agree in all that was typed. When there are none, the first that agree in less. */
  async #firstThatFinds(
    { place }: SearchRequest,
    { all, others }: Tries,
    newest: string | undefined,
  ): Promise<Found> {
    const pageOf = async (tried: Try, left: readonly Trying[]): Promise<Found> => {
      const { request, query, least } = tried;
      const { facets } = request;
      const widest = facets && widestOf(this.#index, this.#unionOf(query, least, request), request, facets);
      return { page: await this.#page(request, query, least, newest, widest), tried, widest, left };
    };
    if (place) {
      const { agreement = 'all', least } = place;
      for (const trying of [() => all, ...others]) {
        const same = await this.#tryOf(trying);
        if (same?.agreement === agreement && same.least === least) return pageOf(same, []);
      }
      return pageOf({ ...all, agreement, least }, []);
    }
    const whole = await pageOf(all, others);
    if (await this.#findsAnything(whole)) return whole;
    for (const [at, trying] of others.entries()) {
      const other = await this.#tryOf(trying);
      if (!other) continue;
      const part = await pageOf(other, others.slice(at + 1));
      if (await this.#findsAnything(part)) return part;
    }
    return whole;
  }

  /** Around a place, the directory's own addresses are needed. */
  async #tryOf(trying: Trying): Promise<Try | undefined> {
    const tried = await trying();
    if (tried?.agreement === 'around') await this.#index.geocoder.refresh();
    return tried;
  }

  /** A page beyond the last record is empty as well. */
  async #findsAnything({ page: { hits, mayHaveMore, passedSome }, tried }: Found): Promise<boolean> {
    const { request, query, least } = tried;
    if (hits.length > 0 || mayHaveMore === true || passedSome === true) return true;
    // Around a place the index counts what lies a little farther as well.
    if (request.near) return false;
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
      const ranks = wideRanksOf(query, least, groupsOf(request));
      const kinds = query ? kindsNamed(query) : undefined;
      return pageByDistance(this.#index, { ...request, near, kinds }, ranks, newest);
    }
    const ranks =
      query && order === 'relevance' ? rankingWith(query, least, this.#inCircle(request)) : undefined;
    const all = ranks ?? { ranks: [this.#unionOf(query, least, request)], apart: 0 };
    return pageByRank(this.#index, request, { ...all, widest }, newest);
  }

  /** All that a search finds, whatever its order. */
  #unionOf(query: ExpandedQuery | undefined, least: Least | undefined, request: SearchRequest): TermQuery {
    return wideRanksOf(query, least, this.#inCircle(request)).at(-1) ?? { every: [[]] };
  }

  #inCircle(request: SearchRequest): TermQuery['every'] {
    const { near } = request;
    const groups = groupsOf(request);
    return near ? [...groups, this.#index.geocoder.termsWithin(near)] : groups;
  }
}

const isOfInstant = (read: WordsRead | undefined): boolean =>
  read?.openAt !== undefined || (read?.openOn !== undefined && 'instant' in read.openOn);

/** How many ways to agree in part fill a page. */
const mostTries = 2;
/** Fewer results than these are filled. */
const fewResults = 10;

interface Found {
  readonly page: Page;
  readonly tried: Try;
  /** With facets: see `Ranking`. */
  readonly widest: (() => Promise<Widest>) | undefined;
  /** What agrees in less. */
  readonly left: readonly Trying[];
}

/** Without a place there is no distance, and without words no relevance. */
function orderOf({ sort, near, text, place, updatedSince }: SearchRequest): Sort {
  if (updatedSince !== undefined) return 'id';
  const order = sort ?? (near ? 'distance' : 'relevance');
  if (order === 'distance' && !near) return 'id';
  return order === 'relevance' && text === undefined && place?.query === undefined ? 'id' : order;
}

function rankingWith(query: ExpandedQuery, least: Least | undefined, filters: TermQuery['every']): Ranking {
  if (least !== undefined) return { ranks: partialRanks(query, least, filters), apart: 0 };
  const ranks = ranksOf(query, filters);
  return { ranks, apart: fewTerms(query), shown: shownRank(query, ranks) };
}

/** The filters; all records where nothing else says which: every record has a category. */
function groupsOf(request: SearchRequest): TermQuery['every'] {
  const groups = filterGroups(request);
  const isOpen = groups.length === 0 && request.text === undefined && !request.near;
  return isOpen ? [categories.map((slug) => `k${slug}`)] : groups;
}

/** The filters of a search as groups of terms. */
function filterGroups(filters: SearchFilters & Pick<SearchRequest, 'team'>): TermQuery['every'] {
  const { category, city, postalCode, language, organization, free, team } = filters;
  return [
    ...(category === undefined ? [] : [[`k${category}`]]),
    ...(city === undefined ? [] : [[`y${cityKey(city)}`]]),
    ...(postalCode === undefined ? [] : [[`z${postalCodeKey(postalCode)}`]]),
    ...(language === undefined ? [] : [[`l${languageKey(language)}`]]),
    ...(organization === undefined ? [] : [[`o${organizationKey(organization)}`]]),
    ...(free === true ? [['f1']] : []),
    ...(team === undefined ? [] : [[`w${team}`]]),
  ];
}
