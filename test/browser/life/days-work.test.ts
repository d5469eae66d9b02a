import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { zipStream } from '../../../src/hsds/export/zip-folder.ts';
import { startSending } from '../../api/webhooks/dispatching.ts';
import { receiver, type Receiver } from '../../dispatch/receivers.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit, type Visitor } from '../journeys/journey.ts';

/** The package of a whole directory, for a day with hundreds of records: `npm run test:day`, DAY_DATA=../sample. */
const directory =
  process.env['DAY_DATA'] ?? fileURLToPath(new URL('../../../examples/directory', import.meta.url));
const patience = 600_000;

interface Sent {
  readonly event: string;
  readonly data: { readonly id: string };
}

describe.skipIf(!hasChromium)('in a real browser, a reviewer with a phone', () => {
  const service = startService({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  const folder = temporaryFolder();
  const file = join(folder.path, 'directory.zip');
  let to: Receiver;
  let stopSending: () => Promise<void>;
  /** Of the records that were approved, as the webhooks say: each as often as it was said. */
  const approvals: string[] = [];
  beforeAll(async () => {
    writeFileSync(file, await buffer(await zipStream(directory)));
    to = await receiver((response, { body }) => {
      const { event, data } = JSON.parse(String(body)) as Sent;
      if (event === 'resource.approved') approvals.push(data.id);
      response.writeHead(204).end();
    });
    stopSending = startSending(service.dash);
  });
  afterAll(async () => {
    await stopSending();
    await to[Symbol.asyncDispose]();
    folder.remove();
  });

  /** Everything that waits for review, at once. Answers how many records it were. */
  async function approvesAll(reviewer: Visitor): Promise<number> {
    const { page } = reviewer;
    await reviewer.goTo('Directory');
    await page.getByText('Search, filter and sort').click();
    await page.locator('select[name=status]').selectOption({ label: 'Waiting' });
    await reviewer.press('Search');
    await page.getByLabel(/All [\d,]+ that fit/).check();
    await reviewer.press('Approve');
    await reviewer.heading(/^Approve [\d,]+ records\?$/);
    await page.getByRole('button', { name: /^Approve [\d,]+ records$/ }).click();
    const heading = page.getByRole('heading', { name: /^[\d,]+ records were approved$/ });
    await heading.waitFor({ timeout: patience });
    return Number((await heading.innerText()).replace(/\D/g, ''));
  }

  test(
    'approves all that wait, undoes it and approves again: each webhook is sent once',
    {
      timeout: 2 * patience,
    },
    async () => {
      const { dash } = service;
      const account = await dash.account();
      await dash.member('harbour', account, 'admin');
      const reviewer = await visit(service, { width: 360 });
      const { page } = reviewer;
      await reviewer.signIn(account);
      await reviewer.goTo('Webhooks');
      await reviewer.follow('Add a webhook');
      await reviewer.fill(/^Address/, to.url);
      await page.getByRole('checkbox', { name: /^resource.approved/ }).check();
      await reviewer.press('Add a webhook');
      await reviewer.heading('The webhook is added');

      await reviewer.goTo('Directory');
      await reviewer.follow('Import');
      await page.getByLabel('File', { exact: true }).setInputFiles(file);
      await reviewer.press('Compare');
      await page.getByRole('heading', { name: 'What would change' }).waitFor({ timeout: patience });
      await reviewer.press('Import');
      await page.getByRole('heading', { name: 'Imported' }).waitFor({ timeout: patience });

      const began = performance.now();
      const records = await approvesAll(reviewer);
      const seconds = (performance.now() - began) / 1_000;
      console.info(`${records} records approved from a phone in ${seconds.toFixed(1)} s`);
      expect(records).toBeGreaterThan(60);
      await reviewer.looksRight('day-approved');
      await until(() => approvals.length >= records);

      await reviewer.confirm('Undo');
      await page.getByText('It was undone.').first().waitFor({ timeout: patience });
      await reviewer.looksRight('day-undone');
      expect(await approvesAll(reviewer)).toBe(records);
      // The webhook of a record that is approved afterwards comes after all that the decisions have caused.
      await dash.resources(1, { team: 'harbour' });
      await until(() => approvals.length > records);
      expect(new Set(approvals).size).toBe(records + 1);
      expect(approvals.length).toBe(records + 1);
      await reviewer.leave();
    },
  );
});
