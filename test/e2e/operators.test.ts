import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { expect, onTestFinished, test } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { eventTypes } from '../../src/events/catalogue.ts';
import { projections } from '../../src/projections/all.ts';
import { modelOf } from '../../src/projections/engine/read-model.ts';
import { PlainBrowser } from '../api/accounts/plain-browser.ts';
import { receiver } from '../dispatch/receivers.ts';
import { engineSettings, isEmbedded, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { runCommandLine } from '../support/command-line.ts';
import { familiesIn, familyOf, seriesOf } from '../support/scrape.ts';
import { startServing } from '../support/serving.ts';
import { until } from '../support/until.ts';

const root = new URL('../../', import.meta.url);
const textOf = (file: string): string => readFileSync(new URL(file, root), 'utf8');

const administrator = { ADMIN_EMAIL: 'ada@example.org', ADMIN_PASSWORD: 'nine patient otters diving' };
const token = 'operators-only-1a2b3c4d';

const anyOf = (...words: readonly string[]) => new RegExp(`^(${words.join('|')})$`);
const word = /^[a-z][a-z0-9_-]{0,40}$/;

const isOurs = (name: string): boolean => name.startsWith('commonweal_');
/** Labels of Node.js: threads, kinds of collections and resources, spaces of the heap, its version. */
const ofNode = /^[A-Za-z0-9_.+-]{1,40}$/;

/** What each label may say: names of ours, and nothing that a person or a key brings along. */
const allowed: Readonly<Record<string, RegExp>> = {
  thread: anyOf('main', 'projector', 'dispatcher'),
  route: /^(none|\*|\/[a-z0-9._-]*(\/[a-z0-9._-]*|\/:[a-z_A-Z]+(\.[a-z]+)?|\/\*)*)$/,
  method: anyOf(
    'GET',
    'HEAD',
    'POST',
    'PUT',
    'PATCH',
    'DELETE',
    'OPTIONS',
    'other',
    'password',
    'passkey',
    'confirmation',
  ),
  status: /^[1-5]xx$/,
  le: /^(\+Inf|[0-9.e-]+)$/,
  outcome: /^([1-5]xx|[a-z_]+)$/,
  weight: /^(cannot_serve|in_danger|needs_attention)$/,
  type: anyOf(...eventTypes, 'other'),
  stream: word,
  kind: word,
  limit: word,
  reason: word,
  projection: anyOf(...projections.map(modelOf)),
  group: anyOf('webhook-fan-out'),
  longer_than: /^\d+$/,
  background_job: word,
  store: anyOf('eventstore', 'mongodb'),
  file: /^[a-z.-]+\.db$/,
  release: /^\d+\.\d+\.\d+$/,
};

test.skipIf(missing)(
  onEngines('an operator sees what a driven server does, and nobody who drove it'),
  { timeout: 180_000 },
  async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const operators = `http://127.0.0.1:${port}`;
    const hook = await receiver((response) => response.writeHead(204).end());
    const settings = { ALLOW_PRIVATE_WEBHOOKS: 'true' };
    const cli = async (...words: readonly string[]) => {
      const { code, stdout, stderr } = await runCommandLine([...words, '--json'], folder.path, settings);
      expect([code, stderr]).toEqual([0, expect.any(String)]);
      return JSON.parse(stdout) as Readonly<Record<string, string>>;
    };
    const server = await startServing(folder.path, {
      ...administrator,
      ...settings,
      METRICS_PORT: String(port),
      METRICS_TOKEN: token,
    });
    onTestFinished(async () => {
      await server.stop();
      await hook[Symbol.asyncDispose]();
      folder.remove();
    });
    const authorization = `Bearer ${token}`;
    const ask = (path: string, init: RequestInit = {}) =>
      fetch(`${operators}${path}`, { ...init, headers: { authorization } });
    const scrape = async () => (await ask('/metrics')).text();

    for (const headers of [{}, { authorization: 'Bearer something-else-here' }]) {
      const answer = await fetch(`${operators}/metrics`, { headers });
      expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
      expect(await answer.text()).not.toContain('commonweal_');
    }

    // People, keys, resources and webhooks, each with something that must not be told.
    const browser = new PlainBrowser(server.origin);
    const { ADMIN_EMAIL: email, ADMIN_PASSWORD: password } = administrator;
    await (await browser.open('/dash/sign-in')).press('Sign in', { email, password: 'a wrong guess' });
    await (await browser.open('/dash/sign-in')).press('Sign in', { email, password });
    await cli('teams', 'create', 'harbour', '--name', 'Harbour House');
    const { key = '' } = await cli('keys', 'create', '--kind', 'developer', '--scopes', 'resources:read');
    await cli(
      'subscriptions',
      'create',
      '--team',
      'harbour',
      '--url',
      `${hook.url}?secret=hush`,
      '--events',
      'resource.approved',
    );
    const { svc_id: svcId = '' } = await cli(
      'resources',
      'submit',
      '--team',
      'harbour',
      '--name',
      'Corner Pantry',
      '--category',
      'food',
    );
    await cli('resources', 'approve', svcId);
    const list = `${server.origin}/dash/api/v1/resources`;
    for (const path of ['', `/${svcId}`, '?q=pantry'])
      expect((await fetch(`${list}${path}`, { headers: { authorization: `Bearer ${key}` } })).status).toBe(
        200,
      );
    const invalid = `api_dk_${'x'.repeat(30)}`;
    for (let n = 0; n < 20; n++) await fetch(list, { headers: { authorization: `Bearer ${invalid}` } });
    await fetch(`${server.origin}/nobody/${randomUUID()}?email=${email}`);
    await fetch(list, { method: 'PROPFIND' });
    const isSent = (text: string) =>
      seriesOf(text).some(
        ({ name, labels }) => name === 'commonweal_webhook_attempts_total' && labels['outcome'] === '2xx',
      );
    const text = await until(async () => {
      const now = await scrape();
      return isSent(now) && now;
    });

    const series = seriesOf(text);
    const value = (name: string, labels: Readonly<Record<string, string>> = {}) =>
      series
        .filter((each) => each.name === name)
        .filter((each) => Object.entries(labels).every(([label, of]) => each.labels[label] === of))
        .reduce((sum, each) => sum + each.value, 0);
    expect(
      value('commonweal_http_requests_total', {
        route: '/dash/api/v1/resources/:svc_id',
        status: '2xx',
      }),
    ).toBe(1);
    expect(value('commonweal_http_requests_total', { route: 'none', status: '4xx' })).toBeGreaterThan(0);
    expect(
      value('commonweal_http_request_duration_seconds_count', { route: '/dash/api/v1/resources/:svc_id' }),
    ).toBe(1);
    expect(value('commonweal_sign_ins_total', { method: 'password', outcome: 'failed' })).toBe(1);
    expect(value('commonweal_sign_ins_total', { method: 'password', outcome: 'succeeded' })).toBe(1);
    expect(value('commonweal_network_pauses_total')).toBe(1);
    expect(value('commonweal_webhook_first_attempt_seconds_count', { thread: 'dispatcher' })).toBe(1);
    expect(value('commonweal_projection_events_total', { projection: 'resources' })).toBeGreaterThan(0);
    expect(value('commonweal_appended_events_total', { type: 'DeliveryScheduled' })).toBe(1);
    expect(value('commonweal_thread_answers', { thread: 'projector' })).toBe(1);
    expect(value('commonweal_ready')).toBe(1);
    if (isEmbedded) expect(value('commonweal_disk_size_bytes')).toBeGreaterThan(0);

    const strange = series.flatMap(({ name, labels }) =>
      Object.entries(labels)
        .filter(([label, of]) => !(isOurs(name) ? allowed[label] : ofNode)?.test(of))
        .map(([label, of]) => `${name}{${label}="${of}"}`),
    );
    expect([...new Set(strange)]).toEqual([]);
    const status = await (await ask('/status')).text();
    for (const secret of [email, password, token, key, svcId, invalid, 'hush', 'Corner Pantry', hook.url])
      expect([secret, text.includes(secret), status.includes(secret)]).toEqual([secret, false, false]);

    // The rules ask for what there is.
    const families = familiesIn(text);
    const rules = parse(textOf('deploy/prometheus/alerts.yml')) as Rules;
    const asked = rules.groups
      .flatMap((group) => group.rules)
      .flatMap(({ expr }) => expr.match(/\b(commonweal|nodejs|process)_\w+/g) ?? [])
      .map(familyOf);
    expect(asked.length).toBeGreaterThan(20);
    expect(asked.filter((name) => !families.has(name))).toEqual([]);

    expect(JSON.parse(status)).toMatchObject({
      format: 1,
      consumer_groups: [{ name: 'webhook-fan-out', parked: 0 }],
    });
    expect((await ask('/projections/teams/retry')).status).toBe(405);
    expect((await ask('/projections/wine/retry', { method: 'POST' })).status).toBe(404);
    expect(await (await ask('/projections/teams/retry', { method: 'POST' })).json()).toEqual({
      projection: 'teams',
      asked: false,
    });
    expect((await ask('/elsewhere')).status).toBe(404);
    expect((await ask('/healthz')).status).toBe(200);
  },
);

interface Rules {
  readonly groups: readonly { readonly rules: readonly { readonly expr: string }[] }[];
}

test.skipIf(missing)(
  onEngines('a read model and a consumer that fail at an event show in readiness, status and metrics'),
  { timeout: 180_000 },
  async () => {
    const folder = temporaryFolder();
    const port = await freePort();
    const server = await startServing(folder.path, { METRICS_PORT: String(port) });
    onTestFinished(async () => {
      await server.stop();
      folder.remove();
    });
    const ask = (path: string, init?: RequestInit) => fetch(`http://127.0.0.1:${port}${path}`, init);
    expect((await ask('/readyz')).status).toBe(200);
    // Pages of a browser on this machine are refused, by whatever name they reach the port.
    expect((await ask('/status', { headers: { origin: 'https://elsewhere.example' } })).status).toBe(403);

    const system = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    const id = randomUUID();
    const at = new Date().toISOString();
    // Past the check that no registered node is written what it cannot read.
    const metadata = { commonweal_schema: 99, at, installation: await system.installation.id() };
    await system.wholeLog.append(
      'resource-r_0123456789abcdef',
      [{ id, type: 'ResourceApproved', data: {}, metadata }],
      'no_stream',
    );
    await system.close();

    const readyz = await until(async () => {
      const answer = await ask('/readyz');
      const said = await answer.text();
      return answer.status === 503 && said.includes('webhook-fan-out') && said;
    });
    expect(readyz).toMatch(
      /The read model resources[^ ]* has stood still .*does not know the event ResourceApproved/,
    );
    expect(readyz).toMatch(/The background job webhook-fan-out has failed again and again since/);
    expect((await fetch(`${server.origin}/readyz`)).status).toBe(503);
    expect((await ask('/healthz')).status).toBe(200);

    const status = (await (await ask('/status')).json()) as {
      readonly projections: readonly { readonly model: string; readonly lag: number }[];
      readonly failing_jobs: readonly { readonly job: string }[];
    };
    expect(status.projections.find(({ model }) => model === 'resources')).toMatchObject({
      lag: 1,
      failure: { at: { id, type: 'ResourceApproved', stream: 'resource-r_0123456789abcdef', revision: 0 } },
    });
    expect(status.failing_jobs.map(({ job }) => job)).toContain('webhook-fan-out');
    const text = await (await ask('/metrics')).text();
    expect(text).toContain('commonweal_projection_failed{projection="resources"} 1');
    expect(text).toContain('commonweal_job_failing{background_job="webhook-fan-out"} 1');
    expect(text).toContain('commonweal_ready 0');
    const retried = await ask('/projections/resources/retry', { method: 'POST' });
    expect([retried.status, await retried.json()]).toEqual([202, { projection: 'resources', asked: true }]);
  },
);
