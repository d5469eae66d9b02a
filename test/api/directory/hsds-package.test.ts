import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import fc from 'fast-check';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { byteRange } from '../../../src/api/directory/hsds/byte-range.ts';
import { openDatapackage } from '../../../src/hsds/package.ts';
import { openFiles } from '../../../src/hsds/source/open-files.ts';
import { temporaryFolder } from '../../support/folder.ts';
import { until } from '../../support/until.ts';
import { startSystem, type RunningSystem, type TestKey } from '../harness.ts';

const path = '/hsds/package.zip';

describe('the daily package', () => {
  let system: RunningSystem;
  let developer: TestKey;
  let now = new Date('2026-03-01T23:00:00Z');
  const folder = temporaryFolder();

  beforeAll(async () => {
    system = await startSystem({ now: () => now });
    developer = await system.key();
    await system.resources(5, {
      fields: (index) => ({
        name: `Pantry ${index}`,
        email: 'a@example.org',
        locations: [{ street: '9 Hidden Lane', city: 'Miami', confidential: true }],
      }),
    });
    await system.submission('commons', { name: 'A draft' });
    await system.caughtUp();
  });
  afterAll(async () => {
    await system.stop();
    folder.remove();
  });

  const ask = (headers = {}, method: 'GET' | 'HEAD' = 'GET') =>
    system.server.inject({ method, url: path, headers: { ...developer.bearer, ...headers } });

  async function namesIn(zip: Buffer): Promise<string[]> {
    const file = join(folder.path, 'package.zip');
    await writeFile(file, zip);
    const datapackage = await openDatapackage(file);
    try {
      const names: string[] = [];
      for await (const item of datapackage.records()) {
        if (item.kind === 'record') names.push(item.fields.name);
      }
      return names.sort();
    } finally {
      datapackage.close();
    }
  }

  test('has all public services, and nothing of other tiers', async () => {
    const answer = await ask();
    expect(answer.statusCode).toBe(200);
    expect(answer.headers).toMatchObject({
      'content-type': 'application/zip',
      'content-length': String(answer.rawPayload.length),
      'content-disposition': 'attachment; filename="hsds-2026-03-01.zip"',
      'last-modified': now.toUTCString(),
    });
    expect(await namesIn(answer.rawPayload)).toEqual([0, 1, 2, 3, 4].map((index) => `Pantry ${index}`));
    const stored = join(folder.path, 'package.zip');
    const files = await openFiles(stored);
    for (const name of files.names) {
      let text = '';
      for await (const part of await files.open(name)) text += String(part);
      for (const hidden of ['a@example.org', 'Hidden', 'A draft']) expect(text).not.toContain(hidden);
    }
    files.close();
  });

  test('wants a key', async () => {
    expect((await system.server.inject({ url: path })).statusCode).toBe(401);
    expect(
      (await system.server.inject({ method: 'POST', url: path, headers: developer.bearer })).statusCode,
    ).toBe(405);
  });

  test('is not sent again to who has it, nor to who asks for its head', async () => {
    const { headers, rawPayload } = await ask();
    const again = await ask({ 'if-none-match': String(headers.etag) });
    expect([again.statusCode, again.body]).toEqual([304, '']);
    const listed = await ask({ 'if-none-match': `"other", W/${String(headers.etag)}` });
    expect(listed.statusCode).toBe(304);
    const head = await ask({}, 'HEAD');
    expect([head.statusCode, head.body]).toEqual([200, '']);
    expect(head.headers).toMatchObject({
      etag: headers.etag,
      'content-length': String(rawPayload.length),
      'accept-ranges': 'bytes',
    });
  });

  test('can be loaded in parts', async () => {
    const { headers, rawPayload } = await ask();
    const bytes = rawPayload.length;
    const [start, rest] = [await ask({ range: 'bytes=0-99' }), await ask({ range: 'bytes=100-' })];
    expect([start.statusCode, start.headers['content-range']]).toEqual([206, `bytes 0-99/${bytes}`]);
    expect(Buffer.concat([start.rawPayload, rest.rawPayload]).equals(rawPayload)).toBe(true);
    const beyond = await ask({ range: `bytes=${bytes}-` });
    expect([beyond.statusCode, beyond.headers['content-range']]).toEqual([416, `bytes */${bytes}`]);
    expect((await ask({ range: 'bytes=0-99', 'if-range': String(headers.etag) })).statusCode).toBe(206);
    expect((await ask({ range: 'bytes=0-99', 'if-range': '"older"' })).statusCode).toBe(200);
    expect((await ask({ range: 'bytes=0-99', 'accept-encoding': 'gzip' })).rawPayload).toHaveLength(100);
  });

  test('is made once a day; the one before is served until the new one is there', async () => {
    const first = (await ask()).headers;
    await system.resources(1, { fields: () => ({ name: 'Pantry new' }) });
    await system.caughtUp();
    expect((await ask()).headers.etag).toBe(first.etag);
    now = new Date('2026-03-02T00:00:01Z');
    expect((await ask()).headers.etag).toBe(first.etag);
    await until(async () => (await ask({}, 'HEAD')).headers.etag !== first.etag);
    const next = await ask();
    expect(next.headers['content-disposition']).toContain('2026-03-02');
    expect(await namesIn(next.rawPayload)).toContain('Pantry new');
  });

  test('is the same on another node that makes it from the same state', async () => {
    const beside = await system.another({ now: () => now });
    const there = await beside.inject({ url: path, headers: developer.bearer });
    expect(there.headers.etag).toBe((await ask()).headers.etag);
  });
});

test('a byte range is inside the file, or there is none', () => {
  fc.assert(
    fc.property(fc.nat(50), fc.nat(50), fc.integer({ min: 1, max: 40 }), (from, to, bytes) => {
      const all = Array.from({ length: bytes }, (_, at) => at);
      const asked = (header: string) => {
        const range = byteRange(header, bytes);
        return typeof range === 'object' ? all.slice(range.first, range.last + 1) : range;
      };
      expect(asked(`bytes=${from}-`)).toEqual(from < bytes ? all.slice(from) : 'unsatisfiable');
      expect(asked(`bytes=-${to}`)).toEqual(to === 0 ? 'unsatisfiable' : all.slice(-to));
      const both = to < from ? undefined : from >= bytes ? 'unsatisfiable' : all.slice(from, to + 1);
      expect(asked(`bytes=${from}-${to}`)).toEqual(both);
    }),
  );
  for (const ignored of [undefined, '', 'bytes=', 'bytes=-', 'bytes=0-1,3-4', 'lines=0-1', 'bytes=a-b']) {
    expect(byteRange(ignored, 10)).toBeUndefined();
  }
});
