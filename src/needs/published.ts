import type { SideStore } from '../stores/side/port.ts';
import { needOfText, otherWords, type Need } from './need.ts';
import { beginningOfWeek, beginningWith, closedWeeks, countsTable, leftOut } from './stored-counts.ts';
import { mondayOf, sundayOf, weeksBefore } from './weeks-and-days.ts';

/** What a crowd of people looked for, in full tens. */
export interface CountedNeed extends Need {
  readonly searches: number;
  /** Nothing had all that was asked for. */
  readonly foundNothing: number;
  /** Something was found, and no record of it opened. */
  readonly openedNothing: number;
}

export interface CountedWeeks {
  /** The last of them. Undefined: no week has been counted to its end yet. */
  readonly week: string | undefined;
  readonly weeks: number;
  /** The first and the last day, UTC. */
  readonly from: string | undefined;
  readonly until: string | undefined;
  /** What found nothing most often comes first. */
  readonly needs: readonly CountedNeed[];
  /** Searches that were left out, because more different things were asked for than are counted. In full tens. */
  readonly leftOut: number;
}

/** Words that nobody knows say least. */
const unknown = ({ words: [first] }: Need): number => (first === otherWords ? 1 : 0);

/** The weeks that are counted to their end, the newest first. */
export async function countedWeeks(side: SideStore): Promise<readonly string[]> {
  const weeks: string[] = [];
  for await (const { id } of beginningWith(countsTable(side), closedWeeks))
    weeks.push(id.slice(closedWeeks.length));
  return weeks.reverse();
}

/**
 * What people looked for in some weeks. Sums of what each week has published, so they tell nothing that the weeks do not.
 * `until`: the last week; absent: the newest.
 */
export async function needsIn(
  side: SideStore,
  { until, weeks }: { readonly until?: string | undefined; readonly weeks: number },
): Promise<CountedWeeks> {
  const last = until ?? (await countedWeeks(side))[0];
  const none = { week: last, weeks, from: undefined, until: undefined, needs: [], leftOut: 0 };
  if (last === undefined) return none;
  const sums = new Map<string, CountedNeed>();
  let left = 0;
  const table = countsTable(side);
  for (let before = 0; before < weeks; before++) {
    const beginning = beginningOfWeek(weeksBefore(last, before));
    left += (await table.get(`${beginning}${leftOut}`))?.[0] ?? 0;
    for await (const { id, value } of beginningWith(table, beginning)) {
      const text = id.slice(beginning.length);
      const sum = sums.get(text) ?? { ...needOfText(text), searches: 0, foundNothing: 0, openedNothing: 0 };
      const [searches, foundNothing, openedNothing] = value;
      sums.set(text, {
        ...sum,
        searches: sum.searches + searches,
        foundNothing: sum.foundNothing + foundNothing,
        openedNothing: sum.openedNothing + openedNothing,
      });
    }
  }
  return {
    ...none,
    from: mondayOf(weeksBefore(last, weeks - 1)),
    until: sundayOf(last),
    needs: [...sums.values()].sort(
      (one, other) =>
        other.foundNothing - one.foundNothing ||
        other.searches - one.searches ||
        unknown(one) - unknown(other),
    ),
    leftOut: left,
  };
}
