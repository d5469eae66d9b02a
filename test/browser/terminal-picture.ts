/** A command as it was typed, and what it printed. */
export interface TerminalEntry {
  readonly command: string;
  readonly printed: string;
}

const advance = 8;
const lineHeight = 20;
const margin = 20;

/** Browsers join several spaces of an SVG's text, but not these. */
const noBreakSpace = '\u00a0';
const escaped = (text: string): string =>
  text.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;').replaceAll(' ', noBreakSpace);

/** A line as a terminal of so many columns shows it. */
function wrapped(line: string, columns: number): string[] {
  const characters = Array.from(line);
  const rows = Math.max(1, Math.ceil(characters.length / columns));
  return Array.from({ length: rows }, (_, row) =>
    characters.slice(row * columns, (row + 1) * columns).join(''),
  );
}

/** Draws commands and what they printed as a terminal shows them: an SVG of text that can be selected. */
export function terminalPicture(title: string, entries: readonly TerminalEntry[], columns: number): string {
  const rows = entries.flatMap(({ command, printed }, index) => [
    ...(index === 0 ? [] : [{ text: '', typed: false }]),
    ...wrapped(`$ ${command}`, columns).map((text) => ({ text, typed: true })),
    ...printed
      .trimEnd()
      .split('\n')
      .flatMap((line) => wrapped(line, columns))
      .map((text) => ({ text, typed: false })),
  ]);
  const width = Math.max(...rows.map(({ text }) => Array.from(text).length)) * advance + 2 * margin;
  const height = rows.length * lineHeight + 2 * margin;
  // Each line is as wide as its columns, whatever font there is.
  const lines = rows.map(({ text, typed }, row) => {
    const length = Array.from(text).length;
    if (length === 0) return '';
    const y = margin + row * lineHeight + 14;
    return `<text x="${margin}" y="${y}" textLength="${length * advance}" lengthAdjust="spacingAndGlyphs" fill="${typed ? '#9ecbff' : '#e6e6e6'}">${escaped(text)}</text>`;
  });
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 ${width} ${height}" width="${width}" height="${height}" role="img">
<title>${title}</title>
<rect width="100%" height="100%" rx="8" fill="#1c2128"/>
<g font-family="ui-monospace, 'DejaVu Sans Mono', Menlo, Consolas, monospace" font-size="13.3">
${lines.filter((line) => line !== '').join('\n')}
</g>
</svg>
`;
}
