import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { eraseContact, reportBounce } from '../../../../src/actions/directory/upkeep/agency-contacts.ts';
import {
  beginAsking,
  endAsking,
  previewAsking,
  askingState,
} from '../../../../src/actions/directory/upkeep/asking.ts';
import { carryOutSettled, noteUnreachable } from '../../../../src/actions/directory/upkeep/agency-answers.ts';
import { agencyLinks } from '../../../../src/actions/directory/upkeep/agency-links.ts';
import { agencyRounds } from '../../../../src/actions/directory/upkeep/asking-rounds.ts';
import { callList } from '../../../../src/actions/directory/upkeep/calls.ts';
import { perform } from '../../../../src/actions/perform.ts';
import {
  agencyContactId,
  loadAgencyContact,
} from '../../../../src/commands/directory/upkeep/agency-contact.ts';
import { Outbox, type WaitingMail } from '../../../../src/mail/outbox.ts';
import { suggestions } from '../../../../src/projections/directory/upkeep/suggestions.ts';
import { resources } from '../../../../src/projections/directory/resources.ts';
import { confirmedOf } from '../../../../src/projections/directory/shown-fields.ts';
import { cookieOf, fieldsIn } from '../../../support/posted-form.ts';
import { startSystem, type RunningSystem } from '../../harness.ts';

const dayMs = 86_400_000;
/** A Monday at ten in the morning, long after the records were approved. */
let now = new Date('2027-12-06T10:00:00Z');
const nextDay = () => (now = new Date(now.getTime() + dayMs));

let system: RunningSystem;
let pantry = '';
let clinic = '';
let silent = '';
const context = () => ({
  actor: { kind: 'system' as const, id: 'cli' },
  commandId: randomUUID(),
  at: now,
});
const base = 'https://directory.example';
const by = (team?: string) => ({ who: { kind: 'operator' as const, ...(team ? { team } : {}) }, context });
const contactOf = async (address: string) =>
  (await agencyContactId(system.system.personal, 'harbour', address)) ?? '';
const state = async (address: string) => loadAgencyContact(system.system.store, await contactOf(address));
const head = async () => String(await system.system.store.head());
const waiting = () => new Outbox(system.system).waiting();
const mailsTo = async (address: string): Promise<WaitingMail[]> =>
  (await waiting()).filter(({ to }) => to.toLowerCase() === address.toLowerCase());

/** Rounds of each day until a mail to the address waits. Answers it. */
async function untilMailed(address: string, mostDays = 60): Promise<WaitingMail> {
  for (let day = 0; day < mostDays; day++) {
    const [mail] = await mailsTo(address);
    if (mail) return mail;
    nextDay();
    await round();
  }
  throw new Error(`Nothing was mailed to ${address}.`);
}
const round = async () => {
  await agencyRounds(system.system, { base })(now);
  await system.caughtUp();
};

const linkIn = (mail: WaitingMail, path = '/k'): string =>
  new URL(new RegExp(`${base}${path}\\?\\S+`).exec(mail.text)?.[0] ?? base).searchParams.get('link') ?? '';

async function visitor(link: string, language = 'es') {
  const url = `/k?${new URLSearchParams({ link }).toString()}`;
  const open = () => system.server.inject({ url, headers: { 'accept-language': language } });
  const opened = await open();
  const cookie = cookieOf(opened);
  const token = fieldsIn(opened.body)['token'] ?? '';
  const post = (path: string, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    system.server.inject({
      method: 'POST',
      url: path,
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        'accept-language': language,
        'sec-fetch-site': 'same-origin',
        cookie,
        ...headers,
      },
      payload: new URLSearchParams({ token, link, ...fields }).toString(),
    });
  return {
    opened,
    open,
    post,
    press: (svcId: string, answer: string) => post('/k', { svc_id: svcId, answer }),
  };
}

beforeAll(async () => {
  system = await startSystem({ now: () => now, environment: { SMTP_URL: 'smtp://127.0.0.1:1' } });
  // The stores of the system itself know the setting too.
  Object.assign(system.system.config, { smtpUrl: 'smtp://127.0.0.1:1' });
  await system.team('harbour');
  [pantry = '', clinic = '', silent = ''] = await system.resources(4, {
    team: 'harbour',
    fields: (index) =>
      [
        {
          name: 'Corner Pantry',
          organization: { name: 'Harbor Pantries' },
          contacts: [{ name: 'Ana Diaz', email: 'Ana@pantry.example' }],
          email: 'office@pantry.example',
          languages: ['Spanish'],
          phones: [{ number: '305-555-0100' }],
        },
        { name: 'Corner Clinic', contacts: [{ email: 'ana@pantry.example' }] },
        { name: 'Quiet Shelter', contacts: [{ email: 'nobody@shelter.example' }] },
        { name: 'Old Kitchen', phones: [{ number: '305-555-0199' }] },
      ][index] ?? {},
  });
});
afterAll(() => system.stop());

describe('a team that asks its agencies', () => {
  test('has seen the first mail and the number of contacts before', async () => {
    await round();
    expect(await waiting()).toEqual([]);
    const blind = await perform(beginAsking, system.system, {
      ...by('harbour'),
      input: { seen: 'no preview' },
    });
    expect(blind).toMatchObject({ kind: 'refused', refusal: { code: 'conflict' } });
    const preview = await previewAsking(system.system, { team: 'harbour' }, { base }, now);
    expect(preview).toMatchObject({ counts: { due: 4, contacts: 2, ask: 3, call: { 'no-address': 1 } } });
    expect(preview.mail?.text).toMatch(/^- (Corner Pantry|Corner Clinic|Quiet Shelter)$/m);
    // Its link answers for nobody.
    const link =
      new URL(/https:\S+/.exec(preview.mail?.text ?? '')?.[0] ?? base).searchParams.get('link') ?? '';
    expect((await visitor(link)).opened.statusCode).toBe(400);
    expect(await waiting()).toEqual([]);
    const begun = await perform(beginAsking, system.system, {
      ...by('harbour'),
      input: { seen: preview.seen },
    });
    expect(begun.kind).toBe('done');
  });

  test('sends one mail for all records of a contact, in their language, with one link that ends it', async () => {
    const mail = await untilMailed('Ana@pantry.example');
    expect(mail.fromName).toBe('harbour');
    expect(mail.text).toContain('Corner Pantry');
    expect(mail.text).toContain('Corner Clinic');
    expect(mail.text).not.toContain('Ana Diaz');
    expect(mail.text).toContain('In English:');
    expect(mail.subject).toContain('sigue siendo correcto');
    expect(mail.unsubscribe).toEqual({
      atOnce: expect.stringContaining(`${base}/k/stop/at-once?link=`) as unknown,
    });
    expect((await state('ana@pantry.example'))?.svcIds).toEqual(expect.arrayContaining([pantry, clinic]));
    // Days and rounds later there is no other.
    for (let day = 0; day < 29; day++) {
      nextDay();
      await round();
    }
    expect(await mailsTo('Ana@pantry.example')).toHaveLength(1);
  });

  test('puts a mail that a killed process has not put, and none twice', async () => {
    const { side } = system.system;
    const before = (await waiting()).map(({ id }) => id);
    // As if the process was killed between the event and the mail.
    await side.table('agency-mails').delete('all');
    for (const { id } of await new Outbox(system.system).waiting()) await side.table('mail').delete(id);
    now = new Date(
      Date.parse((await state('nobody@shelter.example'))?.mailedAt ?? now.toISOString()) + 1_000,
    );
    await round();
    await round();
    const again = (await waiting()).map(({ id }) => id);
    expect(before).toEqual(expect.arrayContaining(again));
    expect(again.filter((id) => id.includes('agency-ask')).length).toBeGreaterThan(0);
    expect(new Set(again).size).toBe(again.length);
  });
});

describe('the private page', () => {
  let link = '';
  beforeAll(async () => {
    link = agencyLinks(system.system.masterKey).seal({ contact: await contactOf('ana@pantry.example') }, now);
  });

  test('is in the language of the reader, kept by nobody and in no search engine', async () => {
    const { opened } = await visitor(link);
    expect(opened.statusCode).toBe(200);
    expect(opened.headers).toMatchObject({
      'cache-control': 'no-store',
      'x-robots-tag': 'noindex, nofollow',
    });
    expect(opened.headers['referrer-policy']).toBe('no-referrer');
    expect(opened.body).toContain('Sí, sigue siendo correcto');
    expect(opened.body).toContain('305-555-0100');
    expect(opened.body).not.toContain('pantry.example');
    expect((await visitor(link, 'ht')).opened.body).toContain('Wi, li toujou bon');
  });

  test('answers nothing when a program follows the link', async () => {
    const before = await head();
    for (const method of ['GET', 'HEAD'] as const)
      for (const path of ['/k', '/k/change', '/k/stop', '/k/stop/at-once'])
        await system.server.inject({ method, url: `${path}?link=${link}&svc_id=${pantry}&answer=yes` });
    // A form that no page of ours has made.
    await system.server.inject({
      method: 'POST',
      url: '/k',
      headers: { 'content-type': 'application/x-www-form-urlencoded' },
      payload: new URLSearchParams({ link, svc_id: pantry, answer: 'yes' }).toString(),
    });
    expect(await head()).toBe(before);
  });

  test('takes one press for each record, and takes it back', async () => {
    const reader = await visitor(link);
    expect((await reader.press(pantry, 'closed')).statusCode).toBe(303);
    expect((await reader.open()).body).toContain('Usted dijo: cerrado');
    expect((await reader.press(pantry, 'undo')).statusCode).toBe(303);
    expect((await reader.open()).body).not.toContain('Usted dijo: cerrado');
    const fresh = await visitor(link);
    expect((await fresh.press(pantry, 'yes')).statusCode).toBe(303);
    expect((await fresh.open()).body).toContain('1 de 2 respondidos');
    // Nothing has its effect before whoever answers is done.
    expect(await confirmedBy(pantry)).toBe('team');
    const done = await (await visitor(link)).post('/k', { answer: 'done' });
    expect(done.body).toContain('Gracias');
    await system.caughtUp();
    expect(await confirmedBy(pantry)).toBe('agency');
    // What has had its effect is not taken back, and nothing is left to finish.
    expect((await reader.open()).body).not.toContain('value="done"');
    const stream = await system.system.store.readStream(`resource-${pantry}`);
    expect(stream.at(-1)).toMatchObject({
      type: 'ResourceConfirmed',
      data: { by: 'agency', by_link: { organization: 'Harbor Pantries' } },
      metadata: { actor: { kind: 'system', id: 'agency-link' } },
    });
    // Pressed again, it is the same.
    const before = await head();
    await (await visitor(link)).press(pantry, 'yes');
    await (await visitor(link)).post('/k', { answer: 'done' });
    expect(await head()).toBe(before);
  });

  test('takes a change, which waits for the team', async () => {
    const reader = await visitor(link);
    const form = await system.server.inject({
      url: `/k/change?${new URLSearchParams({ link, svc_id: clinic, lang: 'en' }).toString()}`,
    });
    expect(form.body).toContain('What has changed?');
    const shown = fieldsIn(form.body);
    expect(shown).not.toHaveProperty('closed');
    const same = { svc_id: clinic, seen: shown['seen'] ?? '', note: '' };
    const unchanged = await reader.post('/k/change', same);
    expect(unchanged.statusCode).toBe(422);
    expect(unchanged.body).toContain('Todavía no ha cambiado nada.');
    const wrong = await reader.post('/k/change', { ...same, phones: 'ask for Maria' });
    expect(wrong.statusCode).toBe(422);
    expect(wrong.body).toContain('“ask for Maria” no es un número de teléfono.');
    const sent = await reader.post('/k/change', {
      ...same,
      phones: '305-555-0142',
      note: 'Use the back door.',
    });
    expect(sent.statusCode).toBe(303);
    await system.caughtUp();
    const [suggestion] = await suggestionsOf(clinic);
    expect(suggestion).toMatchObject({ by: 'agency', kind: 'change', fields: ['phones'] });
    expect((await (await visitor(link)).open()).body).toContain('Usted pidió un cambio');
  });

  test('carries out by itself what was answered ten minutes ago', async () => {
    const mail = await untilMailed('nobody@shelter.example');
    const reader = await visitor(linkIn(mail));
    await reader.press(silent, 'closed');
    await system.caughtUp();
    await carryOutSettled(system.system, new Date(now.getTime() + 9 * 60_000));
    await system.caughtUp();
    expect(await suggestionsOf(silent)).toEqual([]);
    for (const minutes of [11, 12])
      await carryOutSettled(system.system, new Date(now.getTime() + minutes * 60_000));
    await system.caughtUp();
    expect(await suggestionsOf(silent)).toMatchObject([{ by: 'agency', kind: 'closed' }]);
  });

  test('is nothing behind a forged, an expired and a stopped link', async () => {
    const links = agencyLinks(system.system.masterKey);
    const contact = await contactOf('ana@pantry.example');
    const expired = links.seal({ contact }, new Date(now.getTime() - 61 * dayMs));
    for (const each of ['', 'x', `${link.slice(0, -4)}AAAA`, expired]) {
      const { opened, press } = await visitor(each);
      expect(opened.statusCode).toBe(400);
      expect(opened.body).toContain('Este enlace no funciona');
      expect((await press(pantry, 'yes')).statusCode).toBe(400);
    }
  });

  test('ends the mails by one request of a mail program, and erases the address', async () => {
    const mail = await untilMailed('nobody@shelter.example');
    const atOnce = new URL((mail.unsubscribe as { atOnce: string }).atOnce);
    const stopped = await system.server.inject({
      method: 'POST',
      url: `${atOnce.pathname}${atOnce.search}`,
      headers: { 'content-type': 'multipart/form-data; boundary=x' },
      payload: '--x--',
    });
    expect(stopped.statusCode).toBe(200);
    expect(await mailsTo('nobody@shelter.example')).toEqual([]);
    const contact = await state('nobody@shelter.example');
    expect(contact?.status).toBe('stopped');
    await expect(
      system.system.personal.open(`agency-contact/${contact?.contact ?? ''}`, contact?.addressSealed ?? ''),
    ).resolves.toBeUndefined();
    expect((await visitor(linkIn(mail))).opened.statusCode).toBe(400);
  });
});

describe('a contact that no mail reaches', () => {
  test('leads to the next one, and then to the call list', async () => {
    const contact = await contactOf('ana@pantry.example');
    await noteUnreachable(system.system, contact, 'refused', context());
    await system.caughtUp();
    now = new Date(now.getTime() + 400 * dayMs);
    const calls = async () => (await callList(system.system, 'harbour', undefined, now)).rows;
    const reasons = async () =>
      Object.fromEntries((await calls()).map(({ record, reason }) => [record.fields.name, reason]));
    expect(await reasons()).toEqual({
      'Corner Clinic': 'unreachable',
      'Quiet Shelter': 'stopped',
      'Old Kitchen': 'no-address',
    });
    const mail = await untilMailed('office@pantry.example');
    expect(mail.text).toContain('Corner Pantry');
    const bounced = await perform(reportBounce, system.system, {
      ...by(),
      input: { address: ' OFFICE@pantry.example' },
    });
    expect(bounced).toMatchObject({ kind: 'done', value: { contacts: 1 } });
    await system.caughtUp();
    expect(await reasons()).toMatchObject({ 'Corner Pantry': 'unreachable' });
    const nobody = await perform(reportBounce, system.system, { ...by(), input: { address: 'x@y.example' } });
    expect(nobody).toMatchObject({ kind: 'refused', refusal: { code: 'not_found' } });
  });

  test('is erased with the mails that wait, and is never asked again', async () => {
    const address = 'office@pantry.example';
    await perform(eraseContact, system.system, { ...by(), input: { address } });
    expect((await state(address))?.status).toBe('erased');
    expect(await mailsTo(address)).toEqual([]);
  });

  test('is counted without its address', async () => {
    const shown = await askingState(system.system, 'harbour', now);
    expect(shown).toMatchObject({ on: true, stopped: 1, unreachable: 1 });
    expect(JSON.stringify(shown)).not.toContain('pantry.example');
    await perform(endAsking, system.system, { ...by('harbour'), input: {} });
    expect((await askingState(system.system, 'harbour', now)).on).toBe(false);
  });
});

async function confirmedBy(svcId: string) {
  const doc = await system.system.documents.collection(resources.collection).get(svcId);
  return doc && confirmedOf(doc)?.by;
}

const suggestionsOf = async (svcId: string) =>
  (
    await system.system.documents
      .collection(suggestions.collection)
      .page({ where: { team: 'harbour' }, orderBy: ['rank', 'suggested_at', 'suggestion'], limit: 100 })
  ).filter(({ svc_id }) => svc_id === svcId);
