import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { mergeRecords } from '../../../../src/commands/directory/merge-records.ts';
import { suggestChange, type NewSuggestion } from '../../../../src/commands/directory/upkeep/suggestion.ts';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { context } from '../../harness.ts';

let dash: Dashboard;
let reviewer: Account;
let browser: PlainBrowser;
let count = 0;
let team: string;
let svcId: string;

beforeAll(async () => {
  dash = await startDashboard();
  reviewer = await dash.account();
});
afterAll(() => dash.stop());

/** A queue of its own for each test. */
beforeEach(async () => {
  team = `team-${++count}`;
  await dash.team(team);
  await dash.member(team, reviewer, 'reviewer');
  [svcId = ''] = await dash.resources(1, {
    team,
    fields: () => ({
      name: 'Corner Pantry',
      description: 'Food for all.',
      phones: [{ number: '305-555-0100' }],
      hours: 'Mon 9-5',
      locations: [],
    }),
  });
  browser = await dash.signedIn(reviewer);
});

const queue = () => `/dash/resources/review?team=${team}&show=suggestions`;
async function suggest(of: Partial<NewSuggestion> = {}): Promise<string> {
  const about = { svc_id: svcId, team, by: 'visitor', kind: 'change' } as const;
  const fields = { phone: '305-555-0199', description: 'Bread.' };
  const { state } = await suggestChange(dash.system, { ...about, suggested: { fields }, ...of }, context());
  await dash.caughtUp();
  return state?.suggestion ?? '';
}
const typesOf = async (stream: string) => (await dash.events(stream)).map(({ type }) => type);
const lastOf = async () => (await dash.events(`resource-${svcId}`)).at(-1);

describe('the queue of suggested changes', () => {
  test('shows each as a difference, says who suggests it, and how many wait', async () => {
    await suggest({
      by: 'agency',
      suggested: { fields: { phone: '305-555-0199' }, note: '<b>We moved</b>', contact: 'eva@example.org' },
    });
    await suggest();
    await browser.open(`/dash?team=${team}`);
    expect(browser.text).toContain('2 changes are suggested.');
    await browser.open(queue());
    for (const words of [
      'Suggested changes (2)',
      'The agency, by the link sent to its contact',
      '305-555-0100',
      '305-555-0199',
      '<b>We moved</b>',
      'eva@example.org',
    ])
      expect(browser.text).toContain(words);
    await browser.follow('Next');
    expect(browser.text).toContain('A visitor, on the page of the record');
    await browser.open(`/dash/resources/${svcId}?team=${team}`);
    expect(browser.text).toContain('Suggested changes');
    await browser.follow('The agency, by the link sent to its contact');
    expect(browser.text).toContain('We moved');
  });

  test('says what to expect when nothing is suggested', async () => {
    await browser.open(queue());
    expect(browser.text).toContain('No changes are suggested.');
  });

  test('takes over what is ticked alone', async () => {
    const id = await suggest();
    await browser.open(queue());
    await browser.press('Accept Corner Pantry', { take: 'phone' });
    expect(browser.text).toContain('It is taken over.');
    expect((await lastOf())?.data).toMatchObject({
      fields: { description: 'Food for all.', phones: [{ number: '305-555-0199' }] },
    });
    expect((await dash.events(`suggestion-${id}`)).at(-1)?.data).toEqual({ fields: ['phone'] });
    await browser.open(queue());
    expect(browser.text).toContain('No changes are suggested.');
  });

  test('does not tick what was changed meanwhile, shows all three, and overwrites nothing that nobody saw', async () => {
    await suggest();
    await browser.open(queue());
    await dash.command(svcId, { kind: 'revise', change: { description: 'Food and clothes.' } });
    await browser.press('Accept Corner Pantry');
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Since this was suggested, somebody has changed: description.');
    for (const words of ['Food and clothes.', 'Food for all.', 'Bread.'])
      expect(browser.text).toContain(words);
    expect(browser.html).toMatch(/value="phone"\s+checked/);
    expect(browser.html).not.toMatch(/value="description"\s+checked/);
    await browser.press('Accept Corner Pantry', { take: 'description' });
    expect((await lastOf())?.data).toMatchObject({ fields: { description: 'Bread.' } });
  });

  test('says opening hours as people write them', async () => {
    const days: ('mon' | 'tue' | 'wed')[] = ['mon', 'tue', 'wed'];
    const opening_hours = [{ days, opens: '10:00', closes: '16:00' }];
    await suggest({ suggested: { fields: { hours: 'Mon-Wed 10am-4pm', opening_hours } } });
    await browser.open(queue());
    expect(browser.text).toContain('Mon–Wed 10:00–16:00');
    expect(browser.text).not.toContain('mon, tue');
  });

  test('asks for a tick, and dismisses', async () => {
    const id = await suggest();
    await browser.open(queue());
    await browser.press('Accept Corner Pantry', { take: '' });
    expect(browser.text).toContain('Tick at least one field');
    await browser.press('Dismiss Corner Pantry');
    expect(browser.text).toContain('It is dismissed. The record stays as it is.');
    expect(await typesOf(`suggestion-${id}`)).toEqual(['ChangeSuggested', 'SuggestionDismissed']);
  });

  test('takes a record out that has closed', async () => {
    await suggest({ kind: 'closed', by: 'agency', suggested: {} });
    await browser.open(queue());
    expect(browser.text).toContain('Accepting this takes the record out.');
    await browser.press('Accept Corner Pantry');
    expect((await lastOf())?.type).toBe('ResourceDeactivated');
    expect((await dash.browser().open(`/r/${svcId}`)).status).toBe(410);
  });

  test('erases what was suggested, which can then only be dismissed', async () => {
    const id = await suggest();
    await browser.open(queue());
    await browser.press('Erase what it says Corner Pantry');
    expect(browser.text).toContain('What was suggested is erased.');
    expect(await dash.system.vault.get(`suggestion/${id}`)).toBeUndefined();
    await browser.open(queue());
    expect(browser.text).toContain('It can only be dismissed.');
    expect(browser.html).not.toContain('>Accept<');
  });

  test('of a record that was merged says so, and offers no acceptance', async () => {
    await suggest();
    const [other = ''] = await dash.resources(1, { team });
    await mergeRecords(dash.system, { survivor: other, duplicate: svcId, take: [] }, context());
    await dash.caughtUp();
    await browser.open(queue());
    expect(browser.text).toContain('This record was merged into another one.');
    expect(browser.html).not.toContain('value="accept"');
  });

  test('is for reviewers of the team alone', async () => {
    const id = await suggest();
    const member = await dash.account();
    await dash.member(team, member, 'member');
    const theirs = await dash.signedIn(member);
    expect((await theirs.open(queue())).status).toBe(404);
    const elsewhere = 'other-' + team;
    await dash.team(elsewhere);
    await dash.member(elsewhere, reviewer, 'reviewer');
    await browser.open(`/dash/resources/review?team=${elsewhere}&show=suggestions&id=${id}`);
    expect(browser.text).toContain('No changes are suggested.');
  });
});
