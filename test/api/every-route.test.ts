import { randomBytes } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { metadata, type Metadata } from '../../src/events/metadata.ts';
import { publicScopes, teamScopes } from '../../src/events/teams.ts';
import type { RecordedEvent } from '../../src/stores/event-store/port.ts';
import { routesOf } from '../support/routes.ts';
import { startDashboard, type Account, type Dashboard } from './accounts/harness.ts';
import type { PlainBrowser } from './accounts/plain-browser.ts';
import type { TestKey } from './harness.ts';
import { addressOf, contentsOfTeam, mark, team, typed } from './whole-team.ts';

let dash: Dashboard;
let routes: readonly string[];
let ids: Readonly<Record<string, string>>;
let admin: Account;
let reviewer: Account;
let member: Account;
let stranger: Account;
let neighbour: Account;
let operator: Account;

beforeAll(async () => {
  dash = await startDashboard({ environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' } });
  routes = routesOf(dash.server.printRoutes({ commonPrefix: false }));
  await dash.team('uphill', teamScopes);
  const named = (name: string) => dash.account({ profile: { name } });
  admin = await named(`Admin ${mark}`);
  reviewer = await named(`Reviewer ${mark}`);
  member = await named(`Member ${mark}`);
  stranger = await named('Stranger');
  neighbour = await named('Neighbour');
  operator = await dash.account({ role: 'administrator' });
  await dash.member(team, admin, 'admin');
  await dash.member(team, reviewer, 'reviewer');
  await dash.member(team, member, 'member');
  await dash.member('uphill', neighbour, 'admin');
  ids = await contentsOfTeam(dash, member);
});
afterAll(() => dash.stop());

/** What was appended while something was done. */
async function appendedBy(work: () => Promise<void>): Promise<readonly RecordedEvent[]> {
  const after = await dash.system.store.head();
  await work();
  return (await dash.system.store.readAll({ after, limit: 10_000 })).events;
}

const metadataOf = (event: RecordedEvent): Metadata => metadata.parse(event.metadata);

const typesOf = (events: readonly RecordedEvent[]): string[] =>
  [...new Set(events.map(({ type }) => type))].sort();

describe('whoever is not of a team', () => {
  const outsiders: readonly (readonly [string, () => Promise<PlainBrowser>])[] = [
    ['nobody', () => Promise.resolve(dash.browser())],
    ['somebody without a team', () => dash.signedIn(stranger)],
    ['an admin of another team', () => dash.signedIn(neighbour)],
  ];

  test.each(outsiders)('%s is shown nothing of it at any address', async (_, signIn) => {
    const browser = await signIn();
    for (const route of routes) {
      if (route === '/dash/sign-out') continue;
      const address = addressOf(route, ids);
      for (const url of [address, `${address}?team=${team}`, `${address}?${everyParameter()}`]) {
        const answer = await dash.server.inject({ url, cookies: Object.fromEntries(browser.cookies) });
        expect(answer.statusCode, url).not.toBe(500);
        expect(answer.body, url).not.toContain(mark);
      }
    }
  });

  const keys: readonly (readonly [string, () => Promise<TestKey>])[] = [
    ["another team's key with every scope", () => keyOf('uphill', [...publicScopes, ...teamScopes])],
    ['a developer key', () => dash.key({ scopes: [...publicScopes] })],
    [
      'a key of the team itself that may only read the directory',
      () => keyOf(team, ['resources:read'] as const),
    ],
  ];

  test.each(keys)('%s reads and changes nothing of it at any address', async (name, made) => {
    const { bearer, keyId } = await made();
    const events = await appendedBy(async () => {
      const ofApi = routes.filter((each) => /^\/(dash\/api|audit|api|oauth|hsds)\//.test(each));
      // A key with every scope may close its own team, and would try nothing afterwards.
      for (const route of ofApi.filter((each) => !each.endsWith('/team/close'))) {
        const url = addressOf(route, ids);
        for (const method of ['GET', 'POST', 'PATCH', 'DELETE'] as const) {
          const payload = method === 'GET' ? {} : { payload: anyBody };
          const answer = await dash.server.inject({ method, url, headers: bearer, ...payload });
          const told = `${method} ${url}`;
          expect(answer.statusCode, `${told}: ${answer.body}`).not.toBe(500);
          // The team's own key may know what it may read; the submission that waits is not among it.
          if (!name.includes('itself') || !/resources/.test(url))
            expect(answer.body, told).not.toContain(mark);
        }
      }
    });
    const changes = events.filter(({ stream }) => Object.values(ids).some((id) => stream.endsWith(id)));
    expect(typesOf(changes.filter((event) => metadataOf(event).actor.id === keyId))).toEqual([]);
  });
});

describe('every form of every page of a team', () => {
  let sent: readonly { readonly action: string; readonly values: Readonly<Record<string, string>> }[];
  beforeAll(async () => {
    // Whoever administers the installation and the team sees every form that there is.
    await dash.member(team, operator, 'admin');
    const browser = await dash.signedIn(operator);
    const found = new Map<string, (typeof sent)[number]>();
    for (const route of routes.filter((each) => each.startsWith('/dash'))) {
      // What is done to the account itself is no matter of a team.
      if (/^\/dash\/(sign-|me|api\/|set-up|register|reset|verify|consent)/.test(route)) continue;
      await browser.open(`${addressOf(route, ids)}?team=${team}`);
      if (browser.status !== 200) continue;
      const page = browser.url.pathname + browser.url.search;
      for (const { action, fields, buttons } of browser.forms()) {
        for (const button of buttons.length > 0 ? buttons : [{ name: '', value: '' }]) {
          const values: Record<string, string> = { team };
          for (const [name, value] of fields) values[name] = value === '' ? typed(name) : value;
          if (button.name !== '') values[button.name] = button.value;
          const form = { action: action === '' ? page : action, values };
          found.set(JSON.stringify([form.action, Object.keys(values), button.value]), form);
        }
      }
    }
    // Who closes a team ends what the others would do.
    sent = [...found.values()].filter(({ action }) => !/sign-out|settings\/close/.test(action));
  });

  /** The types of events that are of the team's things, or of the team, and by this person. */
  async function changesBy(account: Account | undefined): Promise<string[]> {
    const browser = account ? await dash.signedIn(account) : dash.browser();
    // Of the session of whoever sends it: a form of somebody else's session is refused before anything is looked at.
    const token = account ? (await browser.open('/dash/me/profile')).hidden('token') : '';
    const events = await appendedBy(async () => {
      for (const { action, values } of sent) {
        // It would wait for a dispatcher, which does not run here.
        if (account === admin && action.endsWith('/test')) continue;
        await browser.post(action, { ...values, token, once: randomBytes(12).toString('base64url') });
        expect(browser.status, action).not.toBe(500);
      }
    });
    await dash.caughtUp();
    const ofTeam = events.filter(({ stream, data }) =>
      [stream, JSON.stringify(data)].some((text) => Object.values(ids).some((id) => text.includes(id))),
    );
    return typesOf(
      ofTeam.filter((event) => {
        const { id } = metadataOf(event).actor;
        return (account === undefined || id === account.user) && !/^(Audit|Session)/.test(event.type);
      }),
    );
  }

  test('changes nothing when nobody, a stranger or an admin of another team sends it', async () => {
    expect(sent.length).toBeGreaterThan(40);
    for (const account of [undefined, stranger, neighbour]) expect(await changesBy(account)).toEqual([]);
  });

  test('changes what the role may change, and nothing else', async () => {
    // Whoever may do less goes first: the admin takes apart what there is.
    const [asMember, asReviewer, asAdmin] = [
      await changesBy(member),
      await changesBy(reviewer),
      await changesBy(admin),
    ];
    const submitted = ['ResourceSubmitted', 'ResourceChangeProposed'];
    const reviewed = ['Resource', 'Organization'].flatMap((of) =>
      ['Approved', 'Rejected', 'Deactivated', 'Reactivated', 'Revised'].map((step) => of + step),
    );
    const settled = [
      ...['MistakeResolved', 'MistakeReportErased', 'ViewSaved'],
      ...['SuggestionAccepted', 'SuggestionDismissed', 'SuggestionErased'],
    ];
    expect(asMember.filter((type) => !submitted.includes(type))).toEqual([]);
    expect(asReviewer.filter((type) => ![...submitted, ...reviewed, ...settled].includes(type))).toEqual([]);
    // The same forms do change something when the right person sends them.
    expect(asReviewer).toEqual([
      'MistakeReportErased',
      'OrganizationApproved',
      'ResourceApproved',
      'ViewSaved',
    ]);
    expect(asAdmin).toEqual(
      expect.arrayContaining(['ApiKeyCreated', 'MemberLeft', 'PaymentReversed', 'SubscriptionSecretRotated']),
    );
  });
});

const keyOf = (
  of: string,
  scopes: readonly ((typeof publicScopes)[number] | (typeof teamScopes)[number])[],
) => dash.key({ kind: 'team', team: of, scopes: [...scopes] });

/** The parameters of all pages at once, each naming something of the team. */
const everyParameter = (): string =>
  new URLSearchParams({
    ...{ team, about: ids.user ?? '', by: ids.user ?? '', member: ids.user ?? '' },
    ...{
      stream: ids.stream ?? '',
      show: ids.key ?? '',
      client_id: ids.site ?? '',
      subscription: ids.subscription ?? '',
    },
    ...{ question: 'members', at: new Date().toISOString() },
  }).toString();

const anyBody = {
  ...{ name: 'Words', reason: 'Words', outcome: 'corrected', amount_minor: 100, currency: 'USD' },
};
