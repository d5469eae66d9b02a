import type { DatabaseSync } from 'node:sqlite';
import type { CheckedTermQuery } from '../terms.ts';

/** The SQL function that tells whether a text of terms matches a query: JSON of a checked one, or of null for none. */
export const matchesTerms = 'matches_terms';

/** Adds the function to a connection. */
export function addMatchesTerms(db: DatabaseSync): void {
  let last: { readonly json: unknown; readonly query: CheckedTermQuery | null } | undefined;
  db.function(matchesTerms, { deterministic: true }, (text, json) => {
    // All rows of a statement have the same query.
    if (last?.json !== json) last = { json, query: JSON.parse(String(json)) as CheckedTermQuery | null };
    return typeof text === 'string' && last.query !== null && matches(text, last.query) ? 1 : 0;
  });
}

function matches(text: string, { every, except }: CheckedTermQuery): boolean {
  const terms = new Set(text.split(' '));
  const hasOneOfEach = (groups: CheckedTermQuery['every']) =>
    groups.every((group) => group.some((term) => terms.has(term)));
  return hasOneOfEach(every) && !except.some(hasOneOfEach);
}
