import type { TermQuery } from '../../../stores/documents/port.ts';
import { isTimed } from './conditions.ts';
import type { SearchRequest } from './request.ts';
import type { AlsoRead, Candidate, SearchIndex, Widest } from './search-index.ts';

/** The levels of a ranking: see levels.ts. */
export interface Levels {
  readonly levels: readonly TermQuery[];
  /**
   * So many of the first levels have few terms, and need not lie within the last one. All other levels do, when it is
   * taken without what it leaves out.
   */
  readonly apart: number;
  /** The first records of the last level, where they are read in any case. */
  readonly widest?: (() => Promise<Widest>) | undefined;
}

export interface Ranked {
  readonly candidate: Candidate;
  readonly level: number;
}

/** Beyond so many records, a level is asked without those of the levels before it. */
const mostSeen = 2_000;

/**
 * All records of the levels, the best first. To leave out what the levels before have found takes the index several
 * times as long as the level alone, so it is left out here. The last level is asked first, together with those that have
 * few terms: when it finds little, all others are asked at once. To wake the thread that searches takes as long as a level.
 */
export async function* fromBeginning(
  index: SearchIndex,
  request: SearchRequest,
  { levels, apart, widest }: Levels,
  together: number,
): AsyncGenerator<Ranked> {
  const also = readFor(request);
  const seen = new Set<number>();
  /** All that the last level finds, where that is little. */
  let all: readonly Candidate[] | undefined;
  const unseen = (some: readonly Candidate[]) => some.filter(({ number }) => !seen.has(number));
  const last = levels.length - 1;
  const ahead = new Map<number, ReadAhead>();
  const readAhead = async (numbers: readonly number[]): Promise<void> => {
    const most = together + seen.size;
    const found = await Promise.all(
      numbers.map((level) => index.candidates(alone(levels[level] as TermQuery), most, { also })),
    );
    for (const [at, level] of numbers.entries()) ahead.set(level, { found: found[at] ?? [], most });
  };
  if (!widest && apart < last) await readAhead([...range(0, apart), last]);
  for (const [level, query] of levels.entries()) {
    if (level === apart && level < last) {
      const first = ahead.get(last);
      if (widest) {
        const { candidates, isAll } = await widest();
        if (isAll) all = candidates;
      } else if (first && first.found.length < first.most) {
        all = first.found;
      }
      if (all && unseen(all).length > 0) await readAhead(range(apart, last));
    }
    if (level >= apart && all && unseen(all).length === 0) return;
    if (level === last && all) {
      for (const candidate of unseen(all)) yield { candidate, level };
      return;
    }
    const levelQuery = seen.size > mostSeen ? query : alone(query);
    const read = level === last ? undefined : ahead.get(level);
    const most = read?.most ?? together + (levelQuery === query ? 0 : seen.size);
    for (let after: number | undefined; ;) {
      const found =
        read && after === undefined ? read.found : await index.candidates(levelQuery, most, { after, also });
      for (const candidate of unseen(found)) {
        seen.add(candidate.number);
        yield { candidate, level };
      }
      if (found.length < most) break;
      after = found.at(-1)?.number;
    }
  }
}

/** The first records of a level that was asked together with others. */
interface ReadAhead {
  readonly found: readonly Candidate[];
  readonly most: number;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: to - from }, (_, place) => from + place);

/** The records of the levels after a place, or beyond those that are skipped there. */
export async function* fromPlace(
  index: SearchIndex,
  request: SearchRequest,
  { levels }: Levels,
  start: Start,
  together: number,
): AsyncGenerator<Ranked> {
  const also = readFor(request);
  for (let { level, after, skip } = start; level < levels.length; level++) {
    for (;;) {
      const found = await index.candidates(levels[level] as TermQuery, together, { after, skip, also });
      for (const candidate of found) yield { candidate, level };
      skip = undefined;
      after = found.at(-1)?.number;
      if (found.length < together) break;
    }
    after = undefined;
  }
}

export interface Start {
  readonly level: number;
  readonly after?: number | undefined;
  readonly skip?: number | undefined;
}

/** Beyond the records to skip. */
export async function startAfter(
  index: SearchIndex,
  levels: readonly TermQuery[],
  skip: number,
): Promise<Start> {
  let left = skip;
  for (const [level, query] of levels.entries()) {
    if (left === 0) return { level };
    const count = await index.count(query, left + 1);
    if (count > left) return { level, skip: left };
    left -= count;
  }
  return { level: levels.length };
}

/** What conditions compare. */
export const readFor = ({ near, ...time }: Pick<SearchRequest, 'near' | 'openAt' | 'openOn'>): AlsoRead => [
  ...(near ? (['places'] as const) : []),
  ...(isTimed(time) ? (['week'] as const) : []),
];

const alone = ({ every }: TermQuery): TermQuery => ({ every });
