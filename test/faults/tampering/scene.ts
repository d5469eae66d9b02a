import { copyFileSync, mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { exportable } from '../../../src/audit/exports/exportable.ts';
import { writeExport } from '../../../src/audit/exports/write-export.ts';
import type { NoteVerifier } from '../../../src/audit/proof-log/format/note.ts';
import { exportFormat } from '../../../src/events/audit.ts';
import { fill, metadataAt, openLog, signLog } from '../../audit/signed-log.ts';
import { temporaryFolder } from '../../support/folder.ts';

/** A row of the log, and its leaf. */
export interface Row {
  readonly leaf: number;
  readonly position: number;
  readonly stream: string;
  readonly revision: number;
  readonly id: string;
  readonly type: string;
  readonly metadata: string;
  readonly data: string;
}

/** A signed log and its exports, of which each round changes a copy. */
export interface TamperScene {
  readonly path: string;
  readonly verifier: NoteVerifier;
  readonly rows: readonly Row[];
  readonly exports: readonly string[];
  remove(): void;
}

export const dataOf = (scene: Pick<TamperScene, 'path'>): string => join(scene.path, 'data');
export const exportOf = (scene: Pick<TamperScene, 'path'>, name: string): string => join(scene.path, name);

/** A log of so many events with three checkpoints, one event too large for an entry, and exports in every format. */
export async function tamperScene(events: number): Promise<TamperScene> {
  const folder = temporaryFolder();
  const path = join(folder.path, 'data');
  mkdirSync(path);
  const { system, key } = await openLog({ path, remove: () => undefined });
  await fill(system, Math.floor(events / 2));
  await signLog(system, key);
  const large = {
    id: crypto.randomUUID(),
    type: 'TeamCreated',
    data: { team: 'large', name: 'x'.repeat(70_000) },
    metadata: metadataAt('2026-01-01T00:00:00.000Z'),
  };
  await system.store.append('team-large', [large], 'no_stream');
  await fill(system, Math.ceil(events / 2), 11, 'other');
  await signLog(system, key);
  const from = await exportable(system.store, system.proofLog, key.verifier);
  const installation = await system.installation.ensureId();
  const exports: string[] = [];
  for (const format of exportFormat.options) {
    for (const [kind, filter] of Object.entries({ whole: {}, filtered: { type: 'TeamScopesEnabled' } })) {
      const name = `${kind}-${format}`;
      mkdirSync(join(folder.path, name));
      const options = {
        format,
        filter,
        installation,
        domain: 'org.example.directory',
        now: new Date(0),
      };
      await writeExport(join(folder.path, name), from, options);
      exports.push(name);
    }
  }
  await system.close();
  const db = new DatabaseSync(join(path, 'events.db'));
  db.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const rows = db.prepare('SELECT * FROM events ORDER BY position').all() as unknown as Omit<Row, 'leaf'>[];
  db.close();
  return {
    path: folder.path,
    verifier: key.verifier,
    rows: rows.map((row, leaf) => ({ ...row, leaf })),
    exports,
    remove: folder.remove,
  };
}

/** A copy of the data folder, to be changed. */
export function copyData(scene: TamperScene): { readonly path: string; remove(): void } {
  const path = join(scene.path, 'copy');
  mkdirSync(path);
  for (const name of ['events.db', 'log.db', 'vault.db', 'master.key'])
    copyFileSync(join(dataOf(scene), name), join(path, name));
  return { path, remove: () => rmSync(path, { recursive: true, force: true }) };
}
