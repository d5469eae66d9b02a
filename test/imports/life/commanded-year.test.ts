import { join } from 'node:path';
import { expect, it } from 'vitest';
import { readConfig } from '../../../src/config.ts';
import { openSystem } from '../../../src/container.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { engineSettings } from '../../support/engine.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { CommandedDirectory } from './commanded-directory.ts';
import { liveAYear } from './made-up-year.ts';

/** Another, or a larger, life: LIFE_SEED=7 LIFE_SERVICES=500. */
const seed = Number(process.env['LIFE_SEED'] ?? 30);
const services = Number(process.env['LIFE_SERVICES'] ?? 15);

it('twelve months by command line stand, and are counted, as a plain model says', async ({
  onTestFinished,
}) => {
  const folder = temporaryFolder();
  const dataDir = join(folder.path, 'data');
  const run = (words: readonly string[]) => runCommandLine(words, dataDir);
  await run(['teams', 'create', 'harbour', '--name', 'Harbour']);
  const system = await openSystem(readConfig({ DATA_DIR: dataDir, ...engineSettings(dataDir) }));
  onTestFinished(async () => {
    await system.close();
    folder.remove();
  });
  await liveAYear(new CommandedDirectory(run, system, folder.path), seed, services);
  expect.hasAssertions();
});
