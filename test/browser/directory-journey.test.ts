import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { password, startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import { hasChromium, launch } from './chromium.ts';

describe.skipIf(!hasChromium)('in a real browser, a reviewer', () => {
  let chromium: Browser;
  let dash: Dashboard;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([launch(), startDashboard()]);
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  test.each([
    ['narrow', 360],
    ['wide', 1440],
  ])('submits, decides with the keyboard, and edits, on a %s screen', async (_, width) => {
    const team = `team-${width}`;
    await dash.team(team);
    const account = await dash.account();
    await dash.member(team, account, 'reviewer');
    const page = await chromium.newPage({ viewport: { width, height: 800 } });
    const objections: string[] = [];
    page.on('console', (message) => {
      if (message.type() === 'error') objections.push(message.text());
    });
    page.on('request', (request) => {
      if (new URL(request.url()).origin !== dash.origin) objections.push(request.url());
    });
    const fits = async () =>
      expect(await page.evaluate('document.documentElement.scrollWidth <= innerWidth')).toBe(true);

    await page.goto(`${dash.origin}/dash/sign-in`);
    await page.getByLabel('Email').fill(account.email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();

    for (const name of ['First Pantry', 'Second Pantry']) {
      await page.goto(`${dash.origin}/dash/resources?team=${team}`);
      await fits();
      await page.getByRole('link', { name: 'Submit a record' }).first().click();
      await page.getByLabel('Name', { exact: true }).fill(name);
      await page.getByLabel('Kind of help').selectOption({ label: 'Food' });
      await fits();
      await page.getByRole('button', { name: 'Submit', exact: true }).click();
      await page.getByText('It is submitted, and waits for a reviewer.').waitFor();
      await fits();
    }

    await page.goto(`${dash.origin}/dash/resources/review?team=${team}`);
    await page.getByText('2 wait for a decision.').waitFor();
    await fits();
    await page.keyboard.press('a');
    await page.locator('[name=note]:focus').waitFor();
    await page.keyboard.type('Called them.');
    await page.keyboard.press('Enter');
    await page.getByText('It is approved, and everybody can see it.').waitFor();
    await page.keyboard.press('r');
    await page.locator('[name=reason]:focus').waitFor();
    await page.keyboard.type('It is in the directory already.');
    await page.keyboard.press('Enter');
    await page.getByText('Nothing waits for a decision.').waitFor();

    await page.goto(`${dash.origin}/dash/resources?team=${team}&status=approved`);
    await page.getByRole('link', { name: /Pantry/ }).click();
    await page.getByRole('link', { name: 'Edit', exact: true }).click();
    await page.getByLabel('Description').fill('Bags of food on Mondays.');
    await fits();
    await page.getByRole('button', { name: 'Save', exact: true }).click();
    await page.getByText('Your change is saved.').waitFor();
    await page.getByText('What changed', { exact: true }).click();
    await fits();
    await page.getByRole('link', { name: 'Public page' }).click();
    await page.getByText('Bags of food on Mondays.').waitFor();
    expect(objections).toEqual([]);
    await page.close();
  });
});
