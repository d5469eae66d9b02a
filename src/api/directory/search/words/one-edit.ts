/** Whether two words differ by one letter that is added, left out or another, or by two neighbours that are swapped. */
export function isOneEditAway(one: string, other: string): boolean {
  if (one === other || Math.abs(one.length - other.length) > 1) return false;
  let start = 0;
  while (start < one.length && one[start] === other[start]) start++;
  let end = 0;
  const shorter = Math.min(one.length, other.length);
  while (end < shorter - start && one[one.length - 1 - end] === other[other.length - 1 - end]) end++;
  const left = one.slice(start, one.length - end);
  const right = other.slice(start, other.length - end);
  if (left.length <= 1 && right.length <= 1) return true;
  return left.length === 2 && right.length === 2 && left[0] === right[1] && left[1] === right[0];
}

/** The same of two such errors: for long words, which hardly any two have by chance. */
export function isTwoEditsAway(one: string, other: string): boolean {
  if (Math.abs(one.length - other.length) > 2) return false;
  // Of each place, the fewest errors between the letters before it in both (optimal string alignment).
  let former: readonly number[] = [];
  let last: readonly number[] = Array.from({ length: other.length + 1 }, (_, count) => count);
  for (let at = 1; at <= one.length; at++) {
    const row = [at];
    for (let to = 1; to <= other.length; to++) {
      const isSwap = one[at - 1] === other[to - 2] && one[at - 2] === other[to - 1];
      row[to] = Math.min(
        (row[to - 1] ?? 0) + 1,
        (last[to] ?? 0) + 1,
        (last[to - 1] ?? 0) + Number(one[at - 1] !== other[to - 1]),
        isSwap ? (former[to - 2] ?? Infinity) + 1 : Infinity,
      );
    }
    [former, last] = [last, row];
  }
  return (last[other.length] ?? Infinity) <= 2;
}
