import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { formIdOf } from '../../../src/commands/forms.ts';
import { eraseSubmission, submissionIdOf, submitForm } from '../../../src/commands/forms-submissions.ts';
import { anyForm, consentForm } from '../../support/any-form.ts';
import { context, startSystem, type RunningSystem, type TestKey } from '../harness.ts';
import { command, publish } from './visitor.ts';

const forms = '/dash/api/v1/forms';

let system: RunningSystem;
let team: TestKey;
let other: TestKey;
const ids: string[] = [];
beforeAll(async () => {
  system = await startSystem();
  for (const slug of ['harbour', 'library']) await system.team(slug, ['forms:read']);
  team = await system.key({ kind: 'team', team: 'harbour', scopes: ['forms:read'] });
  other = await system.key({ kind: 'team', team: 'library', scopes: ['forms:read'] });
  await publish(system, 'volunteers', anyForm());
  await publish(system, 'contact', anyForm({ daily_cap: 7 }));
  await command(system, 'contact', { kind: 'close' });
  await publish(system, 'contact', anyForm(), 'library');
  for (let n = 0; n < 5; n++) {
    const at = { ...context(), at: new Date(Date.UTC(2026, 0, 1, n)) };
    await submitForm(system.system, { team: 'harbour', form, version: 1 }, { name: `Person ${n}` }, at);
    ids.push(submissionIdOf(at));
  }
  await eraseSubmission(system.system, ids[1] ?? '', {}, context());
  await system.caughtUp();
});
afterAll(() => system.stop());

const form = formIdOf('harbour', 'volunteers');
const submissions = `${forms}/${form}/submissions`;

interface List {
  readonly data: { readonly id: string; readonly slug: string; readonly answers: object | null }[];
  readonly has_more: boolean;
  readonly next_cursor: string | null;
}
const read = (url: string, key: TestKey = team) => system.server.inject({ url, headers: key.bearer });
const list = async (url: string, key: TestKey = team) => {
  const answer = await read(url, key);
  expect(answer.statusCode, answer.body).toBe(200);
  expect(answer.headers['cache-control']).toBe('no-store');
  return answer.json<List>();
};

describe('the forms of a team', () => {
  test('are listed with what they ask, closed ones too', async () => {
    const { data, has_more } = await list(forms);
    expect(has_more).toBe(false);
    expect(data).toMatchObject([
      { slug: 'contact', status: 'closed', daily_cap: 7, version: 1 },
      {
        id: form,
        slug: 'volunteers',
        status: 'open',
        url: '/f/harbour/volunteers',
        title: { en: 'Become a volunteer' },
      },
    ]);
    const { title, fields } = anyForm();
    expect(data[1]).toMatchObject({ title, fields });
  });

  test('are listed page by page', async () => {
    const first = await list(`${forms}?limit=1`);
    expect([first.data.map(({ slug }) => slug), first.has_more]).toEqual([['contact'], true]);
    const second = await list(`${forms}?limit=1&cursor=${first.next_cursor ?? ''}`);
    expect([second.data.map(({ slug }) => slug), second.has_more]).toEqual([['volunteers'], false]);
  });

  test('are none of another team’s', async () => {
    expect((await list(forms, other)).data.map(({ id }) => id)).toEqual([formIdOf('library', 'contact')]);
    for (const id of [form, formIdOf('harbour', 'none'), 'rubbish', '__proto__'])
      expect((await read(`${forms}/${id}/submissions`, other)).statusCode, id).toBe(404);
  });

  test('are read with forms:read alone', async () => {
    const key = await system.key({ kind: 'team', team: 'harbour', scopes: ['resources:read'] });
    for (const url of [forms, submissions]) {
      const refused = await read(url, key);
      expect([refused.statusCode, refused.json<{ scope: string }>().scope]).toEqual([403, 'forms:read']);
      expect((await system.server.inject({ url })).statusCode).toBe(401);
    }
  });
});

describe('the submissions of a form', () => {
  test('are listed with their answers, the oldest first, and erased ones as erased', async () => {
    const { data } = await list(submissions);
    expect(data.map(({ id }) => id)).toEqual(ids);
    expect(data[0]).toEqual({
      id: ids[0],
      form,
      form_version: 1,
      submitted_at: '2026-01-01T00:00:00.000Z',
      state: 'new',
      state_at: null,
      erased: false,
      answers: { name: 'Person 0' },
      words: { name: { label: 'Your name' } },
    });
    expect(data[1]).toMatchObject({ erased: true, answers: null, words: null });
  });

  test('keep the words of the version that was filled in', async () => {
    await publish(system, 'consent', consentForm('You keep this.', 'Every day'));
    const of = { team: 'harbour', form: formIdOf('harbour', 'consent') };
    const answers = { agrees: true, days: ['all'] };
    await submitForm(system.system, { ...of, version: 1 }, answers, context());
    await command(system, 'consent', {
      kind: 'revise',
      definition: consentForm('You sell this.', 'Every night'),
    });
    await submitForm(system.system, { ...of, version: 2 }, answers, context());
    await system.caughtUp();
    const words = (label: string, all: string) => ({
      agrees: { label },
      days: { label: 'When?', options: { all } },
    });
    expect((await list(`${forms}/${of.form}/submissions`)).data).toMatchObject([
      { form_version: 1, answers, words: words('You keep this.', 'Every day') },
      { form_version: 2, answers, words: words('You sell this.', 'Every night') },
    ]);
  });

  test('are followed page by page, from a time on', async () => {
    const first = await list(`${submissions}?limit=2&since=2026-01-01T03:00:00%2B02:00`);
    expect(first.data.map(({ id }) => id)).toEqual([ids[1], ids[2]]);
    const second = await list(`${submissions}?limit=2&cursor=${first.next_cursor ?? ''}`);
    expect([second.data.map(({ id }) => id), second.has_more]).toEqual([[ids[3], ids[4]], false]);
    expect((await list(`${submissions}?since=2027-01-01T00:00:00Z`)).data).toEqual([]);
  });

  test.each(['?since=yesterday', '?since=', '?limit=0', '?cursor=x', '?page=2'])(
    'are refused: %s',
    async (query) => {
      expect((await read(submissions + query)).statusCode).toBe(400);
    },
  );

  test('have cursors that are good for their form and team alone', async () => {
    const { next_cursor } = await list(`${submissions}?limit=1`);
    const cursor = `?cursor=${next_cursor ?? ''}`;
    expect((await read(`${forms}/${formIdOf('harbour', 'contact')}/submissions${cursor}`)).statusCode).toBe(
      400,
    );
    expect((await read(`${forms}${cursor}`)).statusCode).toBe(400);
  });
});
