import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { anyForm, consentForm } from '../../support/any-form.ts';
import { startSystem, type RunningSystem } from '../harness.ts';
import { answersTo, command, formUrl, newNetwork, publish, urlEncoded, type Values } from './visitor.ts';

const site = 'https://harbour.example';
const url = formUrl('contact');

let system: RunningSystem;
beforeAll(async () => {
  system = await startSystem();
  await system.team('harbour');
  await publish(system, 'contact', anyForm({ allowed_origins: [site, 'http://localhost:8080'] }));
});
afterAll(() => system.stop());

type Headers = Readonly<Record<string, string>>;
const stored = () => answersTo(system, 'contact');

/** A script on a page of the team. */
const script = (payload: object | string, headers: Headers = {}, to = url) =>
  system.server.inject({
    method: 'POST',
    url: to,
    remoteAddress: newNetwork(),
    headers: {
      origin: site,
      'sec-fetch-site': 'cross-site',
      accept: '*/*',
      'content-type': 'application/json',
      ...headers,
    },
    payload,
  });

/** A form without a script on a page of the team. */
const plainForm = (values: Values, headers: Headers = {}) =>
  system.server.inject({
    method: 'POST',
    url,
    remoteAddress: newNetwork(),
    headers: {
      origin: site,
      'sec-fetch-site': 'cross-site',
      'sec-fetch-mode': 'navigate',
      accept: 'text/html,application/xhtml+xml,*/*;q=0.8',
      'content-type': 'application/x-www-form-urlencoded',
      ...headers,
    },
    payload: urlEncoded(values),
  });

const preflight = (origin: string, to = url) =>
  system.server.inject({
    method: 'OPTIONS',
    url: to,
    headers: {
      origin,
      'access-control-request-method': 'POST',
      'access-control-request-headers': 'content-type',
    },
  });

describe('a preflight', () => {
  test('is granted to the named sites, for what the endpoint takes', async () => {
    for (const origin of [site, 'http://localhost:8080']) {
      const { statusCode, headers } = await preflight(origin);
      expect(statusCode).toBe(204);
      expect(headers).toMatchObject({
        'access-control-allow-origin': origin,
        'access-control-allow-methods': 'POST',
        'access-control-allow-headers': 'Content-Type, Idempotency-Key',
        vary: 'origin',
      });
      expect(headers['access-control-allow-credentials']).toBeUndefined();
    }
  });

  test.each([
    'https://evil.example',
    'null',
    `${site}.evil.example`,
    'http://harbour.example',
    `${site}:444`,
    '',
  ])('is refused to %j', async (origin) => {
    const { statusCode, headers } = await preflight(origin);
    expect(statusCode).toBe(403);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is refused where there is no form', async () => {
    expect((await preflight(site, formUrl('none'))).statusCode).toBe(404);
  });
});

describe('a script on the site of a team', () => {
  test('sends answers as JSON and reads the thanks', async () => {
    const answer = await script({ name: 'Ana', household: 3, help_with: ['cooking'], agrees: true });
    expect(answer.statusCode).toBe(201);
    expect(answer.headers).toMatchObject({
      'access-control-allow-origin': site,
      'cache-control': 'no-store',
    });
    expect(answer.json()).toEqual({
      id: expect.stringMatching(/^[0-9a-f-]{36}$/) as string,
      message: 'We will call within two days.',
    });
    expect((await stored()).at(-1)).toEqual({
      name: 'Ana',
      household: 3,
      help_with: ['cooking'],
      agrees: true,
    });
    const spanish = await script({ name: 'Ana' }, { 'accept-language': 'es' });
    expect(spanish.json()).toMatchObject({ message: 'Le llamaremos en dos días.' });
  });

  test('sends answers as a form as well', async () => {
    const answer = await script(urlEncoded({ name: 'Bea', help_with: ['cooking', 'phones'] }), {
      'content-type': 'application/x-www-form-urlencoded',
    });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([
      201,
      'application/json; charset=utf-8',
    ]);
    expect((await stored()).at(-1)).toMatchObject({ name: 'Bea', help_with: ['cooking', 'phones'] });
  });

  test('sends one submission with one Idempotency-Key, whatever comes with it', async () => {
    const before = (await stored()).length;
    const key = { 'idempotency-key': 'visit-1' };
    const answers = await Promise.all([script({ name: 'Once' }, key), script({ name: 'Once' }, key)]);
    answers.push(await script({ name: 'Another' }, key));
    expect(new Set(answers.map((answer) => answer.json<{ id: string }>().id)).size).toBe(1);
    expect((await stored()).slice(before)).toEqual([{ name: 'Once', agrees: false }]);
    expect((await script({ name: 'A' }, { 'idempotency-key': 'a b' })).statusCode).toBe(400);
  });

  test('is told which answers are wrong', async () => {
    const answer = await script({ email: 'nobody', household: 99, extra: 1 });
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([422, 'application/problem+json']);
    expect(answer.headers['access-control-allow-origin']).toBe(site);
    expect(answer.json()).toMatchObject({
      error: 'invalid_answers',
      errors: [
        { field: 'name', code: 'missing', message: 'Please answer this.' },
        { field: 'email', code: 'email' },
        { field: 'household', code: 'above_maximum' },
        { field: 'extra', code: 'unknown_field' },
      ],
    });
    expect(answer.body).not.toContain('nobody');
  });

  test.each<[string, string | object, Headers, number, string]>([
    ['no JSON', '{"name":', {}, 400, 'invalid_json'],
    ['a prototype', '{"__proto__":{"name":"A"}}', {}, 400, 'invalid_json'],
    ['a constructor', '{"constructor":{"prototype":{}},"name":"A"}', {}, 400, 'invalid_json'],
    ['a list', '[["name","A"]]', {}, 422, 'invalid_body'],
    ['text', '"name"', {}, 422, 'invalid_body'],
    ['nothing', 'null', {}, 422, 'invalid_body'],
    ['a member named as our parser names its own', { text: [[1]] }, {}, 422, 'invalid_answers'],
    ['deep JSON', `{"name":${'['.repeat(5_000)}${']'.repeat(5_000)}}`, {}, 422, 'invalid_answers'],
    ['more than 128 KiB', { name: 'A', story: 'x'.repeat(140_000) }, {}, 413, 'payload_too_large'],
    ['files', 'x', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'unsupported_media_type'],
    [
      'text/plain, which needs no preflight',
      '{"name":"A"}',
      { 'content-type': 'text/plain' },
      415,
      'unsupported_media_type',
    ],
    ['another site', { name: 'A' }, { origin: 'https://evil.example' }, 403, 'origin_not_allowed'],
    ['a sandboxed frame', { name: 'A' }, { origin: 'null' }, 403, 'origin_not_allowed'],
  ])('is refused with %s', async (_, body, headers, status, code) => {
    const before = (await stored()).length;
    const answer = await script(body, headers);
    expect([answer.statusCode, answer.json<{ error: string }>().error]).toEqual([status, code]);
    expect(answer.headers['access-control-allow-origin']).toBe(
      code === 'origin_not_allowed' ? undefined : site,
    );
    expect(await stored()).toHaveLength(before);
  });

  test('that names the version whose words it shows sends nothing to other words', async () => {
    const consent = (agrees: string) => ({ ...consentForm(agrees), allowed_origins: [site] });
    await publish(system, 'consent', consent('You keep this.'));
    await command(system, 'consent', { kind: 'revise', definition: consent('You sell this.') });
    const to = formUrl('consent');
    const refused = await script({ agrees: true, 'form-version': 1 }, {}, to);
    expect([refused.statusCode, refused.json<{ error: string }>().error]).toEqual([409, 'form_changed']);
    expect((await script({ agrees: true, 'form-version': 'x' }, {}, to)).statusCode).toBe(409);
    expect(await answersTo(system, 'consent')).toEqual([]);
    expect((await script({ agrees: true, 'form-version': 2 }, {}, to)).statusCode).toBe(201);
    expect((await script({ agrees: true }, {}, to)).statusCode).toBe(201);
  });

  test('is refused without an Origin, and where the team has named no site', async () => {
    const without = await system.server.inject({ method: 'POST', url, payload: { name: 'A' } });
    expect([without.statusCode, without.json<{ error: string }>().error]).toEqual([
      403,
      'origin_not_allowed',
    ]);
    await publish(system, 'own', anyForm());
    expect((await script({ name: 'A' }, {}, formUrl('own'))).statusCode).toBe(403);
  });

  test('is told that the form is closed, or that there is none', async () => {
    await publish(system, 'closing', anyForm({ allowed_origins: [site] }));
    await command(system, 'closing', { kind: 'close' });
    const closed = await script({ name: 'A' }, {}, formUrl('closing'));
    expect([closed.statusCode, closed.json<{ error: string }>().error]).toEqual([410, 'form_closed']);
    expect((await script({ name: 'A' }, {}, formUrl('none'))).statusCode).toBe(404);
  });

  test('that fills in the field which people do not see is told nothing', async () => {
    const before = (await stored()).length;
    expect((await script({ name: 'A', 'form-more': 'x' })).statusCode).toBe(201);
    expect(await stored()).toHaveLength(before);
  });

  test('is off the list as soon as the team takes it off', async () => {
    await publish(system, 'listed', anyForm({ allowed_origins: [site] }));
    expect((await script({ name: 'A' }, {}, formUrl('listed'))).statusCode).toBe(201);
    await command(system, 'listed', { kind: 'revise', definition: anyForm() });
    expect((await script({ name: 'A' }, {}, formUrl('listed'))).statusCode).toBe(403);
  });
});

describe('a form without a script on the site of a team', () => {
  test('leads to the thanks', async () => {
    const answer = await plainForm({ name: 'Cleo', day: 'sat' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${url}?done=`]);
    expect((await stored()).at(-1)).toEqual({ name: 'Cleo', day: 'sat', agrees: false });
  });

  test('leads to the page of the form when an answer is wrong, with what was typed', async () => {
    const { statusCode, body, headers } = await plainForm({ name: 'Cleo', email: 'nobody' });
    expect([statusCode, headers['content-type']]).toEqual([422, 'text/html; charset=utf-8']);
    expect(body).toContain('value="Cleo"');
    expect(body).toContain('This is not an email address.');
    expect(body).toContain('name="form-token"');
  });

  test.each<[string, Headers, number, string]>([
    ['from another site', { origin: 'https://evil.example' }, 403, 'This form cannot be sent from there'],
    ['from a sandboxed frame', { origin: 'null' }, 403, 'This form cannot be sent from there'],
    ['with files', { 'content-type': 'multipart/form-data; boundary=x' }, 415, 'Files cannot be sent here'],
  ])('is refused in words %s', async (_, headers, status, words) => {
    const before = (await stored()).length;
    const answer = await plainForm({ name: 'Cleo' }, headers);
    expect([answer.statusCode, answer.headers['content-type']]).toEqual([status, 'text/html; charset=utf-8']);
    expect(answer.body).toContain(words);
    expect(await stored()).toHaveLength(before);
  });
});
