import type { MasterKey } from '../ground/master-key.ts';
import { StoreError } from '../ground/store-error.ts';
import type { SideStore } from '../stores/side/port.ts';
import { crowd } from './day-counts.ts';
import { DayKeys, type DayKey } from './day-key.ts';
import { needOfText, otherPlaces, textOfNeed } from './need.ts';
import {
  beginningOfDay,
  beginningWith,
  closedDay,
  closedWeek,
  countsTable,
  dayId,
  keyId,
  leftOut,
  rowsOf,
  todayTable,
  unscrubbed,
  weekId,
  type StoredCounts,
} from './stored-counts.ts';
import { did, rowOfText, type Networks } from './stored-row.ts';
import { dateOf, daysAfter, endOfDay, sundayOf, weekOf } from './weeks-and-days.ts';

/** Processes write what they counted of a day within this time after its end. */
export const graceMs = 2 * 60_000;
/**
 * So long a week is kept, in days: two years, in which a board or a funder compares a year with the one before. Longer would
 * tell nothing about what is missing today.
 */
export const keptDays = 731;
/** So long the counts of a day wait for the end of their week, and for a server that is off. */
const keptOpenDays = 400;
/** Counts are published in full tens. */
export const rounding = 10;

interface Parts {
  readonly side: SideStore;
  readonly masterKey: MasterKey;
}

/**
 * Closes days and weeks that are over. Of a day, what a crowd asked for becomes counts; the rest, all hashes of networks and
 * the key of the day are deleted. Of a week, the sums of its days are published in full tens, and the counts of its days are
 * deleted. Any number of processes may do it at once, and whoever is killed has it done again: what is written follows from
 * what is stored, and nothing is deleted before all of it is written.
 * @throws StoreError
 */
export async function closeWhatIsOver(parts: Parts, now: Date): Promise<void> {
  const { side } = parts;
  const table = countsTable(side);
  for (const date of await datesOf(side))
    if (now.getTime() >= endOfDay(date).getTime() + graceMs) await closeDay(parts, date);
  if (await table.get(unscrubbed)) {
    await side.scrub();
    await table.delete(unscrubbed);
  }
  const thisWeek = weekOf(dateOf(new Date(now.getTime() - graceMs)));
  const weeks = new Set<string>();
  for await (const { id } of beginningWith(table, 'day/')) weeks.add(weekOf(dateIn(id)));
  for (const week of [...weeks].sort()) if (week < thisWeek) await closeWeek(side, week);
}

/** The days of which something is stored that passes with the day. */
async function datesOf(side: SideStore): Promise<readonly string[]> {
  const dates: string[] = [];
  for (let after = ''; ;) {
    const [next] = await todayTable(side).list({ after, limit: 1 });
    if (!next) return dates;
    const date = next.id.slice(0, 'yyyy-mm-dd'.length);
    dates.push(date);
    // After all ids that begin with the date and a slash.
    after = `${date}0`;
  }
}

const dateIn = (id: string): string => id.split('/')[1] ?? '';

async function closeDay({ side, masterKey }: Parts, date: string): Promise<void> {
  const counts = countsTable(side);
  const key = await keyOf(new DayKeys(side, masterKey), date);
  const { rows, ids, left } = await readDay(side, date, key);
  // Nobody deletes before it is closed: where it is not closed after the reading, everything was read.
  if (key && !(await counts.get(closedDay(date)))) {
    const until = daysAfter(date, keptOpenDays);
    const written = publishedRows(rows).map(([need, row]) => counts.put(dayId(date, need), row, until));
    if (left > 0) written.push(counts.put(dayId(date, leftOut), [left, 0, 0], until));
    await Promise.all(written);
    await counts.put(closedDay(date), [0, 0, 0], until);
  }
  await counts.put(unscrubbed, [0, 0, 0]);
  const table = todayTable(side);
  await Promise.all(ids.map((id) => table.delete(id)));
  // Last, so that whoever is killed before has all of it done again.
  await table.delete(keyId(date));
}

/** Undefined: it is gone, or the master key is another one. Then nobody can read what it sealed. */
async function keyOf(keys: DayKeys, date: string): Promise<DayKey | undefined> {
  try {
    return await keys.existing(date);
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

const isUnreadable = (error: unknown): boolean =>
  error instanceof StoreError && error.code === 'incompatible';

type Rows = ReadonlyMap<string, Networks>;

/** The rows of all processes, each need once. */
async function readDay(side: SideStore, date: string, key: DayKey | undefined) {
  const rows = new Map<string, Map<number, number>>();
  const ids: string[] = [];
  let left = 0;
  for await (const { id, value } of beginningWith(todayTable(side), rowsOf(date))) {
    ids.push(id);
    const row = key && openedRow(key, id, value);
    if (!row) continue;
    if ('leftOut' in row) left += row.leftOut;
    else rows.set(row.need, merged(rows.get(row.need) ?? new Map<number, number>(), row.networks));
  }
  return { rows, ids, left };
}

/** Undefined for what is damaged: the other rows are good. */
function openedRow(key: DayKey, id: string, sealed: string) {
  try {
    return rowOfText(key.opened(id, sealed));
  } catch (error) {
    if (isUnreadable(error)) return undefined;
    throw error;
  }
}

function merged(into: Map<number, number>, networks: Networks): Map<number, number> {
  for (const [hash, done] of networks) into.set(hash, (into.get(hash) ?? 0) | done);
  return into;
}

/**
 * What of a day a crowd asked for. Each search is in one row: where too few networks asked for it in a place, all such places
 * together are one row, if a crowd asked there. So no row overlaps with another one, and no difference of rows tells less
 * than a crowd.
 */
export function publishedRows(rows: Rows): readonly (readonly [need: string, StoredCounts])[] {
  const published: (readonly [string, StoredCounts])[] = [];
  const pooled = new Map<string, Map<number, number>>();
  for (const [text, networks] of rows) {
    const counted = countsOf(networks);
    if (counted[0] >= crowd) published.push([text, counted]);
    else {
      const elsewhere = textOfNeed({ ...needOfText(text), place: otherPlaces });
      pooled.set(elsewhere, merged(pooled.get(elsewhere) ?? new Map<number, number>(), networks));
    }
  }
  for (const [text, networks] of pooled) {
    const counted = countsOf(networks);
    // Without words, kind and place nothing is said.
    if (counted[0] >= crowd && text !== nothing) published.push([text, counted]);
  }
  return published;
}

const nothing = textOfNeed({ words: [], kind: '', place: otherPlaces });

/** A network that opened a record without having searched has the link from somebody else. */
function countsOf(networks: Networks): StoredCounts {
  const searched = [...networks.values()].filter((done) => (done & did.searched) !== 0);
  const found = searched.filter((done) => (done & did.found) !== 0);
  const unopened = found.filter((done) => (done & did.onPage) !== 0 && (done & did.opened) === 0);
  return [searched.length, searched.length - found.length, unopened.length];
}

async function closeWeek(side: SideStore, week: string): Promise<void> {
  const table = countsTable(side);
  const ids: string[] = [];
  const sums = new Map<string, StoredCounts>();
  for (let day = 0; day < 7; day++) {
    const date = dateOf(daysAfter(sundayOf(week), day - 6));
    const beginning = beginningOfDay(date);
    for await (const { id, value } of beginningWith(table, beginning)) {
      ids.push(id);
      const need = id.slice(beginning.length);
      const [searches, none, unopened] = sums.get(need) ?? [0, 0, 0];
      sums.set(need, [searches + value[0], none + value[1], unopened + value[2]]);
    }
    // The searches that were left out have no need: their id is the beginning itself.
    const left = await table.get(beginning);
    if (left) {
      ids.push(beginning);
      sums.set(leftOut, [(sums.get(leftOut)?.[0] ?? 0) + left[0], 0, 0]);
    }
  }
  if (!(await table.get(closedWeek(week)))) {
    const until = daysAfter(sundayOf(week), keptDays);
    await Promise.all(
      [...sums].map(([need, [searches, none, unopened]]) =>
        table.put(weekId(week, need), [inTens(searches), inTens(none), inTens(unopened)], until),
      ),
    );
    await table.put(closedWeek(week), [0, 0, 0], until);
  }
  await Promise.all(ids.map((id) => table.delete(id)));
}

const inTens = (count: number): number => count - (count % rounding);
