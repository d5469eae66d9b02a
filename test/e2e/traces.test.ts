import { randomUUID } from 'node:crypto';
import { createServer, type Server } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { afterAll, beforeAll, describe, expect, it, onTestFinished } from 'vitest';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { beginning } from '../../src/stores/event-store/port.ts';
import { traceIdOf } from '../../src/traces/trace-context.ts';
import { receiver, type Received, type Receiver } from '../dispatch/receivers.ts';
import { dropDatabase, engineSettings, missing, onEngines } from '../support/engine.ts';
import { temporaryFolder } from '../support/folder.ts';
import { freePort } from '../support/free-port.ts';
import { otlpReceiver, type CollectedSpan, type OtlpReceiver } from '../support/otlp-receiver.ts';
import { seriesOf } from '../support/scrape.ts';
import { runCommandLine } from '../support/command-line.ts';
import { startServing, type Serving } from '../support/serving.ts';
import { until } from '../support/until.ts';

/** Of the caller of the tests: an id that nothing else here makes. */
const caller = { traceId: '0af7651916cd43dd8448eb211c80319c', spanId: 'b7ad6b7169203331' } as const;
const traceparent = `00-${caller.traceId}-${caller.spanId}-01`;

const api = '/dash/api/v1/resources';
const scopes = 'resources:read,resources:submit,directory:manage';
const development = { ALLOW_PRIVATE_WEBHOOKS: 'true' };

async function command(dataDir: string, line: string): Promise<Readonly<Record<string, string>>> {
  const { code, stdout, stderr } = await runCommandLine([...line.split(' '), '--json'], dataDir, development);
  expect([code, stderr]).toEqual([0, expect.any(String)]);
  return JSON.parse(stdout) as Readonly<Record<string, string>>;
}

const subscribed = (dataDir: string, url: string) =>
  command(dataDir, `subscriptions create --team harbour --url ${url} --events resource.approved`);

async function preparedKey(dataDir: string, hook: string): Promise<string> {
  await command(dataDir, 'teams create harbour --name Harbour');
  await command(dataDir, 'teams scopes harbour --enable directory:manage');
  await subscribed(dataDir, hook);
  const { key = '' } = await command(dataDir, `keys create --kind team --team harbour --scopes ${scopes}`);
  return key;
}

const sending =
  (origin: string, key: string) =>
  (path: string, body: object, headers = {}) =>
    fetch(origin + path, {
      method: 'POST',
      headers: { authorization: `Bearer ${key}`, 'content-type': 'application/json', ...headers },
      body: JSON.stringify(body),
    });

/** Submits until it can be seen: a machine with too much to do answers first that it is done and not visible yet. */
async function submits(origin: string, key: string, headers = {}): Promise<string> {
  const once = { 'idempotency-key': randomUUID(), ...headers };
  const answer = await until(async () => {
    const each = await sending(origin, key)(api, fields, once);
    if (each.status === 503) return undefined;
    expect(each.status).toBe(201);
    return each;
  });
  return ((await answer.json()) as { svc_id: string }).svc_id;
}

const fields = { name: 'Corner Pantry', category: 'food' } as const;

/** Those with a parent that nobody has recorded. */
function withoutParent(spans: readonly CollectedSpan[]): readonly CollectedSpan[] {
  const ids = new Set(['', ...spans.map(({ spanId }) => spanId)]);
  return spans.filter(({ parentSpanId }) => !ids.has(parentSpanId));
}

describe.skipIf(missing)(onEngines('traces, from a request to a webhook over two processes'), () => {
  const folder = temporaryFolder();
  const received: Received[] = [];
  let collector: OtlpReceiver;
  let hook: Receiver;
  let front: Serving;
  let back: Serving;
  let submitted: Response;
  let approved: Response;
  /** Of the request that approved, once all of it has arrived. */
  let spans: readonly CollectedSpan[];

  beforeAll(async () => {
    collector = await otlpReceiver();
    hook = await receiver((response, request) => {
      received.push(request);
      response.writeHead(204).end();
    });
    const key = await preparedKey(folder.path, hook.url);
    const settings = {
      ...development,
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_EXPORTER_OTLP_HEADERS: 'x-tenant=harbour',
      OTEL_RESOURCE_ATTRIBUTES: 'deployment.environment.name=test',
      OTEL_BSP_SCHEDULE_DELAY: '100',
    };
    [front, back] = await Promise.all([
      startServing(folder.path, { ...settings, ROLES: 'api' }),
      startServing(folder.path, { ...settings, ROLES: 'projector,dispatcher' }),
    ]);
    const send = sending(front.origin, key);
    submitted = await send(`${api}?secret=hush`, fields, { traceparent, tracestate: 'vendor=caller-text' });
    const id = await submits(front.origin, key);
    approved = await send(`${api}/${id}/approve`, {}, { traceparent });
    // 503: done, and a machine with too much to do does not show it yet.
    for (const [done, { status }] of [
      [201, submitted],
      [200, approved],
    ] as const)
      expect([done, 503]).toContain(status);
    await until(() => received.length > 0);
    spans = await until(() => {
      const all = ofTrace(traceOf(approved));
      const names = new Set(all.map(({ name }) => name));
      const awaited = ['deliver resource.approved', 'append DeliverySucceeded', 'project'];
      const isWhole = withoutParent(all).length === 0 && awaited.every((name) => names.has(name));
      return isWhole && ofTrace(traceOf(submitted)).some(({ kind }) => kind === 2) && all;
    });
  }, 120_000);
  afterAll(async () => {
    expect(await back.stop()).toBe(0);
    expect(await front.stop()).toBe(0);
    await hook[Symbol.asyncDispose]();
    await collector[Symbol.asyncDispose]();
    await dropDatabase(folder.path);
    folder.remove();
  });

  const traceOf = ({ headers }: Response): string => traceIdOf(headers.get('x-request-id') ?? '');
  const ofTrace = (id: string) => collector.spans.filter(({ traceId }) => traceId === id);
  const named = (name: string): CollectedSpan => {
    const all = spans.filter((each) => each.name === name);
    expect([name, all.length]).toEqual([name, 1]);
    return all[0] as CollectedSpan;
  };

  it('are one from the request over the command, the append and the read models to the receiver', () => {
    const request = named(`POST ${api}/:svc_id/approve`);
    const command = named('command resource');
    const append = named('append ResourceApproved');
    const scheduled = named('append DeliveryScheduled');
    const delivery = named('deliver resource.approved');
    expect(request).toMatchObject({ kind: 2, parentSpanId: '' });
    expect(command.parentSpanId).toBe(request.spanId);
    expect(append.parentSpanId).toBe(command.spanId);
    const projected = spans.filter(
      ({ name, parentSpanId }) => name === 'project' && parentSpanId === append.spanId,
    );
    expect(projected.flatMap(({ attributes }) => attributes['commonweal.projection.read_models'])).toContain(
      'resources',
    );
    const scheduling = spans.find(({ spanId }) => spanId === scheduled.parentSpanId);
    expect(scheduling).toMatchObject({ name: 'command webhook-delivery', parentSpanId: append.spanId });
    expect(delivery).toMatchObject({ kind: 3, parentSpanId: scheduled.spanId });
    expect(delivery.attributes).toMatchObject({ 'http.response.status_code': 204 });
    expect(withoutParent(spans)).toEqual([]);
    expect(spans.filter(({ parentSpanId }) => parentSpanId === '')).toEqual([request]);
  });

  it('come from both processes and their threads, each of which took its time', () => {
    const of = (span: CollectedSpan) => [
      span.resource['service.instance.id'],
      span.attributes['thread.name'],
    ];
    const [one, main] = of(named('append ResourceApproved'));
    const [other, dispatcher] = of(named('deliver resource.approved'));
    const [third, projector] = of(spans.find(({ name }) => name === 'project') as CollectedSpan);
    expect([main, dispatcher, projector]).toEqual(['main', 'dispatcher', 'projector']);
    expect(one).not.toBe(other);
    expect(third).toBe(other);
    for (const { from, until: end, resource } of spans) {
      expect(end).toBeGreaterThanOrEqual(from);
      expect(resource).toMatchObject({
        'service.name': 'commonweal',
        'service.version': '1.0.0',
        'deployment.environment.name': 'test',
      });
    }
    const request = named(`POST ${api}/:svc_id/approve`);
    const append = named('append ResourceApproved');
    expect(append.from >= request.from && append.until <= request.until).toBe(true);
    expect(collector.requests[0]).toMatchObject({ path: '/v1/traces', headers: { 'x-tenant': 'harbour' } });
  });

  it('tell the receiver of a webhook its span, and sign what they signed without it', () => {
    const delivery = named('deliver resource.approved');
    const [request] = received;
    expect(request?.headers['traceparent']).toBe(`00-${delivery.traceId}-${delivery.spanId}-01`);
    expect(request?.headers['tracestate']).toBeUndefined();
    expect(Object.keys(request?.headers ?? {})).toContain('x-service-delivery');
  });

  it('link the trace of a caller, and do not continue it', () => {
    for (const answer of [submitted, approved])
      expect(ofTrace(traceOf(answer)).find(({ kind }) => kind === 2)?.links).toEqual([caller]);
    expect(ofTrace(caller.traceId)).toEqual([]);
  });

  it('have nothing of addresses, keys and texts, and no event has anything of a caller', async () => {
    const sent = Buffer.concat(collector.requests.map(({ bytes }) => bytes)).toString('latin1');
    for (const text of ['hush', 'Corner Pantry', 'api_tk_', '127.0.0.1', 'caller-text', hook.url])
      expect(sent).not.toContain(text);
    const beside = await openSystem(readConfig({ DATA_DIR: folder.path, ...engineSettings(folder.path) }));
    const { events } = await beside.store.readAll({ after: beginning, limit: 10_000 });
    await beside.close();
    expect(events.map(({ type }) => type)).toContain('DeliverySucceeded');
    const log = JSON.stringify(events.map(({ data, metadata }) => [data, metadata]));
    for (const text of [caller.traceId, caller.spanId, 'caller-text']) expect(log).not.toContain(text);
  });
});

describe('a collector', () => {
  const folder = temporaryFolder();
  let hook: Receiver;
  let key: string;
  beforeAll(async () => {
    hook = await receiver((response) => response.writeHead(204).end());
    key = await preparedKey(folder.path, hook.url);
  }, 120_000);
  afterAll(async () => {
    await hook[Symbol.asyncDispose]();
    await dropDatabase(folder.path);
    folder.remove();
  });

  const served = async (settings: Readonly<Record<string, string>>): Promise<Serving> => {
    const serving = await startServing(folder.path, { ...development, ...settings });
    onTestFinished(async () => {
      await serving.stop();
    });
    return serving;
  };

  async function dropped(port: number): Promise<Readonly<Record<string, number>>> {
    const series = seriesOf(await (await fetch(`http://127.0.0.1:${port}/metrics`)).text());
    const counts: Record<string, number> = {};
    for (const { name, labels, value } of series)
      if (name === 'commonweal_trace_spans_total')
        counts[labels['outcome'] ?? ''] = (counts[labels['outcome'] ?? ''] ?? 0) + value;
    return counts;
  }

  /** A collector that answers in a way of its own. */
  async function odd(
    answer: (respond: { end(status: number, body: string): void }) => void,
  ): Promise<Server> {
    const server = createServer((request, response) => {
      request.resume();
      answer({ end: (status, body) => response.writeHead(status).end(body) });
    }).listen(0, '127.0.0.1');
    await once(server, 'listening');
    return server;
  }
  const portOf = (server: Server): number => (server.address() as AddressInfo).port;

  it('that is not there costs neither answers nor memory nor lines, and gets what comes when it is', async () => {
    const [port, metrics] = [await freePort(), await freePort()];
    const serving = await served({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${port}`,
      OTEL_EXPORTER_OTLP_TIMEOUT: '300',
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_BSP_MAX_QUEUE_SIZE: '50',
      METRICS_PORT: String(metrics),
    });
    const many = async (count: number) => {
      for (let n = 0; n < count; n++) await submits(serving.origin, key);
    };
    await many(30);
    await until(async () => ((await dropped(metrics))['not_taken'] ?? 0) > 0);
    await many(30);
    await until(async () => {
      const { not_taken = 0, queue_full = 0, exported = 0 } = await dropped(metrics);
      expect(exported).toBe(0);
      return not_taken + queue_full > 200;
    });
    await using collector = await otlpReceiver(port);
    await until(async () => {
      await many(1);
      return collector.spans.some(({ name }) => name === `POST ${api}`);
    });
    expect(await serving.stop()).toBe(0);
    const lines = serving
      .complaints()
      .split('\n')
      .filter((line) => line.includes('collector'));
    const address = `http://127.0.0.1:${port}`;
    expect(lines[0]).toMatch(
      new RegExp(
        `^traces: The collector at ${address} does not take spans \\(.+\\); they are dropped until it does\\.$`,
      ),
    );
    expect(lines.at(-1)).toBe(`traces: The collector at ${address} takes spans again.`);
    // Three threads at most, and two ways in which it is not there.
    expect(lines.length).toBeLessThanOrEqual(4);
  });

  it.each([
    ['never answers', () => undefined],
    [
      'answers rubbish',
      (respond: { end(status: number, body: string): void }) => respond.end(200, '\xff\xfe{"'),
    ],
    ['refuses', (respond: { end(status: number, body: string): void }) => respond.end(401, 'no such tenant')],
  ])('that %s is left at a stop, within seconds', async (_what, answer) => {
    const collector = await odd(answer);
    const serving = await served({
      OTEL_EXPORTER_OTLP_ENDPOINT: `http://127.0.0.1:${portOf(collector)}`,
      OTEL_BSP_SCHEDULE_DELAY: '100',
      OTEL_EXPORTER_OTLP_TIMEOUT: '300000',
    });
    for (let n = 0; n < 5; n++) await submits(serving.origin, key);
    const began = performance.now();
    expect(await serving.stop()).toBe(0);
    // Two seconds for the collector, and what a stop takes on a busy machine; the exporter would wait for minutes.
    expect(performance.now() - began).toBeLessThan(60_000);
    expect(serving.complaints()).not.toContain('tenant');
    collector.closeAllConnections();
    collector.close();
  });

  // A stop gives it two seconds, which a machine with far too much to do may need for something else.
  it('gets what waits when the server stops', { retry: 3 }, async () => {
    await using collector = await otlpReceiver();
    const serving = await served({
      OTEL_EXPORTER_OTLP_TRACES_ENDPOINT: `${collector.endpoint}/of/its/own`,
      OTEL_BSP_SCHEDULE_DELAY: '600000',
    });
    await submits(serving.origin, key);
    expect(await serving.stop()).toBe(0);
    expect(collector.spans.map(({ name }) => name)).toEqual(
      expect.arrayContaining([`POST ${api}`, 'command resource', 'append ResourceSubmitted', 'project']),
    );
    expect(new Set(collector.requests.map(({ path }) => path))).toEqual(new Set(['/of/its/own']));
  });

  it('gets no trace that the sampler leaves out, and the receiver is told that it is not recorded', async () => {
    await using collector = await otlpReceiver();
    const headers: Received['headers'][] = [];
    await using own = await receiver((response, request) => {
      headers.push(request.headers);
      response.writeHead(204).end();
    });
    await subscribed(folder.path, own.url);
    const serving = await served({
      OTEL_EXPORTER_OTLP_ENDPOINT: collector.endpoint,
      OTEL_TRACES_SAMPLER: 'parentbased_always_off',
      OTEL_BSP_SCHEDULE_DELAY: '10',
    });
    const id = await submits(serving.origin, key, { traceparent });
    await sending(serving.origin, key)(`${api}/${id}/approve`, {}, { traceparent });
    await until(() => headers.length > 0);
    expect(await serving.stop()).toBe(0);
    expect(headers[0]?.['traceparent']).toMatch(/^00-[0-9a-f]{32}-[0-9a-f]{16}-00$/);
    expect(collector.spans).toEqual([]);
  });
});
