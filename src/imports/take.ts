/**
 * Which of the fields that the source and a person have both changed become what the source says. Others stay as they
 * stand. `records`, by the id of the record in its source: every one of it, or these fields.
 */
export type Take =
  | { readonly kind: 'none' }
  /** Every one, but of these records. */
  | { readonly kind: 'all'; readonly records?: Readonly<Record<string, readonly string[]>> }
  | {
      readonly kind: 'some';
      /** Of every record. */
      readonly fields: readonly string[];
      readonly records: Readonly<Record<string, 'all' | readonly string[]>>;
    };

export const takeNone: Take = { kind: 'none' };

/** What is taken of a record. `first`: the fields for which the word of the source counts first, whatever was chosen. */
export function takenOf(
  take: Take,
  sourceId: string,
  first: readonly string[],
): 'all' | readonly string[] | undefined {
  if (take.kind === 'none') return first.length === 0 ? undefined : first;
  const { records = {} } = take;
  const own = Object.hasOwn(records, sourceId) ? records[sourceId] : undefined;
  if (own === 'all' || (take.kind === 'all' && own === undefined)) return 'all';
  return [...(take.kind === 'some' ? take.fields : []), ...(own ?? []), ...first];
}

/**
 * The same with what was chosen of some records. `shown` and `taken`: fields of records as `id:field`; what is shown and not
 * taken stays.
 */
export function withChosen(before: Take, shown: readonly string[], taken: readonly string[]): Take {
  const isTaken = new Set(taken);
  const chosen = new Map<string, string[]>();
  for (const each of shown) {
    const cut = each.lastIndexOf(':');
    const id = each.slice(0, cut);
    const fields = chosen.get(id) ?? [];
    if (isTaken.has(each)) fields.push(each.slice(cut + 1));
    chosen.set(id, fields);
  }
  const own = Object.fromEntries(chosen);
  if (before.kind === 'all') return { kind: 'all', records: { ...before.records, ...own } };
  const { fields, records } = before.kind === 'some' ? before : { fields: [], records: {} };
  return { kind: 'some', fields, records: { ...records, ...own } };
}

/**
 * What the words of a command line mean: `all`, the name of a field, the id of a record in its source, or both, as
 * `id:field`.
 */
export function takeIn(words: readonly string[], isField: (word: string) => boolean): Take {
  if (words.length === 0) return takeNone;
  if (words.includes('all')) return { kind: 'all' };
  const fields: string[] = [];
  const records: Record<string, 'all' | string[]> = {};
  for (const word of words) {
    const cut = word.lastIndexOf(':');
    const field = word.slice(cut + 1);
    if (isField(word)) fields.push(word);
    else if (cut > 0 && isField(field)) {
      const id = word.slice(0, cut);
      const own = Object.hasOwn(records, id) ? records[id] : undefined;
      if (own !== 'all') records[id] = [...(own ?? []), field];
    } else records[word] = 'all';
  }
  return { kind: 'some', fields, records };
}
