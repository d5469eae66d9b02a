import type { Category } from '../../../../events/directory/category.ts';
import { categories } from '../../../../events/directory/category.ts';
import { defaultRadiusKm, requestOf, settle } from '../../search/search-query.ts';
import type { Circle } from '../../search/request.ts';
import type { Search } from '../../search/search.ts';
import { searchQueryOf, type Changes, type FindQuery } from './find-query.ts';
import type { Offers } from './offers.ts';

/** How much farther one may look, at most, in kilometres. */
const farthestKm = 400;

/** What to try where nothing was found. Each finds something. */
export interface WaysOn {
  readonly withoutFilters: Changes | undefined;
  readonly farther: (Changes & { readonly radiusKm: number }) | undefined;
  readonly everywhere: Changes | undefined;
  /** Kinds of help that there are here. None where it is enough to leave out the filters. */
  readonly kinds: readonly Category[];
}

/** Looks which ways on from a search without results find something. `near`: where it was searched. */
export async function waysOn(
  query: FindQuery,
  near: Circle | undefined,
  offers: Offers,
  search: Search,
  now: Date,
): Promise<WaysOn> {
  const { text, radiusKm = defaultRadiusKm, category, city, spoken, free, open } = query;
  const filtered = [city, spoken, free, open, text && category].some((each) => (each ?? '') !== '');
  const there = near === undefined ? { near: undefined, radiusKm: undefined, sort: undefined } : {};
  const ifFound = async <Way extends Changes>(changes: Way | undefined): Promise<Way | undefined> =>
    changes && (await finds({ ...query, ...there, ...changes }, search, now)) ? changes : undefined;
  const farther = { radiusKm: radiusKm * 4 };
  const [withoutFilters, fartherOn, everywhere] = await Promise.all([
    ifFound(
      filtered
        ? {
            ...{ city: undefined, spoken: undefined, free: undefined, open: undefined },
            ...(text === undefined ? {} : { category: undefined }),
          }
        : undefined,
    ),
    ifFound(near === undefined || farther.radiusKm > farthestKm ? undefined : farther),
    ifFound(near === undefined ? undefined : { near: undefined, radiusKm: undefined, sort: undefined }),
  ]);
  return {
    withoutFilters,
    farther: fartherOn,
    everywhere,
    kinds:
      withoutFilters === undefined
        ? (await kindsAround(near, offers, search)).filter(
            (each) => category === undefined || each === category,
          )
        : [],
  };
}

/** Undefined members are left out: they are choices that are taken back. */
async function finds(query: Changes, search: Search, now: Date): Promise<boolean> {
  const chosen = Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined));
  const wanted = searchQueryOf(chosen);
  const settled = await settle(wanted, search, now);
  if (!settled) return false;
  const { hits } = await search.find({ ...requestOf(wanted, settled), limit: 1, now, fill: true });
  return hits.length > 0;
}

async function kindsAround(
  near: Circle | undefined,
  { kinds }: Offers,
  search: Search,
): Promise<readonly Category[]> {
  if (near === undefined) return kinds;
  const around = { ...near, radiusKm: defaultRadiusKm };
  const { facets = {} } = await search.find({ near: around, limit: 1, facets: ['category'] });
  const there = new Set((facets.category ?? []).map(({ value }) => value));
  return categories.filter((each) => there.has(each));
}
