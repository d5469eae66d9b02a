import { randomBytes } from 'node:crypto';
import { subscribe, unsubscribe } from 'node:diagnostics_channel';
import { getEventListeners } from 'node:events';
import { getCACertificates, setDefaultCACertificates } from 'node:tls';
import fc from 'fast-check';
import { Webhook } from 'standardwebhooks';
import { afterAll, afterEach, describe, expect, onTestFinished, test, vi } from 'vitest';
import { exampleBody } from '../../../src/events/webhooks/published-schema.ts';
import type { Resolver } from '../../../src/dispatch/attempts/destination-guard.ts';
import {
  createSender,
  isAcknowledged,
  type Sender,
  type SenderOptions,
} from '../../../src/dispatch/attempts/sender.ts';
import { newSigningSecret, signHeaders } from '../../../src/dispatch/signature.ts';
import { until } from '../../support/until.ts';
import { selfSigned } from '../certificate.ts';
import { deadPort, rawReceiver, receiver, tlsReceiver, type Received } from '../receivers.ts';

const development = { allowPrivate: true, ownHosts: [] };
const production = { allowPrivate: false, ownHosts: [] };
const thisMachine: Resolver = () => Promise.resolve([{ address: '127.0.0.1', family: 4 }]);
const posting = { headers: { 'Content-Type': 'application/json' }, body: '{}' };

const senders: Sender[] = [];
function sender(options: Partial<SenderOptions> = {}): Sender {
  const made = createSender({ policy: development, ...options });
  senders.push(made);
  return made;
}
afterEach(() => Promise.all(senders.splice(0).map((made) => made.close())));

describe('a delivery', () => {
  test('arrives as one POST with exactly the signed bytes, and verifies', async () => {
    const arrived: Received[] = [];
    await using to = await receiver((response, request) => {
      arrived.push(request);
      response.writeHead(204).end();
    });
    const secret = newSigningSecret(randomBytes);
    const example = exampleBody('resource.approved');
    const body = JSON.stringify({ ...example, data: { ...example.data, name: 'Café 食堂' } });
    const headers = signHeaders({
      secret,
      deliveryId: 'd-1',
      event: 'resource.approved',
      body,
      at: new Date(),
    });

    const outcome = await sender().send({ url: `${to.url}?key=1`, headers, body });

    expect(outcome).toMatchObject({ kind: 'answered', status: 204, responseText: '', truncated: false });
    expect(arrived).toHaveLength(1);
    const [request] = arrived;
    expect(request).toMatchObject({ method: 'POST', path: '/hook?key=1', body: Buffer.from(body) });
    expect(request?.headers).toMatchObject({
      'content-type': 'application/json',
      'content-length': String(Buffer.byteLength(body)),
      'x-service-event': 'resource.approved',
      'x-service-delivery': 'd-1',
    });
    const received = (request?.headers ?? {}) as Record<string, string>;
    expect(new Webhook(secret).verify(request?.body ?? '', received)).toEqual(JSON.parse(body));
  });

  test('tells the status, the headers, the text and how long it took', async () => {
    await using to = await receiver((response) =>
      response.writeHead(503, { 'Retry-After': '120', 'X-Trace': 'abc' }).end('busy'),
    );
    const outcome = await sender().send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ status: 503, retryAfter: '120', responseText: 'busy', truncated: false });
    expect(outcome).toMatchObject({ responseHeaders: { 'x-trace': 'abc' } });
    expect(Number.isInteger(outcome.durationMs)).toBe(true);
  });

  test.each([
    [200, true],
    [202, true],
    [299, true],
    [304, false],
    [404, false],
    [410, false],
    [500, false],
  ])('answered with %i is acknowledged: %s', async (status, acknowledged) => {
    await using to = await receiver((response) => response.writeHead(status).end());
    const outcome = await sender().send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'answered', status });
    expect(isAcknowledged(outcome)).toBe(acknowledged);
  });

  test('is not acknowledged by a redirect, which is not followed', async () => {
    await using elsewhere = await receiver((response) => response.end());
    await using to = await receiver((response) => response.writeHead(307, { Location: elsewhere.url }).end());
    const outcome = await sender().send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'answered', status: 307 });
    expect(isAcknowledged(outcome)).toBe(false);
    expect(elsewhere.connections()).toBe(0);
  });

  test('waits for the answer behind an informational response', async () => {
    await using to = await receiver((response) => {
      response.writeEarlyHints({ link: '</style.css>; rel=preload' });
      response.writeHead(201).end('made');
    });
    expect(await sender().send({ url: to.url, ...posting })).toMatchObject({
      status: 201,
      responseText: 'made',
    });
  });

  test('goes over a connection that is already open', async () => {
    await using to = await receiver((response) => response.end('ok'));
    const over = sender();
    for (let i = 0; i < 20; i += 1) await over.send({ url: to.url, ...posting });
    expect(to.connections()).toBe(1);
  });

  test('does not wait behind one that hangs at the same receiver', async () => {
    const hanging = Promise.withResolvers<undefined>();
    await using to = await receiver((response, { path }) => {
      if (path === '/hang') hanging.resolve(undefined);
      else response.end('ok');
    });
    const over = sender();
    const end = new AbortController();
    const hung = over.send({ url: to.url.replace('/hook', '/hang'), ...posting, signal: end.signal });
    await hanging.promise;
    expect(await Promise.race([hung, over.send({ url: to.url, ...posting })])).toMatchObject({ status: 200 });
    end.abort();
    expect(await hung).toMatchObject({ reason: 'aborted' });
  });

  test('ignores the proxy of the environment', async () => {
    await using proxy = await rawReceiver((socket) => socket.destroy());
    await using to = await receiver((response) => response.end('direct'));
    for (const name of ['HTTP_PROXY', 'HTTPS_PROXY', 'ALL_PROXY', 'http_proxy', 'https_proxy']) {
      vi.stubEnv(name, `http://127.0.0.1:${proxy.port}`);
    }
    vi.stubEnv('NODE_USE_ENV_PROXY', '1');
    const outcome = await sender().send({ url: to.url, ...posting });
    vi.unstubAllEnvs();
    expect(outcome).toMatchObject({ responseText: 'direct' });
    expect(proxy.connections()).toBe(0);
  });
});

describe('a response body', () => {
  test('is kept up to the limit and read to its end, so that the connection serves on', async () => {
    await using to = await receiver((response) => response.end('x'.repeat(200_000)));
    const over = sender();
    for (let i = 0; i < 3; i += 1) {
      const outcome = await over.send({ url: to.url, ...posting });
      expect(outcome).toMatchObject({ kind: 'answered', status: 200, truncated: true });
      expect(outcome).toMatchObject({ responseText: 'x'.repeat(16_384) });
    }
    expect(to.connections()).toBe(1);
  });

  test('of exactly the limit is whole', async () => {
    await using to = await receiver((response) => response.end('0123456789'));
    const over = sender({ maximumResponseBytes: 10 });
    expect(await over.send({ url: to.url, ...posting })).toMatchObject({
      responseText: '0123456789',
      truncated: false,
    });
  });

  test('is cut between characters, not within one', async () => {
    await using to = await receiver((response) => response.end('aé食堂'));
    const over = sender({ maximumResponseBytes: 5 });
    expect(await over.send({ url: to.url, ...posting })).toMatchObject({
      responseText: 'aé',
      truncated: true,
    });
  });

  test('that never ends is broken off, long before the time limit', async () => {
    await using to = await receiver((response) => {
      const pour = () => {
        while (!response.destroyed && response.write(Buffer.alloc(65_536, 'x')));
      };
      response.on('drain', pour);
      pour();
    });
    const outcome = await sender({ timeoutMs: 25_000 }).send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, truncated: true });
    expect(outcome.durationMs).toBeLessThan(15_000);
    await to.closed;
  });

  test('that drips past the time limit is cut there, and the 2xx before it still acknowledges', async () => {
    await using to = await receiver((response) => {
      const drip = setInterval(() => response.write('.'), 20);
      response.on('close', () => clearInterval(drip));
    });
    // On a machine under load no answer may begin in time.
    const outcome = await until(async () => {
      const cut = await sender({ timeoutMs: 1_000 }).send({ url: to.url, ...posting });
      return isAcknowledged(cut) && cut;
    });
    expect(outcome).toMatchObject({
      truncated: true,
      responseText: expect.stringMatching(/^\.+$/) as string,
    });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(999);
    await to.closed;
  });

  test('that is broken off by the receiver does not take the status back', async () => {
    await using to = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\nContent-Length: 100\r\n\r\npartial', () => socket.destroy());
    });
    const outcome = await sender().send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ status: 200, responseText: 'partial', truncated: true });
  });
});

describe('a failure', () => {
  test('is a timeout when no answer comes, and the connection is closed', async () => {
    await using to = await receiver(() => undefined);
    const outcome = await sender({ timeoutMs: 200 }).send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
    expect(outcome.durationMs).toBeGreaterThanOrEqual(199);
    await to.closed;
  });

  test('is a timeout when nothing follows an informational response', async () => {
    await using to = await receiver((response) =>
      response.writeEarlyHints({ link: '</a.css>; rel=preload' }),
    );
    const outcome = await sender({ timeoutMs: 200 }).send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
  });

  test('is a timeout when the header drips', async () => {
    await using to = await rawReceiver((socket) => {
      socket.write('HTTP/1.1 200 OK\r\n');
      const drip = setInterval(() => socket.write('X-Slow: 1\r\n'), 20);
      socket.on('close', () => clearInterval(drip));
    });
    const outcome = await sender({ timeoutMs: 300 }).send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'timeout' });
    await to.closed;
  });

  test('is a timeout, and nothing is sent later, when no connection was free in time', async () => {
    const paths: (string | undefined)[] = [];
    await using to = await receiver((response, { path }) => {
      paths.push(path);
      if (path === '/last') response.end('ok');
    });
    const send = (over: Sender, path: string) =>
      over.send({ url: to.url.replace('/hook', path), ...posting });
    // On a machine under load the first two may have no connection in time either, or the third a longer time than they.
    await until(async () => {
      const over = sender({ timeoutMs: 1_000, connectionsPerOrigin: 2 });
      paths.length = 0;
      const first = await Promise.all(['/a', '/b', '/c'].map((path) => send(over, path)));
      expect(first.map((outcome) => outcome.kind === 'failed' && outcome.reason)).toEqual(
        Array(3).fill('timeout'),
      );
      await until(async () => (await send(over, '/last')).kind === 'answered');
      return paths.filter((path) => path !== '/last').join() === '/a,/b';
    });
  });

  test('is a reset when the receiver hangs up', async () => {
    await using rude = await rawReceiver((socket) => socket.resetAndDestroy());
    await using polite = await rawReceiver((socket) => socket.end());
    expect(await sender().send({ url: rude.url, ...posting })).toMatchObject({
      kind: 'failed',
      reason: 'reset',
    });
    expect(await sender().send({ url: polite.url, ...posting })).toMatchObject({
      kind: 'failed',
      reason: 'reset',
    });
  });

  test.each([
    ['not HTTP', 'SSH-2.0-OpenSSH_9.9\r\n'],
    ['a header without end', `HTTP/1.1 200 OK\r\nX: ${'x'.repeat(100_000)}`],
  ])('is one of protocol when the answer is %s', async (_what, answer) => {
    await using to = await rawReceiver((socket) => socket.write(answer));
    const outcome = await sender().send({ url: to.url, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'protocol' });
  });

  test('is one of connection when nobody listens', async () => {
    const outcome = await sender().send({ url: `http://127.0.0.1:${await deadPort()}/`, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
  });

  test('is one of connection when the name takes too long to resolve', async () => {
    const over = sender({ resolver: () => new Promise(() => undefined), connectTimeoutMs: 50 });
    const outcome = await over.send({ url: 'http://slow.example/', ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'connect' });
    expect(outcome.durationMs).toBeLessThan(5_000);
  });

  test('is one of DNS when the name does not resolve', async () => {
    const over = sender({ resolver: () => Promise.reject(new Error('ENOTFOUND')) });
    expect(await over.send({ url: 'http://gone.example/', ...posting })).toMatchObject({ reason: 'dns' });
  });

  test('is an invalid request when a header cannot be written', async () => {
    await using to = await receiver((response) => response.end());
    const outcome = await sender().send({
      ...posting,
      url: to.url,
      headers: { 'X-Split': 'a\r\nX-Other: b' },
    });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'invalid_request' });
    expect(to.connections()).toBe(0);
  });

  test('says which host, and neither path nor query', async () => {
    const port = await deadPort();
    await using silent = await receiver(() => undefined);
    const over = sender({ timeoutMs: 100 });
    for (const url of [
      `http://127.0.0.1:${port}/T0KEN?key=T0KEN`,
      `http://127.0.0.1:${silent.port}/T0KEN?T0KEN`,
    ]) {
      const outcome = await over.send({ url, ...posting });
      expect(outcome).toMatchObject({ message: expect.stringContaining('127.0.0.1') as string });
      expect(JSON.stringify(outcome)).not.toContain('T0KEN');
    }
  });

  test('is an outcome, never an exception, whatever the URL, the headers and the body', async () => {
    const over = sender({ policy: production, resolver: () => Promise.reject(new Error('no network')) });
    const url = fc.oneof(fc.webUrl({ validSchemes: ['https'] }), fc.string());
    const headers = fc.dictionary(fc.string(), fc.string());
    await fc.assert(
      fc.asyncProperty(url, headers, fc.string({ unit: 'binary' }), async (to, having, body) => {
        expect(await over.send({ url: to, headers: having, body })).toMatchObject({ kind: 'failed' });
      }),
    );
  });
});

describe('a request that is broken off by its signal', () => {
  test('ends at once, as broken off by us, and its connection is closed', async () => {
    const abort = new AbortController();
    await using to = await receiver(() => abort.abort());
    const outcome = await sender().send({ ...posting, url: to.url, signal: abort.signal });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'aborted' });
    expect(outcome.durationMs).toBeLessThan(5_000);
    await to.closed;
  });

  test('keeps the status that is in already: the receiver has taken it', async () => {
    const abort = new AbortController();
    await using to = await receiver((response) => response.write('half of it'));
    const headersArrived = () => setImmediate(() => abort.abort());
    subscribe('undici:request:headers', headersArrived);
    onTestFinished(() => void unsubscribe('undici:request:headers', headersArrived));
    const outcome = await sender().send({ ...posting, url: to.url, signal: abort.signal });
    expect(outcome).toMatchObject({ kind: 'answered', status: 200, truncated: true });
    await to.closed;
  });

  test('is not begun when the signal has aborted before', async () => {
    await using to = await receiver((response) => response.end());
    const outcome = await sender().send({ ...posting, url: to.url, signal: AbortSignal.abort() });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'aborted' });
    expect(to.connections()).toBe(0);
  });

  test('leaves no listener behind when it ends by itself', async () => {
    const { signal } = new AbortController();
    await using to = await receiver((response) => response.end());
    await sender().send({ ...posting, url: to.url, signal });
    expect(getEventListeners(signal, 'abort')).toEqual([]);
  });
});

describe('the destination guard', () => {
  test('keeps a production sender from connecting to a name that leads to this machine', async () => {
    await using to = await rawReceiver((socket) => socket.destroy());
    const over = sender({ policy: production, resolver: thisMachine });
    const outcome = await over.send({ url: `https://hooks.example.org:${to.port}/`, ...posting });
    expect(outcome).toMatchObject({
      kind: 'failed',
      reason: 'refused_destination',
      message: 'hooks.example.org leads to 127.0.0.1, which is an address of this machine.',
    });
    expect(to.connections()).toBe(0);
  });

  test('keeps a production sender from connecting to a literal', async () => {
    await using to = await rawReceiver((socket) => socket.destroy());
    const over = sender({ policy: production });
    for (const host of ['127.0.0.1', '2130706433', '0x7f.1', '[::ffff:127.0.0.1]']) {
      const outcome = await over.send({ url: `https://${host}:${to.port}/`, ...posting });
      expect(outcome).toMatchObject({ kind: 'failed', reason: 'refused_destination' });
    }
    expect(to.connections()).toBe(0);
  });

  test('judges the address of each new connection, so that a rebound name is refused', async () => {
    await using to = await receiver((response) => response.writeHead(200, { Connection: 'close' }).end());
    const answers = ['127.0.0.1', '169.254.169.254'];
    const resolver: Resolver = () => Promise.resolve([{ address: answers.shift() ?? '', family: 4 }]);
    const over = sender({ resolver });
    const url = `http://rebinding.example:${to.port}/`;
    expect(await over.send({ url, ...posting })).toMatchObject({ kind: 'answered', status: 200 });
    expect(await over.send({ url, ...posting })).toMatchObject({
      kind: 'failed',
      reason: 'refused_destination',
    });
  });
});

describe('TLS', () => {
  const certificate = selfSigned('hooks.example.org', new Date());
  const usual = getCACertificates('default');
  afterAll(() => setDefaultCACertificates(usual));

  test('is refused while the certificate is not trusted, and works once it is, for its own name only', async () => {
    await using to = await tlsReceiver(certificate);
    const send = (host: string) =>
      sender({ resolver: thisMachine }).send({ url: `https://${host}:${to.port}/`, ...posting });

    expect(await send('hooks.example.org')).toMatchObject({ kind: 'failed', reason: 'tls' });
    setDefaultCACertificates([...usual, certificate.cert]);
    expect(await send('hooks.example.org')).toMatchObject({ status: 200, responseText: 'over TLS' });
    expect(await send('other.example.org')).toMatchObject({ kind: 'failed', reason: 'tls' });
  });

  test('that the receiver does not speak is a failure of TLS', async () => {
    await using to = await receiver((response) => response.end());
    const outcome = await sender().send({ url: `https://127.0.0.1:${to.port}/`, ...posting });
    expect(outcome).toMatchObject({ kind: 'failed', reason: 'tls' });
  });
});

describe('closing', () => {
  test('waits for what is under way and takes nothing new', async () => {
    const arrived = Promise.withResolvers<() => void>();
    await using to = await receiver((response) => arrived.resolve(() => response.end('late')));
    const over = createSender({ policy: development });
    const running = over.send({ url: to.url, ...posting });
    const answer = await arrived.promise;
    const closing = over.close();
    expect(await over.send({ url: to.url, ...posting })).toMatchObject({ kind: 'failed', reason: 'closed' });
    answer();
    expect(await running).toMatchObject({ kind: 'answered', responseText: 'late' });
    await closing;
    await to.closed;
  });

  test('takes nothing new where nothing was sent before', async () => {
    const over = createSender({ policy: development });
    await over.close();
    const url = 'http://127.0.0.1:9/';
    expect(await over.send({ url, ...posting })).toMatchObject({ kind: 'failed', reason: 'closed' });
  });
});
