import { firstDayOf } from '../../../events/directory/upkeep/confirmation.ts';
import type { Hit } from '../search/request.ts';

/** A record that a search found. `record`: as JSON, with its member `confirmed`. */
type Found = Pick<Hit, 'number' | 'equals'> & { readonly record: string };

/**
 * The records of a page with those first, among equals that follow each other, which were confirmed last. A page has the same
 * records as before: to order all equals of a directory takes as long as to read them.
 */
export function freshestFirst<Each extends Found>(found: readonly Each[]): readonly Each[] {
  const ordered: Each[] = [];
  for (let from = 0; from < found.length;) {
    const { equals } = found[from] as Each;
    let end = from + 1;
    while (equals !== undefined && found[end]?.equals === equals) end += 1;
    ordered.push(...(end === from + 1 ? found.slice(from, end) : byDate(found.slice(from, end))));
    from = end;
  }
  return ordered;
}

/** Records that were confirmed on one day, or never, stay as they are. */
const byDate = <Each extends Found>(equal: readonly Each[]): readonly Each[] =>
  equal
    .map((each) => ({ each, day: dayIn(each.record) }))
    .sort((one, other) => (one.day < other.day ? 1 : one.day > other.day ? -1 : 0))
    .map(({ each }) => each);

/** The first day that its last confirmation as a whole can mean. Empty: nobody has confirmed it. */
function dayIn(record: string): string {
  // A quotation mark in a text is escaped, so no text of the record contains this.
  const at = record.lastIndexOf(beginning);
  if (at === -1) return '';
  const from = at + beginning.length;
  return firstDayOf(record.slice(from, record.indexOf('"', from)));
}
const beginning = ',"confirmed":{"on":"';
