/** What of personal data somebody may see in clear. Each is opened elsewhere in the API for keys of some scope. */
export type PersonalKind = 'accounts' | 'members' | 'directory' | 'forms' | 'payments';

/** Who asks. */
export interface AsOfReader {
  /** A key of a team is answered about its team only. Undefined: everything. */
  readonly team?: string | undefined;
  readonly opens: ReadonlySet<PersonalKind>;
}

/** Sealed: the reader may not see it. Erased: nobody can see it any more. */
export type Unopened = 'sealed' | 'erased';

/** A page of a list, by the key of its order. */
export interface AskedList {
  /** Continues after the entry with this key. */
  readonly after?: string | undefined;
  readonly limit: number;
}

export interface ListPage<Entry> {
  readonly entries: readonly Entry[];
  /** All entries of the list. */
  readonly total: number;
  /** The key of the last entry, when there are more. */
  readonly next?: string;
}

/** A page of a list that is in memory. Keys are unique, and are compared by code units. */
export function pageOf<Entry>(
  all: readonly Entry[],
  keyOf: (entry: Entry) => string,
  { after, limit }: AskedList,
): ListPage<Entry> {
  const keyed = all.map((entry) => ({ entry, key: keyOf(entry) }));
  keyed.sort((one, other) => (one.key < other.key ? -1 : one.key > other.key ? 1 : 0));
  const from = after === undefined ? 0 : keyed.findIndex(({ key }) => key > after);
  const page = from === -1 ? [] : keyed.slice(from, from + limit);
  const last = page.at(-1);
  const more = from !== -1 && from + limit < keyed.length;
  return {
    entries: page.map(({ entry }) => entry),
    total: all.length,
    ...(more && last ? { next: last.key } : {}),
  };
}
