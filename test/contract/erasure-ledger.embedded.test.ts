import { appendFileSync, mkdirSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileErasureLedger } from '../../src/stores/vault/embedded-erasure-ledger.ts';
import { inEach } from '../../src/stores/vault/erasure-ledger-port.ts';
import { temporaryFolder } from '../support/folder.ts';
import { erasureLedgerContract } from './erasure-ledger.ts';

erasureLedgerContract('embedded', () => {
  const folder = temporaryFolder();
  const open = () => new FileErasureLedger(join(folder.path, 'erasures.log'));
  return Promise.resolve({ ledger: open(), another: open, dispose: async () => folder.remove() });
});

describe('the file of the erasure ledger', () => {
  let folder: ReturnType<typeof temporaryFolder>;
  let path: string;
  beforeEach(() => {
    folder = temporaryFolder();
    path = join(folder.path, 'erasures.log');
  });
  afterEach(() => folder.remove());

  const at = '2026-03-04T05:06:07.000Z';
  const read = async (from: FileErasureLedger | ReturnType<typeof inEach>) => {
    const holders: string[] = [];
    for await (const { holder } of from.entries()) holders.push(holder);
    return holders;
  };

  it('is one JSON object a line, readable by its owner alone', async () => {
    await new FileErasureLedger(path).record({ holder: 'person/a', at, event: 'e' });
    expect(readFileSync(path, 'utf8')).toBe(`{"holder":"person/a","at":"${at}","event":"e"}\n`);
    expect(statSync(path).mode & 0o777).toBe(0o600);
  });

  it('survives a process that was stopped in the middle of a line', async () => {
    const ledger = new FileErasureLedger(path);
    await ledger.record({ holder: 'person/a', at });
    appendFileSync(path, '{"holder":"person/b","a');
    expect(await read(ledger)).toEqual(['person/a']);
    await ledger.record({ holder: 'person/c', at });
    expect(await read(ledger)).toEqual(['person/a', 'person/c']);
    // Only the end of the line was not written.
    appendFileSync(path, JSON.stringify({ holder: 'person/d', at }));
    expect(await read(ledger)).toEqual(['person/a', 'person/c', 'person/d']);
    await ledger.record({ holder: 'person/e', at });
    expect(await read(ledger)).toEqual(['person/a', 'person/c', 'person/d', 'person/e']);
  });

  it.each([
    ['every line is cut off', (text: string) => text.replaceAll('Z"}', 'Z"'), 1],
    ['a line in the middle is cut off', (text: string) => text.replace(/person\/b.*\n/, 'person/b\n'), 2],
    ['every line has something after it', (text: string) => text.replaceAll('}', '};'), 1],
    ['its end is zeros', (text: string) => text.slice(0, -20) + '\0'.repeat(20), 3],
    ['nothing in it is ours', () => 'nothing of ours', 1],
  ])('counts for nothing less when %s: it is refused', async (_what, damaged, line) => {
    const ledger = new FileErasureLedger(path);
    for (const each of 'abc') await ledger.record({ holder: `person/${each}`, at });
    writeFileSync(path, damaged(readFileSync(path, 'utf8')));
    await expect(read(ledger)).rejects.toMatchObject({
      code: 'incompatible',
      message: expect.stringContaining(`line ${line} of the erasure ledger cannot be read`) as string,
    });
  });

  it('is refused when a line is damaged, with its number and what to do', async () => {
    const ledger = new FileErasureLedger(path);
    await ledger.record({ holder: 'person/a', at });
    await ledger.record({ holder: 'person/b', at });
    writeFileSync(path, readFileSync(path, 'utf8').replace('"holder":"person/b"', '"hoLder":"person/b"'));
    await expect(read(ledger)).rejects.toMatchObject({
      code: 'incompatible',
      message: expect.stringContaining('line 2 of the erasure ledger cannot be read') as string,
    });
  });

  it('says which setting names it when it cannot be written or read', async () => {
    mkdirSync(path);
    const ledger = new FileErasureLedger(path);
    const failure = { code: 'unavailable', message: expect.stringContaining('see ERASURE_LEDGER') as string };
    await expect(ledger.record({ holder: 'person/a', at })).rejects.toMatchObject(failure);
    await expect(read(ledger)).rejects.toMatchObject(failure);
  });

  describe('beside another', () => {
    const installation = '0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01';
    let one: FileErasureLedger;
    let two: FileErasureLedger;
    let both: ReturnType<typeof inEach>;
    beforeEach(() => {
      one = new FileErasureLedger(path);
      two = new FileErasureLedger(join(folder.path, 'backups/erasures.log'), 'BACKUP_DIR');
      both = inEach([one, two]);
    });

    it('is made with what the other has; both get every entry, and an entry of either counts', async () => {
      await one.record({ holder: 'person/a', at, event: 'e' });
      await both.begin(installation);
      await both.record({ holder: 'person/b', at });
      expect(await read(one)).toEqual(['person/a', 'person/b']);
      expect(await read(two)).toEqual(['person/a', 'person/b']);
      await two.record({ holder: 'person/c', at });
      expect(await read(both)).toEqual(
        expect.arrayContaining(['person/a', 'person/b', 'person/c']) as string[],
      );
      await both.level();
      await both.level();
      expect(await read(one)).toEqual(['person/a', 'person/b', 'person/c']);
    });

    it('that is away takes no entry, and neither does the other: what was not recorded is not erased', async () => {
      await both.begin(installation);
      await both.record({ holder: 'person/a', at });
      for (const away of ['backups', 'erasures.log']) {
        renameSync(join(folder.path, away), join(folder.path, 'away'));
        await expect(both.record({ holder: 'person/b', at })).rejects.toMatchObject({
          code: 'unavailable',
          message: expect.stringMatching(/is not there\. Nothing is erased until it is/) as string,
        });
        await both.level();
        expect(await read(both)).toEqual(['person/a']);
        renameSync(join(folder.path, 'away'), join(folder.path, away));
      }
      await both.record({ holder: 'person/b', at });
      expect(await read(two)).toEqual(['person/a', 'person/b']);
    });
  });

  it('says of which installations it is, however often it is begun and wherever it was stopped', async () => {
    const [ours, others] = ['0b9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a01', '1c9f3c53-2d6c-4c0e-8f7b-4f5f4f2b7a02'];
    const ledger = new FileErasureLedger(path);
    expect(await ledger.isThere()).toBe(false);
    writeFileSync(path, '');
    expect(await ledger.isThere()).toBe(false);
    appendFileSync(path, '{"erasure_ledger_of":"0b9f');
    // It does not say.
    expect(await ledger.isOf(others)).toBe(true);
    await ledger.begin(ours);
    await ledger.begin(ours);
    await ledger.record({ holder: 'person/a', at });
    expect([await ledger.isOf(ours), await ledger.isOf(others)]).toEqual([true, false]);
    await ledger.begin(others);
    expect([await ledger.isOf(ours), await ledger.isOf(others)]).toEqual([true, true]);
    expect(await read(ledger)).toEqual(['person/a']);
    expect(readFileSync(path, 'utf8').match(/erasure_ledger_of/g)).toHaveLength(3);
  });
});
