import { describe, expect, it } from 'vitest';
import type { Names } from '../../../src/audit/sentences/names.ts';
import { plainLine, type DescribedEvent } from '../../../src/audit/sentences/speaker.ts';
import { sentenceOf } from '../../../src/audit/sentences/sentences.ts';
import type { EventType } from '../../../src/events/catalogue.ts';
import type { Actor } from '../../../src/events/metadata.ts';
import { everyEvent, ids, sampleOf } from '../../support/every-event.ts';

/** Names for a reader who may see none. */
const noNames: Names = {
  person: () => undefined,
  thing: () => undefined,
  role: () => undefined,
};

const people: Readonly<Record<string, string>> = { [ids.ana]: 'Ana Diaz', [ids.ben]: 'Ben Osei' };
const things: Readonly<Record<string, string>> = {
  [ids.team]: 'Harbor Network',
  [ids.client]: 'Harbor Site',
  [ids.key]: 'Widget',
  [ids.resource]: 'Corner Pantry',
  [ids.form]: 'Ask for help',
  [ids.subscription]: 'harbor.example',
};
const names: Names = {
  person: (id) => (people[id] === undefined ? undefined : { name: people[id] }),
  thing: (_kind, id) => things[id],
  role: () => undefined,
};
const ben: Actor = { kind: 'user', id: ids.ben };
const said = (type: EventType, actor: Actor = ben, known = names) =>
  sentenceOf({ ...sampleOf(type), metadata: { actor } }, known);
const all = (known: Names, actor: Actor = ben) => everyEvent.map(({ type }) => said(type, actor, known));

describe('the sentence of an event', () => {
  it.each([
    [
      'ResourceConfirmationLapsed',
      'Ben Osei noticed that nobody has confirmed Corner Pantry since May 2018.',
    ],
    ['ResourceApproved', 'Ben Osei approved Corner Pantry.'],
    ['ResourceRejected', 'Ben Osei rejected Corner Pantry: “It has closed.”'],
    ['MemberJoined', 'Ben Osei made Ana Diaz a reviewer of Harbor Network.'],
    ['ApiKeyCreated', 'Ben Osei made a key of Harbor Network called Widget with resources:read.'],
    ['ApiKeyRevoked', 'Ben Osei revoked the key Widget: “leaked”.'],
    ['ConsentGranted', 'Ana Diaz allowed the site Harbor Site to see openid, email.'],
    ['TokensRefreshed', 'The site Harbor Site refreshed its tokens of Ana Diaz.'],
    ['PaymentRecorded', 'Ben Osei recorded a payment of 12.50 USD by Ana Diaz for Harbor Network.'],
    [
      'SubscriptionAutoPaused',
      'Ben Osei paused the webhooks to harbor.example: “The receiver answered 410.”',
    ],
    ['FormSubmitted', 'Somebody filled in the form Ask for help of Harbor Network.'],
    [
      'SignInsRefused',
      'After 10 wrong passwords for Ana Diaz within 15 minutes from one network, more were refused for a while.',
    ],
    ['BackupTaken', 'Ben Osei took a backup of 12 events.'],
    [
      'BackupTested',
      'Ben Osei tested the backup of 2026-03-04T05:06:07.000Z: 12 events restored and verified.',
    ],
    ['BackupRestored', 'Ben Osei restored the backup of 2026-03-04T05:06:07.000Z, with 12 events.'],
    ['MasterKeyRotated', 'Ben Osei sealed the vault under a new master key.'],
    ['MasterKeyRotationEnded', 'Ben Osei ended the rotation of the master key.'],
    ['AuditQueried', 'Ben Osei searched the audit log, and saw 12 events.'],
    ['UserErased', 'Ben Osei erased a person.'],
  ] as const)('says %s', (type, sentence) => {
    expect(said(type)).toBe(sentence);
  });

  it('tells what people do themselves from what others do for them', () => {
    expect(said('UserPasswordChanged', { kind: 'user', id: ids.ana })).toBe(
      'Ana Diaz changed their password, which ended every session.',
    );
    expect(said('UserPasswordChanged', { kind: 'system', id: 'cli' })).toBe(
      'An operator changed Ana Diaz’s password, which ended every session.',
    );
    expect(said('MemberLeft', { kind: 'user', id: ids.ana })).toBe('Ana Diaz left Harbor Network.');
    expect(said('MemberLeft')).toBe('Ben Osei removed Ana Diaz from Harbor Network.');
  });

  it('names who acted: a person, a key, a site, an operator for somebody, the service', () => {
    const by = (actor: Actor) => said('ResourceApproved', actor);
    expect(by({ kind: 'key', id: ids.key })).toBe('The key Widget approved Corner Pantry.');
    expect(by({ kind: 'client', id: ids.client })).toBe('The site Harbor Site approved Corner Pantry.');
    expect(by({ kind: 'system', id: 'cli', on_behalf_of: ids.ana })).toBe(
      'An operator, for Ana Diaz, approved Corner Pantry.',
    );
    expect(by({ kind: 'system', id: 'cli', on_behalf_of: ids.ben, claims_to_be: ids.ben })).toBe(
      'An operator, who claims to be Ben Osei, approved Corner Pantry.',
    );
    expect(by({ kind: 'system', id: 'cli', on_behalf_of: ids.ana, claims_to_be: ids.ben })).toBe(
      'An operator, who claims to be Ben Osei, for Ana Diaz, approved Corner Pantry.',
    );
    expect(by({ kind: 'system', id: 'dispatcher' })).toBe('The service approved Corner Pantry.');
  });

  it('says the role of a person whom the reader may not see', () => {
    const roles: Names = { ...names, person: () => undefined, role: () => 'reviewer' };
    expect(said('ResourceApproved', ben, roles)).toBe('A reviewer of Harbor Network approved Corner Pantry.');
    expect(said('ResourceApproved', ben, noNames)).toBe('A person approved Corner Pantry.');
  });

  it('says that a person is erased', () => {
    const erased: Names = { ...names, person: () => ({ erased: true }) };
    expect(said('MemberLeft', ben, erased)).toBe(
      'An erased person removed an erased person from Harbor Network.',
    );
  });

  it('is there for every event: one line, that begins with a capital letter and ends with a full stop', () => {
    for (const known of [names, noNames]) {
      for (const [index, sentence] of all(known).entries()) {
        const { type } = everyEvent[index] as (typeof everyEvent)[number];
        expect(sentence, type).toMatch(/^[A-Z][^\n]{8,}(\.|[.!?]”)$/);
        expect(sentence, type).not.toMatch(/undefined|null|\[object|NaN|\s{2}|\.\./);
      }
    }
  });

  it('never has an id, a sealed text or a name that the reader may not see', () => {
    for (const sentence of all(noNames)) {
      // The name of a log is public, and may end with its day and a random part.
      const withoutLogs = sentence.replaceAll(/\/audit\/log\/\d{8}-[0-9a-f]{8}\b/g, '');
      expect(withoutLogs).not.toMatch(/[0-9a-f]{8}-[0-9a-f]{4}|c2VhbGVk|Ana|Ben/);
    }
  });

  it('stays one line whatever names and texts it has', () => {
    const hostile = 'x\n\u001b[2J\u202egnp.exe\u2066\u2028<script>\u0007\u200f\u{e0041}';
    const evil: Names = {
      person: () => ({ name: hostile }),
      thing: () => hostile,
      role: () => undefined,
    };
    const texts = JSON.stringify(everyEvent.map((event) => event.data));
    expect(texts).toContain('Corner Pantry');
    for (const event of everyEvent) {
      const data = JSON.parse(
        JSON.stringify(event.data).replaceAll(
          /"(name|label|reason|note|error|url|paused_because|projection)":"[^"]*"/g,
          (_, field: string) => `"${field}":${JSON.stringify(hostile)}`,
        ),
      ) as unknown;
      const sentence = sentenceOf(
        { ...event, data, metadata: { actor: ben } } as unknown as DescribedEvent,
        evil,
      );

      expect(sentence, event.type).not.toMatch(/[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069\u200f]/u);
    }
    expect(said('FormClosed', ben, evil)).toContain('x\\u{a}\\u{1b}[2J\\u{202e}gnp.exe');
  });
});

describe('a text in a line', () => {
  it('keeps every script and emoji, and is cut when it is long', () => {
    for (const name of ['مرکز نمی‌دانم', '山田太郎', 'नमस्ते क्‍ष', '👩‍👩‍👧', 'Zoë'])
      expect(plainLine(name)).toBe(name);
    expect(Array.from(plainLine('é'.repeat(500)))).toHaveLength(120);
  });
});
