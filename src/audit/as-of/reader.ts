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
export interface ListRequest {
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
  { after, limit }: ListRequest,
): ListPage<Entry> {
  // Only the page is sorted, and one more: sorting a large directory took a turn of 40 ms of the thread.
  const page: { readonly entry: Entry; readonly key: string }[] = [];
  for (const entry of all) {
    const key = keyOf(entry);
    if (after !== undefined && key <= after) continue;
    if (page.length > limit && key > (page.at(-1)?.key ?? '')) continue;
    const place = page.findLastIndex((each) => each.key < key) + 1;
    page.splice(place, 0, { entry, key });
    if (page.length > limit + 1) page.pop();
  }
  const entries = page.slice(0, limit);
  const last = entries.at(-1);
  return {
    entries: entries.map(({ entry }) => entry),
    total: all.length,
    ...(page.length > limit && last ? { next: last.key } : {}),
  };
}
