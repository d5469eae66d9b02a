import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { requireErrorsInWords } from '../support/plain-words.ts';
import { routesOf } from '../support/routes.ts';
import { startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import type { PlainBrowser } from './accounts/plain-browser.ts';
import { addressOf, contentsOfTeam, team, typed } from './whole-team.ts';

let dash: Dashboard;
let ids: Readonly<Record<string, string>>;
let operator: Account;
beforeAll(async () => {
  dash = await startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  // Whoever administers the installation and the team sees every form that there is.
  operator = await dash.account({ role: 'administrator' });
  const member = await dash.account();
  await dash.member(team, operator, 'admin');
  await dash.member(team, member, 'member');
  ids = await contentsOfTeam(dash, member);
});
afterAll(() => dash.stop());

interface SentForm {
  readonly page: string;
  readonly action: string;
  readonly values: readonly (readonly [name: string, value: string])[];
  /** The names of the fields whose values the page offers. */
  readonly offered: readonly string[];
}

/** Pages of which an address without a query shows no form, or another one. */
const furtherPages = () => [
  `/dash/resources/review?team=${team}&show=mistakes`,
  `/dash/resources/review?team=${team}&show=suggestions`,
  `/dash/integrations/webhooks/${ids['subscription'] ?? ''}/deliveries?team=${team}&more=1`,
];

/** Every form of every page that this browser is shown, once, with each of its buttons. */
async function formsOf(browser: PlainBrowser): Promise<readonly SentForm[]> {
  const found = new Map<string, SentForm>();
  const routes = routesOf(dash.server.printRoutes({ commonPrefix: false })).filter(
    (route) => /^\/(dash|f|r|report|about)?(\/|$)/.test(route) && !/sign-out|^\/dash\/api\//.test(route),
  );
  const addresses = routes.map((route) => addressOf(route, ids));
  for (const address of [...addresses.map((each) => `${each}?team=${team}`), ...furtherPages()]) {
    await browser.open(address);
    if (browser.status !== 200 || !browser.html.startsWith('<!doctype')) continue;
    const page = browser.url.pathname + browser.url.search;
    for (const { action, fields, offered, buttons } of browser.forms()) {
      // A test would wait for a dispatcher, which does not run here.
      if (/sign-out|\/test$/.test(action) || !fields.some(([name]) => name === 'token')) continue;
      for (const { name, value } of buttons.length > 0 ? buttons : [{ name: '', value: '' }]) {
        const pressed = name === '' ? [] : [[name, value] as const];
        const form = {
          page,
          action: action === '' ? page : action,
          values: [
            ...fields.map(([field, filled]) => [field, filled === '' ? typed(field) : filled] as const),
            ...pressed,
          ],
          offered: [...offered, ...pressed.map(([field]) => field)].filter((field) => !isOfTheFrame(field)),
        };
        const key = [
          form.action.replace(/[0-9a-f-]{36}/g, 'id'),
          ...form.values.map(([field]) => field),
          value,
        ];
        if (!found.has(key.join(' '))) found.set(key.join(' '), form);
      }
    }
  }
  return [...found.values()];
}

/** What every form has, and its own tests try. */
const isOfTheFrame = (name: string): boolean => name === 'token' || name === 'once';

/** What a page of ours never sends. */
const rubbish = ['rubbish\0', 'constructor'];

/**
 * A box that is ticked, a form that says where it stood, the key of a field that is new, and how a table is narrowed down
 * whose view is saved: any other value is as none.
 */
const isFree = /^(free|reasoned|f\d+-key|query)=/;

type Change = readonly [what: string, values: SentForm['values']];

/** What is done to a value that the page offers. What changes nothing comes first: later rounds may change things. */
const rounds: readonly (readonly [
  what: string,
  changes: (form: SentForm, field: string) => readonly Change[],
])[] = [
  [
    'replaced by what the page does not offer',
    ({ values }, field) =>
      rubbish.map((each): Change => [
        `${field}=${each}`,
        [...values.filter(([name]) => name !== field), [field, each]],
      ]),
  ],
  ['there twice', ({ values }, field) => [[`${field} twice`, [...values, [field, 'rubbish']]]]],
  ['left out', ({ values }, field) => [[`no ${field}`, values.filter(([name]) => name !== field)]]],
];

/** The types of events that were appended while something was done. Sessions and looks at the log aside. */
async function appendedBy(work: () => Promise<unknown>): Promise<string[]> {
  const after = await dash.system.store.head();
  await work();
  const { events } = await dash.system.store.readAll({ after, limit: 1_000 });
  return events.map(({ type }) => type).filter((type) => !/^(Audit|Session)/.test(type));
}

describe('a form of which a value that the page offers is', () => {
  let forms: readonly (readonly [PlainBrowser, readonly SentForm[]])[];
  beforeAll(async () => {
    const browsers = [dash.browser(), await dash.signedIn(operator)];
    forms = await Promise.all(browsers.map(async (browser) => [browser, await formsOf(browser)] as const));
    expect(forms.map(([, found]) => found.length)).toEqual([expect.any(Number), expect.any(Number)]);
    expect(forms.flatMap(([, found]) => found).length).toBeGreaterThanOrEqual(60);
  });

  test.each(rounds)('%s is answered with a sentence, and no fault', async (round, changes) => {
    for (const [browser, found] of forms) {
      for (const form of found) {
        for (const [what, values] of form.offered.flatMap((field) => changes(form, field))) {
          const sent = new URLSearchParams();
          for (const [name, value] of values) if (name !== 'once') sent.append(name, value);
          sent.append('once', randomBytes(12).toString('base64url'));
          const events = await appendedBy(() => browser.post(form.action, sent));
          const told = `${form.action}, on ${form.page}: ${what}: ${browser.text}`;
          expect(browser.status, told).toBeLessThan(500);
          expect(browser.heading, told).not.toBe('');
          requireErrorsInWords(browser.html, told.slice(0, 200), true);
          if (round.startsWith('replaced') && !isFree.test(what)) expect(events, told).toEqual([]);
        }
      }
    }
  });
});
