import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { HsdsRecord } from '../../src/hsds/item.ts';
import { openDatapackage } from '../../src/hsds/package.ts';
import { startSystem } from '../api/harness.ts';
import { launch } from './chromium.ts';

/** Pictures of the public pages for the documentation: docs/images/{start,find,record}-{phone,desktop}.png. */
const folder = fileURLToPath(new URL('../../docs/images/', import.meta.url));
mkdirSync(folder, { recursive: true });

const datapackage = await openDatapackage(
  fileURLToPath(new URL('../../examples/directory', import.meta.url)),
);
const records: HsdsRecord[] = [];
for await (const item of datapackage.records()) if (item.kind === 'record') records.push(item);
datapackage.close();

// A Tuesday, 2 pm in the example directory.
const now = () => new Date('2026-03-03T19:00:00Z');
const [system, chromium] = await Promise.all([startSystem({ now }), launch()]);
try {
  await system.resources(records.length, { fields: (index) => records[index]?.fields ?? {} });
  const origin = (await system.listen()).replace('127.0.0.1', 'localhost');
  for (const [device, width, height] of [
    ['phone', 360, 740],
    ['desktop', 960, 720],
  ] as const) {
    const page = await chromium.newPage({ locale: 'en-US', viewport: { width, height } });
    const picture = (name: string) =>
      page.screenshot({ path: `${folder}${name}-${device}.png`, caret: 'hide' });
    await page.goto(origin);
    await picture('start');
    await page.getByLabel('Near', { exact: true }).fill('Port Harbor');
    await page.getByLabel('Open now').check();
    await page.getByRole('button', { name: 'Food Food pantries' }).click();
    await page.getByRole('heading', { name: /result/ }).waitFor();
    await picture('find');
    await page.getByRole('heading', { level: 3 }).first().getByRole('link').click();
    await page.getByRole('heading', { level: 1 }).waitFor();
    await picture('record');
    await page.close();
  }
  console.log('docs/images has pictures of the public pages.');
} finally {
  await chromium.close();
  await system.stop();
}
