import type { TermQuery } from '../../../stores/documents/port.ts';
import { isTimed } from './conditions.ts';
import type { SearchRequest } from './request.ts';
import type { AlsoRead, Candidate, SearchIndex, Widest } from './search-index.ts';

/** The ranks of a ranking: see ranks.ts. */
export interface Ranking {
  readonly ranks: readonly TermQuery[];
  /**
   * So many of the first ranks have few terms, and need not lie within the last one. All other ranks do, when it is
   * taken without what it leaves out.
   */
  readonly apart: number;
  /** A rank before the last one within which all between `apart` and it lie in the same way. */
  readonly shown?: number | undefined;
  /** The first records of the last rank, where they are read in any case. */
  readonly widest?: (() => Promise<Widest>) | undefined;
}

export interface RankedRecord {
  readonly candidate: Candidate;
  readonly rank: number;
}

/** Beyond so many records, a rank is asked without those of the ranks before it. */
const mostSeen = 2_000;
/** So few records are told apart by their terms: each takes 50 µs, and to ask a rank takes a millisecond and more. */
const mostByTerms = 40;

/**
 * All records of the ranks, the best first. To leave out what the ranks before have found takes the index several
 * times as long as the rank alone, so it is left out here. A rank within which others lie is asked before them: when
 * it finds little, its records tell by their terms to which rank they belong, and when it finds nothing, the others are
 * not asked. To wake the thread that searches takes as long as a rank, so what can be asked together is.
 */
export async function* fromBeginning(
  index: SearchIndex,
  request: SearchRequest,
  { ranks, apart, shown, widest }: Ranking,
  together: number,
): AsyncGenerator<RankedRecord> {
  const also = readFor(request);
  const seen = new Set<number>();
  const unseen = (some: readonly Candidate[]) => some.filter(({ number }) => !seen.has(number));
  const last = ranks.length - 1;
  const ends = shown !== undefined && shown > apart && shown < last ? [shown, last] : [last];
  const ahead = new Map<number, ReadAhead>();
  const readAhead = async (numbers: readonly number[]): Promise<void> => {
    const most = together + seen.size;
    const found = await Promise.all(
      numbers.map((rank) => index.candidates(alone(ranks[rank] as TermQuery), most, { also })),
    );
    for (const [at, rank] of numbers.entries()) ahead.set(rank, { found: found[at] ?? [], most });
  };
  const recordsOf = async function* (rank: number): AsyncGenerator<RankedRecord> {
    const query = ranks[rank] as TermQuery;
    const read = ahead.get(rank);
    const rankQuery = seen.size > mostSeen && !read ? query : alone(query);
    const most = read?.most ?? together + (rankQuery === query ? 0 : seen.size);
    for (let after: number | undefined; ;) {
      const found =
        read && after === undefined ? read.found : await index.candidates(rankQuery, most, { after, also });
      for (const candidate of unseen(found)) {
        seen.add(candidate.number);
        yield { candidate, rank };
      }
      if (found.length < most) return;
      after = found.at(-1)?.number;
    }
  };
  /** All that a rank finds, where that is little. */
  const allOf = async (rank: number): Promise<readonly Candidate[] | undefined> => {
    if (widest && rank === last) {
      const { candidates, isAll } = await widest();
      return isAll ? candidates : undefined;
    }
    if (!ahead.has(rank)) await readAhead([rank]);
    const read = ahead.get(rank);
    return read && read.found.length < read.most ? read.found : undefined;
  };

  const [firstEnd = last] = ends;
  if (apart < last) await readAhead([...range(0, apart), ...(widest && firstEnd === last ? [] : [firstEnd])]);
  for (const rank of range(0, Math.min(apart, last + 1))) yield* recordsOf(rank);
  let from = apart;
  for (const end of ends) {
    const all = from > end ? undefined : await allOf(end);
    const left = all && unseen(all);
    if (left && left.length <= mostByTerms) {
      for (const ranked of await byTerms(index, ranks, from, end, left)) {
        seen.add(ranked.candidate.number);
        yield ranked;
      }
    } else {
      if (all) await readAhead(range(from, end));
      let former: TermQuery | undefined;
      for (const rank of range(from, end + 1)) {
        const query = ranks[rank] as TermQuery;
        if (!former || !isSame(former, query)) yield* recordsOf(rank);
        former = query;
      }
    }
    from = end + 1;
  }
}

/** Records of the rank `end`, each in the first rank from `from` on that it agrees with, in the order of the ranks. */
async function byTerms(
  index: SearchIndex,
  ranks: readonly TermQuery[],
  from: number,
  end: number,
  records: readonly Candidate[],
): Promise<RankedRecord[]> {
  if (from === end || records.length === 0) return records.map((candidate) => ({ candidate, rank: end }));
  const terms = await index.termsOf(records.map(({ number }) => number));
  const ranked = records.map((candidate) => {
    const has = terms.get(candidate.number);
    const rank = has && range(from, end).find((each) => agrees(ranks[each] as TermQuery, has));
    return { candidate, rank: rank ?? end };
  });
  return ranked.sort((one, other) => one.rank - other.rank || one.candidate.number - other.candidate.number);
}

const agrees = ({ every }: TermQuery, terms: ReadonlySet<string>): boolean =>
  every.every((group) => group.some((term) => terms.has(term)));

/** Whether two ranks find the same, without what they leave out. */
const isSame = (one: TermQuery, other: TermQuery): boolean =>
  one.every.length === other.every.length &&
  one.every.every((group, at) => String(group) === String(other.every[at]));

/** The first records of a rank that was asked together with others. */
interface ReadAhead {
  readonly found: readonly Candidate[];
  readonly most: number;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);

/** The records of the ranks after a place, or beyond those that are skipped there. */
export async function* fromPlace(
  index: SearchIndex,
  request: SearchRequest,
  { ranks }: Ranking,
  start: Start,
  together: number,
): AsyncGenerator<RankedRecord> {
  const also = readFor(request);
  for (let { rank, after, skip } = start; rank < ranks.length; rank++) {
    for (;;) {
      const found = await index.candidates(ranks[rank] as TermQuery, together, { after, skip, also });
      for (const candidate of found) yield { candidate, rank };
      skip = undefined;
      after = found.at(-1)?.number;
      if (found.length < together) break;
    }
    after = undefined;
  }
}

export interface Start {
  readonly rank: number;
  readonly after?: number | undefined;
  readonly skip?: number | undefined;
}

/** Beyond the records to skip. */
export async function startAfter(
  index: SearchIndex,
  ranks: readonly TermQuery[],
  skip: number,
): Promise<Start> {
  let left = skip;
  for (const [rank, query] of ranks.entries()) {
    if (left === 0) return { rank };
    const count = await index.count(query, left + 1);
    if (count > left) return { rank, skip: left };
    left -= count;
  }
  return { rank: ranks.length };
}

/** What conditions compare. */
export const readFor = ({ near, ...time }: Pick<SearchRequest, 'near' | 'openAt' | 'openOn'>): AlsoRead => [
  ...(near ? (['places'] as const) : []),
  ...(isTimed(time) ? (['week'] as const) : []),
];

const alone = ({ every }: TermQuery): TermQuery => ({ every });
