/** A line of CSV (RFC 4180), with LF at its end. Null and undefined are empty cells. */
export const csvLine = (cells: readonly unknown[]): string => `${cells.map(cellOf).join(',')}\n`;

function cellOf(value: unknown): string {
  if (value === undefined || value === null) return '';
  const text = typeof value === 'string' ? value : JSON.stringify(value);
  // Spaces at the ends are part of the text, and some readers cut them where there are no quotation marks.
  return /[",\r\n]|^\s|\s$/.test(text) ? `"${text.replaceAll('"', '""')}"` : text;
}
