/** A text in one line, cut at the end of a word where it is longer than this, and never in the middle of a character. */
export function shortened(text: string, length: number): string {
  const line = text.replace(/\s+/g, ' ').trim();
  return line.length <= length ? line : `${cut(line, length)}…`;
}

function cut(text: string, length: number): string {
  const start = text.slice(0, length).replace(/[\ud800-\udbff]$/, '');
  const end = start.lastIndexOf(' ');
  return end > length / 2 ? start.slice(0, end) : start;
}
