import { connect } from 'node:net';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { legacy, openAnother, startSystem, v1, type RunningSystem, type TestKey } from './harness.ts';

interface RawAnswer {
  readonly status: number;
  readonly text: string;
}

/** Sends bytes as they are and reads until the server closes or has answered. */
const sendBytes = (port: number, bytes: string | Buffer): Promise<RawAnswer> =>
  new Promise((resolve, reject) => {
    const socket = connect(port, '127.0.0.1');
    let text = '';
    const finish = () => {
      socket.destroy();
      resolve({ status: Number(/^HTTP\/1\.1 (\d+)/.exec(text)?.[1]), text });
    };
    socket.on('connect', () => socket.write(bytes));
    socket.on('data', (data) => {
      text += data.toString('latin1');
      const [head = '', body] = text.split('\r\n\r\n');
      const length = /content-length: (\d+)/i.exec(head)?.[1];
      if (body !== undefined && (length === undefined || body.length >= Number(length))) finish();
    });
    socket.on('end', finish);
    socket.on('error', reject);
  });

describe('over real connections the server', () => {
  let system: RunningSystem;
  let key: TestKey;
  let origin: string;
  let port: number;
  beforeAll(async () => {
    system = await startSystem();
    key = await system.key();
    await system.resources(30);
    origin = await system.listen();
    port = Number(new URL(origin).port);
  });
  afterAll(() => system.stop());

  test('refuses a revoked key from the next request on, while others keep the server busy', async () => {
    const busy = await system.key();
    let stop = false;
    const load = Array.from({ length: 4 }, async () => {
      while (!stop)
        expect((await fetch(`${origin}${v1}?limit=5`, { headers: busy.bearer })).status).toBe(200);
    });
    const other = await openAnother(system);
    for (let round = 0; round < 60; round++) {
      const own = await system.key();
      const ask = async (path: string) => (await fetch(`${origin}${path}`, { headers: own.bearer })).status;
      expect(await ask(v1)).toBe(200);
      expect(await ask(`${legacy}?key=${own.key}`)).toBe(200);
      await system.revoke(own.keyId, other);
      expect(await ask(v1), `round ${round}`).toBe(401);
      expect(await ask(`${legacy}?key=${own.key}`), `round ${round}`).toBe(401);
    }
    stop = true;
    await Promise.all(load);
    await other.close();
  });

  test('answers requests sent on one connection without waiting, in their order', async () => {
    const request = (limit: number) =>
      `GET ${v1}?limit=${limit} HTTP/1.1\r\nhost: x\r\nauthorization: ${key.bearer.authorization}\r\n`;
    const answer = await new Promise<string>((resolve) => {
      const socket = connect(port, '127.0.0.1');
      let text = '';
      socket.on('data', (data) => (text += data.toString()));
      socket.on('end', () => resolve(text));
      socket.write(`${request(1)}\r\n${request(2)}\r\n${request(0)}connection: close\r\n\r\n`);
    });
    expect([...answer.matchAll(/HTTP\/1\.1 (\d+)/g)].map(([, status]) => status)).toEqual([
      '200',
      '200',
      '400',
    ]);
  });

  test.each<[string, string, number[]]>([
    ['rubbish', 'RUBBISH\r\n\r\n', [400]],
    ['a TLS greeting', '\x16\x03\x01\x02\x00\x01\x00', [400]],
    ['an unknown method', `BREW ${v1} HTTP/1.1\r\nhost: x\r\n\r\n`, [400]],
    ['an address of 20 KiB', `GET /${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, [431]],
    ['a query of 20 KiB', `GET ${v1}?q=${'a'.repeat(20_000)} HTTP/1.1\r\nhost: x\r\n\r\n`, [431]],
    ['headers of 20 KiB', `GET ${v1} HTTP/1.1\r\nhost: x\r\nx: ${'a'.repeat(20_000)}\r\n\r\n`, [431]],
    ['a header with a NUL', `GET ${v1} HTTP/1.1\r\nhost: x\r\nx: a\0b\r\n\r\n`, [400]],
    [
      'two lengths',
      `POST ${v1} HTTP/1.1\r\nhost: x\r\ncontent-length: 1\r\ncontent-length: 2\r\n\r\nab`,
      [400],
    ],
    [
      'a length and chunks',
      `POST ${v1} HTTP/1.1\r\nhost: x\r\ncontent-length: 3\r\ntransfer-encoding: chunked\r\n\r\n0\r\n\r\n`,
      [400],
    ],
    ['a negative length', `POST ${v1} HTTP/1.1\r\nhost: x\r\ncontent-length: -1\r\n\r\n`, [400]],
    ['bad chunks', `POST ${v1} HTTP/1.1\r\nhost: x\r\ntransfer-encoding: chunked\r\n\r\nzz\r\n`, [400, 401]],
    ['an absolute address', `GET http://evil.test${v1} HTTP/1.1\r\nhost: x\r\n\r\n`, [400, 401, 404]],
    ['an asterisk', 'OPTIONS * HTTP/1.1\r\nhost: x\r\n\r\n', [404, 405]],
    [
      'a path upwards',
      'GET /docs/api/static/../../../../etc/passwd HTTP/1.1\r\nhost: x\r\n\r\n',
      [400, 403, 404],
    ],
    [
      'an encoded path upwards',
      'GET /docs/api/static/..%2f..%2f..%2fpackage.json HTTP/1.1\r\nhost: x\r\n\r\n',
      [400, 403, 404],
    ],
    ['an encoded NUL in a path', 'GET /docs/api/static/%00 HTTP/1.1\r\nhost: x\r\n\r\n', [400, 403, 404]],
    ['bytes in a path', 'GET /\xff\xfe HTTP/1.1\r\nhost: x\r\n\r\n', [400, 404]],
  ])('answers %s cleanly and lives on', async (_what, bytes, statuses) => {
    const { status, text } = await sendBytes(port, Buffer.from(bytes, 'latin1'));
    expect(statuses).toContain(status);
    // An asterisk is no path of the API: a page answers it.
    expect(text).toMatch(/application\/problem\+json|text\/html/);
    expect(text.toLowerCase()).toContain('x-content-type-options: nosniff');
    expect(text.toLowerCase()).toContain('x-frame-options: deny');
    expect(text).not.toMatch(/\bat .*\.[jt]s:\d+/);
    expect((await fetch(`${origin}/healthz`)).status).toBe(200);
  });

  test('refuses a request without a host, as Node does, with a bare 400', async () => {
    expect((await sendBytes(port, `GET ${v1} HTTP/1.1\r\n\r\n`)).status).toBe(400);
  });

  test('does not fall when a client goes away in the middle of a body', async () => {
    await new Promise<void>((resolve) => {
      const socket = connect(port, '127.0.0.1', () => {
        const head = `POST ${v1} HTTP/1.1\r\nhost: x\r\nauthorization: ${key.bearer.authorization}\r\n`;
        socket.write(`${head}content-type: application/json\r\ncontent-length: 100\r\n\r\n{"name":`, () => {
          socket.destroy();
          resolve();
        });
      });
    });
    expect((await fetch(`${origin}${v1}`, { headers: key.bearer })).status).toBe(200);
  });
});

describe('no input whatever', () => {
  let system: RunningSystem;
  let keys: TestKey[];
  let known: string;
  beforeAll(async () => {
    system = await startSystem();
    await system.team('harbour', ['directory:manage']);
    const scopes = ['resources:read', 'resources:submit', 'directory:manage'] as const;
    keys = [await system.key(), await system.key({ kind: 'team', team: 'harbour', scopes })];
    known = await system.submission('harbour');
    await system.resources(5);
  });
  afterAll(() => system.stop());

  const odd = fc.constantFrom(
    '__proto__',
    'constructor',
    'toString',
    '\0',
    '\u2028',
    '\ud800',
    '%00',
    '%ED%A0%80',
    '../..',
    "' OR 1=1 --",
    '"*',
    'NaN',
    '-0',
    '1e999',
    '9'.repeat(400),
    '{}',
    'null',
    'İ',
    'ﷺ'.repeat(60),
    '😀',
  );
  const text = fc.oneof(fc.string(), fc.string({ unit: 'binary' }), odd);
  const json = fc.oneof(
    fc.jsonValue(),
    fc.record(
      {
        name: fc.oneof(text, fc.jsonValue()),
        category: fc.oneof(fc.constantFrom('food', 'other'), text),
        description: fc.oneof(text, fc.jsonValue()),
        url: fc.oneof(text, fc.webUrl()),
        email: text,
        city: text,
        languages: fc.oneof(fc.array(text), fc.jsonValue()),
        note: text,
        reason: text,
      },
      { requiredKeys: [] },
    ),
  );
  const names = fc.oneof(
    fc.constantFrom('limit', 'cursor', 'category', 'q', 'updated_since', 'status', 'key', 'offset'),
    text,
  );
  const encode = (value: string): string => encodeURIComponent(value.toWellFormed());
  const query = fc
    .array(fc.tuple(names, text, fc.boolean()), { maxLength: 4 })
    .map((pairs) =>
      pairs
        .map(
          ([name, value, raw]) =>
            `${encode(name)}=${raw ? value.replace(/[^!-~]|[#?]/g, '%') : encode(value)}`,
        )
        .join('&'),
    );

  const expectNoFault = (answer: { statusCode: number; body: string }, what: unknown): void => {
    expect(answer.statusCode, JSON.stringify(what)).toBeLessThan(500);
    expect(answer.body).not.toMatch(/\bat .*\.[jt]s:\d+/);
  };

  test('in a query makes a fault', async () => {
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(v1, legacy, `${v1}/x`, '/', '/docs', '/docs/api', '/healthz'),
        query,
        fc.nat(1),
        async (path, asked, which) => {
          const { key = '', bearer } = keys[which] ?? {};
          const url = `${path}?${asked}`;
          expectNoFault(await system.server.inject({ url, headers: { ...bearer, 'x-api-key': key } }), url);
        },
      ),
      { numRuns: 600 },
    );
  });

  test('in a body makes a fault', async () => {
    const paths = ['', '/approve', '/reject', '/deactivate', '/reactivate'];
    await fc.assert(
      fc.asyncProperty(
        fc.constantFrom(...paths),
        json,
        fc.nat(1),
        fc.constantFrom('POST', 'PATCH'),
        async (path, body, which, method) => {
          const url =
            path === '' && method === 'POST' ? v1 : `${v1}/${known}${method === 'PATCH' ? '' : path}`;
          const answer = await system.server.inject({
            method,
            url,
            headers: { ...keys[which]?.bearer, 'content-type': 'application/json' },
            payload: JSON.stringify(body),
          });
          expectNoFault(answer, body);
        },
      ),
      { numRuns: 500 },
    );
  });

  test('of bytes as a body makes a fault', async () => {
    await fc.assert(
      fc.asyncProperty(fc.uint8Array({ maxLength: 300 }), async (bytes) => {
        const answer = await system.server.inject({
          method: 'POST',
          url: v1,
          headers: { ...keys[0]?.bearer, 'content-type': 'application/json' },
          payload: Buffer.from(bytes),
        });
        expectNoFault(answer, [...bytes]);
      }),
      { numRuns: 200 },
    );
  });

  test('in a path or a method makes a fault', async () => {
    const methods = [
      'GET',
      'HEAD',
      'POST',
      'PUT',
      'PATCH',
      'DELETE',
      'OPTIONS',
      'TRACE',
      'SEARCH',
      'QUERY',
    ] as const;
    await fc.assert(
      fc.asyncProperty(fc.constantFrom(...methods), text, fc.boolean(), async (method, path, deep) => {
        const url = `${deep ? `${v1}/` : '/'}${path.replace(/[^!-~]|[?#]/g, '%41')}`;
        // To inject() these begin another host's address, a broken one at that.
        fc.pre(!/^[/\\]{2}/.test(url));
        expectNoFault(
          await system.server.inject({ method: method as 'GET', url, headers: keys[1]?.bearer ?? {} }),
          url,
        );
      }),
      { numRuns: 400 },
    );
  });

  test('in a header makes a fault', async () => {
    const header = fc.constantFrom(
      'authorization',
      'x-api-key',
      'origin',
      'referer',
      'if-none-match',
      'accept-encoding',
      'accept',
      'idempotency-key',
      'content-type',
      'content-encoding',
      'x-forwarded-for',
      'x-forwarded-proto',
      'host',
      'x-request-id',
    );
    const restricted = await system.key({ domains: ['example.org'] });
    const trusting = await system.another({
      environment: { TRUST_PROXY: '127.0.0.1', BASE_URL: 'https://x.example' },
    });
    await fc.assert(
      fc.asyncProperty(
        header,
        text,
        fc.constantFrom(v1, legacy, '/docs', '/docs/api'),
        fc.constantFrom('GET', 'POST'),
        async (name, value, url, method) => {
          const headers = {
            ...restricted.bearer,
            'x-api-key': restricted.key,
            [name]: value.replace(/[^\t -~\xa0-\xff]/g, '?'),
          };
          const payload = method === 'POST' ? { payload: { name: 'a', category: 'food' } } : {};
          for (const server of [system.server, trusting]) {
            expectNoFault(await server.inject({ method, url, headers, ...payload }), headers);
          }
        },
      ),
      { numRuns: 500 },
    );
  });
});
