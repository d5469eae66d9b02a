import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { projections } from '../../../src/projections/all.ts';
import { modelNamed } from '../../../src/projections/engine/read-model.ts';
import { teams } from '../../../src/projections/teams.ts';
import { startDashboard, type Dashboard } from '../accounts/harness.ts';
import type { PlainBrowser } from '../accounts/plain-browser.ts';
import { until } from '../../support/until.ts';

let dash: Dashboard;
let operator: PlainBrowser;
beforeAll(async () => {
  dash = await startDashboard();
  operator = await dash.signedIn(await dash.account({ role: 'administrator' }));
});
afterAll(() => dash.stop());
beforeEach(() => operator.open('/dash/operations'));

const model = modelNamed(teams.collection.name);
const bars = '/dash/operations/rebuilds';
const all = (type: string, of = model) =>
  dash.events(`projection-${of}`).then((events) => events.filter((each) => each.type === type));
const serving = async () =>
  (await dash.system.documents.generations(teams.collection.name)).serving?.generation;

/** Sends the form with this button, with boxes ticked as well. */
function send(button: string, also: Record<string, string> = {}): Promise<PlainBrowser> {
  const form = operator.forms().find(({ buttons }) => buttons.some(({ label }) => label === button));
  if (!form) throw new Error(`There is no button ${button}.`);
  const values = new URLSearchParams([...form.fields]);
  for (const [name, value] of Object.entries(also)) values.set(name, value);
  return operator.post('/dash/operations', values);
}

describe('a rebuild on the page of operations', () => {
  test('is asked for with the choices of the command line, once however often the form is sent', async () => {
    await dash.withoutProjector(async () => {
      const choices = { model, keep: String(24 * 3_600), full: 'yes' };
      const form = operator.html;
      await send('Rebuild', choices);
      expect(operator.text).toContain('The rebuild is requested.');
      await operator.follow('See what was recorded');
      operator.html = form;
      await send('Rebuild', choices);
      const started = await all('RebuildStarted');
      expect(started.map(({ data }) => data)).toEqual([
        { projection: model, full: true, keep_seconds: 86_400 },
      ]);
      await operator.press(`Cancel ${model}`);
      operator.html = form;
      await send('Rebuild', choices);
      expect(await all('RebuildStarted')).toHaveLength(1);
    });
    await operator.open('/dash/operations');
    await send('Rebuild', { model, keep: '17' });
    expect([operator.status, operator.text]).toEqual([
      422,
      expect.stringContaining('Choose one of the times'),
    ]);
  });

  test('has a bar that goes on by itself, with nothing in it to press, until it is done', async () => {
    await dash.withoutProjector(async () => {
      await send('Rebuild', { model });
      expect(operator.html).toMatch(new RegExp(`data-live="${bars}"`));
      expect(operator.html).toMatch(/<noscript\s*>\s*<p><a href="\/dash\/operations">Look again</);
      await operator.open(bars);
      expect(operator.html).toContain('data-busy="One rebuild under way, 0 percent done."');
      expect(operator.html).toContain('aria-label="Rebuild of Teams"');
      expect(operator.html).not.toMatch(/<html|<form|<a /);
    });
    await until(async () => (await all('GenerationSwitched')).length > 0);
    await until(async () => !(await operator.open(bars)).html.includes('data-busy'));
    expect((await operator.open('/dash/operations')).html).not.toContain('data-live');
  });

  test('goes back to the generation before while it is kept', async () => {
    const before = await serving();
    await operator.open('/dash/operations');
    expect(operator.text).not.toContain('Go back');
    await send('Rebuild', { model, keep: String(3_600) });
    await until(async () => (await serving()) !== before);
    // The read model serves before its rebuild is noted as done.
    await until(async () => (await operator.open('/dash/operations')).text.includes('Go back'));
    expect(operator.text).toContain('The previous version is kept until');
    await operator.press(`Go back ${model}`);
    expect(operator.text).toContain('is used again as soon as it has caught up.');
    await until(async () => (await serving()) === before);
    await until(async () => !(await operator.open(bars)).html.includes('data-busy'));
    await operator.open('/dash/operations');
    await operator.post('/dash/operations', { token: operator.hidden('token'), do: 'back', model });
    expect([operator.status, operator.text]).toEqual([
      409,
      expect.stringContaining(`No earlier generation of ${model}`),
    ]);
  });

  test('can be of all read models at once, and all are cancelled at once', async () => {
    const count = projections.length;
    await dash.withoutProjector(async () => {
      const started = (await all('RebuildStarted', '')).length;
      await send('Rebuild', { model: 'all' });
      expect(operator.text).toContain('The rebuilds are requested.');
      expect(await all('RebuildStarted', '')).toHaveLength(started + count);
      await send('Rebuild', { model, full: 'yes' });
      expect([operator.status, operator.text]).toEqual([
        409,
        expect.stringContaining(`Another rebuild is running: ${model}.`),
      ]);
      const cancelled = (await all('RebuildCancelled', '')).length;
      await operator.press('Cancel all');
      expect(await all('RebuildCancelled', '')).toHaveLength(cancelled + count);
      await operator.post('/dash/operations', {
        token: operator.hidden('token'),
        do: 'cancel',
        model: 'all',
      });
      expect(operator.status).toBe(409);
    });
  });

  test('is shown to nobody else', async () => {
    const person = await dash.signedIn(await dash.account());
    expect((await person.open(bars)).status).toBe(403);
    expect((await dash.browser().open(bars)).heading).toBe('Sign in');
  });
});
