import { randomBytes } from 'node:crypto';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { routesOf } from '../support/routes.ts';
import { createSubscription } from '../../src/commands/webhooks/subscription.ts';
import { newSigningSecret } from '../../src/dispatch/signature.ts';
import { password, startDashboard, type Account, type Dashboard } from '../api/accounts/harness.ts';
import { context } from '../api/harness.ts';
import { addressOf, contentsOfTeam, team } from '../api/whole-team.ts';
import { hasChromium, launch } from './chromium.ts';
import { overflow } from './page-checks.ts';

const word = 'Donaudampfschifffahrtselektrizitaetenhauptbetriebswerkbauunterbeamtengesellschaft';
const address = `https://${word.slice(0, 60).toLowerCase()}.example/${word}/${word}?q=${word}`;
const email = `${word.slice(0, 50).toLowerCase()}@${word.slice(0, 50).toLowerCase()}.example`;

/** Longer than a line of a small phone, of words that are not. */
const fitting = 'ana.maria.fernandez-gonzalez@harbour-community-centre.example';

/** A program that tells on which lines the text stands. */
const linesOf = (text: string): string => `(() => {
  const cell = [...document.querySelectorAll('td')].find((each) => each.textContent.trim() === '${text}');
  const walker = document.createTreeWalker(cell, NodeFilter.SHOW_TEXT);
  const lines = new Map();
  for (let node = walker.nextNode(); node; node = walker.nextNode())
    for (let at = 0; at < node.data.length; at++) {
      const range = document.createRange();
      range.setStart(node, at);
      range.setEnd(node, at + 1);
      const { top, width } = range.getBoundingClientRect();
      if (width > 0) lines.set(top, (lines.get(top) ?? '') + node.data[at]);
    }
  return [...lines.values()];
})()`;

describe.skipIf(!hasChromium)('a page with long words, addresses and emails', () => {
  let chromium: Browser;
  let dash: Dashboard;
  let operator: Account;
  let ids: Readonly<Record<string, string>>;
  beforeAll(async () => {
    [chromium, dash] = await Promise.all([
      launch(),
      startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } }),
    ]);
    operator = await dash.account({ role: 'administrator', email, profile: { name: word } });
    const member = await dash.account({ email: `other-${email}`, profile: { name: `Other ${word}` } });
    await dash.member(team, operator, 'admin');
    await dash.member(team, member, 'member');
    await dash.member(team, await dash.account({ email: fitting }), 'member');
    ids = await contentsOfTeam(dash, member);
    const svcId = await dash.submission(team, {
      name: word,
      organization: { name: word, url: address },
      description: `${word} ${address}`,
      url: address,
      email,
      phones: [{ number: '305-555-0100', note: word }],
      hours: word,
      locations: [{ name: word, street: word, city: word, region: word, postal_code: '33101' }],
      contacts: [{ name: word, email }],
      documents: [word],
      eligibility: word,
      alert: word,
    });
    await dash.command(svcId, { kind: 'approve' });
    await dash.submission(team, { name: word, url: address, email });
    await dash.invited(team, `invited-${email}`, 'member');
    const { subscriptionId } = await createSubscription(
      dash.system,
      { team, url: `http://127.0.0.1:9/${word}${word}`, events: ['member.joined'] },
      newSigningSecret(randomBytes),
      context(),
    );
    const { keyId } = await dash.key({
      kind: 'team',
      team,
      label: word.repeat(2),
      scopes: ['resources:read'],
    });
    const site = await dash.site({ name: word.slice(0, 60) });
    ids = { ...ids, svcId, subscription: subscriptionId, key: keyId, site };
    await dash.caughtUp();
  });
  afterAll(async () => {
    await chromium.close();
    await dash.stop();
  });

  test('is not wider than a small phone', { timeout: 240_000 }, async () => {
    const page = await (await chromium.newContext({ viewport: { width: 360, height: 740 } })).newPage();
    await page.goto(`${dash.origin}/dash/sign-in`);
    await page.getByLabel('Email').fill(email);
    await page.getByLabel('Password').fill(password);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('heading', { name: 'Home' }).waitFor();
    const routes = routesOf(dash.server.printRoutes({ commonPrefix: false })).filter(
      (route) =>
        /^\/(dash|f|r|report|find|about)?(\/|$)/.test(route) &&
        !/sign-out|^\/dash\/api\/|\.csv$|download|export|example$|\/file$|own-data/.test(route),
    );
    const wide: string[] = [];
    for (const route of routes) {
      const path = `${addressOf(route, ids)}?team=${team}`;
      const answer = await page.goto(dash.origin + path).catch(() => null);
      if (!/text\/html/.test(answer?.headers()['content-type'] ?? '')) continue;
      const by = await overflow(page);
      if (by > 0) wide.push(`${route}: ${by} px`);
    }
    expect(wide).toEqual([]);

    // An email breaks after its signs, not within a word that fits.
    await page.goto(`${dash.origin}/dash/team?team=${team}`);
    const lines = await page.evaluate<string[]>(linesOf(fitting));
    expect(lines.join('')).toBe(fitting);
    expect(lines.length).toBeGreaterThan(1);
    for (const line of lines.slice(0, -1)) expect(line).toMatch(/[@.-]$/);
  });
});
