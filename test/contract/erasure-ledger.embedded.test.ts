import { appendFileSync, mkdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileErasureLedger } from '../../src/stores/erasure-ledger/embedded.ts';
import { inEach } from '../../src/stores/erasure-ledger/port.ts';
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

  it('can stand beside another: both have every entry, and an entry of either counts', async () => {
    const [one, two] = [new FileErasureLedger(path), new FileErasureLedger(`${path}.2`)];
    await one.record({ holder: 'person/a', at });
    const both = inEach([one, two]);
    await both.record({ holder: 'person/b', at });
    expect(await read(two)).toEqual(['person/b']);
    expect(await read(both)).toEqual(['person/a', 'person/b', 'person/b']);
  });
});
