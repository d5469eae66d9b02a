import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { putClaimMails } from '../../../../src/actions/directory/upkeep/claims/claim-mails.ts';
import { eraseOldClaims } from '../../../../src/actions/directory/upkeep/claims/old-claims.ts';
import { changeOwn, openedClaim } from '../../../../src/actions/directory/upkeep/claims/own-claim.ts';
import { approve, chooseRules, end, refuse } from '../../../../src/actions/directory/upkeep/claims/claims.ts';
import { perform } from '../../../../src/actions/perform.ts';
import type { Action } from '../../../../src/actions/action.ts';
import { commandResource } from '../../../../src/commands/directory/resource.ts';
import { Outbox, type WaitingMail } from '../../../../src/mail/outbox.ts';
import { claimOf } from '../../../../src/personal/personal-data.ts';
import { claims, type ClaimDocument } from '../../../../src/projections/directory/upkeep/claims.ts';
import { resources } from '../../../../src/projections/directory/resources.ts';
import { suggestions } from '../../../../src/projections/directory/upkeep/suggestions.ts';
import { cookieOf, fieldsIn } from '../../../support/posted-form.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

let now = new Date('2027-12-06T10:00:00Z');
const later = (ms: number) => (now = new Date(now.getTime() + ms));
const [minute, hour, day] = [60_000, 3_600_000, 86_400_000];
const base = 'https://directory.example';

let system: RunningSystem;
let [pantry, clinic, page, bare, other] = ['', '', '', '', ''];
const context = () => ({ actor: { kind: 'system' as const, id: 'cli' }, commandId: randomUUID(), at: now });
const by = { who: { kind: 'operator' as const, team: 'harbour' }, context };
// eslint-disable-next-line @typescript-eslint/no-explicit-any -- any of the actions
const does = async (what: Action<any, unknown>, input: Record<string, unknown>) => {
  later(1_000);
  const done = await perform(what, system.system, { ...by, input });
  await system.caughtUp();
  return done.kind === 'refused' ? done.refusal.code : done.kind;
};
const mails = async (): Promise<WaitingMail[]> => {
  await system.caughtUp();
  await putClaimMails(system.system, base, now);
  return (await new Outbox(system.system).waiting()).filter(({ id }) => id.includes('-claim-'));
};
const mailsTo = async (address: string) => (await mails()).filter(({ to }) => to === address);
const linkIn = (mail: WaitingMail | undefined): string =>
  new URL(/https:\S+/.exec(mail?.text ?? '')?.[0] ?? base).searchParams.get('link') ?? '';
const newest = async (address: string) => linkIn((await mailsTo(address)).at(-1));
const claimAt = async (host: string, status?: string): Promise<ClaimDocument | undefined> => {
  await system.caughtUp();
  const docs = await system.system.documents
    .collection(claims.collection)
    .page({ orderBy: ['rank', 'begun_at', 'claim'], limit: 50 });
  return docs.find((each) => each.host === host && (status === undefined || each.status === status));
};
const head = async () => String(await system.system.store.head());

/** The fields of a page as it opens: no box is ticked. */
const unticked = (body: string) => {
  const { closed: _, ...fields } = fieldsIn(body);
  return fields;
};

async function visit(url: string, language = 'en', ip = '198.51.100.1') {
  const opened = await system.server.inject({
    url,
    headers: { 'accept-language': language },
    remoteAddress: ip,
  });
  const cookie = cookieOf(opened);
  const post = (fields: Record<string, string>, headers: Record<string, string> = {}) =>
    system.server.inject({
      method: 'POST',
      url: new URL(url, base).pathname,
      remoteAddress: ip,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': language,
        'sec-fetch-site': 'same-origin',
        cookie,
        ...headers,
      },
      payload: new URLSearchParams({ ...unticked(opened.body), ...fields }).toString(),
    });
  return { opened, post };
}
let network = 0;
/** Mails wait in the order of their times. */
async function claimFor(svcId: string, email: string, language = 'en') {
  later(1_000);
  return (await visit(`/r/${svcId}/claim`, language, `10.${++network}.0.1`)).post({ email });
}
const private_ = (link: string, path = '/k/claim', also: Record<string, string> = {}) =>
  `${path}?${new URLSearchParams({ link, ...also }).toString()}`;
async function press(link: string, fields: Record<string, string>, language = 'en') {
  later(1_000);
  return (await visit(private_(link), language)).post(fields);
}

beforeAll(async () => {
  system = await startSystem({ now: () => now });
  await system.team('harbour');
  [pantry = '', clinic = '', page = '', bare = '', other = ''] = await system.resources(5, {
    team: 'harbour',
    fields: (index) =>
      [
        {
          name: 'Corner Pantry',
          organization: { name: 'Harbor Pantries', url: 'https://pantries.example' },
          url: 'https://www.pantries.example/corner',
          phones: [{ number: '305-555-0100' }],
        },
        {
          name: 'Harbor Clinic',
          organization: { name: 'Harbor Pantries', url: 'https://pantries.example' },
          phones: [{ number: '305-555-0101' }],
        },
        { name: 'Page Pantry', url: 'https://www.facebook.com/pagepantry' },
        { name: 'Bare Pantry' },
        { name: 'Other Shelter', organization: { name: 'Others' }, url: 'https://others.example' },
      ][index] ?? {},
  });
});
afterAll(() => system.stop());

describe('the page on which somebody claims a record', () => {
  test.each([
    ['en', 'Is this your organization?', 'It must be an address at the web host of the record:'],
    ['es', '¿Es esta su organización?', 'Debe ser una dirección del mismo sitio web del servicio:'],
    ['ht', 'Èske se òganizasyon ou?', 'Fòk se yon adrès sou menm sit wèb ak sèvis la:'],
  ])('says the rule in %s', async (language, title, rule) => {
    const { opened } = await visit(`/r/${pantry}/claim`, language);
    expect(opened.statusCode).toBe(200);
    expect(opened.headers['cache-control']).toContain('no-store');
    for (const words of [title, rule, '…@pantries.example']) expect(opened.body).toContain(words);
    expect((await visit(`/r/${pantry}`, language)).opened.body).toContain(`href="/r/${pantry}/claim"`);
  });

  test('is not open where the website is one of many, or there is none', async () => {
    for (const svcId of [page, bare]) {
      const { opened, post } = await visit(`/r/${svcId}/claim`);
      expect(opened.body).toContain(`href="/r/${svcId}/suggest"`);
      expect(opened.body).not.toContain('name="email"');
      expect((await post({ email: 'a@facebook.com' })).body).toContain('no website of its own');
    }
    expect((await visit('/r/svc_nothing/claim')).opened.statusCode).toBe(404);
  });

  test('answers every address alike, and mails only to those at the exact host', async () => {
    const before = await head();
    const answers = [];
    for (const email of [
      'ana@evil.example',
      'ana@mail.pantries.example',
      'ana@example',
      'ana@pantries.example.evil.example',
      'ana@pantriés.example',
      'ana@xpantries.example',
      'ana@others.example',
    ])
      answers.push(await claimFor(pantry, email));
    expect(await head()).toBe(before);
    expect(await mails()).toEqual([]);
    answers.push(await claimFor(pantry, 'Ana+x@PANTRIES.example', 'es'));
    for (const { statusCode, headers } of answers)
      expect([statusCode, headers.location]).toEqual([303, `/r/${pantry}/claim?sent`]);
    expect(new Set(answers.map(({ body }) => body)).size).toBe(1);
    const [mail, ...more] = await mails();
    expect(more).toEqual([]);
    expect(mail).toMatchObject({
      to: 'Ana+x@PANTRIES.example',
      subject: expect.stringContaining('¿') as string,
    });
    expect((await visit(`/r/${pantry}/claim?sent`)).opened.body).toContain(
      'If the address is at the web host',
    );
  });

  test('refuses what is no address and a form that is not ours, before anything else', async () => {
    for (const email of [
      'ana@pantries.example.',
      'ana@pantries.example\r\nBcc: b@evil.example',
      'nobody',
      '',
    ])
      expect((await claimFor(pantry, email)).statusCode).toBe(422);
    const { post } = await visit(`/r/${pantry}/claim`);
    const email = 'eve@pantries.example';
    expect((await post({ email }, { 'sec-fetch-site': 'cross-site' })).statusCode).toBe(422);
    expect((await post({ email }, { cookie: '' })).statusCode).toBe(422);
    expect(await mailsTo(email)).toEqual([]);
  });

  test('keeps no address in clear in an event', async () => {
    const claim = (await claimAt('pantries.example'))?.claim ?? '';
    const events = await system.system.store.readStream(`claim-${claim}`);
    expect(events.map(({ type }) => type)).toEqual(['ClaimBegun']);
    expect(JSON.stringify(events.map(({ data }) => data)).toLowerCase()).not.toContain('ana+x');
  });
});

describe('a claim', () => {
  const ana = 'Ana+x@PANTRIES.example';

  test('is proven by a press and not by looking, once, and only by its newest link', async () => {
    const first = await newest(ana);
    later(minute);
    await claimFor(pantry, ana);
    const link = await newest(ana);
    expect(link).not.toBe(first);
    expect((await visit(private_(first))).opened.statusCode).toBe(400);
    for (const broken of ['', 'x', `${link}x`])
      expect((await visit(private_(broken))).opened.statusCode).toBe(400);
    const { opened, post } = await visit(private_(link));
    expect(opened.statusCode).toBe(200);
    expect(opened.headers).toMatchObject({
      'x-robots-tag': 'noindex, nofollow',
      'referrer-policy': 'no-referrer',
    });
    expect(opened.headers['cache-control']).toContain('no-store');
    expect(await claimAt('pantries.example')).toMatchObject({ status: 'begun' });
    const [one, two] = await Promise.all([post({ answer: 'prove' }), post({ answer: 'prove' })]);
    expect([one.statusCode, two.statusCode].every((status) => status < 500)).toBe(true);
    expect([one.body, two.body].map((body) => body.includes('It is proven.'))).toEqual([true, true]);
    expect(await claimAt('pantries.example')).toMatchObject({ status: 'proven', rank: 0 });
    // Whoever looks or presses again is told so, and nothing more happens.
    const proven = await head();
    const again = (await visit(private_(link))).opened;
    expect([again.statusCode, again.body.includes('It is proven.')]).toEqual([200, true]);
    expect(again.body).not.toContain('name="answer"');
    expect((await post({ answer: 'prove' })).body).toContain('It is proven.');
    expect(await head()).toBe(proven);
  });

  test('waits for the team, which sees the host and not the address', async () => {
    const before = await head();
    await claimFor(pantry, ana);
    expect(await head()).toBe(before);
    const claim = (await claimAt('pantries.example'))?.claim;
    expect((await visit(`/r/${pantry}`)).opened.body).not.toContain('Kept by the agency');
    expect(await does(approve, { id: 'ab'.repeat(32) })).toBe('not_found');
    expect(await does(approve, { id: claim })).toBe('done');
    expect(await does(approve, { id: claim })).toBe('done');
    expect((await visit(`/r/${pantry}`)).opened.body).toContain('Kept by the agency');
    expect((await visit(`/r/${other}`)).opened.body).not.toContain('Kept by the agency');
  });

  test('opens all records of the organization at the host, and none else', async () => {
    const link = await newest(ana);
    const { opened } = await visit(private_(link), 'es');
    for (const words of ['Corner Pantry', 'Harbor Clinic', 'Sí, todo es correcto'])
      expect(opened.body).toContain(words);
    expect(opened.body).not.toContain('Other Shelter');
    const before = await head();
    expect((await press(link, { answer: 'yes', svc_id: other })).statusCode).toBe(409);
    expect((await press(link, { answer: 'closed', svc_id: other })).statusCode).toBe(409);
    expect((await visit(private_(link, '/k/claim/change', { svc_id: other }))).opened.statusCode).toBe(400);
    expect(await head()).toBe(before);
  });

  test('confirms a record by one press', async () => {
    const link = await newest(ana);
    expect((await press(link, { answer: 'yes', svc_id: pantry })).statusCode).toBe(303);
    await system.caughtUp();
    const { body } = (await visit(`/r/${pantry}`)).opened;
    expect(body).toContain('Kept by the agency.');
    expect(body).toContain('Confirmed by the agency today');
  });

  const change = async (fields: Record<string, string>, svcId = clinic) => {
    const link = await newest(ana);
    const { opened, post } = await visit(private_(link, '/k/claim/change', { svc_id: svcId }));
    expect(opened.statusCode).toBe(200);
    const answer = await post(fields);
    await system.caughtUp();
    return answer;
  };
  const phoneOf = async (svcId: string) => {
    const doc = await system.system.documents.collection(resources.collection).get(svcId);
    return JSON.stringify(doc);
  };
  const openOf = async (svc_id: string) =>
    system.system.documents.collection(suggestions.collection).count({ where: { svc_id, status: 'open' } });

  test('suggests changes, which wait until the team says otherwise', async () => {
    expect((await change({ phones: '305-555-0200' })).headers.location).toContain('done=waits');
    expect(await openOf(clinic)).toBe(1);
    expect(await phoneOf(clinic)).not.toContain('305-555-0200');
    expect((await change({})).statusCode).toBe(422);
    expect((await change({ phones: 'none' })).statusCode).toBe(422);

    expect(await does(chooseRules, { changes: 'at_once', later_claims: 'at_once' })).toBe('done');
    expect((await change({ phones: '305-555-0300' })).headers.location).toContain('done=taken');
    expect(await phoneOf(clinic)).toContain('305-555-0300');
    expect(await openOf(clinic)).toBe(1);
  });

  test('lets a closing and a new website wait in any case', async () => {
    expect((await change({ url: 'https://evil.example' })).headers.location).toContain('done=waits');
    expect((await change({ closed: 'yes' })).headers.location).toContain('done=waits');
    const link = await newest(ana);
    expect((await press(link, { answer: 'closed', svc_id: pantry })).statusCode).toBe(303);
    await system.caughtUp();
    expect([await openOf(clinic), await openOf(pantry)]).toEqual([3, 1]);
    expect((await visit(`/r/${pantry}`)).opened.statusCode).toBe(200);
  });

  test('does not overwrite what the team changed since the form was opened', async () => {
    const link = await newest(ana);
    const { post } = await visit(private_(link, '/k/claim/change', { svc_id: clinic }));
    const phones = [{ number: '305-555-0999' }];
    await commandResource(system.system, clinic, { kind: 'revise', change: { phones } }, context());
    await system.caughtUp();
    await post({ phones: '305-555-0400' });
    await system.caughtUp();
    expect(await phoneOf(clinic)).toContain('305-555-0999');
  });

  test('finishes a change after a crash between its streams, and does nothing twice', async () => {
    const link = await newest(ana);
    const opened = await openedClaim(system.system, link, now);
    if (!opened) throw new Error('The link does not work.');
    const { store } = system.system;
    await system.caughtUp();
    const before = await openOf(clinic);
    const broken = new Proxy(store, {
      get: (target, name) => {
        const value: unknown = Reflect.get(target, name, target);
        if (typeof value !== 'function') return value;
        const call = (value as (...args: unknown[]) => unknown).bind(target);
        if (name !== 'append') return call;
        return (...args: unknown[]) =>
          String(args[0]).startsWith('resource-') ? Promise.reject(new Error('killed')) : call(...args);
      },
    });
    const request = { commandId: randomUUID(), at: now, correlationId: randomUUID() };
    const fields = { phones: [{ number: '305-555-0500' }] };
    const input = { svcId: clinic, kind: 'change' as const, fields };
    await expect(changeOwn({ ...system.system, store: broken }, opened, input, request)).rejects.toThrow(
      'killed',
    );
    expect(await changeOwn(system.system, opened, input, request)).toBe('taken');
    const at = await head();
    expect(await changeOwn(system.system, opened, input, request)).toBe('taken');
    expect(await head()).toBe(at);
    await system.caughtUp();
    expect(await phoneOf(clinic)).toContain('305-555-0500');
    expect(await openOf(clinic)).toBe(before);
  });

  test('lets a second address of the host in at once, where the team says so', async () => {
    const bo = 'bo@www.pantries.example';
    await claimFor(clinic, bo);
    expect((await press(await newest(bo), { answer: 'prove' })).body).toContain('link to your page');
    expect((await visit(private_(await newest(bo)))).opened.body).toContain('Corner Pantry');
    // Those who end it themselves can claim again, under a new data key.
    const ended = await press(await newest(bo), { answer: 'end' });
    expect(ended.body).toContain('Your address is erased');
    expect(await mailsTo(bo)).toEqual([]);
    later(minute);
    await claimFor(clinic, bo);
    expect((await visit(private_(await newest(bo)))).opened.body).toContain('Yes, it was me');
  });

  test('leaves out a record that moved to another website', async () => {
    await commandResource(
      system.system,
      pantry,
      { kind: 'revise', change: { url: 'https://moved.example', organization: { name: 'Harbor Pantries' } } },
      context(),
    );
    await system.caughtUp();
    const link = await newest(ana);
    expect((await visit(private_(link))).opened.body).not.toContain('Corner Pantry');
    expect((await press(link, { answer: 'yes', svc_id: pantry })).statusCode).toBe(409);
    expect((await visit(`/r/${pantry}`)).opened.body).not.toContain('Kept by the agency');
  });

  test('expires, and ends when the team ends it: no link works, and the address is erased', async () => {
    const old = await newest(ana);
    later(31 * day);
    expect((await visit(private_(old))).opened.statusCode).toBe(400);
    await claimFor(clinic, ana);
    const link = await newest(ana);
    expect((await visit(private_(link))).opened.statusCode).toBe(200);
    const doc = (await claimAt('pantries.example', 'approved')) as ClaimDocument;
    expect(await does(end, { id: doc.claim })).toBe('done');
    expect((await visit(private_(link))).opened.statusCode).toBe(400);
    expect((await press(link, { answer: 'yes', svc_id: clinic })).statusCode).toBe(400);
    expect(await mailsTo(ana)).toEqual([]);
    expect(
      await system.system.personal.open(claimOf(doc.data_key), doc.address_sealed ?? ''),
    ).toBeUndefined();
    const before = await head();
    expect((await claimFor(clinic, ana)).headers.location).toBe(`/r/${clinic}/claim?sent`);
    expect(await head()).toBe(before);
    expect((await visit(`/r/${clinic}`)).opened.body).not.toContain('Kept by the agency');
  });
});

describe('a claim that comes to nothing', () => {
  test('is refused with words, which are mailed, and its link is void', async () => {
    const eve = 'eve@others.example';
    await claimFor(other, eve);
    const link = await newest(eve);
    await press(link, { answer: 'prove' });
    const claim = (await claimAt('others.example'))?.claim;
    expect(await does(refuse, { id: claim, reason: 'Please call us.' })).toBe('done');
    expect(await does(approve, { id: claim })).toBe('conflict');
    expect((await mailsTo(eve)).at(-1)?.text).toContain('They write: Please call us.');
    expect((await visit(private_(link))).opened.statusCode).toBe(400);
  });

  test('is erased after 90 days, proof or not, and a link proves for hours only', async () => {
    const slow = 'slow@others.example';
    await claimFor(other, slow);
    const link = await newest(slow);
    later(13 * hour);
    expect((await press(link, { answer: 'prove' })).statusCode).toBe(400);
    await system.caughtUp();
    const erase = async () => {
      const count = await eraseOldClaims(system.system, now);
      await system.caughtUp();
      return count;
    };
    await erase();
    later(90 * day);
    expect(await erase()).toBeGreaterThanOrEqual(2);
    expect(await erase()).toBe(0);
    const kept = await system.system.documents
      .collection(claims.collection)
      .page({ orderBy: ['rank', 'begun_at', 'claim'], limit: 50 });
    expect(kept.filter(({ host, address_sealed }) => host === 'others.example' && address_sealed)).toEqual(
      [],
    );
  });
});

test('so many claims of one network and of one record are taken, and so many mails to one address', async () => {
  const { post } = await visit(`/r/${other}/claim`, 'en', '203.0.113.9');
  const statuses = [];
  for (let turn = 0; turn < 12; turn++)
    statuses.push((await post({ email: `a${turn}@elsewhere.example` })).statusCode);
  expect(statuses.slice(0, 10).every((status) => status === 303)).toBe(true);
  expect(statuses.at(-1)).toBe(429);
  const answers = [];
  for (let turn = 0; turn < 7; turn++) {
    answers.push((await claimFor(other, 'many@others.example')).headers.location);
    later(1_000);
  }
  expect(new Set(answers)).toEqual(new Set([`/r/${other}/claim?sent`]));
  expect(await mailsTo('many@others.example').then(({ length }) => length)).toBeLessThanOrEqual(5);
});
