import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, expect, it } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { preparationOf } from '../../src/runtime/preparation.ts';
import { RequestDurations } from '../../src/status/request-durations.ts';
import { temporaryFolder } from '../support/folder.ts';

const folder = temporaryFolder();
afterEach(() => folder.remove());

it('a ledger of erasures that cannot be read ends the start, which is told once', async () => {
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  try {
    await system.installation.ensureId();
    writeFileSync(join(folder.path, 'erasures.log'), 'not an entry\n{"holder":"person/x"\n');
    const told: unknown[] = [];
    const supervision = {
      side: system.side,
      leases: system.leases,
      onFault: (_: string, error: unknown) => told.push(error),
    };
    const prepare = preparationOf(system, {
      ...{ supervision, jobs: [], base: 'http://localhost', shown: false },
      requests: new RequestDurations(),
    });
    await expect(prepare()).rejects.toThrow('line 1 of the erasure ledger cannot be read');
    expect(told).toEqual([]);
  } finally {
    await system.close();
  }
});
