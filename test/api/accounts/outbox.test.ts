import { afterAll, beforeAll, expect, test } from 'vitest';
import { outbox } from '../../../src/api/accounts/outbox.ts';
import type { PageDependencies } from '../../../src/api/dashboard-dependencies.ts';
import type { SignedInPageContext, View } from '../../../src/api/pages/page-context.ts';
import { StoreError } from '../../../src/stores/errors.ts';
import { Outbox } from '../../../src/mail/outbox.ts';
import { altered } from '../../support/altered.ts';
import { aCommand } from '../../support/context.ts';
import { startDashboard, type Dashboard } from './harness.ts';

let dash: Dashboard;
beforeAll(async () => {
  dash = await startDashboard();
});
afterAll(() => dash.stop());

test('the outbox shows no email when its opening cannot be recorded, and says so', async () => {
  const { system } = dash;
  const mails = new Outbox(system);
  await mails.put({ to: 'somebody@example.org', subject: 'A link', text: 'https://x.example/' }, 3_600);
  const store = altered(system.store, {
    append: () => Promise.reject(new StoreError('full', 'There is no room left.')),
  });
  const page = outbox({ ...system, store, outbox: mails } as unknown as PageDependencies);
  const context = { context: () => aCommand() } as unknown as SignedInPageContext;
  if (page.audience !== 'administrators') throw new Error('The outbox is for administrators.');
  const view = (await page.get?.(context)) as View;
  expect(view.status).toBe(503);
  expect(view.headers).toEqual({ 'retry-after': '5' });
  expect(view.content.text).toContain('no email is shown');
  expect(view.content.text).not.toContain('somebody');
});
