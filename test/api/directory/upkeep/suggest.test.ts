import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { openSuggestions } from '../../../../src/commands/directory/upkeep/suggestion.ts';
import { suggestions, suggestionsQuery } from '../../../../src/projections/directory/upkeep/suggestions.ts';
import { cookieOf, fieldsIn, formIn } from '../../../support/posted-form.ts';
import { logTexts } from '../../../support/log-texts.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

const started = Date.parse('2026-11-20T15:00:00Z');
let now = new Date(started);

let system: RunningSystem;
let svcId: string;
let log = '';
const pantry = {
  name: 'Corner Pantry',
  description: 'Food.\nFor all.',
  phones: [
    { number: '305-555-0100', note: 'Ask for food' },
    { number: '305-555-0109', type: 'fax' },
  ],
  hours: 'Mon–Fri 09:00–17:00',
  locations: [{ street: '1 Bay Street', city: 'Miami', postal_code: '33101' }],
  languages: ['English', 'Spanish'],
} as const;
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  system = await startSystem({ now: () => now, logger: { level: 'trace', stream } });
  await system.team('harbour', ['directory:manage']);
  svcId = await aRecord();
});
afterAll(() => system.stop());

async function aRecord(fields: object = {}): Promise<string> {
  const [id = ''] = await system.resources(1, {
    team: 'harbour',
    fields: () => ({ ...pantry, ...fields }) as never,
  });
  return id;
}

/** Each caller is a network of its own, unless one is named. */
let networks = 0;
const newNetwork = () => `198.52.${++networks}.1`;

/** What a browser sends of the form as it is shown. */
const shownIn = (body: string): Readonly<Record<string, string>> =>
  Object.fromEntries(
    [
      ...Object.entries(fieldsIn(body)).filter(([name]) => name !== 'closed'),
      ...[...body.matchAll(/<textarea[^>]*\bname="([^"]+)"[^>]*>\n([^<]*)<\/textarea>/g)].map(
        ([, name = '', value = '']) => [name, value],
      ),
    ].map(([name = '', value = '']): [string, string] => [
      name,
      value.replace(/&#(\d+);/g, (_, code: string) => String.fromCodePoint(Number(code))),
    ]),
  );

/** Somebody who opens the form, and what they send from it: what it showed, and what they changed. */
async function visitor({ from = newNetwork(), language = 'en', of = svcId } = {}) {
  const url = `/r/${of}/suggest`;
  const opened = await system.server.inject({
    url,
    remoteAddress: from,
    headers: { 'accept-language': language },
  });
  const cookie = cookieOf(opened);
  const shown = shownIn(opened.body);
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
      payload: new URLSearchParams({ ...shown, ...fields }).toString(),
    });
  return { opened, cookie, shown, send };
}

const all = async (of = svcId) => {
  await system.caughtUp();
  const { documents, personal } = system.system;
  const docs = await documents
    .collection(suggestions.collection)
    .page({ ...suggestionsQuery({ team: 'harbour' }), limit: 100 });
  const about = docs.filter(({ svc_id }) => svc_id === of);
  const contents = await openSuggestions(personal, about);
  return about.map((doc, place) => ({ ...doc, content: contents[place] }));
};
const count = async () => (await all()).length;

describe('the form on which a change is suggested', () => {
  test('is led to from the page of the record, and shows what stands', async () => {
    expect((await system.server.inject({ url: `/r/${svcId}` })).body).toContain(`href="/r/${svcId}/suggest"`);
    const { opened, shown } = await visitor();
    expect([opened.statusCode, opened.headers['cache-control']]).toEqual([200, 'no-store']);
    expect(opened.body).toContain('<meta name="robots" content="noindex, follow" />');
    expect(formIn(opened.body)).toMatchObject({ method: 'post', action: `/r/${svcId}/suggest` });
    expect(shown).toMatchObject({
      name: 'Corner Pantry',
      description: 'Food.\nFor all.',
      phones: '305-555-0100\n305-555-0109 (fax)',
      address: '1 Bay Street, 33101',
      city: 'Miami',
      hours: 'Mon–Fri 09:00–17:00',
      languages: 'English, Spanish',
    });
    expect((await visitor({ language: 'es' })).opened.body).toContain('Sugerir un cambio');
    expect((await visitor({ language: 'ht' })).opened.body).toContain('Pwopoze yon chanjman');
  });

  test('is there for public records alone', async () => {
    const draft = await system.submission('harbour', { name: 'Draft' });
    for (const of of [draft, 'r_0000000000000000']) {
      const { opened, send } = await visitor({ of });
      expect(opened.statusCode).toBe(404);
      expect((await send({ name: 'x' })).statusCode).toBe(404);
    }
    const closed = await aRecord();
    const open = await visitor({ of: closed });
    await system.command(closed, { kind: 'deactivate' });
    await system.caughtUp();
    expect((await open.send({ name: 'x' })).statusCode).toBe(410);
  });

  test('sends only what somebody changed, in the form of a record', async () => {
    const of = await aRecord();
    const { send } = await visitor({ of });
    const answer = await send({
      phones: '305-555-0100\n305-555-0199',
      hours: 'Tue–Thu 10am–2pm',
      address: '2 Bay Street, 33102',
      url: 'pantry.example',
      languages: 'English, Haitian Creole; Spanish',
      description: '',
      note: 'I was there',
      contact: 'ana@example.org',
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `/r/${of}/suggest?done`]);
    expect((await system.server.inject({ url: `/r/${of}/suggest?done` })).body).toContain('Thank you');
    const [one] = await all(of);
    expect(one).toMatchObject({ by: 'visitor', kind: 'change', status: 'open', team: 'harbour' });
    expect(one?.content).toEqual({
      fields: {
        description: null,
        url: 'https://pantry.example',
        phones: [{ number: '305-555-0100', note: 'Ask for food' }, { number: '305-555-0199' }],
        hours: 'Tue–Thu 10am–2pm',
        opening_hours: [{ days: ['tue', 'wed', 'thu'], opens: '10:00', closes: '14:00' }],
        languages: ['English', 'Haitian Creole', 'Spanish'],
        address: '2 Bay Street, 33102',
      },
      before: expect.objectContaining({ url: null, address: '1 Bay Street, 33101' }) as unknown,
      note: 'I was there',
      contact: 'ana@example.org',
    });
  });

  test('says that it has closed, whatever else was typed', async () => {
    const of = await aRecord();
    const { send } = await visitor({ of });
    expect((await send({ closed: 'yes', name: 'Bank', note: 'A bank is there' })).statusCode).toBe(303);
    expect(await all(of)).toMatchObject([
      { kind: 'closed', fields: [], content: { note: 'A bank is there' } },
    ]);
  });

  test('leaves alone what the team has changed while it was open', async () => {
    const of = await aRecord();
    const { send } = await visitor({ of });
    await system.command(of, { kind: 'revise', change: { name: 'Bay Pantry' } });
    await system.caughtUp();
    expect((await send({ cost: 'Free' })).statusCode).toBe(303);
    expect(await all(of)).toMatchObject([{ fields: ['cost'] }]);
  });

  test('is one suggestion when it is sent twice', async () => {
    const before = await count();
    const { send } = await visitor();
    await Promise.all([send({ cost: 'One dollar' }), send({ cost: 'One dollar' })]);
    await send({ cost: 'One dollar' });
    expect(await count()).toBe(before + 1);
  });

  test.each([
    ['nothing changed', {}, 'You have not changed anything yet.'],
    ['no name', { name: ' ' }, 'This cannot be empty.'],
    ['a name that is too long', { name: 'x'.repeat(301) }, 'at most 300 characters'],
    ['a description that is too long', { description: 'x'.repeat(10_001) }, 'characters'],
    ['no web address', { url: 'javascript:alert(1)' }, 'This is not a web address.'],
    ['no email address', { email: 'me' }, 'This is not an email address.'],
    ['words for a phone', { phones: '305-555-0100\ncall <b>us</b>' }, 'is not a phone number'],
    ['a note that is too long', { note: 'x'.repeat(2_001) }, 'at most'],
    ['no way to reach anybody', { cost: 'x', contact: 'me' }, 'neither an email address nor a phone number'],
    [
      'too many languages',
      { languages: Array.from({ length: 101 }, (_, n) => `L${n}`).join(',') },
      'at most 100',
    ],
  ])('is shown again with what was filled in: %s', async (_, fields: Record<string, string>, sentence) => {
    const { send } = await visitor();
    const before = await count();
    const { statusCode, body } = await send({
      eligibility: '<b>kept</b>',
      ...(sentence.startsWith('You have') ? { eligibility: '' } : {}),
      ...fields,
    });
    expect(statusCode).toBe(422);
    expect(body).toContain(sentence);
    if (!sentence.startsWith('You have')) {
      expect(body).toContain('&#60;b&#62;kept&#60;/b&#62;</textarea');
      expect(body.match(/<[^>]*\bautofocus\b[^>]*>/g)).toHaveLength(1);
    }
    expect(body).not.toContain('<b>us');
    // What was typed is still what somebody changed when the corrected form comes back.
    expect(fieldsIn(body)['seen']).toBe((await visitor()).shown['seen']);
    expect(await count()).toBe(before);
  });

  test('takes no rubbish, and never fails', async () => {
    const before = await count();
    const { shown, send } = await visitor();
    for (const rubbish of [
      { seen: 'x'.repeat(5_000), name: 'A\0B' },
      { seen: '', name: '\ud800' },
      { seen: ':::: name: phones', hours: '9'.repeat(2_000) },
    ])
      expect((await send(rubbish)).statusCode).toBeLessThan(500);
    const empty = await system.server.inject({ method: 'POST', url: `/r/${svcId}/suggest` });
    expect(empty.statusCode).toBeLessThan(500);
    expect((await send({ ...shown, description: 'x'.repeat(400_000) })).statusCode).toBe(413);
    const json = await system.server.inject({ method: 'POST', url: `/r/${svcId}/suggest`, payload: {} });
    expect(json.statusCode).toBe(415);
    expect(await count()).toBeGreaterThanOrEqual(before);
  });

  test('takes nothing from a program that fills in the hidden field, and tells it nothing', async () => {
    const before = await count();
    const { send } = await visitor();
    expect((await send({ cost: 'Spam', more: 'https://spam.example' })).statusCode).toBe(303);
    expect(await count()).toBe(before);
  });

  test('takes nothing from another site, another browser, another form, or from yesterday', async () => {
    const before = await count();
    const [here, there, elsewhere] = [
      await visitor(),
      await visitor(),
      await visitor({ of: await aRecord() }),
    ];
    const report = fieldsIn((await system.server.inject({ url: `/r/${svcId}/report` })).body)['token'] ?? '';
    const answers = await Promise.all([
      here.send({ cost: 'x' }, { 'sec-fetch-site': 'cross-site' }),
      here.send({ cost: 'x' }, { cookie: there.cookie }),
      here.send({ cost: 'x' }, { cookie: '' }),
      here.send({ cost: 'x', token: elsewhere.shown['token'] ?? '' }),
      here.send({ cost: 'x', token: report }),
      here.send({ cost: 'x', token: '' }),
    ]);
    now = new Date(now.getTime() + 25 * 3_600_000);
    answers.push(await here.send({ cost: 'Still here' }));
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(422);
      expect(body).toContain('This page was open for too long');
    }
    expect(answers.at(-1)?.body).toContain('Still here</textarea');
    expect(await count()).toBe(before);
  });

  test('takes ten an hour from one network', async () => {
    const of = await aRecord();
    const statuses: number[] = [];
    for (let number = 0; number < 11; number++) {
      const { send } = await visitor({ of, from: '203.0.113.9' });
      statuses.push((await send({ cost: `${number} dollars` })).statusCode);
    }
    expect(statuses).toEqual([...Array<number>(10).fill(303), 429]);
  });

  test('leads from a record that was merged to the one that stays', async () => {
    const { mergeRecords } = await import('../../../../src/commands/directory/merge-records.ts');
    const [stays, goes] = [await aRecord(), await aRecord()];
    const { send } = await visitor({ of: goes });
    const context = {
      actor: { kind: 'system', id: 'test' } as const,
      commandId: crypto.randomUUID(),
      at: now,
    };
    await mergeRecords(system.system, { survivor: stays, duplicate: goes, take: [] }, context);
    await system.caughtUp();
    for (const answer of [
      await system.server.inject({ url: `/r/${goes}/suggest` }),
      await send({ cost: 'x' }),
    ])
      expect(answer.headers.location).toBe(`/r/${stays}/suggest`);
  });
});

test('nothing that anybody wrote is in the log of the service', () => {
  expect(log).toContain('request completed');
  for (const written of ['0199', 'ana@', 'I was there', 'A bank is', 'kept', 'dollars'])
    expect(logTexts(log), written).not.toContain(written);
});
