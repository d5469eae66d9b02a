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
  /** A level before the last one within which all between `apart` and it lie in the same way. */
  readonly shown?: number | undefined;
  /** The first records of the last level, where they are read in any case. */
  readonly widest?: (() => Promise<Widest>) | undefined;
}

export interface Ranked {
  readonly candidate: Candidate;
  readonly level: number;
}

/** Beyond so many records, a level is asked without those of the levels before it. */
const mostSeen = 2_000;
/** So few records are told apart by their terms: each takes 50 µs, and to ask a level takes a millisecond and more. */
const mostByTerms = 40;

/**
 * All records of the levels, the best first. To leave out what the levels before have found takes the index several
 * times as long as the level alone, so it is left out here. A level within which others lie is asked before them: when
 * it finds little, its records tell by their terms to which level they belong, and when it finds nothing, the others are
 * not asked. To wake the thread that searches takes as long as a level, so what can be asked together is.
 */
export async function* fromBeginning(
  index: SearchIndex,
  request: SearchRequest,
  { levels, apart, shown, widest }: Levels,
  together: number,
): AsyncGenerator<Ranked> {
  const also = readFor(request);
  const seen = new Set<number>();
  const unseen = (some: readonly Candidate[]) => some.filter(({ number }) => !seen.has(number));
  const last = levels.length - 1;
  const ends = shown !== undefined && shown > apart && shown < last ? [shown, last] : [last];
  const ahead = new Map<number, ReadAhead>();
  const readAhead = async (numbers: readonly number[]): Promise<void> => {
    const most = together + seen.size;
    const found = await Promise.all(
      numbers.map((level) => index.candidates(alone(levels[level] as TermQuery), most, { also })),
    );
    for (const [at, level] of numbers.entries()) ahead.set(level, { found: found[at] ?? [], most });
  };
  const recordsOf = async function* (level: number): AsyncGenerator<Ranked> {
    const query = levels[level] as TermQuery;
    const read = ahead.get(level);
    const levelQuery = seen.size > mostSeen && !read ? query : alone(query);
    const most = read?.most ?? together + (levelQuery === query ? 0 : seen.size);
    for (let after: number | undefined; ;) {
      const found =
        read && after === undefined ? read.found : await index.candidates(levelQuery, most, { after, also });
      for (const candidate of unseen(found)) {
        seen.add(candidate.number);
        yield { candidate, level };
      }
      if (found.length < most) return;
      after = found.at(-1)?.number;
    }
  };
  /** All that a level finds, where that is little. */
  const allOf = async (level: number): Promise<readonly Candidate[] | undefined> => {
    if (widest && level === last) {
      const { candidates, isAll } = await widest();
      return isAll ? candidates : undefined;
    }
    if (!ahead.has(level)) await readAhead([level]);
    const read = ahead.get(level);
    return read && read.found.length < read.most ? read.found : undefined;
  };

  const [firstEnd = last] = ends;
  if (apart < last) await readAhead([...range(0, apart), ...(widest && firstEnd === last ? [] : [firstEnd])]);
  for (const level of range(0, Math.min(apart, last + 1))) yield* recordsOf(level);
  let from = apart;
  for (const end of ends) {
    const all = from > end ? undefined : await allOf(end);
    const left = all && unseen(all);
    if (left && left.length <= mostByTerms) {
      for (const ranked of await byTerms(index, levels, from, end, left)) {
        seen.add(ranked.candidate.number);
        yield ranked;
      }
    } else {
      if (all) await readAhead(range(from, end));
      let former: TermQuery | undefined;
      for (const level of range(from, end + 1)) {
        const query = levels[level] as TermQuery;
        if (!former || !isSame(former, query)) yield* recordsOf(level);
        former = query;
      }
    }
    from = end + 1;
  }
}

/** Records of the level `end`, each in the first level from `from` on that it agrees with, in the order of the levels. */
async function byTerms(
  index: SearchIndex,
  levels: readonly TermQuery[],
  from: number,
  end: number,
  records: readonly Candidate[],
): Promise<Ranked[]> {
  if (from === end || records.length === 0) return records.map((candidate) => ({ candidate, level: end }));
  const terms = await index.termsOf(records.map(({ number }) => number));
  const ranked = records.map((candidate) => {
    const has = terms.get(candidate.number);
    const level = has && range(from, end).find((each) => agrees(levels[each] as TermQuery, has));
    return { candidate, level: level ?? end };
  });
  return ranked.sort(
    (one, other) => one.level - other.level || one.candidate.number - other.candidate.number,
  );
}

const agrees = ({ every }: TermQuery, terms: ReadonlySet<string>): boolean =>
  every.every((group) => group.some((term) => terms.has(term)));

/** Whether two levels find the same, without what they leave out. */
const isSame = (one: TermQuery, other: TermQuery): boolean =>
  one.every.length === other.every.length &&
  one.every.every((group, at) => String(group) === String(other.every[at]));

/** The first records of a level that was asked together with others. */
interface ReadAhead {
  readonly found: readonly Candidate[];
  readonly most: number;
}

const range = (from: number, to: number): number[] =>
  Array.from({ length: Math.max(0, to - from) }, (_, place) => from + place);

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
