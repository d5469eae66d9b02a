import { describe, expect, test } from 'vitest';
import { liveAYear } from '../../imports/life/made-up-year.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit } from '../journeys/journey.ts';
import { BrowsedDirectory } from './browsed-directory.ts';

/** A whole year, another life or a larger one: `npm run test:months`, LIFE_SEED=7 LIFE_SERVICES=60. */
const months = Number(process.env['LIFE_MONTHS'] ?? 3);
const seed = Number(process.env['LIFE_SEED'] ?? 30);
const services = Number(process.env['LIFE_SERVICES'] ?? 8);
/** A folder with a package of which the made-up services are a part: LIFE_BESIDE=../sample. */
const beside = process.env['LIFE_BESIDE'];

describe.skipIf(!hasChromium)('in a real browser, an admin', () => {
  const service = startService();

  test(
    'imports a source every month, corrects, decides, erases and undoes, and the public sees what a plain model says',
    { timeout: 3_600_000 },
    async ({ onTestFinished }) => {
      const folder = temporaryFolder();
      onTestFinished(() => folder.remove());
      const { dash } = service;
      const account = await dash.account();
      await dash.member('harbour', account, 'admin');
      const { bearer } = await dash.key();
      const admin = await visit(service, { width: 1440 });
      await admin.signIn(account);
      await liveAYear(
        new BrowsedDirectory(admin, dash, { folder: folder.path, bearer, beside }),
        seed,
        services,
        months,
      );
      await admin.leave();
      expect.hasAssertions();
    },
  );
});
