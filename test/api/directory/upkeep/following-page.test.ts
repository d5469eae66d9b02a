import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandSource } from '../../../../src/commands/directory/source.ts';
import {
  commandFollowing,
  followingKey,
  storeFollowingKey,
} from '../../../../src/commands/directory/upkeep/following.ts';
import { untilShown } from '../../../../src/projections/until-shown.ts';
import { aCommand } from '../../../support/context.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

const of = { team: 'harbour', source: 'valley.example/audit/log' } as const;
const vkey = `valley.example/audit/log+1b2c3d4e+${'A'.repeat(44)}`;
const page = '/dash/resources/import/followed?team=harbour';
let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const commanded = async (command: Parameters<typeof commandFollowing>[2]) =>
  untilShown(dash.system.documents, await commandFollowing(dash.system.store, of, command, aCommand()));

test('an address is looked at before it is followed, and one of a private network is refused', async () => {
  await browser.open('/dash/resources/import/sources?team=harbour');
  expect(browser.text).toContain('Follow another directory');
  await browser.open(page);
  await browser.press('Look at it', { address: '', key: '' });
  expect(browser.text).toContain('the address of another directory, such as https://directory.example.org');
  expect(browser.text).not.toContain('Invalid input');
  for (const address of ['http://10.0.0.1', 'https://169.254.169.254', 'not an address']) {
    await browser.press('Look at it', { address, key: 'api_pk_secret' });
    expect(browser.status).toBeGreaterThanOrEqual(409);
    expect(browser.status).toBeLessThan(423);
    expect(browser.html).not.toContain('api_pk_secret');
    await browser.open(page);
  }
  expect(await dash.events('following-')).toEqual([]);
});

test('a directory that is paused is named with its reason, on Home too, and is left, with its key', async () => {
  const { store, vault, documents } = dash.system;
  await untilShown(
    documents,
    await commandSource(store, { kind: 'name', ...of, name: 'Valley Directory' }, aCommand()),
  );
  await storeFollowingKey(vault, of, 'api_pk_secret');
  await commanded({
    kind: 'begin',
    data: { ...of, address: 'https://valley.example', vkey, approve: false, with_key: true },
  });
  await browser.open(page);
  expect(browser.text).toContain('Valley Directory');
  await browser.press('Pause Valley Directory');
  expect(browser.text).toMatch(/Paused.*Your team has paused it/su);
  await browser.press('Resume Valley Directory');
  expect(browser.text).toContain('It is followed again.');

  await commanded({ kind: 'pause', why: 'rewritten', detail: 'Its log has 1 entry, and had signed 2.' });
  await browser.open(page);
  expect(browser.text).toContain('It has changed its past. Its log has 1 entry, and had signed 2.');
  expect(browser.html).not.toContain('api_pk_secret');
  await browser.open('/dash?team=harbour');
  expect(browser.text).toContain('1 directory that you follow is paused.');

  await browser.open(page);
  await browser.press('Stop following Valley Directory');
  expect(browser.text).toContain('You no longer follow it.');
  expect(await followingKey(vault, of)).toBeUndefined();
  const types = (await dash.events('following-')).map(({ type }) => type);
  expect(types).toEqual([
    ...['FollowingBegun', 'FollowingPaused', 'FollowingResumed', 'FollowingPaused', 'FollowingEnded'],
  ]);
});
