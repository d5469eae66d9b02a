import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  firstAdministratorId,
  registerFirstAdministrator,
} from '../../../src/commands/accounts/administrator.ts';
import {
  linkLives,
  readLink,
  writeLink,
  type LinkPurpose,
} from '../../../src/commands/accounts/one-time-links.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import {
  changeEmail,
  changeProfile,
  claimLifeSeconds,
  commandPerson,
  registerPerson,
  requirePerson,
  type PersonParts,
} from '../../../src/commands/accounts/person.ts';
import { setPassword } from '../../../src/commands/accounts/person-password.ts';
import { PersonalData } from '../../../src/personal/personal-data.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
let clock: Clock;
let parts: PersonParts;
let userId: string;
const ada = { email: 'ada@example.org', profile: { name: 'Ada' } };

beforeEach(async () => {
  folder = dataFolder();
  stores = folder.open();
  clock = aClock();
  parts = { store: stores.store, vault: stores.vault, personal: new PersonalData(stores.vault, clock.now) };
  ({ userId } = await registerPerson(parts, ada, clock.command()));
});
afterEach(() => folder.dispose());

const write = async (purpose: LinkPurpose, id = userId) =>
  (await writeLink(parts, { purpose, userId: id, at: clock.at() })) ?? '';
const read = (link: string, purpose: LinkPurpose) => readLink(parts, { link, purpose, at: clock.at() });
const password = (text: string) => setPassword(parts, userId, { password: text }, clock.command());
const verify = async () => {
  const { email } = await requirePerson(parts, userId);
  await commandPerson(parts, userId, { kind: 'verify-email', email }, clock.command());
};

describe('a one-time link', () => {
  it('names its person, is short, and holds no address', async () => {
    const link = await write('reset-password');
    expect(link).toMatch(/^lnk_[0-9A-Za-z]{57}$/);
    expect(await read(link, 'reset-password')).toMatchObject({ userId, person: { passwordVersion: 0 } });
  });

  it('is good for its purpose alone, and until it expires', async () => {
    for (const purpose of ['verify-email', 'reset-password'] as const) {
      const other = purpose === 'verify-email' ? 'reset-password' : 'verify-email';
      const link = await write(purpose);
      expect(await read(link, purpose)).toBeDefined();
      expect(await read(link, other)).toBeUndefined();
      expect(await read(link, 'set-up')).toBeUndefined();
      clock.pass(linkLives[purpose] * 1_000 - 1);
      expect(await read(link, purpose)).toBeDefined();
      clock.pass(1);
      expect(await read(link, purpose)).toBeUndefined();
    }
  });

  it('is forged by nobody', async () => {
    const link = await write('verify-email');
    for (let at = 0; at < link.length; at++) {
      for (const character of ['0', 'A', 'z', '-']) {
        if (link[at] === character) continue;
        expect(
          await read(link.slice(0, at) + character + link.slice(at + 1), 'verify-email'),
        ).toBeUndefined();
      }
    }
    for (const rubbish of ['', 'lnk_', `${link}0`, link.slice(1)]) {
      expect(await read(rubbish, 'verify-email')).toBeUndefined();
    }
  });

  it('to verify an address is void once it is verified, or is another, or has lapsed', async () => {
    const link = await write('verify-email');
    await verify();
    expect(await read(link, 'verify-email')).toBeUndefined();
    expect(await write('verify-email')).toBe('');
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    expect(await read(link, 'verify-email')).toBeUndefined();
    const next = await write('verify-email');
    expect(await read(next, 'verify-email')).toBeDefined();
    clock.pass(claimLifeSeconds * 1_000);
    const late = await write('verify-email');
    await registerPerson(parts, { ...ada, email: 'countess@example.org' }, clock.command());
    expect(await read(late, 'verify-email')).toBeUndefined();
  });

  it('to set a password is void once a password was set, or the address is another', async () => {
    const [one, two] = [await write('reset-password'), await write('reset-password')];
    await changeProfile(parts, userId, { name: 'Countess' }, clock.command());
    expect(await read(one, 'reset-password')).toBeDefined();
    await password('correct horse battery');
    for (const link of [one, two]) expect(await read(link, 'reset-password')).toBeUndefined();
    const third = await write('reset-password');
    expect(await read(third, 'reset-password')).toBeDefined();
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    expect(await read(third, 'reset-password')).toBeUndefined();
  });

  it('used twice at once sets one password', async () => {
    const link = await write('reset-password');
    const use = async (text: string) => {
      const good = await read(link, 'reset-password');
      const afterVersion = good?.person?.passwordVersion ?? -1;
      return setPassword(parts, userId, { password: text, afterVersion }, clock.command());
    };
    const outcomes = await Promise.allSettled([use('correct horse battery'), use('staple of another')]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
  });

  it('of an erased person, or of nobody, is void', async () => {
    const link = await write('reset-password');
    await erasePerson(parts, userId, clock.command());
    expect(await read(link, 'reset-password')).toBeUndefined();
    expect(await write('reset-password')).toBe('');
    expect(await write('reset-password', '00000000-0000-4000-8000-000000000000')).toBe('');
  });

  it('to set up is good until there is a first administrator', async () => {
    const id = await firstAdministratorId(stores.vault);
    const link = await write('set-up', id);
    expect(await read(link, 'set-up')).toEqual({ userId: id, person: undefined });
    const bob = { email: 'bob@example.org', profile: { name: 'Bob' } };
    await registerFirstAdministrator(parts, bob, clock.command());
    expect(await read(link, 'set-up')).toBeUndefined();
    expect(await write('set-up', id)).toBe('');
  });

  it('of another installation is void', async () => {
    const another = dataFolder();
    const link = await write('reset-password');
    const elsewhere = { store: stores.store, vault: another.open().vault };
    expect(await readLink(elsewhere, { link, purpose: 'reset-password', at: clock.at() })).toBeUndefined();
    await another.dispose();
  });
});
