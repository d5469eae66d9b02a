import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { UndoJobs } from '../../src/imports/undo-records.ts';
import { startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import type { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { context } from '../api/harness.ts';
import { until } from '../support/until.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const services = Array.from({ length: 60 }, (_, place) => ({
  id: `s${place}`,
  name: `Pantry of saint ${place}`,
  status: 'active',
}));

/** Opens the page again until it has the heading. */
const untilHeading = (heading: string): Promise<boolean> =>
  until(async () => {
    await browser.open(`${browser.url.pathname}?team=harbour`);
    return browser.heading === heading;
  });

/** Imports a file in the browser, and answers the id of the import. */
async function imported(): Promise<string> {
  await browser.open('/dash/resources/import?team=harbour');
  await browser.pressWithFile(
    'Compare',
    { field: 'file', name: 'month.json', content: JSON.stringify(services) },
    { approve: 'yes' },
  );
  await untilHeading('What would change');
  await browser.press('Import');
  await untilHeading('Imported');
  return browser.url.pathname.split('/').at(-1) ?? '';
}

const jobs = () => new UndoJobs({ ...dash.system, onFault: (error) => expect.unreachable(String(error)) });

describe('an undoing', () => {
  test('that stops with its process shows how far it is, and another process goes on with it and counts all of it', async () => {
    const id = await imported();
    const first = jobs();
    const undoing = first.undo({
      ...{ team: 'harbour', id, actor: { kind: 'user', id: 'admin' }, context, total: 60 },
      onProgress: (done) => void (done === 5 && first.stop()),
    });
    await expect(undoing).rejects.toThrow('The server stops.');
    const public_ = async () =>
      (await dash.events('resource-')).filter(({ type }) => type === 'ResourceDeactivated').length;
    expect(await public_()).toBeLessThan(60);
    await untilHeading('Undoing the import');
    expect(browser.text).not.toContain('The import is done.');
    expect(browser.text).not.toContain('Undo this import');

    const other = jobs();
    await other.tend();
    await untilHeading('The import was undone');
    await other.stop();
    expect(await public_()).toBe(60);
    expect(browser.text).toContain('Taken out 60');
    await browser.open('/dash?team=harbour');
    expect(browser.text).toMatch(/undid the import from .*: 60 taken out/);
    expect(browser.text).not.toContain('which has not ended');
    expect(browser.text).not.toContain('undid an import');
    expect(await other.get('harbour', id)).toBeUndefined();
    // What has ended is not begun again.
    await other.tend();
    expect(await other.report('harbour', id)).toMatchObject({ taken_out: 60, left: 0 });
  });
});
