/** Prints a command's result: JSON for programs, lines for people. */
export function answer(json: boolean | undefined, value: unknown, lines: string | readonly string[]): void {
  if (json) console.log(JSON.stringify(value, null, 2));
  else console.log(typeof lines === 'string' ? lines : lines.join('\n'));
}

/** Formats rows as a table with headings. */
export function table(headings: readonly string[], rows: readonly (readonly (string | number)[])[]): string {
  const cells = [headings, ...rows.map((row) => row.map(String))];
  const widths = headings.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('  ')
        .trimEnd(),
    )
    .join('\n');
}
