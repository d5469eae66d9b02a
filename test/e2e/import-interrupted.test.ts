import { mkdirSync, readdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const services = 3_000;
const settings = { ADMIN_EMAIL: 'grace@example.org', ADMIN_PASSWORD: 'seven quiet herons wading' };

/** HSDS as JSON: services of one organization. */
const directory = JSON.stringify(
  Array.from({ length: services }, (_, number) => ({
    id: `svc-${number}`,
    name: `Service ${number}`,
    description: 'Food and advice.',
    status: 'active',
    organization: { id: 'org-1', name: 'Harbor House' },
  })),
);

test('an import that a kill has interrupted says so after the next start, and is started again from there', async () => {
  const folder = temporaryFolder();
  onTestFinished(() => folder.remove());
  const files = () => readdirSync(join(folder.path, 'import-files'));
  const first = await startServing(folder.path, settings);
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour');
  let browser = await signedIn(first.origin);
  await browser.open('/dash/resources/import?team=harbour');
  await browser.pressWithFile('Compare', { field: 'file', name: 'county.json', content: directory });
  const path = browser.url.pathname;
  const heading = (wanted: string) =>
    until(async () => (await browser.open(`${path}?team=harbour`)).heading === wanted);
  await heading('What would change');
  expect(browser.text).toContain(`${services.toLocaleString('en')} records will change.`);
  await browser.press('Import');
  // Some are imported, and some are not.
  await until(
    () =>
      / [1-9][\d,]* of 3,000 records/.test(browser.text) ||
      browser.open(`${path}?team=harbour`).then(() => false),
  );
  process.kill(first.pid, 'SIGKILL');
  await first.stop();
  // What an upload that broke off has left.
  mkdirSync(join(folder.path, 'import-files'), { recursive: true });
  writeFileSync(join(folder.path, 'import-files', `harbour.${crypto.randomUUID()}.part`), 'PK');

  const second = await startServing(folder.path, settings);
  onTestFinished(async () => {
    await second.stop();
  });
  await until(() => files().length === 1);
  expect(files()[0]).toMatch(/\.json$/);
  browser = await signedIn(second.origin);
  await heading('The import was interrupted');
  await browser.press('Start again');
  await heading('Imported');
  expect(files()).toEqual([]);
  const [, fresh = '0'] = /New ([\d,]+)/.exec(browser.text) ?? [];
  const [, same = '0'] = /Unchanged ([\d,]+)/.exec(browser.text) ?? [];
  const numbers = [fresh, same].map((text) => Number(text.replaceAll(',', '')));
  expect(numbers[0]).toBeLessThan(services);
  expect(numbers[1]).toBeGreaterThan(0);
  expect((numbers[0] ?? 0) + (numbers[1] ?? 0)).toBe(services);
});

async function signedIn(origin: string): Promise<PlainBrowser> {
  const browser = await new PlainBrowser(origin.replace('127.0.0.1', 'localhost')).open('/dash/sign-in');
  await browser.press('Sign in', { email: settings.ADMIN_EMAIL, password: settings.ADMIN_PASSWORD });
  expect(browser.heading).toBe('Home');
  return browser;
}
