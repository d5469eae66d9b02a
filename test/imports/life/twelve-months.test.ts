import { expect, it } from 'vitest';
import { dataFolder } from '../../support/stores.ts';
import { liveAYear } from './made-up-year.ts';
import { StoredDirectory } from './stored-directory.ts';

/** Another, or a larger, life: LIFE_SEED=7 LIFE_SERVICES=500. */
const seed = Number(process.env['LIFE_SEED'] ?? 30);
const services = Number(process.env['LIFE_SERVICES'] ?? 20);

it('twelve months of a source, of corrections, erasures and undone imports stand as a plain model says', async ({
  onTestFinished,
}) => {
  const folder = dataFolder();
  onTestFinished(() => folder.dispose());
  await liveAYear(new StoredDirectory(folder.open()), seed, services);
  expect.hasAssertions();
});
