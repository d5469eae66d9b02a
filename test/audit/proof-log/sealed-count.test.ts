import { DatabaseSync } from 'node:sqlite';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { missingCheckpoints, sealCount } from '../../../src/audit/proof-log/sealed-count.ts';
import { fill, openLog, signLog } from '../signed-log.ts';

describe('the count of checkpoints that the vault holds', () => {
  let scene: Awaited<ReturnType<typeof openLog>>;
  beforeEach(async () => {
    scene = await openLog();
    await fill(scene.system, 100);
    for (let size = 1; size <= 100; size += 1) {
      await signLog(scene.system, scene.key, size);
      await sealCount(scene.system, size);
    }
  });
  afterEach(async () => {
    await scene.system.close();
    scene.folder.remove();
  });

  function remove(condition: string): void {
    const db = new DatabaseSync(join(scene.folder.path, 'log.db'));
    for (const { name } of db.prepare("SELECT name FROM sqlite_schema WHERE type = 'trigger'").all())
      db.exec(`DROP TRIGGER ${String(name)}`);
    db.exec(`DELETE FROM checkpoints WHERE ${condition}`);
    db.close();
  }

  it('finds nothing while all are there', async () => {
    expect(await missingCheckpoints(scene.system)).toBeUndefined();
  });

  it('tells between which trees one is missing, and when those were signed', async () => {
    remove('size = 42');
    const sentence = (await missingCheckpoints(scene.system)) ?? '';
    expect(sentence).toMatch(
      /^1 checkpoint is missing in the proof log, of the 100 checkpoints that were signed up to the one of 100 entries: 1 between the tree of /,
    );
    const [, from, until] =
      /between the tree of (\d+) \(signed 2026-\S+\) and the tree of (\d+) entries/.exec(sentence) ?? [];
    expect(Number(from)).toBeLessThan(42);
    expect(Number(until)).toBeGreaterThanOrEqual(42);
    expect(Number(until) - Number(from)).toBeLessThanOrEqual(4);
  });

  it('tells of each place, also where the first ones are missing', async () => {
    remove('size <= 2 OR size IN (50, 90)');
    const sentence = (await missingCheckpoints(scene.system)) ?? '';
    expect(sentence).toMatch(
      /^4 checkpoints are missing .*: 2 between the beginning and the tree of \d+ .*; 1 between .*; 1 between .*\.$/,
    );
  });

  it('keeps few marks, however many checkpoints there are', async () => {
    const sealed = await scene.system.vault.get('proof-log/checkpoints');
    const { marks } = JSON.parse(Buffer.from(sealed ?? '').toString()) as { marks: readonly object[] };
    expect(marks.length).toBeGreaterThan(15);
    expect(marks.length).toBeLessThan(64);
    expect(marks.at(-1)).toEqual({ size: 100, checkpoints: 100 });
  });
});
