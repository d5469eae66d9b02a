import { rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { logKey } from '../../src/audit/proof-log/format/log-key.ts';
import { sealedCountEntry } from '../../src/audit/proof-log/sealed-count.ts';
import { sealNewest } from '../../src/audit/proof-log/sealed-tree.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import type { StoredCosignature } from '../../src/stores/side/proof-log-port.ts';
import { signLog } from './signed-log.ts';

/**
 * Changes the name of a team in its event, and signs and seals everything anew, as somebody can who has every key of an
 * installation with embedded stores. Nothing may run on it. Returns the cosignatures of before.
 */
export async function rewriteHistory(
  dataDir: string,
  team: string,
  otherName: string,
): Promise<StoredCosignature[]> {
  const before = await openSystem(readConfig({ DATA_DIR: dataDir }));
  const cosignatures = await before.proofLog.cosignatures({ limit: 1_000 });
  await before.close();
  const db = new DatabaseSync(join(dataDir, 'events.db'));
  db.exec('DROP TRIGGER events_are_never_changed');
  const { changes } = db
    .prepare(
      `UPDATE events SET data = replace(data, ?, ?) WHERE type = 'TeamCreated' AND data LIKE '%' || ? || '%'`,
    )
    .run(team, otherName, team);
  db.exec(
    `CREATE TRIGGER events_are_never_changed BEFORE UPDATE ON events BEGIN SELECT RAISE(ABORT, 'events are append-only'); END`,
  );
  db.close();
  if (changes === 0) throw new Error(`there is no team ${team}`);
  for (const file of ['log.db', 'log.db-wal', 'log.db-shm']) rmSync(join(dataDir, file), { force: true });
  const system = await openSystem(readConfig({ DATA_DIR: dataDir }));
  const key = await logKey(system.vault);
  if (!key) throw new Error('the log has no key');
  await signLog(system, key);
  await system.vault.delete(sealedCountEntry);
  await sealNewest(system);
  await system.close();
  return cosignatures;
}
