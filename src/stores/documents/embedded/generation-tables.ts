import type { DatabaseSync } from 'node:sqlite';
import { table } from './table.ts';

/** The numbers of all generations of a collection. */
export function numbersOf(db: DatabaseSync, name: string): number[] {
  const rows = db.prepare('SELECT generation FROM generations WHERE name = ?').all(name);
  return (rows as { generation: number }[]).map(({ generation }) => generation);
}

/** Drops a generation with its entries. */
export function dropTable(db: DatabaseSync, name: string, generation: number): void {
  db.exec(table({ name, fields: [], indexes: [] }, generation).drop);
  for (const each of ['generations', 'last_events'])
    db.prepare(`DELETE FROM ${each} WHERE name = ? AND generation = ?`).run(name, generation);
}
