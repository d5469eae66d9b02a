import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, beforeAll, afterAll, describe, test } from 'vitest';
import { agencyRounds } from '../../../src/actions/directory/upkeep/asking-rounds.ts';
import { ensureLogKey } from '../../../src/audit/proof-log/format/log-key.ts';
import { Outbox, type WaitingMail } from '../../../src/mail/outbox.ts';
import { v1 } from '../../api/harness.ts';
import { logName, signLog } from '../../audit/signed-log.ts';
import { startSending } from '../../api/webhooks/dispatching.ts';
import { receiver, type Received, type Receiver } from '../../dispatch/receivers.ts';
import { runCommandLine } from '../../support/command-line.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { hasChromium } from '../chromium.ts';
import { startService, visit } from './journey.ts';

const dayMs = 86_400_000;
const team = 'bay';
const contact = 'ana@pantries.example';
const folder = temporaryFolder();

/** Three services of one organization as a county listed them in 2018. */
function countyOf2018(): string {
  const at = join(folder.path, 'county-2018');
  mkdirSync(at, { recursive: true });
  const table = (file: string, ...lines: readonly string[]) => {
    writeFileSync(join(at, file), `${lines.join('\n')}\n`);
  };
  writeFileSync(join(at, 'datapackage.json'), JSON.stringify({ name: 'county' }));
  table('organizations.csv', 'id,name,description', 'o1,Harbor Pantries,Food for all.');
  table(
    'services.csv',
    'id,organization_id,name,description,last_modified',
    's1,o1,North Pantry,Food boxes.,2018-05-01',
    's2,o1,South Pantry,Food boxes.,2018-05-01',
    's3,o1,Old Pantry,Food boxes.,2018-05-01',
  );
  table(
    'phones.csv',
    'id,service_id,number',
    'p1,s1,305-555-0101',
    'p2,s2,305-555-0102',
    'p3,s3,305-555-0103',
  );
  table(
    'contacts.csv',
    'id,service_id,name,email',
    ...['s1', 's2', 's3'].map((id) => `c-${id},${id},Ana Diaz,${contact}`),
  );
  table(
    'languages.csv',
    'id,service_id,language',
    ...['s1', 's2', 's3'].map((id) => `l-${id},${id},Spanish`),
  );
  return at;
}

describe.skipIf(!hasChromium)('in a real browser, a directory of 2018', () => {
  let passed = 0;
  const now = () => new Date(Date.now() + passed);
  const service = startService({
    now,
    environment: { SMTP_URL: 'smtp://127.0.0.1:9', ALLOW_PRIVATE_WEBHOOKS: 'true' },
  });
  let to: Receiver;
  let stopSending: () => Promise<void>;
  const arrived: Received[] = [];
  beforeAll(async () => {
    to = await receiver((response, request) => {
      arrived.push(request);
      response.writeHead(204).end();
    });
    stopSending = startSending(service.dash);
  });
  afterAll(async () => {
    await stopSending();
    await to[Symbol.asyncDispose]();
    folder.remove();
  });

  /** Rounds of asking on each day until the contact has a mail. */
  const untilMailed = async (): Promise<WaitingMail> => {
    const { dash } = service;
    const rounds = agencyRounds(
      { ...dash.system, config: { ...dash.system.config, smtpUrl: 'smtp://127.0.0.1:9' } },
      { base: dash.origin },
    );
    const noon = new Date().setUTCHours(12, 0, 0, 0);
    for (let day = 1; day < 35; day++) {
      passed = noon + day * dayMs - Date.now();
      await rounds(now());
      await dash.caughtUp();
      const mail = (await new Outbox(dash.system).waiting()).find((each) => each.to === contact);
      if (mail) return mail;
    }
    throw new Error('Nobody was asked.');
  };

  test(
    'is asked about, answered on a phone in Spanish without an account, reviewed, and shown true everywhere, with proof',
    { timeout: 300_000 },
    async () => {
      const { dash } = service;
      await dash.team(team, ['directory:manage']);
      const account = await dash.account({ profile: { name: 'Sam Steward' } });
      await dash.member(team, account, 'admin');
      const imported = await runCommandLine(
        ['import', countyOf2018(), '--team', team, '--approve'],
        dash.folder,
      );
      expect(imported.stderr).toBe('');
      await dash.caughtUp();

      // People are told how old it is.
      const reader = await visit(service, { width: 360 });
      const steward = await visit(service, { width: 1280 });
      await steward.signIn(account);
      await steward.goTo('Directory');
      await steward.follow('North Pantry');
      const north =
        (await steward.page.getByRole('link', { name: 'Public page' }).getAttribute('href')) ?? '';
      await reader.open(north);
      await reader.sees(/Nobody has confirmed this since .*2018: call first\./u);
      await reader.looksRight('kept-true-2018');

      // A receiver hears of confirmations by name.
      await steward.goTo('Webhooks');
      await steward.follow('Add a webhook');
      await steward.fill(/^Address/, to.url);
      await steward.page.getByRole('checkbox', { name: /^record.confirmed/ }).check();
      await steward.press('Add a webhook');
      await steward.heading('The webhook is added');

      // The team looks at the first mail, and asks.
      await steward.goTo('Directory');
      await steward.follow('Ask the agencies');
      await steward.heading('Ask the agencies');
      await steward.press('Show the first mail');
      await steward.sees('sigue siendo correcto');
      await steward.looksRight('kept-true-preview');
      await steward.press('Ask from now on');
      await steward.sees('Agencies are asked from now on.');
      const mail = await untilMailed();
      const link = new URL(/https?:\S+\/k\?\S+/.exec(mail.text)?.[0] ?? dash.origin);

      // The agency, on a phone.
      const agency = await visit(service, { width: 360, scripts: false });
      await agency.open(link.pathname + link.search);
      const card = (name: string) =>
        agency.page.locator('section', { has: agency.page.getByRole('heading', { name }) });
      await agency.heading('¿Esto sigue siendo correcto?');
      await agency.looksRight('kept-true-agency');
      await agency.press('Sí, sigue siendo correcto', card('North Pantry'));
      await agency.sees('1 de 3 respondidos');
      await card('South Pantry').getByRole('link', { name: 'Cambiar algo' }).click();
      await agency.fill('Números de teléfono, uno en cada línea', '305-555-0199');
      await agency.looksRight('kept-true-change');
      await agency.page.locator('main form button[type=submit]').first().click();
      await agency.sees('2 de 3 respondidos');
      await agency.press('Cerramos', card('Old Pantry'));
      await agency.sees('3 de 3 respondidos');
      await agency.press('He terminado');
      await agency.heading('Gracias');
      await agency.leave();
      await dash.caughtUp();

      // The steward reviews.
      await steward.goTo('Review');
      await steward.follow(/^Suggested changes/);
      await steward.sees('305-555-0199');
      await steward.looksRight('kept-true-review');
      const accept = () => steward.page.getByRole('button', { name: /^Accept/u }).click();
      await accept();
      await steward.sees('It is taken over.');
      await steward.sees('It has closed, or no longer offers this');
      await accept();
      await steward.sees('No changes are suggested.');
      await dash.caughtUp();

      // It is so everywhere.
      await reader.open(north);
      await reader.sees('Confirmed by the agency today');
      expect(await reader.page.getByText('Nobody has confirmed').count()).toBe(0);
      await reader.looksRight('kept-true-confirmed');
      const { bearer } = await dash.key({ scopes: ['resources:read'] });
      const read = async (path: string) => {
        const answer = await fetch(`${dash.origin}${path}`, { headers: bearer });
        expect(answer.status).toBe(200);
        return answer.text();
      };
      const today = now().toISOString().slice(0, 10);
      const found = await read(`${v1}?q=pantry`);
      expect(found).toContain('305-555-0199');
      expect(found).not.toContain('Old Pantry');
      expect(found).toMatch(new RegExp(`"confirmed":\\{"on":"${today}","by":"agency"`, 'u'));
      expect(await read('/dash/api/v1/changes')).toContain('305-555-0199');
      await until(() => Promise.resolve(arrived.some(({ body }) => body.includes('record.confirmed'))));
      expect(arrived.every(({ body }) => !body.includes('Ana'))).toBe(true);

      // The log says who and why, and nobody’s name.
      await steward.goTo('Audit log');
      await steward.press('Find');
      await steward.press('Find');
      await steward.sees(/By the link sent to the contact of Harbor Pantries/u);
      expect(await steward.page.content()).not.toContain('Ana Diaz');
      await steward.looksRight('kept-true-audit');

      // Whoever has the export proves from it, without the service, who said so and why, and notices a word that is changed.
      const key = await ensureLogKey(dash.system.vault, logName);
      await signLog(dash.system, key);
      const proof = join(folder.path, 'proof');
      const run = (...words: readonly string[]) => runCommandLine(words, dash.folder);
      const exported = await run('audit', 'export', '--out', proof, '--team', team);
      expect(exported).toMatchObject({ code: 0, stderr: '' });
      const file = readdirSync(proof).find((name) => name.startsWith('events')) ?? '';
      const rows = readFileSync(join(proof, file), 'utf8');
      expect(rows).toMatch(
        /"by":"agency","by_link":\{"ask":"[0-9a-f-]{36}","organization":"Harbor Pantries"\}.*"type":"ResourceConfirmed"/u,
      );
      expect(rows).not.toContain('Ana Diaz');
      expect(await run('verify', '--export', proof, '--vkey', key.vkey)).toMatchObject({ code: 0 });
      writeFileSync(join(proof, file), rows.replaceAll('Harbor Pantries', 'Harbor Bakeries'));
      expect((await run('verify', '--export', proof, '--vkey', key.vkey)).code).not.toBe(0);
      await steward.leave();
      await reader.leave();
    },
  );
});
