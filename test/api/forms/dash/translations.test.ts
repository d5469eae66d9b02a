import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { commandForm, publishForm, requireForm } from '../../../../src/commands/forms.ts';
import type { FormDefinition } from '../../../../src/events/forms/definition.ts';
import { anyForm } from '../../../support/any-form.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';

let dash: Dashboard;
let browser: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  await publishForm(dash.system.store, of, anyForm(), context());
  await dash.caughtUp();
  browser = await dash.signedIn(admin);
});
afterAll(() => dash.stop());

const of = { team: 'harbour', slug: 'volunteer' };
const page = '/dash/team/forms/f/volunteer';
const texts = (language: string) => `${page}/texts?team=harbour&language=${language}`;
const published = async (): Promise<FormDefinition> => (await requireForm(dash.system.store, of)).definition;

describe('the texts of a form in a further language', () => {
  test('are changed beside those of the first one, which stay', async () => {
    await browser.open(`${page}?team=harbour`);
    await browser.follow('Texts in Spanish');
    expect(browser.heading).toBe('Texts in Spanish');
    expect(browser.html).toContain('value="Su nombre"');
    expect(browser.text).toContain('Your name');
    const before = await published();
    await browser.press('Save', { title: 'Ayude', 'label-name': 'Nombre', 'option-day-sat': 'El sábado' });
    expect(browser.text).toContain('The form is changed.');
    const after = await published();
    expect(after.title).toEqual({ ...before.title, es: 'Ayude' });
    expect(after.fields[0]?.label).toEqual({ en: 'Your name', es: 'Nombre' });
    const day = after.fields.find(({ key }) => key === 'day');
    expect(day?.options?.map(({ label }) => label['es'])).toEqual(['El sábado', 'Domingo']);
    expect(after.languages).toEqual(['en', 'es']);
    const visitor = await dash.browser().open('/f/harbour/volunteer?lang=es');
    expect(visitor.heading).toBe('Ayude');
    expect(visitor.text).toContain('Nombre');
  });

  test('begin a language with the first text, and take it away with the last', async () => {
    await browser.open(texts('ht'));
    expect(browser.heading).toBe('Texts in Haitian Creole');
    await browser.press('Save', { title: 'Vin volontè' });
    expect((await published()).languages).toEqual(['en', 'es', 'ht']);
    expect((await published()).title['ht']).toBe('Vin volontè');
    await browser.follow('Texts in Haitian Creole');
    await browser.press('Save', { title: '' });
    expect((await published()).languages).toEqual(['en', 'es']);
    expect((await published()).title).not.toHaveProperty('ht');
  });

  test('that are wrong say so beside the fields, and are kept', async () => {
    const before = await published();
    await browser.open(texts('es'));
    const long = 'x'.repeat(201);
    await browser.press('Save', { 'label-name': long, 'option-day-sun': long, title: 'Escrito' });
    expect(browser.status).toBe(422);
    expect(browser.problem('label-name')).toContain('at most 200 characters');
    expect(browser.problem('option-day-sun')).toContain('at most 200 characters');
    expect(browser.html).toContain('value="Escrito"');
    expect(await published()).toEqual(before);
    for (const wrong of ['', 'en', 'Spanish', 'es"><script>']) {
      await browser.open(texts(encodeURIComponent(wrong)));
      expect([wrong, browser.status]).toEqual([wrong, 404]);
    }
  });

  test('do not overwrite what somebody else has saved meanwhile', async () => {
    await browser.open(texts('es'));
    const theirs = await published();
    const changed = { ...theirs, title: { ...theirs.title, es: 'De ellos' } };
    await commandForm(dash.system.store, of, { kind: 'revise', definition: changed }, context());
    await browser.press('Save', { title: 'Mío' });
    expect(browser.status).toBe(409);
    expect(browser.text).toContain('Somebody else has changed this since you opened it.');
    expect(browser.text).toContain('De ellos');
    expect((await published()).title['es']).toBe('De ellos');
    await browser.press('Save');
    expect((await published()).title['es']).toBe('Mío');
  });

  test('are out of reach of those who may not change forms', async () => {
    const member = await dash.account();
    await dash.member('harbour', member, 'member');
    const theirs = await dash.signedIn(member);
    await theirs.open(`${page}?team=harbour`);
    expect(theirs.text).not.toContain('Texts in Spanish');
    await theirs.open(texts('es'));
    expect(theirs.status).toBe(404);
  });
});
