import type { Caller } from '../caller.ts';
import { baseOf, type ServerDependencies } from '../dependencies.ts';
import { etagOf } from '../etag.ts';
import { finished, FinishedAnswers, type Finished } from '../finished.ts';
import { queryOf } from '../query-string.ts';
import { OncePerTurn } from '../turn.ts';
import { cursors } from './cursor.ts';
import { insufficientScope } from './guard.ts';
import { readListQuery, type ListQuery } from './list-query.ts';
import { Pages } from './pages.ts';

export const listPath = '/dash/api/v1/resources';

/** Memory for finished pages, listed and found by words. */
const listedBytes = 24 * 1024 * 1024;
const foundBytes = 8 * 1024 * 1024;

export interface List {
  /** What the collection is stamped with, for a request that came over a connection; to be asked on its arrival. */
  stamp(connection: object): Promise<string | undefined>;
  /** Answers a request; `stamp` is from after it had arrived. @throws Problem, BadQuery */
  answer(target: string, caller: Caller, stamp: string | undefined): Promise<Finished>;
}

/**
 * The list. A page is joined from records that were rendered when they changed, and kept as it went out, by
 * audience and query, until anything in the collection changes.
 */
export function listOf(dependencies: ServerDependencies): List {
  const sealing = cursors(dependencies.masterKey);
  const pages = new Pages(dependencies.documents);
  const stamps = new OncePerTurn(() => pages.stamp());
  const base = baseOf(dependencies) + listPath;
  const listed = new FinishedAnswers(listedBytes);
  const found = new FinishedAnswers(foundBytes);

  return { stamp: (connection) => stamps.for(connection), answer };

  async function answer(target: string, caller: Caller, stamp: string | undefined): Promise<Finished> {
    const key = `${caller.audience}?${queryOf(target)}`;
    const kept = listed.get(key, stamp);
    if (kept) return kept;

    const query = readListQuery(target, caller.team, sealing);
    if (query.filter.status !== undefined && !caller.scopes.has('directory:manage')) {
      throw insufficientScope('directory:manage');
    }
    if (query.filter.words === undefined) return make(key, caller, query, stamp, listed);
    const searchStamp = await pages.searchStamp();
    return found.get(key, searchStamp) ?? make(key, caller, query, searchStamp, found);
  }

  async function make(
    key: string,
    caller: Caller,
    query: ListQuery,
    stamp: string | undefined,
    answers: FinishedAnswers,
  ): Promise<Finished> {
    const tier = caller.kind === 'developer' ? 'developer' : 'team';
    const page = await pages.read({ ...query, tier });
    const next = page.next && sealing.seal({ filter: query.filter, place: page.next });
    const end = next === undefined ? 'false,"next_cursor":null' : `true,"next_cursor":"${next}"`;
    const body = `{"data":[${page.records.join(',')}],"has_more":${end}}`;
    const answer = finished(
      body,
      stamp === undefined ? etagOf(body) : etagOf(tier, query, stamp),
      next && `<${base}?limit=${query.limit}&cursor=${next}>; rel="next"`,
    );
    answers.put(key, stamp, answer);
    return answer;
  }
}
