import { fileURLToPath } from 'node:url';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { afterAll, beforeAll, describe, expect, onTestFinished, test } from 'vitest';
import { zipStream } from '../../../src/hsds/export/zip-folder.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { screensAndOtherWay, startService, visit } from './journey.ts';

const example = fileURLToPath(new URL('../../../examples/directory', import.meta.url));

/** Lets the import do one record after another while a test holds it. */
let held: PromiseWithResolvers<undefined>[] | undefined;
function rest(): Promise<undefined> | undefined {
  if (held === undefined) return undefined;
  const next = Promise.withResolvers<undefined>();
  held.push(next);
  return next.promise;
}
const letGo = (count: number): void => {
  for (const each of held?.splice(0, count) ?? []) each.resolve(undefined);
};

describe.skipIf(!hasChromium)('in a real browser, an admin', () => {
  const service = startService({ imports: { rest } });
  const folder = temporaryFolder();
  const file = join(folder.path, 'harborview.zip');
  beforeAll(async () => {
    writeFileSync(file, await buffer(await zipStream(example)));
  });
  afterAll(() => folder.remove());

  test.each(screensAndOtherWay)(
    'imports the example directory and watches it, on %s screen',
    async (_, screen) => {
      const { dash } = service;
      const scripts = !('scripts' in screen);
      const team = `team-${screen.width}${scripts ? '' : '-plain'}`;
      await dash.team(team);
      const account = await dash.account();
      await dash.member(team, account, 'admin');
      const admin = await visit(service, screen);
      const { page } = admin;
      /** Without scripts, somebody who waits looks again. */
      const waitsFor = async (heading: string): Promise<void> => {
        if (!scripts)
          while (!(await page.getByRole('heading', { name: heading }).isVisible()))
            await admin.follow('Look again');
        await admin.heading(heading);
      };
      await admin.signIn(account);
      await admin.open(`/dash/resources?team=${team}`);
      await admin.follow('Import');
      await admin.press('Compare');
      await admin.sees('Choose a file.');
      await admin.looksRight('import-no-file');
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await page.getByLabel('Make new records public at once').check();
      await admin.looksRight('import-file');
      await admin.press('Compare');
      await waitsFor('What would change');
      await admin.sees('68 records will change.');
      await admin.looksRight('import-compared');

      held = [];
      onTestFinished(() => {
        letGo(100);
        held = undefined;
      });
      await admin.press('Import');
      await admin.heading('Importing');
      if (scripts) {
        const bar = page.locator('progress[value]');
        await bar.waitFor();
        const first = Number(await bar.getAttribute('value'));
        await admin.looksRight('import-running');
        // Its 23 organizations come first, and are not counted; then half of its records.
        let left = 23 + 34;
        const value = "document.querySelector('progress[value]')?.value ?? 0";
        await until(async () => {
          const now = Math.min(left, held?.length ?? 0);
          letGo(now);
          left -= now;
          return (await page.evaluate<number>(value)) > first;
        });
        expect(Number(await bar.getAttribute('value'))).toBeLessThan(100);
      }
      await admin.sees(/of 68 records|Reading the file/);
      const letAllGo = setInterval(() => letGo(100), 10);
      await waitsFor('Imported').finally(() => clearInterval(letAllGo));
      held = undefined;
      await admin.sees('The import is done.');
      await admin.looksRight('import-done');
      await admin.follow('See what was recorded');
      await admin.sees('Sample Person');
      await page.goBack();
      await admin.follow('Look at the directory');
      await page.locator('.badge', { hasText: 'Public' }).first().waitFor();
      await admin.follow('Import');
      await admin.sees('harborview.zip');
      await admin.looksRight('imports');
      await admin.leave();
    },
  );
});
