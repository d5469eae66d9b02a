import { createHash } from 'node:crypto';
import type { Rule } from './rules.ts';
import { typedQueries, type TypedKind } from './typed-queries.ts';

/** One may look at what the queries of the first half find, and better it. Those of the other are only counted. */
export type Half = 'tuned' | 'unseen';

export interface TypedOne {
  readonly kind: TypedKind;
  readonly half: Half;
  readonly text: string;
  readonly rule: Rule;
}

/** By the text alone, so that nobody chooses. */
const halfOf = (text: string): Half =>
  (createHash('sha256').update(`half ${text}`).digest()[0] ?? 0) % 2 === 0 ? 'tuned' : 'unseen';

export const typedOnes: readonly TypedOne[] = Object.entries(typedQueries).flatMap(([kind, queries]) =>
  queries.map(([text, rule]) => ({ kind: kind as TypedKind, half: halfOf(text), text, rule })),
);
