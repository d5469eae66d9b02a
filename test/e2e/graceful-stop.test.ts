import { readdirSync, readFileSync } from 'node:fs';
import { Agent, request } from 'node:http';
import { connect } from 'node:net';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, describe, expect, it, onTestFinished } from 'vitest';
import { parse } from 'yaml';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { receiver } from '../dispatch/receivers.ts';
import { start } from '../faults/processes.ts';
import { dropDatabase, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { runCommand, startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const example = fileURLToPath(new URL('../../examples/directory', import.meta.url));
const administrator = { ADMIN_EMAIL: 'grace@example.org', ADMIN_PASSWORD: 'seven quiet herons wading' };
const settings = {
  ...administrator,
  ALLOW_PRIVATE_WEBHOOKS: 'true',
  RATE_LIMIT_PER_MINUTE: '1000000',
  CHANGES_PER_HOUR: '1000000',
};

/** How long the compose file waits before it kills a node. */
const compose = parse(readFileSync(new URL('../../docker-compose.yml', import.meta.url), 'utf8'), {
  merge: true,
}) as { readonly services: Readonly<Record<string, { readonly stop_grace_period?: string }>> };
const graceMs = Number.parseInt(compose.services['api-1']?.stop_grace_period ?? '0') * 1_000;

const folder = temporaryFolder();
let folders = 0;
afterEach(() => dropDatabase(join(folder.path, String(folders))));

/** An installation of its own, with a team and a key that may do what the tests do. */
async function installed() {
  const dataDir = join(folder.path, String(++folders));
  await runCommand(dataDir, 'teams', 'create', 'harbour', '--name', 'Harbour');
  // Another team, because one has one import at a time.
  await runCommand(dataDir, 'teams', 'create', 'orchard', '--name', 'Orchard');
  await runCommand(dataDir, 'teams', 'scopes', 'harbour', '--enable', 'audit:read');
  const scopes = 'resources:read,resources:submit,audit:read';
  const made = await runCommand(
    dataDir,
    'keys',
    'create',
    '--kind',
    'team',
    '--team',
    'harbour',
    '--scopes',
    scopes,
  );
  return { dataDir, key: (made as { key: string }).key };
}

async function serving(dataDir: string, more: Readonly<Record<string, string>> = {}) {
  const running = start('src/main.js', ['serve', '--json'], dataDir, { ...settings, ...more });
  onTestFinished(async () => {
    await running.kill();
  });
  const line = await until(() => running.written().includes('\n') && running.written().split('\n')[0]);
  const { listening: origin } = JSON.parse(line) as { listening: string };
  await until(async () => (await fetch(`${origin}/readyz`)).ok);
  return { running, origin };
}

/** Submits one resource after the other over one connection that is kept, until nobody listens any more. */
async function submitting(origin: string, key: string, made: Set<string>) {
  const agent = new Agent({ keepAlive: true, maxSockets: 1 });
  const failures: string[] = [];
  let closing = 0;
  for (let n = 0; ; n++) {
    const outcome = await new Promise<{ status?: number; text: string; close?: boolean; code?: string }>(
      (resolve) => {
        const sent = request(
          `${origin}/dash/api/v1/resources`,
          {
            method: 'POST',
            agent,
            headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json' },
          },
          (answer) => {
            let text = '';
            answer.setEncoding('utf8').on('data', (part: string) => (text += part));
            answer.on('error', ({ message }) => resolve({ text: message, code: 'cut off' }));
            answer.on('end', () =>
              resolve({ status: answer.statusCode ?? 0, text, close: answer.headers.connection === 'close' }),
            );
          },
        );
        sent.on('error', (error: NodeJS.ErrnoException) =>
          resolve({ text: error.message, code: error.code ?? '' }),
        );
        sent.end(JSON.stringify({ name: `Pantry ${String(n)}`, category: 'food' }));
      },
    );
    if (outcome.close === true) closing += 1;
    if (outcome.status === 201) made.add((JSON.parse(outcome.text) as { svc_id: string }).svc_id);
    else if (outcome.code === 'ECONNREFUSED') break;
    else failures.push(`${outcome.status ?? outcome.code ?? ''} ${outcome.text}`);
    if (failures.length > 3) break;
  }
  agent.destroy();
  return { failures, closing };
}

/** HSDS as JSON: services of one organization. */
const directory = JSON.stringify(
  Array.from({ length: 3_000 }, (_, number) => ({
    id: `svc-${String(number)}`,
    name: `Service ${String(number)}`,
    description: 'Food and advice. '.repeat(40),
    status: 'active',
    organization: { id: 'org-1', name: 'Harbor House' },
  })),
);

async function signedIn(origin: string): Promise<PlainBrowser> {
  const browser = await new PlainBrowser(origin.replace('127.0.0.1', 'localhost')).open('/dash/sign-in');
  const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
  return browser.press('Sign in', { email, password });
}

/** Begins an import in the browser, and comes back once some records are imported. Answers where it is shown. */
async function importing(origin: string): Promise<string> {
  const browser = await signedIn(origin);
  await browser.open('/dash/resources/import?team=orchard');
  await browser.pressWithFile('Compare', { field: 'file', name: 'county.json', content: directory });
  const path = `${browser.url.pathname}?team=orchard`;
  await until(async () => (await browser.open(path)).heading === 'What would change');
  await browser.press('Import');
  await until(async () => / [1-9][\d,]* of 3,000 records/.test((await browser.open(path)).text));
  return path;
}

/** Asks for a great deal and reads none of it. */
async function downloadThatStalls(origin: string, key: string) {
  const { port } = new URL(origin);
  const socket = connect(Number(port), '127.0.0.1');
  onTestFinished(() => void socket.destroy());
  socket.on('error', () => undefined);
  const asked = `GET /audit/v1/export?format=ndjson HTTP/1.1\r\nhost: localhost\r\nauthorization: Bearer ${key}\r\n\r\n`;
  await new Promise<void>((resolve) => socket.once('connect', resolve));
  socket.write(asked.repeat(40));
  await new Promise<void>((resolve) =>
    socket.once('data', () => {
      socket.pause();
      resolve();
    }),
  );
}

describe.skipIf(missing)(onEngines('a server that is told to stop under load'), () => {
  it('ends with 0 in the time that it is given, and loses nothing that it has acknowledged', async () => {
    const { dataDir, key } = await installed();
    const backups = join(folder.path, 'backups');
    const deliveries = new Map<string, number>();
    let answerHeld: (() => void) | undefined;
    let answered = false;
    await using to = await receiver((response, { headers }) => {
      const id = String(headers['webhook-id']);
      deliveries.set(id, (deliveries.get(id) ?? 0) + 1);
      // The first one is under way while the server stops.
      if (answerHeld === undefined) answerHeld = () => void response.end(() => (answered = true));
      else response.end();
    });
    const hook = ['--url', to.url, '--events', 'resource.approved'];
    await runCommand(dataDir, 'subscriptions', 'create', '--team', 'harbour', ...hook);
    const { running, origin } = await serving(dataDir, { DRAIN_SECONDS: '1' });

    const importPath = await importing(origin);
    await runCommand(dataDir, 'import', example, '--team', 'harbour', '--approve');
    await until(() => answerHeld);
    await downloadThatStalls(origin, key);
    const backingUp = start('src/main.js', ['backup', backups], dataDir, settings);
    await until(() => readdirSync(folder.path).some((name) => name.startsWith('backups')));
    const made = new Set<string>();
    const clients = [1, 2, 3].map(() => submitting(origin, key, made));
    await until(() => made.size > 5);

    const before = performance.now();
    running.signal('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`).catch(() => undefined))?.ok !== true);
    answerHeld?.();
    const ended = await running.ended;
    expect(ended).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(graceMs);
    expect(answered).toBe(true);
    for (const { failures, closing } of await Promise.all(clients)) {
      expect(failures).toEqual([]);
      expect(closing).toBeGreaterThan(0);
    }
    expect(await backingUp.ended).toMatchObject({ code: 0 });

    const again = await startServing(dataDir, settings);
    onTestFinished(async () => {
      await again.stop();
    });
    for (const id of made) {
      const answer = await fetch(`${again.origin}/dash/api/v1/resources/${id}`, {
        headers: { authorization: `Bearer ${key}` },
      });
      expect([id, answer.status]).toEqual([id, 200]);
    }
    const browser = await signedIn(again.origin);
    await until(async () => (await browser.open(importPath)).heading !== 'Importing');
    expect(['The import was interrupted', 'Imported']).toContain(browser.heading);
    await until(async () => {
      const { webhooks } = (await runCommand(dataDir, 'status')) as { webhooks: { pending: number } };
      return webhooks.pending === 0;
    });
    // None was sent twice: each attempt that was under way had ended, and was recorded.
    expect([...deliveries.values()].filter((times) => times !== 1)).toEqual([]);
  });

  it('waits no longer after a second signal: for a drain, for an answer, for a receiver', async () => {
    const { dataDir, key } = await installed();
    let reached = 0;
    await using to = await receiver(() => void (reached += 1));
    const hook = ['--url', to.url, '--events', 'resource.approved'];
    await runCommand(dataDir, 'subscriptions', 'create', '--team', 'harbour', ...hook);
    const { running, origin } = await serving(dataDir, { DRAIN_SECONDS: '300' });
    await runCommand(dataDir, 'import', example, '--team', 'harbour', '--approve');
    await until(() => reached > 0);
    await downloadThatStalls(origin, key);
    running.signal('SIGTERM');
    await until(async () => (await fetch(`${origin}/readyz`)).status === 503);
    const before = performance.now();
    running.signal('SIGINT');
    expect(await running.ended).toMatchObject({ code: 0, signal: null });
    expect(performance.now() - before).toBeLessThan(graceMs / 2);
    // What was cut off is not lost: it is due again.
    const { webhooks } = (await runCommand(dataDir, 'status')) as { webhooks: { pending: number } };
    expect(webhooks.pending).toBeGreaterThan(0);
  });
});
