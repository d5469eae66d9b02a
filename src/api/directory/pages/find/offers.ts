import type { Category } from '../../../../events/directory/category.ts';
import type { Search } from '../../search/search.ts';

/** What can be chosen so that something is found. */
export interface Offers {
  readonly kinds: readonly Category[];
  /** Some record says that it is free of charge. */
  readonly free: boolean;
  /** Of some record it is known when it is open. */
  readonly open: boolean;
}

/** How long the answer holds, in milliseconds, unless the directory has not changed since. */
const keptMs = 60_000;

/** What the directory has: a choice that finds nothing in all of it is not offered. Of an empty directory, all. */
export function directoryOffers(search: Search): (now: Date) => Promise<Offers> {
  let kept:
    { readonly offers: Offers; readonly stamp: string | undefined; readonly until: number } | undefined;
  return async (now) => {
    if (kept && kept.until > now.getTime()) return kept.offers;
    const stamp = await search.stamp();
    if (kept === undefined || stamp === undefined || kept.stamp !== stamp)
      kept = { offers: await search.offers(), stamp, until: 0 };
    kept = { ...kept, until: now.getTime() + keptMs };
    return kept.offers;
  };
}
