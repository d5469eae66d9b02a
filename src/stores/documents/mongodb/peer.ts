import type { Db } from 'mongodb';

const known = new WeakMap<object, Promise<boolean>>();

/**
 * Whether FerretDB 1 answers instead of MongoDB. It gives the same answers, but by its indexes it finds only
 * single values: where many are asked for in one command it reads the whole collection.
 */
export function isFerretDb(db: Db): Promise<boolean> {
  const found = known.get(db.client) ?? ask(db);
  known.set(db.client, found);
  // Somebody else may answer when it has come back.
  found.catch(() => known.delete(db.client));
  return found;
}

async function ask(db: Db): Promise<boolean> {
  return 'ferretdbVersion' in (await db.command({ buildInfo: 1 }));
}
