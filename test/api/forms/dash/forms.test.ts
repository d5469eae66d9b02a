import { existsSync, mkdirSync, renameSync, rmdirSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandForm, formIdOf, publishForm } from '../../../../src/commands/forms.ts';
import { submitForm } from '../../../../src/commands/forms-submissions.ts';
import type { Answers } from '../../../../src/events/forms/answers.ts';
import type { FormDefinition } from '../../../../src/events/forms/definition.ts';
import { anyForm, consentForm } from '../../../support/any-form.ts';
import { isEmbedded } from '../../../support/engine.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
let reader: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  await dash.team('library');
  const [admin, member] = [await dash.account(), await dash.account()];
  await dash.member('harbour', admin, 'admin');
  await dash.member('library', admin, 'admin');
  await dash.member('harbour', member, 'member');
  browser = await dash.signedIn(admin);
  reader = await dash.signedIn(member);
});
afterAll(() => dash.stop());

const list = '/dash/team/forms?team=harbour';
const kinds = async () => (await dash.events('form-')).map(({ type }) => type);

/** Presses a button of the builder, with what is on the page and `typed`. */
async function press(what: string, typed: Record<string, string> = {}): Promise<void> {
  const form = browser.forms().find(({ action }) => /\/(new|edit)$/.test(action));
  const values = new URLSearchParams([...(form?.fields ?? [])]);
  // The browser of tests sends no lists to drop down: it sends what is chosen in them.
  for (const [, name = '', options = ''] of browser.html.matchAll(
    /<select id="[^"]*" name="([^"]*)"[^>]*>([\s\S]*?)<\/select>/g,
  ))
    values.set(name, /value="([^"]*)"\s+selected/.exec(options)?.[1] ?? 'text');
  for (const [name, value] of Object.entries(typed)) values.set(name, value);
  values.set('do', what);
  await browser.post(form?.action ?? '', values);
}

const submit = async (slug: string, answers: Answers, version = 1) => {
  const form = formIdOf('harbour', slug);
  const outcome = await submitForm(dash.system, { team: 'harbour', form, version }, answers, context());
  await dash.caughtUp();
  return outcome;
};

describe('a form', () => {
  test('is built without a script: fields are added, moved and removed, and what was typed stays', async () => {
    await browser.open(list);
    expect(browser.text).toContain('There is no form yet.');
    await browser.follow('Make a form');
    await press('add', {
      title: 'Food request',
      slug: 'food',
      'f0-label': 'Your name',
      'f0-required': 'yes',
    });
    await press('add', { 'f1-label': 'How many people', 'f1-kind': 'number' });
    await press('up-2', { 'f2-label': 'Delivery', 'f2-kind': 'choices', 'f2-options': 'Morning\nEvening' });
    expect(await kinds()).toEqual([]);
    expect(browser.html.indexOf('Delivery')).toBeLessThan(browser.html.indexOf('How many people'));
    await press('add');
    await press('remove-3');
    await press('save');
    expect(browser.text).toContain('The form is public.');
    expect(browser.heading).toBe('Food request');
    expect(browser.text).toContain('/f/harbour/food');
    const [published] = await dash.events('form-');
    expect(published).toMatchObject({
      type: 'FormPublished',
      data: {
        team: 'harbour',
        slug: 'food',
        definition: {
          title: { en: 'Food request' },
          fields: [
            { key: 'your_name', kind: 'text', required: true },
            {
              key: 'delivery',
              kind: 'choice',
              several: true,
              options: [
                { key: 'morning', label: { en: 'Morning' } },
                { key: 'evening', label: { en: 'Evening' } },
              ],
            },
            { key: 'how_many_people', kind: 'number', required: false },
          ],
        },
      },
    });
    const visitor = await dash.browser().open('/f/harbour/food');
    expect(visitor.text).toContain('How many people');
  });

  test('that is wrong says so beside the fields and is not published', async () => {
    const before = await kinds();
    await browser.open('/dash/team/forms/new?team=harbour');
    await press('save', {
      slug: 'Not a name',
      'f0-kind': 'choice',
      origins: 'example.org/page',
      cap: 'many',
      intro: 'Typed for long',
    });
    expect(browser.status).toBe(422);
    for (const name of ['title', 'slug', 'f0-label', 'f0-options', 'origins', 'cap'])
      expect(browser.problem(name), name).toBeDefined();
    expect(browser.text).toContain('Typed for long');
    await press('save', {
      title: 'Food',
      slug: 'food',
      'f0-kind': 'text',
      'f0-label': 'Name',
      origins: '',
      cap: '',
    });
    expect(browser.status).toBe(409);
    expect(browser.problem('slug')).toContain('has a form of this name already');
    expect(await kinds()).toEqual(before);
  });

  test('is changed: keys of answers stay, and what somebody else has saved is not overwritten', async () => {
    await browser.open('/dash/team/forms/f/food/edit?team=harbour');
    await press('up-1-1', { 'f0-label': 'Name' });
    await press('save', { 'f1-options': 'Night' });
    expect(browser.text).toContain('The form is changed.');
    const revised = (await dash.events('form-')).at(-1)?.data['definition'] as { fields: { key: string }[] };
    expect(revised.fields[0]).toMatchObject({ key: 'your_name', label: { en: 'Name' } });
    expect(revised.fields[1]).toMatchObject({
      options: [{ key: 'evening' }, { key: 'morning' }, { key: 'night' }],
    });

    await browser.open('/dash/team/forms/f/food/edit?team=harbour');
    const theirs = { ...revised, title: { en: 'Food for all' } } as never;
    const of = { team: 'harbour', slug: 'food' };
    await commandForm(dash.system.store, of, { kind: 'revise', definition: theirs }, context());
    await dash.caughtUp();
    await press('save', { title: 'Food on Fridays' });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed this since you opened it.');
    expect(browser.text).toContain('Food for all');
    expect(browser.html).toContain('value="Food on Fridays"');
    await press('save');
    expect(browser.heading).toBe('Food on Fridays');
  });

  test('renames a choice without a change of its key, and never uses a removed key again', async () => {
    const edit = '/dash/team/forms/f/food/edit?team=harbour';
    const fields = async () =>
      ((await dash.events('form-')).at(-1)?.data['definition'] as FormDefinition).fields.map(
        ({ key, options }) => [key, options?.map((each) => [each.key, each.label['en']])],
      );
    await browser.open(edit);
    await press('save', { 'f1-choice1': 'Before noon' });
    expect((await fields())[1]).toEqual([
      'delivery',
      [
        ['evening', 'Evening'],
        ['morning', 'Before noon'],
        ['night', 'Night'],
      ],
    ]);

    await browser.open(edit);
    await press('save', { 'f1-choice0': ' ' });
    expect(browser.status).toBe(422);
    expect(browser.problem('f1-choice0')).toBe('Write the choice, or remove it.');
    await press('remove-1-0');
    await press('save', { 'f1-options': 'Evening' });
    expect((await fields())[1]?.[1]).toContainEqual(['evening_2', 'Evening']);

    // A question that is removed, and another one of that name in the same change.
    await browser.open(edit);
    await press('remove-2');
    await press('add');
    await press('save', { 'f2-label': 'How many people', 'f2-kind': 'number' });
    expect((await fields()).map(([key]) => key)).toEqual(['your_name', 'delivery', 'how_many_people_2']);
  });

  test('has bounds for its numbers, which are said on its page', async () => {
    const edit = '/dash/team/forms/f/food/edit?team=harbour';
    await browser.open(edit);
    await press('save', { 'f2-minimum': '9', 'f2-maximum': '4' });
    expect(browser.status).toBe(422);
    expect(browser.problem('f2-minimum')).toContain('The smallest is not above the largest.');
    await press('save', { 'f2-minimum': 'few', 'f2-maximum': '4' });
    expect(browser.problem('f2-minimum')).toContain('Write a number in digits');
    await press('save', { 'f2-minimum': '1', 'f2-maximum': '12,5' });
    expect((await dash.browser().open('/f/harbour/food')).text).toContain('A number from 1 to 12.5.');
    await browser.open(edit);
    expect(browser.html).toContain('value="12.5"');
    await press('save', { 'f2-minimum': '' });
    expect((await dash.browser().open('/f/harbour/food')).text).toContain('A number, at most 12.5.');
  });

  test('is closed and opened again', async () => {
    await browser.open('/dash/team/forms/f/food?team=harbour');
    await browser.press('Close Food on Fridays');
    expect(browser.text).toContain('The form is closed.');
    expect((await dash.browser().open('/f/harbour/food')).text).toContain('This form is closed');
    await browser.press('Open again Food on Fridays');
    expect(browser.text).toContain('The form is open again.');
    expect((await kinds()).slice(-2)).toEqual(['FormClosed', 'FormReopened']);
  });
});

describe('what people have sent', () => {
  test('is read by admins alone until they choose readers, and a download is recorded', async () => {
    await submit('food', { your_name: 'Only for admins' });
    const answers = 'Only for admins';
    await browser.open('/dash/team/forms/f/food?team=harbour');
    expect(browser.text).toContain(answers);
    const one = /href="([^"]*\/answers\/[^".]*)"/.exec(browser.html)?.[1]?.replace('&#38;', '&') ?? '';
    const table = '/dash/team/forms/f/food/answers.csv?team=harbour';
    const downloads = async () => (await dash.events('audit-access-')).map(({ type, data }) => [type, data]);
    const before = await downloads();

    await reader.open(list);
    expect(reader.text).toContain('Food on Fridays');
    await reader.follow('Food on Fridays');
    expect(reader.text).toContain('The admins of the team read the answers to this form.');
    expect(reader.text).not.toContain(answers);
    expect(reader.text).not.toContain('Who reads the answers');
    for (const path of [one, table]) {
      await reader.open(path);
      expect([reader.status, reader.html.includes(answers)], path).toEqual([403, false]);
    }
    await reader.open(list);
    await reader.post('/dash/team/forms/f/food/readers', {
      team: 'harbour',
      readers: 'member',
      token: reader.hidden('token'),
    });
    expect(reader.status).toBe(404);
    expect(await downloads()).toEqual(before);

    await browser.open(table);
    const form = formIdOf('harbour', 'food');
    expect((await downloads()).slice(before.length)).toEqual([
      ['AnswersDownloaded', { team: 'harbour', form, format: 'csv', answers: 1 }],
    ]);
  });

  test('is read by whom the admins choose, as a list, one by one and as a table', async () => {
    await browser.open('/dash/team/forms/f/food?team=harbour');
    await browser.press('Save', { readers: 'member' });
    expect(browser.text).toContain('Your choice of who reads the answers is saved.');
    expect(await kinds()).toContain('FormReadersChosen');
    await submit('food', { your_name: '＝cmd', delivery: ['morning', 'night'], how_many_people_2: 4 }, 7);
    await reader.open(list);
    expect(reader.text).toContain('Food on Fridays');
    expect(reader.text).not.toContain('Make a form');
    await reader.follow('Food on Fridays');
    expect(reader.text).toContain('Before noon, Night');
    expect(reader.text).not.toContain('Change the form');
    await reader.open(/href="([^"]*\/answers\/[^"]*)"/.exec(reader.html)?.[1] ?? '');
    for (const shown of ['＝cmd', 'Before noon, Night', '4']) expect(reader.text).toContain(shown);
    expect(reader.text).not.toContain('Erase');
    await reader.open('/dash/team/forms/f/food/answers.csv?team=harbour');
    expect(reader.answer.get('content-disposition')).toBe('attachment; filename="harbour-food.csv"');
    const [head, , row] = reader.html.split(/\r?\n/);
    expect(head).toMatch(
      /^submission,submitted_at,form_version,erased,state,state_at,state_by,your_name,delivery,how_many_people_2,how_many_people,/,
    );
    expect(row).toContain("'＝cmd,morning; night,4");
  });

  test('keeps the words of the version that was filled in', async () => {
    const of = { team: 'harbour', slug: 'consent' };
    const { store } = dash.system;
    await publishForm(store, of, consentForm('You keep this.', 'Every day'), context());
    const { state } = await submit('consent', { agrees: true, days: ['all'], name: 'First' });
    const definition = consentForm('You sell this.', 'Every night');
    await commandForm(store, of, { kind: 'revise', definition }, context());
    await submit('consent', { agrees: true, days: ['all'], name: 'Second' }, 2);
    expect(state?.erased).toBe(false);
    const page = '/dash/team/forms/f/consent?team=harbour';
    const answers = [...(await browser.open(page)).html.matchAll(/href="([^"]*\/answers\/[^".]*)"/g)].map(
      ([, to = '']) => to.replace('&#38;', '&'),
    );
    expect(browser.text).toContain('You keep this.: yes');
    await browser.open(answers[1] ?? '');
    for (const words of ['First', 'You keep this.', 'Every day', 'The form has changed since.'])
      expect(browser.text).toContain(words);
    expect(browser.text).not.toContain('You sell this.');
    expect(browser.text).not.toContain('Every night');
    await browser.open(answers[0] ?? '');
    for (const words of ['Second', 'You sell this.', 'Every night']) expect(browser.text).toContain(words);
    expect(browser.text).not.toContain('The form has changed since.');

    await browser.open('/dash/team/forms/f/consent/answers.csv?team=harbour');
    const [head, ...rows] = browser.html.trimEnd().split(/\r?\n/);
    expect(head).toBe(
      'submission,submitted_at,form_version,erased,state,state_at,state_by,name,agrees,days,agrees (version 1: You keep this.),days (version 1: When?)',
    );
    expect(rows.map((row) => row.split(',').slice(2))).toEqual([
      ['1', '', 'new', '', '', 'First', '', '', 'yes', 'all'],
      ['2', '', 'new', '', '', 'Second', 'yes', 'all', '', ''],
    ]);
  });

  test('stands with its question in every language in which it may have been read', async () => {
    await publishForm(dash.system.store, { team: 'harbour', slug: 'both' }, anyForm(), context());
    await submit('both', { name: 'Ana', agrees: true });
    await browser.open('/dash/team/forms/f/both?team=harbour');
    const to = /href="([^"]*\/answers\/[^".]*)"/.exec(browser.html)?.[1]?.replace('&#38;', '&') ?? '';
    await browser.open(to);
    expect(browser.text).toContain('You may call me');
    expect(browser.html).toContain('lang="es">Me pueden llamar</span>');
  });

  test('is erased by admins, and says so afterwards', async () => {
    const { state } = await submit('food', { your_name: 'Sam Sample' });
    expect(state?.erased).toBe(false);
    await browser.open('/dash/team/forms/f/food?team=harbour');
    const path = /href="([^"]*\/answers\/[^".]*)"/.exec(browser.html)?.[1]?.replace('&#38;', '&') ?? '';
    await browser.open(path);
    expect(browser.text).toContain('Sam Sample');
    await reader.open(list);
    await reader.post(`${path.split('?')[0] ?? ''}/erase`, {
      team: 'harbour',
      token: reader.hidden('token'),
    });
    expect(reader.status).toBe(404);
    if (isEmbedded) {
      // Where the erasure ledger cannot be written, nothing is decided, and a backup could not bring them back.
      const ledger = join(dash.system.config.dataDir, 'erasures.log');
      const before = await dash.events('submission-');
      const kept = `${ledger}.kept`;
      if (existsSync(ledger)) renameSync(ledger, kept);
      mkdirSync(ledger);
      await browser.press('Erase an answer');
      expect(browser.status).toBe(503);
      expect(browser.text).not.toContain(ledger);
      rmdirSync(ledger);
      if (existsSync(kept)) renameSync(kept, ledger);
      expect(await dash.events('submission-')).toEqual(before);
      expect((await browser.open(path)).text).toContain('Sam Sample');
    }
    await browser.press('Erase an answer');
    expect(browser.text).toContain('The answers are erased.');
    await browser.open(path);
    expect(browser.text).toContain('These answers are erased.');
    expect(browser.text).not.toContain('Sam Sample');
  });

  test('is nobody else’s: not another team’s, not a stranger’s', async () => {
    for (const rest of ['', '/edit', '/answers.csv']) {
      await browser.open(`/dash/team/forms/f/food${rest}?team=library`);
      expect(browser.status, rest).toBe(404);
    }
    await reader.open('/dash/team/forms/new?team=harbour');
    expect(reader.status).toBe(404);
    const stranger = await dash.signedIn(await dash.account());
    for (const path of ['', '/f/food', '/f/food/answers.csv'])
      expect((await stranger.open(`/dash/team/forms${path}?team=harbour`)).status).toBe(404);
  });
});
