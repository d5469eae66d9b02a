import type { SideStore, SideTable } from '../stores/side/port.ts';

/** A request with a key: nothing of what it named, or of where it came from. */
export interface KeyRequest {
  readonly at: string;
  readonly method: string;
  /** The pattern of the route, such as /dash/api/v1/resources/:svc_id. */
  readonly route: string;
  readonly status: number;
  /** Why it was refused: of a key that was not accepted the outcome, else the code of the error. */
  readonly reason: string | null;
}

type StoredRequest = readonly [
  at: number,
  method: string,
  route: string,
  status: number,
  reason: string | null,
];

/** So many requests of a key are kept, the last ones. */
export const keptRequests = 50;
/** Keys whose requests a process holds. With more, it writes those it has and begins anew. */
const mostKeys = 2_000;
const keptMs = 7 * 86_400_000;

interface Entry {
  readonly id: string;
  readonly keyId: string;
  requests: StoredRequest[];
  changed: boolean;
  /** What earlier processes have left of the key was looked through. */
  tidied: boolean;
}

const tableOf = (side: SideStore): SideTable<readonly StoredRequest[]> => side.table('key-requests');

/**
 * The last requests of keys, in memory until they are written. Each run of this class writes entries of its own, as
 * KeyUsageCounts does. What a store that is away does not take is dropped, the oldest first.
 */
export class RecentKeyRequests {
  readonly #side: SideStore;
  readonly #now: () => Date;
  readonly #process = crypto.randomUUID().slice(0, 13);
  #entries = new Map<string, Entry>();
  #unwritten: Entry[] = [];
  #generation = 0;

  constructor(side: SideStore, now: () => Date) {
    this.#side = side;
    this.#now = now;
  }

  add(keyId: string, { method, route, status, reason }: Omit<KeyRequest, 'at'>): void {
    const entry = this.#entries.get(keyId) ?? this.#begin(keyId);
    if (entry.requests.length >= 2 * keptRequests) entry.requests = entry.requests.slice(-keptRequests);
    entry.requests.push([this.#now().getTime(), method, route, status, reason]);
    if (entry.changed) return;
    entry.changed = true;
    this.#unwritten.push(entry);
  }

  /** @throws StoreError: what is not written stays in memory for the next call */
  async flush(): Promise<void> {
    const entries = this.#unwritten.slice(-2 * mostKeys);
    this.#unwritten = [];
    const table = tableOf(this.#side);
    const until = new Date(this.#now().getTime() + keptMs);
    try {
      for (let entry = entries[0]; entry; entry = entries[0]) {
        entry.changed = false;
        try {
          if (!entry.tidied) await this.#tidy(entry);
          await table.put(entry.id, entry.requests.slice(-keptRequests), until);
        } catch (error) {
          // One that has new requests meanwhile is among the unwritten ones already.
          if (this.#unwritten.includes(entry)) entries.shift();
          entry.changed = true;
          throw error;
        }
        entries.shift();
      }
    } finally {
      this.#unwritten = entries.concat(this.#unwritten);
    }
  }

  #begin(keyId: string): Entry {
    if (this.#entries.size >= mostKeys) {
      this.#entries = new Map();
      this.#generation++;
    }
    const id = `${keyId}/${this.#process}-${this.#generation}`;
    const entry: Entry = { id, keyId, requests: [], changed: false, tidied: false };
    this.#entries.set(keyId, entry);
    return entry;
  }

  /** Removes what would not be shown any more, so that many starts leave no more than a few entries. */
  async #tidy(entry: Entry): Promise<void> {
    const stored = await storedOf(this.#side, entry.keyId);
    let kept = 0;
    for (const { id, value } of stored.sort((a, b) => newestIn(b.value) - newestIn(a.value))) {
      if (kept >= keptRequests) await tableOf(this.#side).delete(id);
      kept += value.length;
    }
    entry.tidied = true;
  }
}

/** The last requests of a key that all processes have written, the newest first. */
export async function lastRequestsOf(side: SideStore, keyId: string): Promise<readonly KeyRequest[]> {
  const stored = await storedOf(side, keyId);
  return stored
    .flatMap(({ value }) => value)
    .reverse()
    .sort(([a], [b]) => b - a)
    .slice(0, keptRequests)
    .map(([at, method, route, status, reason]) => ({
      at: new Date(at).toISOString(),
      ...{ method, route, status, reason },
    }));
}

/** More entries than a key ever has: one of each process that was used, until another tidies. */
const mostEntries = 200;

async function storedOf(side: SideStore, keyId: string) {
  const beginning = `${keyId}/`;
  const found = await tableOf(side).list({ after: beginning, limit: mostEntries });
  return found.filter(({ id }) => id.startsWith(beginning));
}

const newestIn = (requests: readonly StoredRequest[]): number => requests.at(-1)?.[0] ?? 0;
