import type { Collection, Db } from 'mongodb';
import { isNamespaceNotFound } from '../mongodb-errors.ts';
import type { CollectionSpec } from './port.ts';
import { rowsName } from './mongodb-collection.ts';
import { indexesOf, termsIndexOf, type IndexKey } from './mongodb-query.ts';
import { endingsIndex, vocabularyName } from './mongodb-vocabulary.ts';

/**
 * Creates missing indexes of a generation. Called after the bulk load, which is faster without them, and again in case
 * an index was dropped. Other indexes are kept: an operator may have added them.
 */
export async function createIndexes(
  db: Db,
  spec: Pick<
    CollectionSpec<Record<string, unknown>>,
    'name' | 'fields' | 'indexes' | 'terms' | 'vocabulary' | 'cluster'
  >,
  generation: number,
): Promise<void> {
  const name = rowsName(spec.name, generation);
  await createMissing(db.collection(name), [...indexesOf(spec), ...termsIndexOf(spec)]);
  if (spec.vocabulary !== undefined) await createMissing(db.collection(vocabularyName(name)), [endingsIndex]);
}

async function createMissing(rows: Collection, declared: readonly IndexKey[]): Promise<void> {
  const there = new Set((await keysOf(rows)).map(keyText));
  const missing = declared.filter((key) => !there.has(keyText(key)));
  if (missing.length > 0) await rows.createIndexes(missing.map((key) => ({ key })));
}

const keyText = (key: Readonly<Record<string, unknown>>): string =>
  Object.entries(key)
    .map(([field, direction]) => `${field} ${String(direction)}`)
    .join();

async function keysOf(rows: Collection): Promise<Record<string, unknown>[]> {
  try {
    const indexes = await rows.listIndexes().toArray();
    return indexes.map(({ key }) => key as Record<string, unknown>);
  } catch (error) {
    if (isNamespaceNotFound(error)) return [];
    throw error;
  }
}
