import type { SideStore, SideTable } from '../stores/side/port.ts';

/**
 * What is counted today, sealed under the key of the day, and that key, sealed under the master key: `{date}/key` and
 * `{date}/rows/{process}-{number}`. All of it is deleted when the day is over, and no backup has it.
 */
export const todayTable = (side: SideStore): SideTable<string> => side.table(passingTable);
export const passingTable = 'needs-of-today';

/**
 * What passes with the day is deleted when the day is closed, and a server that was off does it at its next start. Where none
 * ever does, the store drops it after so long, by its own clock.
 */
export const passingExpiry = (): Date => new Date(Date.now() + 8 * 86_400_000);

/** What is left of days and weeks: `day/{date}/{need}`, `week/{week}/{need}`, and what is closed: `closed/day/{date}`. */
export const countsTable = (side: SideStore): SideTable<StoredCounts> => side.table('needs');

/** How many searches, how many of them found nothing, and how many found something of which nothing was opened. */
export type StoredCounts = readonly [searches: number, foundNothing: number, openedNothing: number];

export const keyId = (date: string): string => `${date}/key`;
export const rowId = (date: string, process: string, number: number): string =>
  `${rowsOf(date)}${process}-${number}`;
export const rowsOf = (date: string): string => `${date}/rows/`;
export const dayId = (date: string, need: string): string => `${beginningOfDay(date)}${need}`;
export const beginningOfDay = (date: string): string => `day/${date}/`;
export const weekId = (week: string, need: string): string => `${beginningOfWeek(week)}${need}`;
export const beginningOfWeek = (week: string): string => `week/${week}/`;
export const closedDay = (date: string): string => `closed/day/${date}`;
export const closedWeeks = 'closed/week/';
export const closedWeek = (week: string): string => `${closedWeeks}${week}`;
/** Deleted values may still be in the write-ahead log of the store. */
export const unscrubbed = 'unscrubbed';

/** In the place of a need: searches that were left out, because more different things were asked for than are counted. */
export const leftOut = '';

const page = 500;

/** The entries whose ids begin with a text, in their order. */
export async function* beginningWith<Value>(
  table: SideTable<Value>,
  beginning: string,
): AsyncGenerator<{ readonly id: string; readonly value: Value }> {
  for (let after = beginning; ;) {
    const found = await table.list({ after, limit: page });
    for (const entry of found) {
      if (!entry.id.startsWith(beginning)) return;
      yield entry;
    }
    const last = found.at(-1);
    if (!last || found.length < page) return;
    after = last.id;
  }
}
