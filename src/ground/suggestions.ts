/** The most suggestions. */
const mostNamed = 3;

/** Known words similar to a mistyped one, most similar first. */
export function suggestions(written: string, words: readonly string[]): string[] {
  const lowered = written.toLowerCase();
  return words
    .map((word) => ({ word, away: distance(lowered, word.toLowerCase()) }))
    .filter(
      ({ word, away }) =>
        away <= Math.max(2, word.length / 3) || (lowered.length > 2 && word.toLowerCase().includes(lowered)),
    )
    .sort((one, other) => one.away - other.away)
    .slice(0, mostNamed)
    .map(({ word }) => word);
}

/** The Levenshtein distance of two words. */
function distance(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, column) => column);
  for (const [index, letter] of Array.from(one).entries()) {
    const next = [index + 1];
    for (let column = 1; column <= other.length; column++) {
      const exchanged = (row[column - 1] ?? 0) + (letter === other[column - 1] ? 0 : 1);
      next.push(Math.min(exchanged, (row[column] ?? 0) + 1, (next[column - 1] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
