import { afterAll, beforeAll, expect, test } from 'vitest';
import { commandForm, formIdOf, publishForm } from '../../../../src/commands/forms.ts';
import { submitForm } from '../../../../src/commands/forms-submissions.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let one: PlainBrowser;
let other: PlainBrowser;
let stranger: PlainBrowser;
const of = { team: 'harbour', slug: 'help' };
const page = '/dash/team/forms/f/help?team=harbour';
beforeAll(async () => {
  dash = await startDashboard();
  const [admin, reviewer, member] = [await dash.account(), await dash.account(), await dash.account()];
  await dash.member('harbour', admin, 'admin');
  await dash.member('harbour', reviewer, 'reviewer');
  await dash.member('harbour', member, 'member');
  const definition = {
    languages: ['en'],
    title: { en: 'Ask for help' },
    fields: [
      { key: 'name', kind: 'text' as const, required: true, label: { en: 'Name' } },
      {
        key: 'need',
        kind: 'choice' as const,
        required: false,
        label: { en: 'Need' },
        options: [{ key: 'food', label: { en: 'Groceries' } }],
      },
    ],
    allowed_origins: [],
  };
  const { store } = dash.system;
  await publishForm(store, of, definition, context());
  await commandForm(store, of, { kind: 'choose readers', readers: 'reviewer' }, context());
  const form = formIdOf('harbour', 'help');
  for (const answers of [{ name: 'Zoë Quill', need: 'food' }, { name: 'Ben <b>"Oak"' }, { name: 'Cy' }])
    await submitForm(dash.system, { team: 'harbour', form, version: 1 }, answers, context());
  await dash.caughtUp();
  [one, other, stranger] = [
    await dash.signedIn(admin),
    await dash.signedIn(reviewer),
    await dash.signedIn(member),
  ];
});
afterAll(() => dash.stop());

const answersIn = (browser: PlainBrowser): string[] =>
  [...browser.html.matchAll(/href="([^"]*\/answers\/[^".]*)"/g)].map(([, to = '']) =>
    to.replaceAll('&#38;', '&'),
  );
const chosenStates = async () =>
  (await dash.events('submission-'))
    .filter(({ type }) => type === 'FormSubmissionStateChosen')
    .map(({ data }) => data['state']);

test('an answer is taken by one of two, and the list says how far each is and by whom', async () => {
  await one.open(page);
  const [newest = ''] = answersIn(one);
  await one.open(newest);
  await other.open(newest);
  await one.press('Save the state', { state: 'in_work' });
  expect(one.text).toContain('The state is saved.');
  expect(one.text).toContain('History');
  await other.press('Save the state', { state: 'in_work' });
  expect(other.status).toBe(409);
  expect(other.text).toContain('Somebody else has changed the state of this answer meanwhile.');
  await other.press('Save the state', { state: 'done' });
  expect(await chosenStates()).toEqual(['in_work', 'done']);

  await one.open(`${page}&state=done`);
  expect(answersIn(one)).toEqual([newest]);
  expect(one.html).toMatch(/<span class="badge good">done<\/span>\s*\S+/);
  await one.open(`${page}&state=in_work`);
  expect(one.text).toContain('No answer is in this state.');
  await one.open(`${page}&state=rubbish`);
  expect(answersIn(one)).toHaveLength(3);
});

test('words are found in any case, without accents, and in what was chosen; nothing of it is kept', async () => {
  const found = async (words: string) => {
    await one.open(page);
    await one.press('Search', { words });
    return answersIn(one).length;
  };
  expect([
    await found('zoe'),
    await found('GROCERIES'),
    await found('<b>"oak'),
    await found('nobody'),
  ]).toEqual([1, 1, 1, 0]);
  expect(one.text).toContain('No answer has these words.');
  await one.press('Search', { words: '"><script>' });
  expect(one.html).not.toContain('"><script>');
  const everything = JSON.stringify(await dash.events(''));
  for (const words of ['zoe', 'GROCERIES', 'nobody']) expect(everything).not.toContain(words);
});

test('the table has the state, with who and when, and of one state those alone', async () => {
  await one.open('/dash/team/forms/f/help/answers.csv?team=harbour&state=done');
  const [head, ...rows] = one.html.trimEnd().split(/\r?\n/);
  expect(head).toBe('submission,submitted_at,form_version,erased,state,state_at,state_by,name,need');
  expect(rows).toHaveLength(1);
  expect(rows[0]).toMatch(/^[^,]*,[^,]*,1,,done,\d{4}-[^,]*Z,[^,]+,Cy,$/);
});

test('who does not read the answers chooses no state', async () => {
  const before = await chosenStates();
  const [answer = ''] = answersIn(await one.open(page));
  await stranger.open('/dash/team/forms?team=harbour');
  await stranger.post(`${answer.split('?')[0] ?? ''}/state`, {
    team: 'harbour',
    state: 'done',
    seen: 'new',
    token: stranger.hidden('token'),
  });
  expect(stranger.status).toBe(403);
  expect(await chosenStates()).toEqual(before);
});
