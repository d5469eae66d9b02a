import {
  freshnessSumId,
  recordFreshness,
  type FreshnessKind,
  type RecordFreshnessDocument,
} from '../../../projections/directory/upkeep/record-freshness.ts';
import type { Documents } from '../../../stores/documents/port.ts';
import { recordFilter } from '../record-filter.ts';
import { dueRecords, type RecordTable } from '../record-table.ts';

type Readable = Pick<Documents, 'collection'>;

/** How many records of a team are public, and how many of these nobody has confirmed lately. */
export interface Freshness {
  readonly listed: number;
  readonly due: number;
}

/** The same at the end of a day (YYYY-MM-DD, UTC). */
export interface PastFreshness extends Freshness {
  readonly day: string;
}

/** As many records as the table of `dueRecords` has, from sums that are kept: at most some two hundred rows are read. */
export async function freshness(
  documents: Readable,
  { team, now, zone }: Pick<RecordTable, 'team' | 'now' | 'zone'>,
): Promise<Freshness> {
  const collection = documents.collection(recordFreshness.collection);
  const { also } = recordFilter.conditions(team, dueRecords.filter, now, zone);
  const since = also.find(({ field }) => field === 'verified')?.before;
  const [total, confirmed] = await Promise.all([
    collection.get(freshnessSumId(team, 'public')),
    sumsFrom(documents, team, 'confirmed', String(since)),
  ]);
  const listed = total?.sum ?? 0;
  return { listed, due: listed - added(confirmed) };
}

const months = 12;

/**
 * The last year: at the end of the last day of each of the twelve months before this one, and `now`, oldest first. From the
 * first month on in which a record was public.
 */
export async function freshnessTrend(
  documents: Readable,
  of: Pick<RecordTable, 'team' | 'now' | 'zone'>,
): Promise<readonly PastFreshness[]> {
  const today = of.now.toISOString().slice(0, 10);
  const days = Array.from({ length: months }, (_, n) => endOfMonth(of.now, months - n));
  const [first = today] = days;
  const [current, publicChanges, freshChanges] = await Promise.all([
    freshness(documents, of),
    sumsFrom(documents, of.team, 'public-change', first),
    sumsFrom(documents, of.team, 'fresh-change', first),
  ]);
  const past = days.map((day): PastFreshness => {
    const listed = current.listed - added(publicChanges, day);
    // In the end no confirmation counts any more: what counted then is what has gone since, or will.
    const fresh = -added(freshChanges, day);
    return { day, listed, due: listed - fresh };
  });
  const begin = past.findIndex(({ listed }) => listed > 0);
  return [...(begin < 0 ? [] : past.slice(begin)), { day: today, ...current }];
}

type DaySum = Pick<RecordFreshnessDocument, 'day' | 'sum'>;

/** Rows that are read at once. */
const atOnce = 1_000;

async function sumsFrom(
  documents: Readable,
  team: string,
  kind: FreshnessKind,
  from: string,
): Promise<readonly DaySum[]> {
  const collection = documents.collection(recordFreshness.collection);
  const found: DaySum[] = [];
  for (let after: string | undefined; ;) {
    const page: DaySum[] = await collection.select(
      {
        where: { kind, team },
        orderBy: ['day'],
        ...(after === undefined ? { from } : { after: [after] }),
        limit: atOnce,
      },
      ['day', 'sum'],
    );
    found.push(...page);
    if (page.length < atOnce) return found;
    after = page.at(-1)?.day;
  }
}

/** The sum of all, or of those after a day. */
const added = (sums: readonly DaySum[], after = ''): number =>
  sums.reduce((all, { day = '', sum = 0 }) => (day > after ? all + sum : all), 0);

/** The last day of the month that was so many months before that of a time (UTC). */
const endOfMonth = (now: Date, before: number): string =>
  new Date(Date.UTC(now.getUTCFullYear(), now.getUTCMonth() - before + 1, 0)).toISOString().slice(0, 10);
