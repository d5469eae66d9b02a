import { Writable } from 'node:stream';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { languages } from '../../../src/api/pages/frame/language.ts';
import { writtenTextsIn } from '../../../src/api/pages/frame/texts.ts';
import { beginning } from '../../../src/stores/event-store/port.ts';
import { anyForm, consentForm, oneOfEach } from '../../support/any-form.ts';
import { notForPeople } from '../../support/plain-words.ts';
import { fieldsIn, formIn } from '../../support/posted-form.ts';
import { startSystem, type RunningSystem } from '../harness.ts';
import { answersTo, command, formUrl, publish, visitor, type Visitor } from './visitor.ts';

let now = new Date('2026-11-20T15:00:00Z');
const later = (seconds: number) => {
  now = new Date(now.getTime() + seconds * 1_000);
};

let system: RunningSystem;
let log = '';
beforeAll(async () => {
  const stream = new Writable({
    write(chunk: Buffer, _encoding, done) {
      log += chunk.toString();
      done();
    },
  });
  system = await startSystem({ now: () => now, logger: { level: 'trace', stream } });
  await system.team('harbour');
  await publish(system, 'volunteers', anyForm());
});
afterAll(() => system.stop());

const url = formUrl('volunteers');
const open = (language = 'en', at = url) => visitor(system, at, { language });
const stored = () => answersTo(system, 'volunteers');
/** After a time in which somebody can have filled the form in. */
const filledIn = async (): Promise<Visitor> => {
  const somebody = await open();
  later(30);
  return somebody;
};

/** What the page carries for itself. */
const ownFieldsIn = (body: string) => {
  const { 'form-token': token = '', 'form-version': version = '' } = fieldsIn(body);
  return { 'form-token': token, 'form-version': version };
};

describe('the page of a form', () => {
  test('has a field of each kind, each with its label, in a form that needs no script', async () => {
    const { opened } = await open();
    const { body, headers } = opened;
    expect(opened.statusCode).toBe(200);
    expect(formIn(body)).toEqual({ method: 'post', action: url });
    for (const { key, label } of oneOfEach) {
      expect(body).toContain(`id="field-${key}"`);
      expect(body).toContain(label['en']?.replaceAll('&', '&#38;') ?? '?');
    }
    expect(body).toContain('type="email"');
    expect(body).toContain('type="date"');
    expect(body).toContain('inputmode="decimal"');
    expect(body).toContain('A number from 1 to 30.');
    expect(body).toContain('What you write here goes to harbour.');
    expect(headers['cache-control']).toBe('no-store');
    expect(headers['content-security-policy']).toMatch(/default-src 'none'.*form-action 'self'/);
    expect(headers['access-control-allow-origin']).toBeUndefined();
  });

  test('is in the language of the browser, or the one that was chosen, the words of the team as well', async () => {
    const { opened } = await open('es');
    expect(opened.headers['content-language']).toBe('es');
    expect(opened.body).toContain('<h1>Hágase voluntario</h1>');
    expect(opened.body).toContain('¿Qué día?');
    expect(opened.body).toContain('opcional');
    expect((await open('es', `${url}?lang=en`)).opened.body).toContain('<h1>Become a volunteer</h1>');
  });

  test('marks words of the team in another language, and leads to languages that its frame has not', async () => {
    await publish(
      system,
      'benevoles',
      anyForm({
        languages: ['fr', 'pt'],
        title: { fr: 'Devenir bénévole', pt: 'Seja voluntário' },
        intro: { fr: 'Bonjour' },
        thanks: { fr: 'Merci' },
        fields: [{ key: 'name', kind: 'text', required: true, label: { fr: 'Nom', pt: 'Nome' } }],
      }),
    );
    const french = (await open('en', formUrl('benevoles'))).opened.body;
    expect(french).toContain('<span lang="fr">Nom</span>');
    expect(french).toContain(`href="${formUrl('benevoles')}?lang=pt"`);
    const portuguese = (await open('en', `${formUrl('benevoles')}?lang=pt`)).opened.body;
    expect(portuguese).toContain('<span lang="pt">Nome</span>');
    // What is not written in it is shown in the first language, and says so.
    expect(portuguese).toMatch(/<p lang="fr">\s*Bonjour/);
  });

  test('takes what was filled in, normalised and sealed, and thanks for it', async () => {
    const { send } = await filledIn();
    const answer = await send({
      name: '  Ana   Ruiz ',
      story: 'One\r\ntwo',
      email: 'ana@example.org',
      phone: '+1 (305) 555-0100',
      household: '4',
      day: 'sat',
      help_with: ['phones', 'driving'],
      agrees: 'yes',
      from: '2026-12-01',
    });
    expect([answer.statusCode, answer.headers.location]).toEqual([303, `${url}?done=`]);
    const thanks = await system.server.inject({ url: `${url}?done=` });
    expect(thanks.body).toContain('We will call within two days.');
    expect((await stored()).at(-1)).toEqual({
      name: 'Ana Ruiz',
      story: 'One\ntwo',
      email: 'ana@example.org',
      phone: '+1 (305) 555-0100',
      household: 4,
      day: 'sat',
      help_with: ['driving', 'phones'],
      agrees: true,
      from: '2026-12-01',
    });
  });

  test('is one submission when it is sent twice, at once or again', async () => {
    const { send } = await filledIn();
    const before = (await stored()).length;
    const answers = await Promise.all([send({ name: 'Twice' }), send({ name: 'Twice' })]);
    answers.push(await send({ name: 'Twice' }));
    expect(answers.map(({ statusCode }) => statusCode)).toEqual([303, 303, 303]);
    expect(await stored()).toHaveLength(before + 1);
  });

  test('shows every problem in a summary and beside its field, and keeps what was typed', async () => {
    const { send } = await filledIn();
    const before = (await stored()).length;
    const { statusCode, body } = await send({
      name: ' ',
      story: '<b>kept</b>',
      email: 'nobody',
      household: '31',
      help_with: ['cooking', 'driving'],
      agrees: 'yes',
    });
    expect(statusCode).toBe(422);
    expect(body).toContain('3 answers need your attention:');
    expect(body).toContain('<a href="#field-email">Email</a>: This is not an email address.');
    expect(body).toMatch(/id="field-email-error">This is not an email address/);
    expect(body).toMatch(/value="nobody"[^>]*aria-describedby="field-email-error"[^>]*aria-invalid="true"/);
    expect(body).toMatch(/aria-describedby="field-household-hint field-household-error"/);
    // The first wrong field has the focus, and no other.
    expect(body.match(/<[^>]*\bautofocus\b[^>]*>/g)).toEqual([expect.stringContaining('id="field-name"')]);
    const chosen = (await (await filledIn()).send({ name: 'Ana', day: 'never' })).body;
    expect(chosen.match(/<[^>]*\bautofocus\b[^>]*>/g)).toEqual([expect.stringContaining('id="field-day"')]);
    expect(body).toContain('&#60;b&#62;kept&#60;/b&#62;</textarea');
    expect(body).toMatch(/value="cooking"[^>]*checked/);
    expect(body).toMatch(/id="field-agrees"[^>]*checked/);
    expect(body).not.toContain('<b>kept');
    expect(await stored()).toHaveLength(before);
  });

  test('takes what somebody sends who is quick, such as one whose browser fills it in', async () => {
    const before = (await stored()).length;
    const { send } = await open();
    expect((await send({ name: 'Quick Ana' })).statusCode).toBe(303);
    expect(await stored()).toHaveLength(before + 1);
  });

  test('takes nothing from a program that fills in the hidden field, and tells it nothing', async () => {
    const before = (await stored()).length;
    const { send } = await filledIn();
    expect((await send({ name: 'Spam', 'form-more': 'https://spam.example' })).statusCode).toBe(303);
    expect(await stored()).toHaveLength(before);
  });

  test('takes nothing from another browser, another form, or from yesterday', async () => {
    await publish(system, 'other', anyForm());
    const before = (await stored()).length;
    const [here, there, elsewhere] = [await open(), await open(), await open('en', formUrl('other'))];
    later(30);
    const tokenOf = ({ opened }: Visitor) => /name="form-token" value="([^"]+)"/.exec(opened.body)?.[1] ?? '';
    const token = tokenOf(here);
    const answers = await Promise.all([
      here.send({ name: 'A' }, { cookie: '' }),
      here.send({ name: 'A', 'form-token': tokenOf(there) }),
      here.send({ name: 'A', 'form-token': tokenOf(elsewhere) }),
      here.send({ name: 'A', 'form-token': '' }),
      here.send({ name: 'A', 'form-token': ['x', token] }),
      here.send({ name: 'A', 'form-token': `${token.slice(0, -2)}AA` }),
    ]);
    later(25 * 3_600);
    answers.push(await here.send({ name: 'Still here' }));
    for (const { statusCode, body } of answers) {
      expect(statusCode).toBe(422);
      expect(body).toContain('This page was open for too long');
    }
    expect(answers.at(-1)?.body).toContain('value="Still here"');
    expect(await stored()).toHaveLength(before);
  });

  test('says so when the form was changed while it was open', async () => {
    await publish(system, 'changing', anyForm());
    const somebody = await open('en', formUrl('changing'));
    later(30);
    await command(system, 'changing', {
      kind: 'revise',
      definition: anyForm({ fields: oneOfEach.filter(({ key }) => key !== 'phone') }),
    });
    const { statusCode, body } = await somebody.send({ name: 'Ana', phone: '305 555 0100' });
    expect(statusCode).toBe(422);
    expect(body).toContain('The form was changed in the meantime.');
    expect(body).toContain('value="Ana"');
    later(30);
    expect((await somebody.send({ ...ownFieldsIn(body), name: 'Ana' })).statusCode).toBe(303);
  });

  test('takes no agreement to words that were not read: they are shown, and the box is empty', async () => {
    await publish(system, 'consent', consentForm('You keep this.'));
    const somebody = await open('en', formUrl('consent'));
    later(30);
    await command(system, 'consent', { kind: 'revise', definition: consentForm('You sell this.') });
    const typed = { name: 'Ana', agrees: 'yes', days: 'all' };
    const { statusCode, body } = await somebody.send(typed);
    expect(statusCode).toBe(422);
    expect(body).toContain('The form was changed in the meantime.');
    expect(body).toContain('You sell this.');
    expect(body).toContain('value="Ana"');
    expect(body).toMatch(/id="field-days"[^>]*checked/);
    expect(body).not.toMatch(/id="field-agrees"[^>]*checked/);
    // Also not when only the version is sent again that was read.
    later(30);
    expect((await somebody.send({ ...typed, 'form-version': 'x' })).statusCode).toBe(422);
    expect(await answersTo(system, 'consent')).toEqual([]);
    later(30);
    expect((await somebody.send({ ...ownFieldsIn(body), ...typed })).statusCode).toBe(303);
  });

  test('is taken after a change of what nobody has read: sites, caps, thanks and further languages', async () => {
    await publish(system, 'quiet', consentForm('You keep this.'));
    const somebody = await open('en', formUrl('quiet'));
    later(30);
    const definition = { ...consentForm('You keep this.'), thanks: { en: 'Thanks a lot.' }, daily_cap: 9 };
    await command(system, 'quiet', { kind: 'revise', definition });
    expect((await somebody.send({ agrees: 'yes' })).statusCode).toBe(303);
  });

  test('says that a form is closed, or that there is none', async () => {
    await publish(system, 'closing', anyForm());
    const somebody = await open('en', formUrl('closing'));
    later(30);
    await command(system, 'closing', { kind: 'close' });
    const closed = (await open('en', formUrl('closing'))).opened;
    expect([closed.statusCode, closed.body.includes('This form is closed')]).toEqual([200, true]);
    expect(closed.body).not.toContain('<form');
    const late = await somebody.send({ name: 'Ana' });
    expect([late.statusCode, late.body.includes('It takes no more answers.')]).toEqual([410, true]);
    await command(system, 'closing', { kind: 'reopen' });
    expect((await somebody.send({ name: 'Ana' })).statusCode).toBe(303);
    for (const missing of ['none', '__proto__', 'UPPER', '%00', 'a'.repeat(2_000)]) {
      const { opened, send } = await open('en', formUrl(missing));
      expect([opened.statusCode, opened.body.includes('We did not find this form')]).toEqual([404, true]);
      expect((await send({ name: 'Ana' })).statusCode).toBe(404);
    }
  });

  test('refuses files, and more than it can read, in words', async () => {
    const { send } = await filledIn();
    const multipart = await send({}, { 'content-type': 'multipart/form-data; boundary=x' });
    expect([multipart.statusCode, multipart.body.includes('Files cannot be sent here')]).toEqual([415, true]);
    const long = await send({ story: 'x'.repeat(140_000) });
    expect([long.statusCode, long.body.includes('This is too long')]).toEqual([413, true]);
  });

  test('is harmless with hostile answers', async () => {
    const { send } = await filledIn();
    const before = await stored();
    const refused = await send({
      name: 'A',
      __proto__x: '1',
      constructor: '1',
      toString: 'x',
      day: ['sat', 'sun'],
      help_with: 'constructor',
    });
    expect(refused.statusCode).toBe(422);
    const lines = await send({ name: 'A', story: 'x\n'.repeat(10_000).slice(0, 19_000) });
    expect([lines.statusCode, lines.body.includes('This is too long.')]).toEqual([422, true]);
    const taken = await send({
      name: 'a\0b\u202Ec\ud800 <script>alert(1)</script>',
      story: '\u0007line\u2028another',
    });
    expect(taken.statusCode).toBe(303);
    const after = await stored();
    expect(after).toHaveLength(before.length + 1);
    expect(after.at(-1)).toMatchObject({
      name: 'a bc\ufffd <script>alert(1)</script>',
      story: 'line\nanother',
    });
  });

  test('leaves no answer in clear in the log of events, in logs or in an address', async () => {
    const { send } = await filledIn();
    const marked = 'Wilhelmina Quackenbush';
    await send({ name: marked, email: 'wq@secret.example', household: '99' });
    const taken = await send({ name: marked, email: 'wq@secret.example' });
    expect(taken.headers.location).not.toContain('secret');
    expect((await stored()).at(-1)).toMatchObject({ name: marked });
    const { events } = await system.system.store.readAll({ after: beginning, limit: 10_000 });
    const sealed = events.filter(({ type }) => type === 'FormSubmitted');
    expect(sealed.length).toBeGreaterThan(3);
    const all = JSON.stringify(events.map(({ data, metadata }) => [data, metadata])) + log;
    expect(all).not.toMatch(/Wilhelmina|Quackenbush|secret\.example/);
  });

  test('speaks plainly, in every language', () => {
    for (const language of languages)
      expect(notForPeople(JSON.stringify(writtenTextsIn(language)['form']))).toBeUndefined();
    expect(JSON.stringify(writtenTextsIn('es')['form'])).not.toMatch(
      /\b(tú|tu|tus|necesitas|puedes|elige|vosotros)\b/i,
    );
  });
});
