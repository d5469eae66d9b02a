/**
 * Which of the fields that the source and a person have both changed become what the source says. Others stay as they
 * stand. `all`: every one; else by the id of the record in its source: every one of it, or these fields.
 */
export type Take =
  | { readonly kind: 'none' }
  | { readonly kind: 'all' }
  | {
      readonly kind: 'some';
      /** Of every record. */
      readonly fields: readonly string[];
      readonly records: Readonly<Record<string, 'all' | readonly string[]>>;
    };

export const takeNone: Take = { kind: 'none' };

/** What is taken of a record. */
export function takenOf(take: Take, sourceId: string): 'all' | readonly string[] | undefined {
  if (take.kind !== 'some') return take.kind === 'all' ? 'all' : undefined;
  const own = Object.hasOwn(take.records, sourceId) ? take.records[sourceId] : undefined;
  return own === 'all' ? 'all' : [...take.fields, ...(own ?? [])];
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
