import type { CollectionSpec } from '../../src/stores/documents/port.ts';
import { placesSpec, type Place } from './places.ts';

/** Places with a vocabulary. */
export function termsSpec(name: string, clustered: boolean): CollectionSpec<Place> {
  return { ...placesSpec(name, clustered), vocabulary: 'words' };
}

/** Texts that are no terms. Two of the places have them in their field of terms. */
export const noTerms = [
  '',
  ' ',
  '"',
  '""',
  '"nfood"',
  'nfood"',
  "'; DROP TABLE places; --",
  'nfood OR kfood',
  'nfood kfood',
  'NEAR(nfood',
  'nfood*',
  '^nfood',
  '-nfood',
  '{terms}:nfood',
  'terms:nfood',
  '$where',
  '$nfood',
  'n.food',
  'NFOOD',
  'nFood',
  'É',
  '\u0000',
  'n\u0000food',
  'n\u0001',
  '\ud83c',
  'n\udc00food',
  '🏠',
  'nfood\u0301',
  '\ufffd',
  '\uffff',
  'x'.repeat(101),
  '東'.repeat(101),
  'x'.repeat(1_000_000),
];
export const longestTerms = ['x'.repeat(100), '東'.repeat(100)];
/** Words of FTS5, which are terms like others. */
export const operators = ['and', 'or', 'not', 'near', 'null', 'rowid'];
