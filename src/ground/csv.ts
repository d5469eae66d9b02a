/** A line of CSV (RFC 4180), with LF at its end. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(csvCell).join(',')}\n`;

/** Null and undefined are empty cells. */
export function csvCell(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Spaces at the ends are part of the text, and some readers cut them where there are no quotation marks.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}

/** A cell that no spreadsheet runs: an apostrophe before it makes a text of a formula. */
export const withoutFormula = <Cell>(cell: Cell): Cell | string =>
  typeof cell === 'string' && beginsFormula(cell) ? `'${cell}` : cell;

/**
 * Whether a spreadsheet would run a text as a formula (OWASP, "CSV Injection"): it begins with an equals sign, a plus, a
 * minus or an at sign, in any form that Unicode has of them, also after white space or signs that nobody sees, or with a
 * tab or a line break.
 */
export const beginsFormula = (text: string): boolean => formula.test(text);

const formula =
  /^(?:[\t\r\n]|[\s\p{Cf}]*[=+\-@\u2212\u207a-\u207c\u208a-\u208c\u2a75\u2a76\ufb29\ufe62\ufe63\ufe66\ufe6b\uff0b\uff0d\uff1d\uff20])/u;
