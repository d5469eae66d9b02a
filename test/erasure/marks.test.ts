import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';
import type { LightMyRequestResponse } from 'fastify';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { fromBufferPromise } from 'yauzl';
import { eraseReport } from '../../src/commands/directory/upkeep/mistake.ts';
import { eraseSuggestion } from '../../src/commands/directory/upkeep/suggestion.ts';
import { eraseResourcePerson } from '../../src/commands/directory/resource.ts';
import { eraseSubmission } from '../../src/commands/forms-submissions.ts';
import { withdrawInvitation } from '../../src/commands/teams/invitation.ts';
import { invitationMailKey } from '../../src/actions/teams/invitation-mails.ts';
import { commandSubscription } from '../../src/commands/webhooks/subscription.ts';
import { eraseNow } from '../../src/erasure/erase-person.ts';
import { ownData } from '../../src/erasure/own-data.ts';
import { publicScopes, teamScopes } from '../../src/events/teams.ts';
import { Outbox } from '../../src/mail/outbox.ts';
import { startDashboard, type Dashboard } from '../api/accounts/harness.ts';
import type { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { context, type TestKey } from '../api/harness.ts';
import { runCommandLine } from '../support/command-line.ts';
import { isEmbedded } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { addressOf } from '../api/whole-team.ts';
import { routesOf } from '../support/routes.ts';
import { markedPerson, team, type Marked } from './marked-person.ts';
import { clearMarks, heldMark, neverMarks, sealedMarks } from './marks.ts';

/** A place where somebody could look, and what stands there, in lower case: some thousand pages, searched for each mark. */
type Places = ReadonlyMap<string, string>;

const backup = temporaryFolder();
const logLines: string[] = [];
let dash: Dashboard;
let marked: Marked;
let operator: PlainBrowser;
let admin: PlainBrowser;
let auditor: TestKey;
let teamKey: TestKey;

beforeAll(async () => {
  const stream = { write: (line: string) => void logLines.push(line) };
  dash = await startDashboard({
    environment: { ALLOW_PRIVATE_WEBHOOKS: 'true' },
    logger: { level: 'trace', stream },
    imports: {},
  });
  marked = await markedPerson(dash);
  const [first, second] = [await dash.account({ role: 'administrator' }), await dash.account()];
  await dash.member(team, first, 'admin');
  await dash.member(team, second, 'admin');
  operator = await dash.signedIn(first);
  admin = await dash.signedIn(second);
  auditor = await dash.key({ kind: 'installation', scopes: ['audit:read'] });
  const scopes = [...publicScopes, ...teamScopes];
  teamKey = await dash.key({ kind: 'team', team, scopes });
  await typedAround();
  await dash.caughtUp();
});
afterAll(async () => {
  await dash.stop();
  backup.remove();
});

/** What people type where nothing of it is to be kept. */
async function typedAround(): Promise<void> {
  const browser = dash.browser();
  browser.headers = { 'user-agent': neverMarks['the name of a browser'] };
  const signIn = async (email: string, password: string) => {
    await browser.open('/dash/sign-in');
    await browser.press('Sign in', { email, password });
    expect(browser.heading).not.toBe('Home');
  };
  await signIn(marked.email, neverMarks['a wrong password']);
  await signIn(`${neverMarks['an address that nobody has, at sign-in']}@example.org`, neverMarks.password);
  await browser.open(`/find?q=${neverMarks['what somebody looked for in public']}`);
  expect(browser.status).toBe(200);
  const unknown = `${neverMarks['an address that nobody has, in the audit log']}@example.org`;
  await operator.open(`/dash/audit?about=${encodeURIComponent(unknown)}`);
  const { statusCode } = await dash.server.inject({
    url: `/audit/v1/events?stream=team-${clearMarks['what was searched for'][0]}`,
    headers: auditor.bearer,
  });
  expect(statusCode).toBe(200);
}

/** Every address, for those who may see most: pages, answers of the API, exports and their files. */
async function everyAnswer(): Promise<Places> {
  const places = new Map<string, string>();
  const routes = routesOf(dash.server.printRoutes({ commonPrefix: false }));
  const lists = { question: 'members', at: new Date().toISOString(), about: `person:${marked.person.user}` };
  const asked = new URLSearchParams({ team, show: 'all', status: 'failed' });
  for (const route of routes) {
    // It would end the session.
    if (route === '/dash/sign-out') continue;
    const address = addressOf(route, marked.ids);
    const withKey = [`${address}?${new URLSearchParams({ team }).toString()}`, address];
    const withCookie = [
      address,
      `${address}?team=${team}`,
      `${address}?${asked.toString()}`,
      `${address}?${new URLSearchParams({ team, ...lists }).toString()}`,
      ...(/as-of/.test(route)
        ? [
            `${address}?${new URLSearchParams({ team, question: 'streams', stream: marked.ids['stream'] ?? '', at: lists.at }).toString()}`,
          ]
        : []),
    ];
    for (const [who, browser] of [
      ['operator', operator],
      ['admin', admin],
    ] as const)
      for (const url of withCookie) {
        const answer = await dash.server.inject({ url, cookies: Object.fromEntries(browser.cookies) });
        expect(answer.statusCode, url).not.toBe(500);
        places.set(`${who} ${url}`, (await textOf(answer)).toLowerCase());
      }
    for (const [who, key] of [
      ['auditor', auditor],
      ['key of the team', teamKey],
    ] as const)
      for (const url of withKey) {
        const answer = await dash.server.inject({ url, headers: key.bearer });
        expect(answer.statusCode, url).not.toBe(500);
        places.set(`${who} ${url}`, (await textOf(answer)).toLowerCase());
      }
  }
  return places;
}

/** The text of an answer; of a zip file, that of its files. */
async function textOf({ headers, body, rawPayload }: LightMyRequestResponse): Promise<string> {
  if (!String(headers['content-type']).startsWith('application/zip')) return body;
  const zip = await fromBufferPromise(rawPayload);
  const files: string[] = [];
  for await (const entry of zip.eachEntry()) files.push(await text(await zip.openReadStreamPromise(entry)));
  return files.join('\n');
}

/** What the command line prints, and what leaves the installation. */
async function everyOutput(): Promise<Places> {
  const { ids } = marked;
  const commands = [
    ['events', '--json'],
    ['audit', 'events', '--json'],
    ['audit', 'walk', ids['event'] ?? ''],
    ['audit', 'as-of', 'members', '--team', team, '--at', new Date().toISOString()],
    ['keys', 'list', '--json'],
    ['members', 'list', '--team', team, '--json'],
    ['invitations', 'list', '--team', team, '--json'],
    ['payments', 'list', '--team', team, '--json'],
    ['forms', 'export', ids['slug'] ?? '', '--team', team],
    ['reports', 'list', '--json'],
    ['suggestions', 'list', '--json'],
    ['resources', 'people', ids['svcId'] ?? '', '--json'],
    ['deliveries', 'show', ids['delivery'] ?? '', '--json'],
    ['subscriptions', 'list', '--json'],
    ['hold', 'list', '--json'],
    ['administrators', 'list', '--json'],
  ];
  const places = new Map<string, string>();
  for (const command of commands) {
    const { stdout, stderr } = await runCommandLine(command, dash.folder);
    places.set(command.join(' '), (stdout + stderr).toLowerCase());
  }
  return places;
}

/** The download of the person, while there is one. */
async function ownDownload(): Promise<Places> {
  const pieces: string[] = [];
  for await (const piece of await ownData(dash.system, marked.person.user, context())) pieces.push(piece);
  return new Map([['own data', pieces.join('').toLowerCase()]]);
}

/**
 * The files of a folder that have a text anywhere: in pages, free pages and write-ahead logs. Another process reads them:
 * closing a file here would drop the locks that SQLite has on it.
 */
function filesWith(folder: string, texts: readonly string[]): Record<string, string[]> {
  const script = `
    const [, folder, texts] = process.argv;
    const files = fs.readdirSync(folder, { recursive: true, withFileTypes: true }).filter((each) => each.isFile());
    const found = {};
    for (const { parentPath, name } of files) {
      const content = fs.readFileSync(path.join(parentPath, name)).toString('latin1').toLowerCase();
      for (const text of JSON.parse(texts)) if (content.includes(text.toLowerCase())) (found[text] ??= []).push(name);
    }
    console.log(JSON.stringify(found));`;
  const printed = execFileSync(process.execPath, ['-e', script, folder, JSON.stringify(texts)], {
    maxBuffer: 100_000_000,
  });
  return JSON.parse(printed.toString()) as Record<string, string[]>;
}

function placesOf(places: Places, text: string): string[] {
  const lower = text.toLowerCase();
  return [...places].flatMap(([place, content]) => (content.includes(lower) ? [place] : []));
}

const secret = [...Object.values(sealedMarks), heldMark, ...Object.values(neverMarks)];

describe('what people say of themselves, and others of them', () => {
  test('is found where it is shown, and in no file and no line of the log', async () => {
    const shown = new Map([...(await everyAnswer()), ...(await everyOutput()), ...(await ownDownload())]);
    const notFound = Object.entries(sealedMarks).filter(([, mark]) => placesOf(shown, mark).length === 0);
    expect(notFound).toEqual([]);
    for (const [what, mark] of Object.entries(neverMarks)) expect(placesOf(shown, mark), what).toEqual([]);
    expect(placesOf(shown, heldMark)).toEqual([]);
    expect(logLines.length).toBeGreaterThan(1_000);
    for (const mark of secret) expect(logLines.filter((line) => line.includes(mark))).toEqual([]);
    if (isEmbedded) expect(filesWith(dash.folder, secret)).toEqual({});
  });

  test('is nowhere once it is erased', async () => {
    const { system } = dash;
    await eraseNow(system, marked.person.user, context());
    await eraseSubmission(system, marked.submission, {}, context());
    await eraseReport(system, marked.report, {}, context());
    await eraseSuggestion(system, marked.suggestion, {}, context());
    for (const { svcId, person } of marked.contacts)
      await eraseResourcePerson(system, svcId, { person }, context());
    const { subscription = '' } = marked.ids;
    await commandSubscription(system, subscription, { kind: 'delete' }, context());
    await withdrawInvitation(system, { team, invitation: marked.invitation }, context());
    await new Outbox(system).withdraw([invitationMailKey(marked.invitation)]);
    await dash.caughtUp();
    const shown = new Map([...(await everyAnswer()), ...(await everyOutput())]);
    for (const mark of secret) expect(placesOf(shown, mark), mark).toEqual([]);
    for (const mark of secret) expect(logLines.filter((line) => line.includes(mark))).toEqual([]);
    if (!isEmbedded) return;
    expect(filesWith(dash.folder, secret)).toEqual({});
    const copy = join(backup.path, 'copy');
    expect(await runCommandLine(['backup', copy, '--side', '--json'], dash.folder)).toMatchObject({
      code: 0,
    });
    expect(filesWith(backup.path, secret)).toEqual({});
  });

  test('is sealed but for the free words that docs/audit.md names, which stay', async () => {
    const page = readFileSync(fileURLToPath(new URL('../../docs/audit.md', import.meta.url)), 'utf8');
    const shown = await everyOutput();
    for (const [what, [mark, sentence]] of Object.entries(clearMarks)) {
      expect(placesOf(shown, mark), what).toContain('events --json');
      expect(page.replaceAll(/\s+/g, ' '), what).toContain(sentence.replaceAll(/\s+/g, ' '));
    }
  });
});
