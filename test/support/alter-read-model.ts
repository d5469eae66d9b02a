import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';

/** Alters every document of a read model, as a failing device would. `body`: SQL for the new document, of the old one. */
export function alterReadModel(folder: string, collection: string, body: string): void {
  const db = new DatabaseSync(join(folder, 'views.db'));
  const { generation } = db
    .prepare('SELECT generation FROM generations WHERE name = ? AND serving = 1')
    .get(collection) as { generation: number };
  db.exec(`UPDATE "${collection}.${generation}" SET _body = ${body}`);
  db.close();
}
