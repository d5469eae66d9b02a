import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { formIdOf } from '../../src/commands/forms.ts';
import { submissionIdOf, submitForm } from '../../src/commands/forms-submissions.ts';
import type { Answers } from '../../src/events/forms/answers.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem, type System } from '../../src/container.ts';
import { context } from '../api/harness.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { runCommandLine } from '../support/command-line.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand } from '../support/serving.ts';

const folder = temporaryFolder();
const form = formIdOf('harbour', 'contact');
const of = ['--team', 'harbour', '--slug', 'contact'] as const;
let beside: System;
beforeAll(async () => {
  await runCommand(folder.path, 'teams', 'create', 'harbour', '--name', 'Harbour House');
  beside = await openSystem(readConfig({ DATA_DIR: folder.path }));
});
afterAll(async () => {
  await beside.close();
  folder.remove();
});

let files = 0;
const fileOf = (content: string): string => {
  const path = join(folder.path, `form-${++files}.json`);
  writeFileSync(path, content);
  return path;
};
const field = (key: string, rest: object = {}) => ({ key, kind: 'text', label: key, ...rest });
const written = (...fields: object[]) => fileOf(JSON.stringify({ title: 'Contact us', fields }));
const run = (...words: string[]) => runCommand(folder.path, 'forms', ...words);
const plain = (...words: string[]) => runCommandLine(['forms', ...words], folder.path);
const submit = async (answers: Answers, version = 1) => {
  const at = context();
  await submitForm(beside, { team: 'harbour', form, version }, answers, at);
  return submissionIdOf(at);
};

test('an operator publishes, changes, closes and opens a form, and reads what was sent', async () => {
  expect(
    await run('publish', ...of, '--file', written(field('name'), field('phone', { kind: 'phone' }))),
  ).toEqual({
    form,
    path: '/f/harbour/contact',
  });
  const first = await submit({ name: 'Ana "A", Ruiz', phone: '+1 305 555 0100' });
  const second = await submit({ name: '=HYPERLINK("https://evil.example")' });
  expect(
    await run('revise', ...of, '--file', written(field('name'), field('note', { kind: 'long_text' }))),
  ).toEqual({
    form,
    status: 'open',
    version: 2,
    readers: 'admin',
  });
  const third = await submit({ name: '-5', note: 'two\nlines' }, 2);
  expect(await run('close', ...of)).toMatchObject({ status: 'closed' });
  expect(await run('reopen', ...of)).toMatchObject({ status: 'open', version: 2 });
  expect(await run('readers', ...of, '--role', 'reviewer')).toMatchObject({ readers: 'reviewer' });
  expect(await run('list', '--team', 'harbour')).toMatchObject([
    { form, slug: 'contact', status: 'open', version: 2, readers: 'reviewer' },
  ]);

  const shown = await plain('show', ...of);
  expect((await plain('revise', ...of, '--file', fileOf(shown.stdout))).stdout).toBe(
    'The form contact is open, in version 2. Its answers are read by reviewers and admins.\n',
  );

  const former = await run('show', ...of, '--of-version', '1');
  expect(former).toMatchObject({ version: 1, definition: { fields: [{ key: 'name' }, { key: 'phone' }] } });
  expect((await plain('show', ...of, '--of-version', '9')).stderr).toMatch(/has no version 9/);

  expect(await run('submissions', ...of, '--limit', '2')).toMatchObject([
    {
      submission: first,
      form_version: 1,
      erased: false,
      answers: { name: 'Ana "A", Ruiz' },
      words: { name: { label: 'name' }, phone: { label: 'phone' } },
    },
    { submission: second },
  ]);
  expect(await run('state', first, second, '--state', 'in_work')).toEqual([
    { submission: first, state: 'in_work' },
    { submission: second, state: 'in_work' },
  ]);
  expect(await run('submissions', ...of, '--state', 'new')).toMatchObject([
    { submission: third, state: 'new' },
  ]);
  expect((await plain('state', first, '--state', 'lost')).stderr).toMatch(
    /must be one of new, in_work, done/,
  );
  expect(await run('erase', first)).toEqual([{ submission: first, erased: true }]);
  expect(await run('submissions', ...of)).toMatchObject([
    { submission: first, erased: true },
    {},
    { submission: third },
  ]);

  const { stdout } = await plain('export', ...of, '--csv');
  const [header, ...rows] = stdout
    .replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, 'TIME')
    .trimEnd()
    .split('\n');
  expect(header).toBe('submission,submitted_at,form_version,erased,state,state_at,state_by,name,note,phone');
  expect(rows).toEqual([
    `${first},TIME,1,yes,in_work,TIME,,,,`,
    `${second},TIME,1,,in_work,TIME,,"'=HYPERLINK(""https://evil.example"")",,`,
    `${third},TIME,2,,new,,,-5,"two`,
    'lines",',
  ]);
});

test('each download is recorded, with who, of which form and how many', async () => {
  await plain('export', ...of, '--csv', '--since', '2001-01-01T00:00:00Z');
  await run('submissions', ...of, '--limit', '1');
  const { events } = await beside.store.readAll({
    after: beginning,
    filter: { types: ['AnswersDownloaded'] },
    limit: 100,
  });
  expect(events.slice(-2).map(({ data, metadata }) => [data, metadata['actor']])).toEqual([
    [
      { team: 'harbour', form, format: 'csv', answers: 3 },
      { kind: 'system', id: 'cli' },
    ],
    [
      { team: 'harbour', form, format: 'json', answers: 1 },
      { kind: 'system', id: 'cli' },
    ],
  ]);
});

test('what cannot be done is refused in words', async () => {
  const cases: [string[], number, RegExp][] = [
    [['publish', ...of, '--file', fileOf('{')], 2, /^--file .*JSON/],
    [['publish', ...of, '--file', '/nowhere/form.json'], 2, /^--file \/nowhere\/form\.json: ENOENT/],
    [['publish', ...of, '--file', fileOf('{"title":"A","fields":[]}')], 1, /^fields: /],
    [['close', '--team', 'harbour', '--slug', 'none'], 1, /no such form/],
    [['submissions', '--team', 'harbour', '--slug', 'none'], 1, /no such form/],
    [['show', '--team', 'harbour', '--slug', 'Not A Slug'], 2, /^--slug: /],
    [['readers', ...of, '--role', 'everybody'], 2, /^--role: /],
    [['revise', ...of, '--file', written(field('phone'))], 1, /^fields\.0\.key: phone was the key/],
    [['erase', 'rubbish'], 2, /^submission: /],
    [['erase', formIdOf('harbour', 'none')], 1, /no such submission/],
  ];
  for (const [words, code, sentence] of cases) {
    const ended = await plain(...words);
    expect([ended.code, ended.stdout], words.join(' ')).toEqual([code, '']);
    expect(ended.stderr).toMatch(sentence);
  }
  const again = written(field('name'));
  expect((await plain('publish', ...of, '--file', again)).stderr).toMatch(/has a form contact already/);
  expect((await plain('publish', '--team', 'none', '--slug', 'a', '--file', again)).stderr).toMatch(
    /no team none/,
  );
});
