import { afterAll, beforeAll, expect, test } from 'vitest';
import { startDashboard, type Account, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let person: PlainBrowser;
let reviewer: PlainBrowser;
const accountOf = async (role: 'member' | 'reviewer'): Promise<Account> => {
  const account = await dash.account();
  await dash.member('harbour', account, role);
  return account;
};
beforeAll(async () => {
  dash = await startDashboard();
  person = await dash.signedIn(await accountOf('member'));
  reviewer = await dash.signedIn(await accountOf('reviewer'));
});
afterAll(() => dash.stop());

async function submitted(name: string): Promise<string> {
  await person.open('/dash/resources/new?team=harbour');
  await person.press('Submit', { name, category: 'food' });
  expect(person.text).toContain('It is submitted, and waits for a reviewer.');
  return /r_[0-9a-f]{16}/.exec(person.url.pathname)?.[0] ?? '';
}
const decided = async (id: string, action: string, words = '') => {
  await reviewer.open(`/dash/resources/${id}?team=harbour`);
  const token = reviewer.hidden('token');
  await reviewer.post(`/dash/resources/${id}/status`, { token, team: 'harbour', action, words });
};
const types = async (id: string) => (await dash.events(`resource-${id}`)).map(({ type }) => type);

test('a member sees what became of what they submitted, changes what was rejected, and sends it again', async () => {
  const id = await submitted('Corner Pantry');
  await person.open('/dash?team=harbour');
  expect(person.text).toContain('What you submitted');
  expect(person.text).toContain('Corner PantryWaiting');
  await decided(id, 'reject', 'The phone number is missing.');
  await person.open('/dash?team=harbour');
  expect(person.text).toContain('Rejected');
  expect(person.text).toContain('The phone number is missing.');
  await person.follow('Change and send again Corner Pantry');
  expect(person.text).toContain('It was rejected: The phone number is missing.');
  await person.press('Send it again', { phones: '202-555-0143' });
  expect(person.text).toContain('It is sent again, and waits for a reviewer.');
  expect(await types(id)).toEqual([
    'ResourceSubmitted',
    'ResourceRejected',
    'ResourceRevised',
    'ResourceResubmitted',
  ]);
  await reviewer.open('/dash/resources/review?team=harbour');
  expect(reviewer.text).toContain('Corner Pantry');
  await decided(id, 'approve');
  await person.open('/dash/resources/mine?team=harbour');
  expect(person.text).toContain('Corner PantryPublic');
  expect(person.text, 'it is public').not.toContain('Change and send again');
  await person.open(`/dash/resources/${id}/send-again?team=harbour`);
  expect(person.status).toBe(404);
  expect(person.text).toContain('only until it is public');
});

test('what waits can be changed by who submitted it, and by no other member', async () => {
  const id = await submitted('Second Pantry');
  await person.open('/dash/resources/mine?team=harbour');
  await person.follow('Change Second Pantry');
  await person.press('Send it again', { name: 'Second Pantry of the Harbour' });
  expect(person.text).toContain('Second Pantry of the Harbour');
  expect(await types(id)).toEqual(['ResourceSubmitted', 'ResourceRevised']);
  const other = await dash.signedIn(await accountOf('member'));
  await other.open('/dash?team=harbour');
  expect(other.text).not.toContain('What you submitted');
  await other.open(`/dash/resources/${id}/send-again?team=harbour`);
  expect(other.status).toBe(404);
  await other.open('/dash/resources/new?team=harbour');
  const form = { token: other.hidden('token'), team: 'harbour', name: 'Stolen', category: 'food' };
  await other.post(`/dash/resources/${id}/send-again`, form);
  expect([403, 404]).toContain(other.status);
  expect(await types(id)).toHaveLength(2);
});

test('a form that is sent after the decision changes nothing', async () => {
  const id = await submitted('Third Pantry');
  await person.open(`/dash/resources/${id}/send-again?team=harbour`);
  await decided(id, 'approve');
  await person.press('Send it again', { name: 'Changed late' });
  expect(person.status).toBeGreaterThanOrEqual(400);
  expect(person.status).toBeLessThan(500);
  expect(await types(id)).toEqual(['ResourceSubmitted', 'ResourceApproved']);
});
