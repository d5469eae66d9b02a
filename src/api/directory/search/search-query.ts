import type { Circle, SearchFilters, SearchRequest, Sort } from './request.ts';
import type { Search } from './search.ts';

/** A search as a caller asks for it, before a place is looked up and "now" is an instant. */
export interface SearchQuery extends SearchFilters {
  readonly text?: string | undefined;
  /** ISO 8601 UTC. */
  readonly updatedSince?: string | undefined;
  /** Coordinates, a postal code or a city. */
  readonly near?: string | undefined;
  readonly radiusKm?: number | undefined;
  /** ISO 8601 UTC, or `now`. */
  readonly openAt?: string | undefined;
  readonly sort?: Sort | undefined;
}

/** What is decided on the first page. */
export interface Settled {
  readonly near?: Circle | undefined;
  readonly openAt?: string | undefined;
}

/** Kilometres around a place when nobody says how far. */
export const defaultRadiusKm = 40;
/** Half of the way around the earth. */
export const largestRadiusKm = 20_000;

/** Undefined: nobody knows the place. */
export async function settle(wanted: SearchQuery, search: Search, now: Date): Promise<Settled | undefined> {
  const { near, radiusKm = defaultRadiusKm, openAt } = wanted;
  const found = near === undefined ? undefined : await search.placeNamed(near);
  if (near !== undefined && !found) return undefined;
  return {
    ...(found && { near: { latitude: found.latitude, longitude: found.longitude, radiusKm } }),
    ...(openAt === undefined ? {} : { openAt: openAt === 'now' ? now.toISOString() : openAt }),
  };
}

/** The request for a page, without its size. */
export function requestOf(wanted: SearchQuery, { near, openAt }: Settled): Omit<SearchRequest, 'limit'> {
  const { near: _name, radiusKm: _radius, openAt: _instant, ...rest } = wanted;
  return { ...rest, ...(near ? { near } : {}), ...(openAt === undefined ? {} : { openAt }) };
}
