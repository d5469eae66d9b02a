import type { SideStore, SideTable } from '../stores/side/port.ts';
import type { Outcome, RequestKind } from './request-kinds.ts';

/** Counts stay this many days after their own. */
export const keptDays = 90;
const dayMs = 86_400_000;

/** Requests of one kind and outcome: how many, and the first and last time in Unix milliseconds. */
export type Counted = [requests: number, first: number, last: number];

/** What one process counted of one key on one day (UTC). It names no person, no address and no query. */
export type StoredUsage = Partial<Record<RequestKind, Partial<Record<Outcome, Counted>>>>;

/**
 * Each entry is written by one process alone, always as a whole, so that processes which share the store never
 * overwrite each other's counts.
 */
export const usageTable = (side: SideStore): SideTable<StoredUsage> => side.table('key-usage');

/** Since when requests have been counted, as an ISO time under the id `since`. */
export const sinceTable = (side: SideStore): SideTable<string> => side.table('key-usage-since');

/** Stands for keys that a process could not count one by one. Ids of keys have other characters. */
export const unnamedKey = '_';

/** The number of a day (UTC) since 1970. */
export const dayOf = (at: number): number => Math.floor(at / dayMs);
export const dateOf = (day: number): string => new Date(day * dayMs).toISOString().slice(0, 10);
export const expiryOf = (day: number): Date => new Date((day + 1 + keptDays) * dayMs);

/** Days count down in ids: tables list in ascending order, and the newest day is asked for most. */
const lastDay = 9_999_999;

export const entryId = (keyId: string, day: number, writer: string): string =>
  `${beginningOf(keyId)}${String(lastDay - day).padStart(7, '0')}/${writer}`;

/** The beginning of the ids of all entries of a key. */
export const beginningOf = (keyId: string): string => `${keyId}/`;

export const dayIn = (id: string): number => lastDay - Number(id.split('/')[1]);
