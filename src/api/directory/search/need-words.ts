import { listCell, readTable } from '../../../tables/read-table.ts';

/**
 * What people call what they need, in English and Spanish. Whoever searches for a phrase of a row finds what is written
 * with another.
 */
export const needWords = readTable('need-words.tsv', { en: listCell, es: listCell }, ['en', 'es']);
