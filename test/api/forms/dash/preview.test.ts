import { afterAll, beforeAll, expect, test } from 'vitest';
import { publishForm } from '../../../../src/commands/forms.ts';
import { anyForm } from '../../../support/any-form.ts';
import { context } from '../../harness.ts';
import { startDashboard, type Dashboard } from '../../accounts/harness.ts';
import type { PlainBrowser } from '../../accounts/plain-browser.ts';
import { answersTo } from '../visitor.ts';

let dash: Dashboard;
let browser: PlainBrowser;
const site = 'https://harbour.example';
beforeAll(async () => {
  dash = await startDashboard();
  const admin = await dash.account();
  await dash.member('harbour', admin, 'admin');
  browser = await dash.signedIn(admin);
  const fields = anyForm().fields.map((field, place) =>
    place === 0 ? { ...field, label: { en: 'Name "</label><script>' } } : field,
  );
  const definition = { ...anyForm(), fields, allowed_origins: [site] };
  const { store } = dash.system;
  await publishForm(store, { team: 'harbour', slug: 'embed' }, definition, context());
  await publishForm(store, { team: 'harbour', slug: 'nowhere' }, anyForm(), context());
  await dash.caughtUp();
});
afterAll(() => dash.stop());

test('beside the editor stands the form as people will see it, with what was typed, and none of it is sent', async () => {
  await browser.open('/dash/team/forms/f/embed/edit?team=harbour');
  const preview = () => browser.html.slice(browser.html.indexOf('aria-label="Preview"'));
  expect(preview()).toContain('Which day?');
  expect(preview()).toContain('<fieldset disabled');
  expect(preview()).not.toContain('<script>');
  await browser.press('Show again', { title: 'Another <b>title', 'f1-label': 'What else?' });
  expect(preview()).toContain('Another &#60;b&#62;title');
  expect(preview()).toContain('What else?');
  expect((await dash.events('form-')).map(({ type }) => type)).toEqual(['FormPublished', 'FormPublished']);
});

test('the code for a site is a form that our address takes from there, and nothing breaks out of it', async () => {
  await browser.open('/dash/team/forms/f/nowhere?team=harbour');
  expect(browser.text).toContain('First change the form and name your site');
  await browser.open('/dash/team/forms/f/embed?team=harbour');
  const code = (/<pre[^>]*><code>([\s\S]*?)<\/code>/.exec(browser.html)?.[1] ?? '')
    .replaceAll('&#60;', '<')
    .replaceAll('&#34;', '"')
    .replaceAll('&#39;', "'")
    .replaceAll('&#62;', '>')
    .replaceAll('&#38;', '&');
  expect(code).toContain('Name &quot;&lt;/label&gt;&lt;script&gt;');
  expect(code).not.toContain('<script>');
  const action = new URL(/action="([^"]*)"/.exec(code)?.[1] ?? '');
  const version = /name="form-version" value="(\d+)"/.exec(code)?.[1] ?? '';
  for (const { key } of anyForm().fields) expect(code).toContain(`name="${key}"`);
  const sent = await dash.server.inject({
    method: 'POST',
    url: action.pathname,
    headers: {
      origin: site,
      accept: 'text/html',
      'content-type': 'application/x-www-form-urlencoded',
    },
    payload: new URLSearchParams({
      'form-version': version,
      'form-more': '',
      name: 'Ana',
      agrees: 'yes',
    }).toString(),
  });
  expect(sent.statusCode).toBe(303);
  expect(await answersTo(dash, 'embed')).toEqual([{ name: 'Ana', agrees: true }]);
});
