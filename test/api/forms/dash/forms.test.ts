import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandForm, formIdOf } from '../../../../src/commands/forms/form.ts';
import { submitForm } from '../../../../src/commands/forms/submission.ts';
import type { Answers } from '../../../../src/commands/forms/answers.ts';
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

const submit = async (slug: string, answers: Answers) => {
  const form = formIdOf('harbour', slug);
  const outcome = await submitForm(dash.system, { team: 'harbour', form, version: 1 }, answers, context());
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
    expect(browser.text).toContain('The form is published.');
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
    await press('save', { 'f0-label': 'Name', 'f1-options': 'Evening\nMorning\nNight' });
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
  test('is read by members, as a list, one by one and as a table', async () => {
    await submit('food', { your_name: '=cmd', delivery: ['morning', 'night'], how_many_people: 4 });
    await reader.open(list);
    expect(reader.text).toContain('Food on Fridays');
    expect(reader.text).not.toContain('Make a form');
    await reader.follow('Food on Fridays');
    expect(reader.text).toContain('Morning, Night');
    expect(reader.text).not.toContain('Change the form');
    await reader.open(/href="([^"]*\/answers\/[^"]*)"/.exec(reader.html)?.[1] ?? '');
    for (const shown of ['=cmd', 'Morning, Night', '4']) expect(reader.text).toContain(shown);
    expect(reader.text).not.toContain('Erase');
    await reader.open('/dash/team/forms/f/food/answers.csv?team=harbour');
    expect(reader.answer.get('content-disposition')).toBe('attachment; filename="harbour-food.csv"');
    const [head, row] = reader.html.split(/\r?\n/);
    expect(head).toBe('submission,submitted_at,form_version,erased,your_name,delivery,how_many_people');
    expect(row).toContain("'=cmd,morning; night,4");
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
