import type { Documents } from '../../stores/documents/port.ts';
import { etagOf } from '../etag.ts';
import { finished, FinishedAnswers, type Finished } from '../finished.ts';
import type { Filter } from './cursor.ts';
import type { LegacyQuery } from './legacy-query.ts';
import { Pages } from './pages.ts';

const keptBytes = 16 * 1024 * 1024;
/** Totals remembered while the collection stands. */
const keptTotals = 1_000;

/** A page of the legacy list, in the developer tier whatever the key (interface 2.1, 2.2), with its total. */
export function legacyListOf(documents: Documents): (query: LegacyQuery) => Promise<Finished> {
  const pages = new Pages(documents);
  const answers = new FinishedAnswers(keptBytes);
  const totals = new Map<string, number>();
  let totalsStamp: string | undefined;

  return async ({ filter, limit, offset }) => {
    const stamp = await pages.searchStamp();
    const key = JSON.stringify([filter, limit, offset]);
    const kept = answers.get(key, stamp);
    if (kept) return kept;

    const total = await totalOf(filter, stamp);
    // Beyond the end there is nothing to skip to.
    const page =
      offset >= total
        ? { records: [], next: undefined }
        : await pages.read({ filter, tier: 'developer', limit, skip: offset });
    const body = `{"data":[${page.records.join(',')}],"has_more":${page.next !== undefined},"total":${total}}`;
    const answer = finished(body, stamp === undefined ? etagOf(body) : etagOf('legacy', key, stamp));
    answers.put(key, stamp, answer);
    return answer;
  };

  async function totalOf(filter: Filter, stamp: string | undefined): Promise<number> {
    if (stamp !== totalsStamp) totals.clear();
    totalsStamp = stamp;
    const key = JSON.stringify(filter);
    const known = totals.get(key);
    if (known !== undefined) return known;
    const total = await pages.count(filter);
    if (stamp !== undefined && stamp === totalsStamp && totals.size < keptTotals) totals.set(key, total);
    return total;
  }
}
