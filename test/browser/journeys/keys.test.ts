import { beforeAll, describe, expect, test } from 'vitest';
import { v1 } from '../../api/harness.ts';
import { hasChromium } from '../chromium.ts';
import { screens, startService, visit } from './journey.ts';

describe.skipIf(!hasChromium)('a key, from its creation to its revocation', () => {
  const service = startService();
  beforeAll(async () => {
    await service.dash.resources(2);
  });

  test.each(
    screens.flatMap(([name, screen]) =>
      ['developers', 'integrations/api-tokens'].map((path) => [name, path, screen] as const),
    ),
  )('on %s screen, at /dash/%s', { timeout: 120_000 }, async (_, path, screen) => {
    const { dash } = service;
    const team = `keys-${screen.width}-${path.replace('/', '-')}`;
    const account = await dash.account();
    await dash.team(team);
    await dash.member(team, account, 'admin');
    const owner = await visit(service, screen);
    const { page } = owner;
    await owner.signIn(account);
    await owner.open(`/dash/${path}`);

    await owner.fill(/^Label/, 'Kiosk');
    await owner.press('Create');
    const secret = page.getByRole('region', { name: 'Your new key' });
    const key = (await secret.locator('code').textContent()) ?? '';
    await owner.looksRight('key-made');
    const status = async () =>
      (await fetch(dash.origin + v1, { headers: { authorization: `Bearer ${key}` } })).status;
    expect([await status(), await status()]).toEqual([200, 200]);
    await fetch(`${dash.origin}/dash/api/v1/members`, { headers: { authorization: `Bearer ${key}` } });
    await fetch(`${dash.origin}/api/resources`, { headers: { 'x-api-key': key } });

    await owner.follow('Kiosk');
    await page.getByRole('img', { name: 'Requests per day, most 4' }).waitFor();
    await owner.sees('Programs with this key called the old address once');
    await owner.looksRight('key-used');

    await owner.follow(/^Back to/);
    await page.getByText('old address', { exact: true }).waitFor();
    await page.locator('summary', { hasText: 'Revoke' }).click();
    await owner.looksRight('key-revoking');
    await page.locator('.asked').getByRole('button', { name: 'Revoke' }).click();
    await owner.sees('The key is revoked.');
    expect(await status()).toBe(401);
    await owner.looksRight('key-revoked');
    await owner.leave();
  });
});
