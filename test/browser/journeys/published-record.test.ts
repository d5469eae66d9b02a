import { Webhook } from 'standardwebhooks';
import type { Browser } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anAddress, password, type Account } from '../../api/accounts/harness.ts';
import { legacy } from '../../api/harness.ts';
import { receiver, type Received, type Receiver } from '../../dispatch/receivers.ts';
import { until } from '../../support/until.ts';
import { hasChromium, launch } from '../chromium.ts';
import { listening, pageOf } from '../widget-pages.ts';
import {
  createTeam,
  handedOn,
  setUp,
  startInstallation,
  type Installation,
  type NewPerson,
} from './installation.ts';
import { screensAndNoScripts, visit, type Screen, type Visitor } from './journey.ts';

type NewAccount = NewPerson & Account;

/** They end what hangs: people join over a real process, which takes long on a slow machine. */
const timeout = 300_000;

describe.skipIf(!hasChromium)('from an empty data folder, a record', () => {
  const [administrator, member, reviewer] = ['Grace Hopper', 'Ada Lovelace', 'Joan Clarke'].map((name) => ({
    name,
    email: anAddress(),
    user: '',
  })) as [NewAccount, NewAccount, NewAccount];
  let service: { readonly chromium: Browser; readonly dash: Installation };
  let to: Receiver;
  let arrived: Received[] = [];
  let foreign: Awaited<ReturnType<typeof listening>>;
  let served = { html: '', policy: '' };

  beforeAll(async () => {
    const [chromium, dash] = await Promise.all([
      launch(),
      startInstallation({ ALLOW_PRIVATE_WEBHOOKS: 'true' }),
    ]);
    service = { chromium, dash };
    to = await receiver((response, request) => {
      arrived.push(request);
      response.writeHead(204).end();
    });
    foreign = await listening((_request, response) => {
      response
        .writeHead(200, {
          'content-type': 'text/html; charset=utf-8',
          'content-security-policy': `default-src 'none'; img-src data:; ${served.policy}`,
        })
        .end(served.html);
    });
    await peopleJoin();
  }, timeout);
  afterAll(async () => {
    await service.chromium.close();
    await Promise.all([service.dash.stop(), foreign.close(), to[Symbol.asyncDispose]()]);
  });

  /** Somebody sets the installation up, makes a team and invites the others, who join. */
  async function peopleJoin(): Promise<void> {
    const office = await visit(service, { width: 1440 });
    await setUp(office, service.dash, administrator);
    await createTeam(office, 'Harbour Library', 'harbour');
    for (const [role, person] of [
      [/^Member/, member],
      [/^Reviewer/, reviewer],
    ] as const) {
      await office.open('/dash/team?team=harbour');
      await office.fill(/^Email/, person.email);
      await office.page.getByRole('radio', { name: role }).check();
      await office.press('Send the invitation');
      await office.sees('its email waits in the outbox');
      const visitor = await visit(service, { width: 1440 });
      await visitor.page.goto(await handedOn(office, person.email));
      await visitor.fill('Name', person.name);
      await visitor.fill('Password', password);
      await visitor.page.getByRole('button', { name: /^Join Harbour Library/ }).click();
      await visitor.sees('You have joined the team.');
      await visitor.leave();
    }
    await office.leave();
  }

  const signedIn = async (account: NewAccount, screen: Screen): Promise<Visitor> => {
    const visitor = await visit(service, screen);
    await visitor.signIn(account);
    return visitor;
  };

  test.each(screensAndNoScripts)(
    'is submitted, approved by somebody else, and is public, in the widget and at a webhook, on %s screen',
    { timeout },
    async (screenName, screen) => {
      const name = `Pantry, submitted on ${screenName} screen`;
      arrived = [];

      const admin = await signedIn(administrator, screen);
      await admin.open('/dash?team=harbour');
      await admin.goTo('Webhooks');
      await admin.follow('Add a webhook');
      await admin.fill(/^Address/, to.url);
      await admin.page.getByRole('checkbox', { name: /^resource.approved/ }).check();
      await admin.press('Add a webhook');
      await admin.heading('The webhook is added');
      const shown = admin.page.getByRole('region', { name: 'Signing secret' }).locator('code');
      const secret = (await shown.textContent()) ?? '';
      await admin.leave();

      const author = await signedIn(member, screen);
      await author.goTo('Directory');
      await author.follow('Submit a record');
      await author.fill('Name', name);
      await author.choose('Kind of help', 'Food');
      await author.fill(/^Description/, 'Bags of food on Mondays.');
      await author.press('Submit');
      await author.sees('It is submitted, and waits for a reviewer.');

      const decides = await signedIn(reviewer, screen);
      await decides.sees('1 record waits for a decision.');
      await decides.looksRight('home-of-reviewer');
      await decides.page
        .getByRole('main')
        .getByRole('link', { name: /^Review records/ })
        .click();
      await decides.sees('Bags of food on Mondays.');
      await decides.page.getByRole('button', { name: /^Approve/ }).click();
      await decides.sees('It is approved, and everybody can see it.');
      await decides.looksRight('record-approved');
      await decides.leave();

      const about = ({ body }: Received) =>
        (JSON.parse(body.toString()) as { data: { name: string } }).data.name === name;
      const isSigned = ({ body, headers }: Received): boolean => {
        try {
          return new Webhook(secret).verify(body, headers as Record<string, string>) !== undefined;
        } catch {
          return false;
        }
      };
      const delivery = await until(() => arrived.find((each) => about(each) && isSigned(each)));
      expect(delivery.headers['x-service-event']).toBe('resource.approved');

      const stranger = await visit(service, screen);
      await stranger.open('/');
      await stranger.page.getByRole('searchbox').first().fill('pantry');
      await stranger.page.keyboard.press('Enter');
      await stranger.follow(name);
      await stranger.sees('Bags of food on Mondays.');
      await stranger.leave();

      await author.goTo('Widget');
      await author.fill(/^Domains/, 'library.localhost');
      await author.press('Create the snippet');
      await author.heading('Your snippet');
      const [snippet = '', policy = ''] = await author.page.locator('.copy pre').allTextContents();
      await author.leave();
      served = { html: pageOf(snippet), policy: policy.replace(/\s+/g, ' ') };
      const origin = `http://library.localhost:${foreign.port}`;
      // The widget itself is a script.
      const reader = await visit(service, { ...screen, scripts: true });
      await reader.openElsewhere(origin);
      await reader.page.locator('resources-widget').getByText(name).waitFor();
      await reader.leave();

      const key = /data-key="([^"]+)"/.exec(snippet)?.[1] ?? '';
      const answer = await fetch(service.dash.origin + legacy, { headers: { 'x-api-key': key, origin } });
      const { data } = (await answer.json()) as { data: { name: string }[] };
      expect(data.map((each) => each.name)).toContain(name);
    },
  );
});
