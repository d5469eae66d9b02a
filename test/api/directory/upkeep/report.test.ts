import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { cookieOf, fieldsIn, formIn } from '../../../support/posted-form.ts';
import { startSystem, v1, type RunningSystem, type TestKey } from '../../harness.ts';
import { logTexts } from '../../../support/log-texts.ts';

const reports = '/dash/api/v1/reports';
const started = Date.parse('2026-11-20T15:00:00Z');
let now = new Date(started);
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

let system: RunningSystem;
let svcId: string;
let team: TestKey;
let other: TestKey;
let log = '';
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  system = await startSystem({ now: () => now, logger: { level: 'trace', stream } });
  await system.team('harbour', ['directory:manage']);
  await system.team('library', ['directory:manage']);
  const scopes = ['resources:read', 'directory:manage'] as const;
  team = await system.key({ kind: 'team', team: 'harbour', scopes });
  other = await system.key({ kind: 'team', team: 'library', scopes });
  [svcId = ''] = await system.resources(1, { team: 'harbour', fields: () => ({ name: 'Corner Pantry' }) });
});
afterAll(() => system.stop());

/** Each caller is a network of its own, unless one is named. */
let networks = 0;
const newNetwork = () =>
  `198.51.${Math.floor(++networks / 250)}.${networks % 250}`.replace(/(\d+)\.(\d+)$/, '$2.1');

interface Visit {
  readonly from?: string;
  readonly language?: string;
  readonly of?: string;
}

/** Somebody who opens the form, and what they send from it. */
async function visitor({ from = newNetwork(), language = 'en', of = svcId }: Visit = {}) {
  const url = `/r/${of}/report`;
  const opened = await system.server.inject({
    url,
    remoteAddress: from,
    headers: { 'accept-language': language },
  });
  const cookie = cookieOf(opened);
  const token = fieldsIn(opened.body)['token'] ?? '';
  const send = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    system.server.inject({
      method: 'POST',
      url,
      remoteAddress: from,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': language,
        'sec-fetch-site': 'same-origin',
        cookie,
        ...headers,
      },
      payload: new URLSearchParams({ token, ...fields }).toString(),
    });
  return { opened, cookie, token, send };
}

const list = async (key: TestKey, query = '') =>
  (await system.server.inject({ url: `${reports}${query}`, headers: key.bearer })).json<{
    data: {
      id: string;
      svc_id: string;
      what: string;
      text: string | null;
      contact: string | null;
      status: string;
    }[];
    has_more: boolean;
    next_cursor: string | null;
  }>();
const count = async () => (await list(team, '?limit=100')).data.length;
/** The answer to a report does not wait for the read model. */
const shown = () => system.caughtUp();

describe('the form on which a mistake is reported', () => {
  test('is led to from the page of the record, and names it', async () => {
    const page = await system.server.inject({ url: `/r/${svcId}` });
    expect(page.body).toContain(`href="/r/${svcId}/report"`);
    const { opened } = await visitor();
    expect(opened.statusCode).toBe(200);
    expect(opened.headers['cache-control']).toBe('no-store');
    expect(opened.body).toContain('<meta name="robots" content="noindex, follow" />');
    expect(formIn(opened.body)).toMatchObject({ method: 'post', action: `/r/${svcId}/report` });
    expect(opened.body).toContain('Corner Pantry');
    expect((await visitor({ language: 'es' })).opened.body).toContain('¿Qué está mal?');
  });

  test('is there for public records alone', async () => {
    const draft = await system.submission('harbour', { name: 'Draft' });
    for (const of of [draft, 'r_0000000000000000']) {
      const { opened, send } = await visitor({ of });
      expect(opened.statusCode).toBe(404);
      expect((await send({ what: 'phone' })).statusCode).toBe(404);
    }
  });

  test('puts a report into the queue of the team that has the record', async () => {
    const { send } = await visitor();
    later(5);
    const answer = await send({ what: 'phone', text: 'It is\r\n305-555-0199', contact: 'ana@example.org' });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/r/${svcId}/report?done`]);
    expect((await system.server.inject({ url: `/r/${svcId}/report?done` })).body).toContain('Thank you');
    await shown();
    const { data } = await list(team, '?status=open');
    expect(data.at(-1)).toMatchObject({
      svc_id: svcId,
      what: 'phone',
      status: 'open',
      text: 'It is\n305-555-0199',
      contact: 'ana@example.org',
    });
    expect((await list(other)).data).toEqual([]);
  });

  test('is one report when it is sent twice', async () => {
    const { send } = await visitor();
    later(5);
    const before = await count();
    await Promise.all([send({ what: 'hours' }), send({ what: 'hours' })]);
    await send({ what: 'hours' });
    await shown();
    expect(await count()).toBe(before + 1);
  });

  test.each([
    ['nothing chosen', {}, 'Choose what is wrong.'],
    ['something else chosen', { what: 'everything' }, 'Choose what is wrong.'],
    ['other without a word', { what: 'other', text: ' \n ' }, 'Tell us in a few words'],
    ['a text that is too long', { what: 'phone', text: 'x'.repeat(2_001) }, 'at most 2,000 characters'],
    [
      'no way to reach anybody',
      { what: 'phone', contact: 'me' },
      'neither an email address nor a phone number',
    ],
    ['markup for a contact', { what: 'phone', contact: '<script>@x' + 'y'.repeat(300) }, 'neither an email'],
  ])('is shown again with what was filled in: %s', async (_, fields: Record<string, string>, sentence) => {
    const { send } = await visitor();
    later(5);
    const before = await count();
    const { statusCode, body } = await send({ text: '<b>kept</b>', ...fields });
    expect(statusCode).toBe(422);
    expect(body).toContain(sentence);
    expect(body).toMatch(/aria-invalid="true"|id="what-error"/);
    expect(body.match(/<[^>]*\bautofocus\b[^>]*>/g)).toHaveLength(1);
    if (!('text' in fields)) expect(body).toContain('&#60;b&#62;kept&#60;/b&#62;</textarea');
    expect(body).not.toContain('<script>@');
    await shown();
    expect(await count()).toBe(before);
  });

  test('takes 2,000 characters of any kind, and leaves out what cannot be stored', async () => {
    const { send } = await visitor();
    later(5);
    const text = '😀'.repeat(2_000);
    expect((await send({ what: 'other', text, contact: '+1 (305) 555-0199' })).statusCode).toBe(303);
    const second = await visitor();
    later(5);
    expect((await second.send({ what: 'other', text: 'a\0b\u0007c' })).statusCode).toBe(303);
    await shown();
    const { data } = await list(team, '?limit=100');
    expect(data.map((each) => each.text)).toEqual(expect.arrayContaining([text, 'a b c']));
  });

  test('takes what somebody sends who is quick', async () => {
    const before = await count();
    const { send } = await visitor();
    expect((await send({ what: 'phone' })).statusCode).toBe(303);
    await shown();
    expect(await count()).toBe(before + 1);
  });

  test('takes nothing from a program that fills in the hidden field, and tells it nothing', async () => {
    const before = await count();
    const trapped = await visitor();
    later(5);
    expect((await trapped.send({ what: 'phone', more: 'https://spam.example' })).statusCode).toBe(303);
    await shown();
    expect(await count()).toBe(before);
  });

  test('takes nothing from another site, another browser, another record, or from yesterday', async () => {
    const before = await count();
    const [second = ''] = await system.resources(1, { team: 'harbour' });
    const [here, there, elsewhere] = [await visitor(), await visitor(), await visitor({ of: second })];
    later(5);
    const answers = await Promise.all([
      here.send({ what: 'phone' }, { 'sec-fetch-site': 'cross-site' }),
      here.send({ what: 'phone' }, { cookie: there.cookie }),
      here.send({ what: 'phone' }, { cookie: '' }),
      here.send({ what: 'phone', token: elsewhere.token }),
      here.send({ what: 'phone', token: '' }),
      here.send({ what: 'phone', token: `${here.token.slice(0, -2)}AA` }),
    ]);
    later(25 * 3_600);
    answers.push(await here.send({ what: 'phone', text: 'Still here' }));
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(422);
      expect(body).toContain('This page was open for too long');
    }
    expect(answers.at(-1)?.body).toContain('Still here</textarea');
    await shown();
    expect(await count()).toBe(before);
  });

  test('takes ten an hour from one network', async () => {
    const [own = ''] = await system.resources(1, { team: 'library' });
    const statuses: number[] = [];
    for (let number = 0; number < 11; number++) {
      const { send } = await visitor({ of: own, from: '203.0.113.9' });
      later(5);
      const answer = await send({ what: 'closed' });
      statuses.push(answer.statusCode);
      if (answer.statusCode === 429) expect(answer.body).toContain('Too many reports');
    }
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429]);
    const { send } = await visitor({ of: own, from: '192.0.2.1' });
    later(5);
    expect((await send({ what: 'closed' })).statusCode).toBe(303);
  });

  test('keeps to forms of a sensible size', async () => {
    const { send } = await visitor();
    later(5);
    const { statusCode, headers } = await send({ what: 'phone', text: 'x'.repeat(40_000) });
    expect([statusCode, headers['content-type']]).toEqual([413, 'text/html; charset=utf-8']);
    const json = await system.server.inject({ method: 'POST', url: `/r/${svcId}/report`, payload: {} });
    expect(json.statusCode).toBe(415);
  });
});

describe('the queue of reports', () => {
  const at = (path: string, key: TestKey, method: 'GET' | 'POST' | 'DELETE' = 'GET', payload?: object) =>
    system.server.inject({
      method,
      url: `${reports}${path}`,
      headers: { ...key.bearer, ...(payload ? { 'content-type': 'application/json' } : {}) },
      ...(payload ? { payload } : {}),
    });

  const report = async (text: string) => {
    const { send } = await visitor();
    later(5);
    await send({ what: 'address', text, contact: '305-555-0199' });
    await shown();
    const found = (await list(team, '?limit=100')).data.find((each) => each.text === text);
    return found?.id ?? '';
  };

  test('needs directory:manage, and shows a team its own alone', async () => {
    const id = await report('Only ours');
    const developer = await system.key();
    expect((await system.server.inject({ url: reports })).statusCode).toBe(401);
    expect((await at('', developer)).statusCode).toBe(403);
    expect((await at(`/${id}`, team)).json()).toMatchObject({
      id,
      text: 'Only ours',
      contact: '305-555-0199',
    });
    expect((await at(`/${id}`, team)).headers['cache-control']).toBe('no-store');
    for (const [path, method, payload] of [
      [`/${id}`, 'GET', undefined],
      [`/${id}/resolve`, 'POST', { outcome: 'fixed' }],
      [`/${id}/said`, 'DELETE', undefined],
    ] as const)
      expect((await at(path, other, method, payload)).statusCode, path).toBe(404);
    for (const unknown of ['x', '00000000-0000-4000-8000-000000000000'])
      expect((await at(`/${unknown}`, team)).statusCode).toBe(404);
  });

  test('is resolved: open ones come first, and one is resolved once', async () => {
    const id = await report('To be fixed');
    const resolved = await at(`/${id}/resolve`, team, 'POST', { outcome: 'fixed' });
    expect(resolved.statusCode).toBe(200);
    expect(resolved.json()).toMatchObject({ id, status: 'fixed', resolved_at: now.toISOString() });
    expect((await at(`/${id}/resolve`, team, 'POST', { outcome: 'fixed' })).statusCode).toBe(200);
    expect((await at(`/${id}/resolve`, team, 'POST', { outcome: 'dismissed' })).statusCode).toBe(409);
    expect((await at(`/${id}/resolve`, team, 'POST', { outcome: 'burnt' })).statusCode).toBe(422);
    expect((await list(team, '?limit=100')).data.at(-1)?.id).toBe(id);
    expect((await list(team, '?status=fixed')).data.map((each) => each.id)).toEqual([id]);
    expect((await list(team, '?status=open&limit=100')).data.map((each) => each.id)).not.toContain(id);
  });

  test('is read page by page, each report once', async () => {
    const whole = (await list(team, '?limit=100')).data.map(({ id }) => id);
    const read: string[] = [];
    for (let cursor: string | null | undefined; cursor !== null;) {
      const page = await list(team, `?limit=2${cursor === undefined ? '' : `&cursor=${cursor}`}`);
      read.push(...page.data.map(({ id }) => id));
      expect(page.has_more).toBe(page.next_cursor !== null);
      cursor = page.next_cursor;
    }
    expect(read).toEqual(whole);
    const { next_cursor: mine } = await list(team, '?limit=2&status=open');
    for (const [key, query] of [
      [other, `?cursor=${mine ?? ''}`],
      [team, `?cursor=${mine ?? ''}&status=fixed`],
      [team, '?cursor=x'],
      [team, '?status=closed'],
      [team, '?limit=0'],
      [team, '?colour=red'],
    ] as const)
      expect(
        (await system.server.inject({ url: reports + query, headers: key.bearer })).statusCode,
        query,
      ).toBe(400);
  });

  test('forgets what an erased report said, in the log too', async () => {
    const id = await report('My neighbour is ill');
    const stream = `mistake-${id}`;
    const history = async () =>
      JSON.stringify((await system.system.store.readStream(stream)).map(({ data }) => data));
    expect(await history()).not.toContain('neighbour');
    // What is sealed has digits too.
    expect(await history()).not.toContain('305-555');
    expect((await at(`/${id}/said`, team, 'DELETE')).json()).toMatchObject({
      id,
      text: null,
      contact: null,
      erased: true,
      status: 'open',
    });
    expect((await at(`/${id}/said`, team, 'DELETE')).statusCode).toBe(200);
    expect(await system.system.vault.get(`mistake/${id}`)).toBeUndefined();
  });

  test('leaves the record as it is', async () => {
    const record = await system.server.inject({ url: `${v1}/${svcId}`, headers: team.bearer });
    expect(record.json()).toMatchObject({ name: 'Corner Pantry', status: 'approved' });
  });
});

test('nothing that anybody wrote, nor where they are, is in the log of the service', () => {
  expect(log).toContain('request completed');
  for (const written of ['305-555', '5550199', 'ana@', 'Cheap', 'neighbour', 'kept'])
    expect(logTexts(log), written).not.toContain(written);
});
