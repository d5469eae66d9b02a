const mostListed = 20;

/** Names in a sentence: the first of them, and how many more there are. */
export const listed = (names: readonly string[]): string =>
  `${names.slice(0, mostListed).join(', ')}${names.length > mostListed ? `, and ${names.length - mostListed} more` : ''}`;
