/** What a query asks for, so that the share of answered ones is seen for each. */
export type Kind =
  | 'need'
  | 'name'
  | 'phone'
  | 'postal code'
  | 'place'
  | 'need + place'
  | 'typo'
  | 'compound'
  | 'plural'
  | 'Spanish'
  | 'language'
  | 'a word that is nowhere';

/**
 * A query as a person types it; the services that this person would take, by their ids in the source; and how
 * many at the top must all be of those. Without a number it is enough that one of them is among the first five.
 * Judged from the records alone, never from what the search answers.
 */
export type Query = readonly [text: string, accepted: string, top?: number];

export type QueryList = Readonly<Record<Kind, readonly Query[]>>;

/** One query with what is expected of it. */
export interface JudgedQuery {
  readonly kind: Kind;
  readonly text: string;
  readonly accepted: readonly string[];
  readonly top: number | undefined;
}

export const queriesOf = (list: QueryList): JudgedQuery[] =>
  Object.entries(list).flatMap(([kind, queries]) =>
    queries.map(([text, accepted, top]) => ({
      kind: kind as Kind,
      text,
      accepted: [...new Set(accepted.split(' '))],
      top,
    })),
  );

/** Whether a person finds what was asked for in these first five. */
export function isAnswered({ accepted, top }: JudgedQuery, firstFive: readonly string[]): boolean {
  if (top === undefined) return firstFive.some((id) => accepted.includes(id));
  return firstFive.length >= top && firstFive.slice(0, top).every((id) => accepted.includes(id));
}
