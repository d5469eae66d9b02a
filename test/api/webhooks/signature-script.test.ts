import { spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { describe, expect, test } from 'vitest';
import { repeatRequest } from '../../../src/api/webhooks/repeat-request.ts';
import type { DeliveryDetails } from '../../../src/dispatch/operations/delivery-details.ts';
import { isSigned, newSigningSecret, signHeaders } from '../../../src/dispatch/signature.ts';

interface Pasted {
  readonly body: string;
  readonly headers: string;
  readonly secret: string;
  readonly other?: string;
  readonly now: number;
}
interface Verdict {
  readonly valid: boolean;
  readonly cause: string;
  readonly sentences: readonly string[];
}

const script = readFileSync(new URL('../../../src/api/pages/assets/signature.js', import.meta.url), 'utf8');
// eslint-disable-next-line @typescript-eslint/no-implied-eval, @typescript-eslint/no-unsafe-call -- as the page runs it
const diagnose = new Function('document', `${script}; return diagnose;`)({
  querySelector: () => null,
}) as (pasted: Pasted) => Promise<Verdict>;

const [secret, next, stranger] = [1, 2, 3].map(() => newSigningSecret(randomBytes)) as [
  string,
  string,
  string,
];
const deliveryId = '4f7c3a52-3b4e-5d0a-9c1e-0a4d6a1f0b11';
const body = JSON.stringify({
  event: 'member.joined',
  delivery_id: deliveryId,
  data: { name: 'Ana Ruíz/1' },
});
const at = new Date('2026-03-01T12:00:00.250Z');
const signed = (more: { readonly nextSecret?: string } = {}) =>
  signHeaders({ secret, deliveryId, event: 'member.joined', body, at, ...more });
const lines = (headers: Readonly<Record<string, string>>) =>
  Object.entries(headers)
    .map(([name, value]) => `${name}: ${value}`)
    .join('\n');
const without = (name: string) =>
  Object.fromEntries(Object.entries(signed()).filter(([each]) => each !== name));

const verdict = (pasted: Partial<Pasted>) =>
  diagnose({ body, headers: lines(signed()), secret, now: at.getTime() + 1_000, ...pasted });

describe('a signature that is pasted', () => {
  test.each([
    ['lines', lines(signed())],
    ['lines as curl prints them', lines(signed()).replace(/^/gm, '> ')],
    [
      'lines in small letters',
      lines(signed())
        .toLowerCase()
        .replace(/v1,.*/, signed()['webhook-signature'] ?? ''),
    ],
    ['JSON', JSON.stringify(signed())],
  ])('is valid with its headers as %s', async (_, headers) => {
    expect(await verdict({ headers })).toMatchObject({ valid: true });
  });

  const written = JSON.stringify(JSON.parse(body), null, 2);
  test.each<readonly [string, Partial<Pasted>, RegExp]>([
    ['wrong secret', { secret: stranger }, /another webhook/],
    ['wrong secret', { secret: 'hunter2' }, /begins with whsec_/],
    ['wrong secret', { secret: secret.slice(0, -4) }, /whole/],
    ['body changed', { body: written }, /read and written again/],
    ['body changed', { body: body.replace('/', '\\/').replace('í', '\\u00ed') }, /read and written again/],
    ['body changed', { body: `${body}\n` }, /line break/],
    ['body changed', { body: 'event=member.joined' }, /no JSON/],
    [
      'body changed',
      { body: body.replace(deliveryId, '00000000-3b4e-5d0a-9c1e-0a4d6a1f0b11') },
      /different deliveries/,
    ],
    ['timestamp too old', { now: at.getTime() + 301_000 }, /301 seconds ago/],
    ['timestamp too old', { now: at.getTime() - 400_000 }, /in the future/],
    ['header missing', { headers: 'Content-Type: application/json' }, /Neither/],
    ['header missing', { headers: '' }, /Neither/],
    ['header missing', { headers: lines(without('webhook-id')) }, /webhook-id is missing/],
    ['header missing', { headers: lines(without('webhook-timestamp')) }, /webhook-timestamp is missing/],
    ['header changed', { headers: lines({ ...signed(), 'webhook-timestamp': '1772366401' }) }, /not the one/],
    ['secret of a rotation', { secret: next, headers: lines(signed({ nextSecret: next })) }, /next secret/],
    ['secret of a rotation', { secret: stranger, other: secret }, /old secret/],
  ])('is not, and is told why: %s, %o', async (cause, pasted, sentence) => {
    const { sentences, ...told } = await verdict(pasted);
    expect(told).toEqual({ valid: false, cause });
    expect(sentences.join(' ')).toMatch(sentence);
  });
});

test('the lines that repeat a delivery send the same bytes, signed anew, whatever stands in the body', async () => {
  const evil = JSON.stringify({ delivery_id: deliveryId, data: { name: `it's $(touch x) \`y\` "z" \\n é` } });
  const received = Promise.withResolvers<{ headers: Record<string, string>; body: string }>();
  const server = createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const headers = request.headers as Record<string, string>;
      received.resolve({ headers, body: Buffer.concat(chunks).toString() });
      response.writeHead(204).end();
    });
  }).listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;
  const details = { delivery: deliveryId, event: 'member.joined', test: true } as unknown as DeliveryDetails;
  const shell = repeatRequest(details, evil);
  expect(shell).not.toContain(secret);
  const runnable = shell
    .replace('http://localhost:8080/hook', `http://127.0.0.1:${port}/hook`)
    .replace("'whsec_…'", `'${secret}'`);
  const child = spawn('bash', ['-c', runnable], { stdio: 'ignore' });
  const { headers, body: sent } = await received.promise;
  await once(child, 'exit');
  server.close();
  expect(sent).toBe(evil);
  const asSent = { ...headers, 'X-Service-Signature': headers['x-service-signature'] ?? '' };
  expect(isSigned(asSent, sent, { secret })).toBe(true);
  expect(isSigned(asSent, sent, { secret: stranger })).toBe(false);
  expect(headers).toMatchObject({ 'x-service-event': 'member.joined', 'x-service-test': 'true' });
});
