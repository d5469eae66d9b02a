import type { Row } from '../source/related-rows.ts';
import { cleanLine, compareIds, compareText, webAddress } from '../text.ts';
import { once } from './without-blank.ts';

/** What to bring, with the address of the form where there is one. "None" is no document. */
export function documentsOf(rows: readonly Row[]): string[] {
  const sorted = [...rows].sort(
    (one, other) =>
      compareIds(one.cell('id'), other.cell('id')) ||
      compareText(one.cell('document'), other.cell('document')),
  );
  return once(
    sorted.map((row) => {
      const document = cleanLine(row.cell('document'));
      const address = webAddress(row.cell('uri')) ?? '';
      if (document === '' || document.includes(address)) return document || address;
      return `${document} (${address})`;
    }),
  ).filter((document) => !/^(none|n\/a|ningun[oa])\.?$/i.test(document));
}
