import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { cli } from '../../faults/processes.ts';
import { chanceOf } from '../../faults/seeded-random.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { svcIdsIn, writeFiles } from './commanded-directory.ts';
import type { Found } from './made-up-year.ts';
import { filesOf, SourceLife, type Publication } from './source-life.ts';
import { StoredDirectory } from './stored-directory.ts';

/** More rounds: KILLED_IMPORTS=50. Another year: LIFE_SEED=7. */
const rounds = Number(process.env['KILLED_IMPORTS'] ?? 1);
const chance = chanceOf(Number(process.env['LIFE_SEED'] ?? 30));

it('an import that is killed at any moment is undone, and comes whole when it is imported again', async () => {
  const folder = temporaryFolder();
  onTestFinished(folder.remove);
  const source = new SourceLife(chance, 300);
  const first = writeFiles(join(folder.path, 'first'), filesOf(active(source.published())));
  for (let month = 0; month < 6; month++) source.live();
  const second = writeFiles(join(folder.path, 'second'), filesOf(active(source.published())));
  const words = (path: string) => ['import', path, '--team', 'harbour', '--source', 'County', '--approve'];
  const month = [...words(second), '--remove-missing', 'any', '--json'];

  const before = join(folder.path, 'before');
  await answered(['teams', 'create', 'harbour', '--name', 'Harbour'], before);
  await answered([...words(first), '--json'], before);
  const whole = join(folder.path, 'whole');
  cpSync(before, whole, { recursive: true });
  const began = performance.now();
  expect((await cli(whole, ...month).ended).code).toBe(0);
  const takesMs = performance.now() - began;
  const [asBefore, asWhole] = [await standingIn(before), await standingIn(whole)];

  for (let round = 1; round <= rounds; round++) {
    const dataDir = join(folder.path, `round-${round}`);
    cpSync(before, dataDir, { recursive: true });
    const importing = cli(dataDir, ...month);
    await importing.killAfter(chance.between(0.3, 1) * takesMs);
    const [newest, former] = (await answered(
      ['imports', 'list', '--team', 'harbour', '--json'],
      dataDir,
    )) as {
      readonly import: string;
    }[];
    // It may have been killed before it began, or after its end.
    if (newest && former) {
      await answered(['imports', 'undo', newest.import, '--team', 'harbour', '--json'], dataDir);
      const undone = await standingIn(dataDir);
      for (const [id, { mine, base, status }] of undone) {
        const was = asBefore.get(id);
        if (was) expect({ mine, base }, `round ${round}: ${id}`).toEqual({ mine: was.mine, base: was.base });
        // What the import made public is taken out, also where it had waited for review.
        if (was?.status === 'approved') expect(status, `round ${round}: ${id}`).toBe('approved');
        else expect(status, `round ${round}: ${id}`).not.toBe('approved');
      }
    }
    await answered(month, dataDir);
    expect(Object.fromEntries(await standingIn(dataDir)), `round ${round}`).toEqual(
      Object.fromEntries(asWhole),
    );
  }
});

const active = (published: Publication): Publication =>
  new Map([...published].map(([id, { said }]) => [id, { said, active: true }]));

async function answered(words: readonly string[], dataDir: string): Promise<unknown> {
  const { code, stdout, stderr } = await runCommandLine(words, dataDir);
  expect([code, stderr], words.join(' ')).toEqual([0, '']);
  return words.includes('--json') ? (JSON.parse(stdout) as unknown) : stdout;
}

async function standingIn(dataDir: string): Promise<Map<string, Found>> {
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));
  try {
    const directory = new StoredDirectory(system);
    directory.know(await svcIdsIn(system.store));
    return await directory.standing();
  } finally {
    await system.close();
  }
}
