import type { SideStore } from '../stores/side/port.ts';
import { lastRequestsOf, type KeyRequest } from './key-requests.ts';
import type { Outcome, RequestKind } from './request-kinds.ts';
import {
  beginningOf,
  dateOf,
  dayIn,
  dayOf,
  keptDays,
  sinceTable,
  unnamedKey,
  usageTable,
  type Counted,
  type StoredUsage,
} from './stored-key-usage.ts';

/** Requests of one kind and outcome. Times are ISO. */
export interface CountedRequests {
  readonly kind: RequestKind;
  readonly outcome: Outcome;
  readonly requests: number;
  readonly first_at: string;
  readonly last_at: string;
}

export interface KeyUsage {
  readonly key_id: string;
  /** The first and last day (UTC) of the answer. */
  readonly from: string;
  readonly until: string;
  /** Earlier requests were not counted, or are no longer kept. Null: no server has counted yet. */
  readonly counted_since: string | null;
  /** When the key was last accepted, in all the time that is kept. */
  readonly last_used: string | null;
  readonly totals: readonly CountedRequests[];
  /** Days on which it was used, the newest first. */
  readonly days: readonly { readonly day: string; readonly requests: readonly CountedRequests[] }[];
  /** The newest first, of the last seven days. */
  readonly last_requests: readonly KeyRequest[];
  /** Requests in this time of keys that a process could not count one by one: some may be of this key. */
  readonly of_unnamed_keys: number;
}

export interface Period {
  /** Today is the last day. From 1 to 90. */
  readonly days: number;
  readonly now: Date;
}

/** What a key was used for. Reads what is stored: a running process adds what it counted every few seconds. */
export async function usageOf(side: SideStore, keyId: string, { days, now }: Period): Promise<KeyUsage> {
  const today = dayOf(now.getTime());
  const first = today - days + 1;
  const byDay = new Map<number, StoredUsage>();
  let lastUsed: number | undefined;
  for await (const { day, usage } of entriesOf(side, keyId)) {
    lastUsed = latest(lastUsed, usage);
    if (day < first) {
      // Days come in order, so an accepted request of a newer day was the last one.
      if (lastUsed !== undefined) break;
      continue;
    }
    const ofDay = byDay.get(day) ?? {};
    addTo(ofDay, usage);
    byDay.set(day, ofDay);
  }
  const totals: StoredUsage = {};
  for (const usage of byDay.values()) addTo(totals, usage);
  return {
    key_id: keyId,
    from: dateOf(first),
    until: dateOf(today),
    counted_since: await countedSince(side, today),
    last_used: lastUsed === undefined ? null : isoOf(lastUsed),
    totals: rowsOf(totals),
    days: [...byDay].map(([day, usage]) => ({ day: dateOf(day), requests: rowsOf(usage) })),
    last_requests: await lastRequestsOf(side, keyId),
    of_unnamed_keys: keyId === unnamedKey ? 0 : await ofUnnamedKeys(side, first),
  };
}

/** When each key was last accepted, as an ISO time. Keys that were not used in the last 90 days are left out. */
export async function lastUses(
  side: SideStore,
  keyIds: readonly string[],
): Promise<ReadonlyMap<string, string>> {
  const found = new Map<string, string>();
  await forEach(keyIds, async (keyId) => {
    let newest: { readonly day: number; readonly at: number } | undefined;
    for await (const { day, usage } of entriesOf(side, keyId)) {
      if (newest && day !== newest.day) break;
      const at = latest(newest?.at, usage);
      if (at !== undefined) newest = { day, at };
    }
    if (newest) found.set(keyId, isoOf(newest.at));
  });
  return found;
}

/** A key that still calls the legacy endpoint. */
export interface LegacyCaller {
  readonly key_id: string;
  /** By programs: they should move on. Accepted and refused. */
  readonly by_programs: number;
  /** By scripts of web pages, such as the widget. */
  readonly by_web_pages: number;
  readonly last_at: string;
}

/** Those of the keys that called the legacy endpoint, the most frequent callers first. */
export async function legacyCallers(
  side: SideStore,
  keyIds: readonly string[],
  { days, now }: Period,
): Promise<readonly LegacyCaller[]> {
  const first = dayOf(now.getTime()) - days + 1;
  const found: LegacyCaller[] = [];
  await forEach(keyIds, async (keyId) => {
    const sum: StoredUsage = {};
    for await (const { day, usage } of entriesOf(side, keyId)) {
      if (day < first) break;
      addTo(sum, usage);
    }
    const rows = rowsOf(sum).filter(({ kind }) => kind === 'legacy' || kind === 'widget');
    const last_at = rows
      .map((row) => row.last_at)
      .sort()
      .at(-1);
    if (last_at === undefined) return;
    const [by_programs, by_web_pages] = [requestsOf(rows, 'legacy'), requestsOf(rows, 'widget')];
    found.push({ key_id: keyId, by_programs, by_web_pages, last_at });
  });
  return found.sort(
    (a, b) =>
      b.by_programs - a.by_programs || b.by_web_pages - a.by_web_pages || (a.key_id < b.key_id ? -1 : 1),
  );
}

/** Since when the counts of all keys are complete. Null: no server has counted yet. */
export async function countedSince(side: SideStore, today: number): Promise<string | null> {
  const since = await sinceTable(side).get('since');
  const oldest = `${dateOf(today - keptDays)}T00:00:00.000Z`;
  return since === undefined ? null : since > oldest ? since : oldest;
}

/** Pages grow: most questions need the newest day alone, and what a page has beyond it belongs to other keys. */
const [firstPage, largestPage] = [4, 256];

/** The entries of a key, those of the newest day first. */
async function* entriesOf(
  side: SideStore,
  keyId: string,
): AsyncGenerator<{ readonly day: number; readonly usage: StoredUsage }> {
  const beginning = beginningOf(keyId);
  let after = beginning;
  for (let limit = firstPage; ; limit = Math.min(4 * limit, largestPage)) {
    const page = await usageTable(side).list({ after, limit });
    for (const { id, value } of page) {
      if (!id.startsWith(beginning)) return;
      yield { day: dayIn(id), usage: value };
    }
    const last = page.at(-1);
    if (!last || page.length < limit) return;
    after = last.id;
  }
}

async function ofUnnamedKeys(side: SideStore, first: number): Promise<number> {
  let sum = 0;
  for await (const { day, usage } of entriesOf(side, unnamedKey)) {
    if (day < first) break;
    for (const { requests } of rowsOf(usage)) sum += requests;
  }
  return sum;
}

function addTo(sum: StoredUsage, usage: StoredUsage): void {
  for (const [kind, outcome, [requests, first, last]] of countsIn(usage)) {
    const ofKind = (sum[kind] ??= {});
    const before = ofKind[outcome] ?? [0, first, last];
    ofKind[outcome] = [before[0] + requests, Math.min(before[1], first), Math.max(before[2], last)];
  }
}

const countsIn = (usage: StoredUsage): (readonly [RequestKind, Outcome, Counted])[] =>
  Object.entries(usage).flatMap(([kind, ofKind]) =>
    Object.entries(ofKind).map(
      ([outcome, counted]) => [kind as RequestKind, outcome as Outcome, counted] as const,
    ),
  );

/** The most frequent first. */
const rowsOf = (usage: StoredUsage): CountedRequests[] =>
  countsIn(usage)
    .map(([kind, outcome, [requests, first, last]]) => ({
      kind,
      outcome,
      requests,
      first_at: isoOf(first),
      last_at: isoOf(last),
    }))
    .sort((a, b) => b.requests - a.requests || (a.first_at < b.first_at ? -1 : 1));

const requestsOf = (rows: readonly CountedRequests[], kind: RequestKind): number =>
  rows.reduce((sum, row) => (row.kind === kind ? sum + row.requests : sum), 0);

/** The newer of a time and the last accepted request. */
function latest(before: number | undefined, usage: StoredUsage): number | undefined {
  const times = Object.values(usage).flatMap(({ accepted }) => (accepted ? [accepted[2]] : []));
  const all = before === undefined ? times : [before, ...times];
  return all.length === 0 ? undefined : Math.max(...all);
}

const isoOf = (at: number): string => new Date(at).toISOString();

/** How many keys are looked up at a time. */
const atOnce = 20;

async function forEach(keyIds: readonly string[], look: (keyId: string) => Promise<void>): Promise<void> {
  const rest = keyIds.values();
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      for (const keyId of rest) await look(keyId);
    }),
  );
}
