import { randomUUID } from 'node:crypto';
import { domainToUnicode } from 'node:url';
import fc from 'fast-check';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { normalAddress } from '../../src/events/accounts/email-address.ts';
import { NoDataKey, PersonalData, personOf, resourcePersonOf } from '../../src/personal/personal-data.ts';
import { aClock, type Clock } from '../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../support/stores.ts';

describe('an email address', () => {
  it.each([
    ['ada@example.org', 'ada@example.org'],
    ['  Ada@Example.ORG\n', 'ada@example.org'],
    ['ada+news@example.org', 'ada+news@example.org'],
    ['ada@bücher.example', 'ada@xn--bcher-kva.example'],
    ['ada@xn--bcher-kva.example', 'ada@xn--bcher-kva.example'],
    ['u\u0308nal@example.org', 'ünal@example.org'],
    ['ÜNAL@EXAMPLE.ORG', 'ünal@example.org'],
    ['root@localhost', 'root@localhost'],
    ['ada@FASS.example', 'ada@fass.example'],
    ['ada@faß.example', 'ada@xn--fa-hia.example'],
    ['\tada@Bücher.Example\r\n', 'ada@xn--bcher-kva.example'],
  ])('%j is %s', (given, normal) => {
    expect(normalAddress(given)).toBe(normal);
  });

  it.each([
    '',
    '@',
    'ada',
    'ada@',
    '@example.org',
    'a da@example.org',
    'ada@exa mple.org',
    'ada@example..org',
    'ada@-example.org',
    'ada@bob@example.org',
    '"ada"@example.org',
    'ada@[192.0.2.1]',
    'ada\r\nBcc:@example.org',
    'ada\0@example.org',
    '\ud800@example.org',
    `${'x'.repeat(65)}@example.org`,
    `ada@${'x.'.repeat(130)}org`,
    'ada@example.org/x',
    'ada@example.org/@evil.example',
    'ada@example.org?x',
    'ada@example.org#x',
    'ada@example.org\\x',
    'ada@example.org:25',
    'ada@example.org.',
    'ada@exa\tmple.org',
    'ada@exa\r\nmple.org',
    'ada@example.org\0',
    'ada@exa\u00admple.org',
    'ada@exa\u200bmple.org',
    'ada@example%2eorg',
    'ada@ex%61mple.org',
    'ada@example。org',
    'ada@ｅxample.org',
    'ada@example.org／x',
    'ada＠bob@example.org\u2028',
    'ada@bu\u0308cher.example',
    'ada@exa_mple.org',
    'ada@[IPv6:::1]',
    'ada@192.0.2.1',
    'ada@0x7f.1',
    'ada@1',
    'ada@<example.org>',
    'ada@example.org, bob@example.org',
    'ada@example.org bob',
  ])('%j is none', (given) => {
    expect(normalAddress(given)).toBeUndefined();
  });

  it('has one form, however often it is brought to it', () => {
    fc.assert(
      fc.property(fc.emailAddress(), (address) => {
        const normal = normalAddress(address);
        if (normal !== undefined) expect(normalAddress(normal.toUpperCase())).toBe(normal);
      }),
    );
  });

  it('is none once anything that is no part of a host’s name slips into its domain', () => {
    const foreign = Array.from(
      '\t\n\r\0\x1f\x7f\v\f /\\?#:;,%@[]<>()"\'`{}|^~*!$&=+_\u00a0\u00ad\u200b\u2028\u3000\ufeff／：＠。．％',
    );
    const around = fc.stringMatching(/^[a-z0-9%/@:.-]{0,8}$/);
    fc.assert(
      fc.property(fc.domain(), fc.constantFrom(...foreign), fc.nat(), around, (domain, one, at, rest) => {
        const place = at % domain.length;
        const address = `ada@${domain.slice(0, place)}${one}${rest}${domain.slice(place)}`;
        expect(normalAddress(address)).toBeUndefined();
      }),
      { numRuns: 1_000 },
    );
  });

  it('says, trimmed, to whoever sends mail what it says to us', () => {
    const piece = fc.oneof(
      fc.string({ unit: 'binary', maxLength: 6 }),
      fc.domain(),
      fc.constantFrom(
        '@',
        '.',
        '/',
        '\t',
        '\n',
        '%40',
        'bücher',
        'xn--bcher-kva',
        'ß',
        'İ',
        'K',
        'ſ',
        '١',
        '。',
      ),
    );
    const anything = fc.array(piece, { maxLength: 6 }).map((pieces) => pieces.join(''));
    const likely = fc.tuple(fc.emailAddress(), anything).map(([address, more]) => address + more);
    const near = fc.tuple(anything, anything).map((sides) => sides.join('@'));
    fc.assert(
      fc.property(fc.oneof(anything, likely, near), (given) => {
        const normal = normalAddress(given);
        if (normal === undefined) return;
        // What is sealed, and what mail is sent to.
        const sealed = given.trim();
        expect(sealed).toMatch(/^[^\s@\p{C}<>,;:"]+@[^\s@\p{C}/:%[\]\\?#]+$/u);
        const [, domain = ''] = sealed.toLowerCase().split('@');
        const [, ascii = ''] = normal.split('@');
        expect(ascii).toMatch(/^[a-z0-9.-]+$/);
        expect([ascii, domainToUnicode(ascii)]).toContain(domain);
        expect(normalAddress(normal)).toBe(normal);
        expect(normalAddress(sealed)).toBe(normal);
      }),
      { numRuns: 2_000 },
    );
  });
});

describe('personal data', () => {
  let folder: DataFolder;
  let stores: Stores;
  let clock: Clock;
  let personal: PersonalData;
  const ada = personOf(randomUUID());
  beforeEach(async () => {
    folder = dataFolder();
    stores = folder.open();
    clock = aClock();
    personal = new PersonalData(stores.vault, clock.now);
    await personal.begin(ada);
  });
  afterEach(() => folder.dispose());

  it('is sealed so that it opens for its person alone, and tells nothing', async () => {
    const fields = { name: 'Ada Lovelace', phone: '+44 20 7946 0000' };
    const sealed = await personal.seal(ada, fields);
    expect(sealed).toMatch(/^[A-Za-z0-9_-]+$/);
    expect(Buffer.from(sealed, 'base64url').toString('latin1')).not.toContain('Ada');
    expect(await personal.open(ada, sealed)).toEqual(fields);
    expect(await personal.seal(ada, fields), 'the same twice is not seen to be').not.toBe(sealed);
    const bob = personOf(randomUUID());
    await personal.begin(bob);
    await expect(personal.open(bob, sealed)).rejects.toMatchObject({ code: 'incompatible' });
    await expect(personal.open(ada, `A${sealed}`)).rejects.toMatchObject({ code: 'incompatible' });
  });

  it('is opened for each who asks: what one does to it, another does not see', async () => {
    const sealed = await personal.seal(ada, { name: 'Ada Lovelace' });
    const first = await personal.open<{ name: string }>(ada, sealed);
    if (first) first.name = 'Bob';
    expect(await personal.open(ada, sealed)).toEqual({ name: 'Ada Lovelace' });
    const others = await Promise.all(Array.from({ length: 10 }, (_, n) => personal.seal(ada, n)));
    expect(await Promise.all(others.map((each) => personal.open(ada, each)))).toEqual([...others.keys()]);
    await personal.erase(ada);
    expect(await personal.open(ada, sealed)).toBeUndefined();
  });

  it('cut short is refused, to the last byte', async () => {
    const sealed = Buffer.from(await personal.seal(ada, 'Ada'), 'base64url');
    for (let length = 0; length < sealed.length; length++) {
      const short = sealed.subarray(0, length).toString('base64url');
      await expect(personal.open(ada, short)).rejects.toMatchObject({ code: 'incompatible' });
    }
  });

  it('opens in another process, and after another beginning', async () => {
    const sealed = await personal.seal(ada, 'Ada');
    await personal.begin(ada);
    expect(await new PersonalData(stores.vault, clock.now).open(ada, sealed)).toBe('Ada');
  });

  it('of an erased person is undefined at once here, within seconds in a command elsewhere, and never sealed again', async () => {
    const elsewhere = new PersonalData(stores.vault, clock.now);
    const sealed = await personal.seal(ada, 'Ada');
    expect(await elsewhere.open(ada, sealed)).toBe('Ada');
    await personal.erase(ada);
    expect(await personal.open(ada, sealed)).toBeUndefined();
    clock.pass(5_001);
    expect(await elsewhere.open(ada, sealed)).toBeUndefined();
    await expect(personal.seal(ada, 'Ada')).rejects.toThrow(NoDataKey);
  });

  it('has digests of its own for each person and purpose, the same in another process', async () => {
    const bob = personOf(randomUUID());
    await personal.begin(bob);
    const digest = await personal.keyedDigest(ada, 'a', 'text');
    expect(digest).toMatch(/^[0-9a-f]{64}$/);
    expect(await personal.keyedDigest(ada, 'a', 'text')).toBe(digest);
    expect(await new PersonalData(stores.vault, clock.now).keyedDigest(ada, 'a', 'text')).toBe(digest);
    const others = [
      await personal.keyedDigest(bob, 'a', 'text'),
      await personal.keyedDigest(ada, 'b', 'text'),
      await personal.keyedDigest(ada, 'a', 'text.'),
    ];
    expect(new Set([digest, ...others]).size).toBe(4);
    await personal.erase(ada);
    expect(await personal.keyedDigest(ada, 'a', 'text')).toBeUndefined();
  });

  it('of many persons is opened at once, in order, but for who is erased', async () => {
    const people = Array.from({ length: 5 }, (_, n) => resourcePersonOf(`${n}`));
    for (const person of people) await personal.begin(person);
    const values = await Promise.all(
      [...people, ...people].map(async (holder, n) => ({
        holder,
        sealed: await personal.seal(holder, { n }),
      })),
    );
    const elsewhere = new PersonalData(stores.vault, clock.now);
    await personal.erase(people[3] ?? ada);
    const expected = values.map(({ holder }, n) => (holder === people[3] ? undefined : { n }));
    expect(await personal.openMany(values)).toEqual(expected);
    expect(await elsewhere.openMany(values)).toEqual(expected);
    expect(await personal.openMany([])).toEqual([]);
    await personal.begin(people[3] ?? ada);
    await expect(personal.openMany(values)).rejects.toMatchObject({ code: 'incompatible' });
  });

  it('names an address by a hash that no other installation makes', async () => {
    const index = await personal.emailIndex(' Ada@Example.org');
    expect(index).toMatch(/^[0-9a-f]{64}$/);
    expect(await new PersonalData(stores.vault).emailIndex('ada@example.org')).toBe(index);
    expect(await personal.emailIndex('bob@example.org')).not.toBe(index);
    expect(await personal.emailIndex('ada')).toBeUndefined();
    const another = dataFolder();
    expect(await new PersonalData(another.open().vault).emailIndex('ada@example.org')).not.toBe(index);
    await another.dispose();
  });
});
