import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { describe, expect, it } from 'vitest';
import { EmbeddedProofLog } from '../../src/stores/side/embedded-proof-log.ts';
import { temporaryFolder } from '../support/folder.ts';
import { proofLogContract } from './proof-log.ts';

proofLogContract('embedded', () => {
  const folder = temporaryFolder();
  const clients: EmbeddedProofLog[] = [];
  const open = () => {
    const client = new EmbeddedProofLog(folder.path);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    proofLog: open(),
    another: open,
    dispose: async () => {
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
});

describe('log.db', () => {
  it.each([
    ['UPDATE checkpoints SET note = note', /never changes/],
    ['DELETE FROM checkpoints', /never deleted/],
    ["INSERT INTO checkpoints VALUES (2, '', '', 9)", /larger tree/],
    ['DELETE FROM tiles', /never deleted/],
    ['UPDATE tiles SET hashes = zeroblob(64)', /only grows/],
    ['UPDATE tiles SET hashes = substr(hashes, 1, 32)', /only grows/],
    ['UPDATE tiles SET level = 1', /only grows/],
    ['DELETE FROM ended_logs', /stays ended/],
    ["UPDATE ended_logs SET facts = '{}'", /never changes/],
    ['DELETE FROM checkpoints_1', /never deleted/],
    ['UPDATE tiles_1 SET hashes = zeroblob(64)', /only grows/],
  ])('refuses %s', async (statement, why) => {
    const folder = temporaryFolder();
    const log = new EmbeddedProofLog(folder.path);
    await log.putTiles([{ level: 0, index: 0, hashes: Buffer.alloc(64, 1) }]);
    await log.add({ size: 2, note: 'note', signedAt: '' }, { extends: 0, epoch: 0 });
    const ended = { origin: 'a', vkey: '', size: 2, root: '', endedAt: '', reason: 'replaced' } as const;
    await log.end({ ...ended, successor: 'b' }, { number: 0, epoch: 0 });
    await log.putTiles([{ level: 0, index: 0, hashes: Buffer.alloc(64, 1) }]);
    await log.add({ size: 2, note: 'note', signedAt: '' }, { extends: 0, epoch: 0 });
    const db = new DatabaseSync(join(folder.path, 'log.db'));
    expect(() => db.exec(statement)).toThrow(why);
    db.exec('UPDATE tiles SET hashes = CAST(hashes || zeroblob(32) AS BLOB)');
    db.close();
    await log.close();
    folder.remove();
  });
});
