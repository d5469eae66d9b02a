import { randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  firstAdministratorId,
  hasFirstAdministrator,
  registerFirstAdministrator,
} from '../../../src/commands/accounts/administrator.ts';
import { hashPassword, isPassword } from '../../../src/commands/accounts/password.ts';
import { erasePerson } from '../../../src/commands/accounts/erasure.ts';
import {
  addPasskey,
  changeEmail,
  changeProfile,
  claimLifeSeconds,
  commandPerson,
  findByEmail,
  registerPerson,
  requirePerson,
  type NewPerson,
  type PersonParts,
} from '../../../src/commands/accounts/person.ts';
import { isPasswordOf, setPassword } from '../../../src/commands/accounts/person-password.ts';
import { PersonalData, personOf } from '../../../src/personal/personal-data.ts';
import type { EventStore } from '../../../src/stores/event-store/port.ts';
import type { Vault } from '../../../src/stores/vault/port.ts';
import { altered } from '../../support/altered.ts';
import { aClock, type Clock } from '../../support/sign-in.ts';
import { dataFolder, type DataFolder, type Stores } from '../../support/stores.ts';

let folder: DataFolder;
let stores: Stores;
let clock: Clock;
let parts: PersonParts;

beforeEach(() => {
  folder = dataFolder();
  stores = folder.open();
  clock = aClock();
  parts = { store: stores.store, vault: stores.vault, personal: new PersonalData(stores.vault, clock.now) };
});
afterEach(() => folder.dispose());

const ada: NewPerson = { email: 'Ada@Example.org', profile: { name: 'Ada Lovelace', username: 'ada' } };
const secret = 'correct horse battery';
const register = (person: Partial<NewPerson> = {}, of: PersonParts = parts) =>
  registerPerson(of, { ...ada, ...person }, clock.command());
const indexOf = async (address: string) => (await parts.personal.emailIndex(address)) ?? '';
const verify = async (userId: string, address = ada.email) =>
  commandPerson(parts, userId, { kind: 'verify-email', email: await indexOf(address) }, clock.command());
const personWithPassword = async (of: PersonParts, address: string, password: string) => {
  const person = await findByEmail(of, address);
  return (await isPasswordOf(of, person, password)) ? person : undefined;
};
const typesOf = async (stream: string) => (await stores.store.readStream(stream)).map(({ type }) => type);
const conflict = expect.objectContaining({ code: 'conflict' }) as Error;

describe('registration', () => {
  it('claims the address, then opens the account, what is personal sealed', async () => {
    const { userId } = await register({ password: secret });
    expect(await typesOf(`email-${await indexOf('ada@example.org')}`)).toEqual(['EmailClaimed']);
    expect(await typesOf(`user-${userId}`)).toEqual(['UserRegistered', 'UserPasswordChanged']);
    const person = await findByEmail(parts, 'ADA@example.org ');
    expect(person).toMatchObject({ user: userId, verified: false, passwordVersion: 1, role: 'person' });
    expect(await parts.personal.open(personOf(userId), person?.profile ?? '')).toEqual(ada.profile);
    expect(await parts.personal.open(personOf(userId), person?.email_sealed ?? '')).toBe('Ada@Example.org');
  });

  it('leaves no name, address, phone, picture or password in the log, in clear or in any usual coding', async () => {
    const profile = {
      name: 'Ada Lovelace',
      username: 'adalovelace',
      picture: 'https://pictures.example/ada.png',
      phone: '+44 20 7946 0000',
    };
    const { userId } = await register({ profile, password: secret });
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    const passkey = { credential: 'AAAA', publicKey: 'BBBB', transports: [], label: 'Ada’s telephone' };
    await addPasskey(parts, userId, passkey, clock.command());
    const { events } = await stores.store.readAll({ after: -1n, limit: 100 });
    const log = JSON.stringify(events.map(({ stream, data, metadata }) => ({ stream, data, metadata })));
    const personal = [...Object.values(profile), 'Ada@Example.org', 'countess', secret, 'telephone'];
    for (const word of personal) {
      const bytes = Buffer.from(word);
      for (const coded of [word, bytes.toString('base64url').slice(0, -2), bytes.toString('hex')]) {
        expect(log.toLowerCase()).not.toContain(coded.toLowerCase());
      }
    }
  });

  it('is the same account when the same command comes again, whatever became of it since', async () => {
    const context = clock.command();
    const { userId } = await registerPerson(parts, ada, context);
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    const before = await stores.store.head();
    const again = await registerPerson(parts, ada, context);
    expect(again).toMatchObject({ userId, outcome: { repeated: true } });
    expect(await stores.store.head()).toBe(before);
  });

  it('gives an address to one of fifty who want it at once', async () => {
    const outcomes = await Promise.allSettled(Array.from({ length: 50 }, () => register()));
    const won = outcomes.filter(({ status }) => status === 'fulfilled');
    expect(won).toHaveLength(1);
    for (const each of outcomes) if (each.status === 'rejected') expect(each.reason).toEqual(conflict);
    expect(await stores.vault.names('person/')).toHaveLength(1);
    expect(await stores.vault.names('password/')).toEqual([]);
  });

  it('leaves nothing of an account that did not come to be', async () => {
    await register({ password: secret });
    await expect(register({ password: 'another long password' })).rejects.toEqual(conflict);
    expect(await stores.vault.names('person/')).toHaveLength(1);
    expect(await stores.vault.names('password/')).toHaveLength(1);
    for (const bad of [{ email: 'ada' }, { password: 'short' }, { profile: { name: ' ' } }]) {
      await expect(register({ email: 'bob@example.org', ...bad })).rejects.toMatchObject({ code: 'invalid' });
    }
    expect(await typesOf(`email-${await indexOf('bob@example.org')}`)).toEqual([]);
  });
});

describe('an address that was not verified', () => {
  const waitPastClaim = () => {
    clock.pass(claimLifeSeconds * 1_000);
  };

  it('is nobody else’s until the claim has run out, then whoever asks has it', async () => {
    const { userId } = await register();
    clock.pass(claimLifeSeconds * 1_000 - 1_000);
    await expect(register()).rejects.toEqual(conflict);
    clock.pass(1_000);
    const other = await register();
    expect((await findByEmail(parts, ada.email))?.user).toBe(other.userId);
    expect((await typesOf(`user-${userId}`)).at(-1)).toBe('EmailClaimLapsed');
    await expect(verify(userId)).rejects.toEqual(conflict);
    await verify(other.userId);
  });

  it('stays with who has verified it, for good', async () => {
    const { userId } = await register();
    await verify(userId);
    waitPastClaim();
    await expect(register()).rejects.toEqual(conflict);
    expect((await findByEmail(parts, ada.email))?.user).toBe(userId);
  });

  it('stays with a claimant who moved while the claim was looked at', async () => {
    const { userId } = await register();
    waitPastClaim();
    const { store } = stores;
    let slipped = false;
    const slipping = altered<EventStore>(store, {
      append: async (stream, events, expected) => {
        if (stream === `user-${userId}` && !slipped) {
          slipped = true;
          await verify(userId);
        }
        return store.append(stream, events, expected);
      },
    });
    await expect(register({}, { ...parts, store: slipping })).rejects.toEqual(conflict);
    expect(await typesOf(`user-${userId}`)).toEqual(['UserRegistered', 'UserEmailVerified']);
    expect(slipped).toBe(true);
  });

  it('is free when its claimant never got as far as registering, who then cannot any more', async () => {
    const { store } = stores;
    let stalled: (() => void) | undefined;
    const reached = Promise.withResolvers<undefined>();
    const stalling = altered<EventStore>(store, {
      append: async (stream, events, expected) => {
        if (stream.startsWith('user-')) {
          await new Promise<void>((go) => {
            stalled = go;
            reached.resolve(undefined);
          });
        }
        return store.append(stream, events, expected);
      },
    });
    const slow = register({ password: secret }, { ...parts, store: stalling });
    slow.catch(() => undefined);
    await reached.promise;
    waitPastClaim();
    const { userId } = await register();
    stalled?.();
    await expect(slow).rejects.toEqual(conflict);
    expect((await findByEmail(parts, ada.email))?.user).toBe(userId);
    expect(await stores.vault.names('person/')).toHaveLength(1);
    expect(await stores.vault.names('password/')).toEqual([]);
  });
});

describe('a change of address', () => {
  it('claims the new one, releases the old one, and asks for verification anew', async () => {
    const { userId } = await register();
    await verify(userId);
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    expect(await findByEmail(parts, ada.email)).toBeUndefined();
    expect(await findByEmail(parts, 'countess@example.org')).toMatchObject({ user: userId, verified: false });
    expect((await register()).userId).not.toBe(userId);
  });

  it('to somebody else’s is refused, and nothing is lost', async () => {
    const { userId } = await register();
    await register({ email: 'bob@example.org' });
    await expect(changeEmail(parts, userId, { email: 'Bob@example.org' }, clock.command())).rejects.toEqual(
      conflict,
    );
    expect((await findByEmail(parts, ada.email))?.user).toBe(userId);
  });

  it('back again, or to another spelling of the same, is possible', async () => {
    const { userId } = await register();
    await changeEmail(parts, userId, { email: 'ADA@example.org' }, clock.command());
    await changeEmail(parts, userId, { email: 'countess@example.org' }, clock.command());
    await changeEmail(parts, userId, { email: ada.email }, clock.command());
    expect((await findByEmail(parts, ada.email))?.user).toBe(userId);
    expect(await findByEmail(parts, 'countess@example.org')).toBeUndefined();
  });
});

describe('a password', () => {
  it('is kept as an argon2id hash of the recommended strength, which knows it in any normal form', async () => {
    const hash = await hashPassword('cafe\u0301 at the harbour', Buffer.alloc(16, 1));
    expect(hash).toMatch(/^\$argon2id\$v=19\$m=19456,t=2,p=1\$[A-Za-z0-9+/]{22}\$[A-Za-z0-9+/]{43}$/);
    expect(await isPassword('caf\u00e9 at the harbour', hash)).toBe(true);
    expect(await isPassword('cafe at the harbour', hash)).toBe(false);
    expect(await isPassword('', undefined)).toBe(false);
  });

  it('is the newest one alone; the hashes before it are gone', async () => {
    const { userId } = await register({ password: secret });
    expect((await personWithPassword(parts, ada.email, secret))?.user).toBe(userId);
    await setPassword(parts, userId, { password: 'another long password' }, clock.command());
    expect(await personWithPassword(parts, ada.email, secret)).toBeUndefined();
    const person = await personWithPassword(parts, ada.email, 'another long password');
    expect(person).toMatchObject({ user: userId, passwordVersion: 2 });
    expect(await isPasswordOf(parts, person, secret)).toBe(false);
    expect(await stores.vault.names('password/')).toHaveLength(1);
  });

  it('that is refused leaves the one before it', async () => {
    const { userId } = await register({ password: secret });
    const set = (password: string, afterVersion?: number) =>
      setPassword(
        parts,
        userId,
        { password, ...(afterVersion === undefined ? {} : { afterVersion }) },
        clock.command(),
      );
    await expect(set('short')).rejects.toMatchObject({ code: 'invalid' });
    await expect(set('another long password', 0)).rejects.toEqual(conflict);
    expect(await personWithPassword(parts, ada.email, secret)).toBeDefined();
    expect(await stores.vault.names('password/')).toHaveLength(1);
  });

  it('costs as many reads, and as much time, to be wrong for an unknown address as for a known one', async () => {
    const { userId } = await register({ password: secret });
    await register({ email: 'keyless@example.org' });
    const done: string[] = [];
    const counted: PersonParts = {
      ...parts,
      store: altered<EventStore>(stores.store, {
        readStream: (stream, options) => {
          done.push(`read ${stream.split('-')[0] ?? ''}`);
          return stores.store.readStream(stream, options);
        },
      }),
      vault: altered<Vault>(stores.vault, {
        get: (name) => {
          done.push('vault');
          return stores.vault.get(name);
        },
      }),
    };
    const addresses = [ada.email, 'nobody@example.org', 'keyless@example.org'];
    const reads = new Map<string, Set<string>>();
    const least = new Map<string, number>();
    // By turns, and the least of many: what else the machine does falls on all alike.
    for (let n = 0; n < 10; n++) {
      for (const address of addresses) {
        const begun = process.cpuUsage();
        expect(await personWithPassword(counted, address, 'a wrong password')).toBeUndefined();
        const { user, system } = process.cpuUsage(begun);
        least.set(address, Math.min(least.get(address) ?? Infinity, user + system));
        reads.set(address, (reads.get(address) ?? new Set()).add(done.splice(0).join()));
      }
    }
    const [known = 0, ...others] = addresses.map((address) => least.get(address) ?? 0);
    for (const unknown of others) {
      expect(unknown).toBeGreaterThan(known / 2);
      expect(unknown).toBeLessThan(known * 2);
    }
    expect(new Set(Array.from(reads.values(), (each) => Array.from(each).join()))).toEqual(
      new Set(['read email,read user,vault']),
    );
    expect(await requirePerson(parts, userId)).toBeDefined();
  });
});

describe('an erased person', () => {
  it('leaves events that nobody can open, no password, and a free address', async () => {
    const { userId } = await register({ password: secret });
    const { profile } = await requirePerson(parts, userId);
    await erasePerson(parts, userId, clock.command());
    expect(await parts.personal.open(personOf(userId), profile)).toBeUndefined();
    expect(await stores.vault.names('password/')).toEqual([]);
    expect(await findByEmail(parts, ada.email)).toBeUndefined();
    await expect(requirePerson(parts, userId)).rejects.toMatchObject({ code: 'not_found' });
    await expect(changeProfile(parts, userId, ada.profile, clock.command())).rejects.toMatchObject({
      code: 'not_found',
    });
    await erasePerson(parts, userId, clock.command());
    await register();
  });
});

describe('the first administrator', () => {
  it('is registered once for an installation, whoever asks', async () => {
    expect(await hasFirstAdministrator(parts)).toBe(false);
    const { userId } = await registerFirstAdministrator(parts, { ...ada, password: secret }, clock.command());
    expect(userId).toBe(await firstAdministratorId(stores.vault));
    expect(await requirePerson(parts, userId)).toMatchObject({ role: 'administrator' });
    expect(await hasFirstAdministrator(parts)).toBe(true);
    await expect(
      registerFirstAdministrator(parts, { ...ada, email: 'bob@example.org' }, clock.command()),
    ).rejects.toEqual(conflict);
  });
});

describe('a profile', () => {
  it('is replaced as a whole, and checked before it is sealed', async () => {
    const { userId } = await register();
    await changeProfile(parts, userId, { name: 'Countess' }, clock.command());
    const { profile } = await requirePerson(parts, userId);
    expect(await parts.personal.open(personOf(userId), profile)).toEqual({ name: 'Countess' });
    for (const bad of [
      { name: '' },
      { name: 'x', picture: 'http://a.example/' },
      { name: 'x', phone: 'no' },
    ]) {
      await expect(changeProfile(parts, userId, bad, clock.command())).rejects.toMatchObject({
        code: 'invalid',
      });
    }
    await expect(changeProfile(parts, randomUUID(), ada.profile, clock.command())).rejects.toMatchObject({
      code: 'not_found',
    });
  });
});
