import { randomBytes, randomUUID } from 'node:crypto';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { StoreError } from '../../src/stores/errors.ts';
import type { Vault } from '../../src/stores/vault/port.ts';
import { until } from '../support/until.ts';

/** What a suite needs to know of an adapter: a vault, and further clients of it, also under another master key. */
export interface VaultUnderTest {
  readonly vault: Vault;
  /** Under the same master key, under another, or under another with one that also opens. */
  another(masterKey?: Uint8Array, previous?: Uint8Array): Promise<Vault>;
  readonly masterKey: Uint8Array;
  dispose(): Promise<void>;
}

/** Every adapter of the Vault port passes this. Names are unique to a run: the store may be shared. */
export function vaultContract(adapter: string, open: () => Promise<VaultUnderTest>): void {
  describe(`the vault contract, ${adapter}`, () => {
    let under: VaultUnderTest;
    let vault: Vault;
    let run: string;

    beforeEach(async () => {
      under = await open();
      vault = under.vault;
      run = randomUUID().slice(0, 8);
    });
    afterEach(async () => {
      await under.dispose();
    });

    const bytes = (text: string) => Buffer.from(text);
    const textOf = (secret: Uint8Array | undefined) => secret && Buffer.from(secret).toString();

    it('gives back the very bytes that were put under a name', async () => {
      const secrets = [
        new Uint8Array(),
        Uint8Array.of(0),
        randomBytes(32),
        randomBytes(100_000),
        bytes('ünï©ode 🏠'),
      ];
      for (const [n, secret] of secrets.entries()) await vault.put(`${run}/${n}`, secret);
      for (const [n, secret] of secrets.entries()) {
        const found = await vault.get(`${run}/${n}`);
        expect(Buffer.compare(found ?? randomBytes(1), secret)).toBe(0);
      }
    });

    it('answers nothing for a name that is not there', async () => {
      await vault.put(`${run}/a`, bytes('x'));
      for (const name of [
        `${run}/b`,
        `${run}/A`,
        `${run}/a `,
        `${run}/`,
        '',
        `${run}/a' OR '1'='1`,
        '{"$gt":""}',
      ]) {
        expect(await vault.get(name), name).toBeUndefined();
      }
    });

    it('gives back many at once, and of those that are not there nothing', async () => {
      const names = Array.from({ length: 300 }, (_, n) => `${run}/ä 🏠 ${n}`);
      for (const name of names) await vault.put(name, bytes(name));
      const found = await vault.getMany([...names, ...names.slice(0, 9), `${run}/none`]);
      expect([...found.keys()].sort()).toEqual([...names].sort());
      for (const name of names) expect(textOf(found.get(name))).toBe(name);
      expect((await vault.getMany([])).size).toBe(0);
      await expect((await under.another(randomBytes(32))).getMany(names)).rejects.toMatchObject({
        code: 'incompatible',
      });
    });

    it('keeps any text as a name and tells every two apart', async () => {
      const names = ['a', 'A', 'ä', 'a ', 'a\u0000b', '🏠', '$a.b', '../a', `'; --`, 'x'.repeat(500)].map(
        (name) => run + name,
      );
      for (const [n, name] of names.entries()) await vault.put(name, bytes(String(n)));
      for (const [n, name] of names.entries()) expect(textOf(await vault.get(name)), name).toBe(String(n));
      expect(await vault.names(run)).toHaveLength(names.length);
    });

    it('replaces a secret by another under the same name', async () => {
      await vault.put(run, bytes('first, and longer'));
      await vault.put(run, bytes('second'));
      expect(textOf(await vault.get(run))).toBe('second');
      expect(await vault.names(run)).toEqual([run]);
    });

    it('keeps the first of several secrets where one is wanted and none may replace it', async () => {
      expect(textOf(await vault.putIfAbsent(run, bytes('first')))).toBe('first');
      expect(textOf(await vault.putIfAbsent(run, bytes('second')))).toBe('first');
      expect(textOf(await vault.get(run))).toBe('first');
      await vault.delete(run);
      expect(textOf(await vault.putIfAbsent(run, bytes('third')))).toBe('third');
    });

    it('keeps all of many secrets at once, and the first under each name', async () => {
      const names = Array.from({ length: 200 }, (_, n) => `${run}/ä 🏠 ${n}`);
      await vault.put(names[7] ?? '', bytes('first'));
      const secrets = (text: string) => new Map(names.map((name) => [name, bytes(`${text} ${name}`)]));
      await vault.putAllIfAbsent(secrets('second'));
      await Promise.all([vault, await under.another()].map((each) => each.putAllIfAbsent(secrets('third'))));
      await vault.putAllIfAbsent(new Map());
      const found = await vault.getMany(names);
      expect(names.map((name) => textOf(found.get(name)))).toEqual(
        names.map((name, n) => (n === 7 ? 'first' : `second ${name}`)),
      );
    });

    it('gives all who want the same secret to be made at once one and the same', async () => {
      const clients = [vault, await under.another()];
      const kept = await Promise.all(
        Array.from({ length: 20 }, (_, n) => (clients[n % 2] as Vault).putIfAbsent(run, bytes(String(n)))),
      );
      expect(new Set(kept.map(textOf)).size).toBe(1);
      expect(textOf(await vault.get(run))).toBe(textOf(kept[0]));
    });

    it('forgets a secret that is deleted, and bears the deletion of one that is not there', async () => {
      await vault.put(`${run}/a`, bytes('a'));
      await vault.put(`${run}/b`, bytes('b'));
      await vault.delete(`${run}/a`);
      await vault.delete(`${run}/a`);
      expect(await vault.get(`${run}/a`)).toBeUndefined();
      expect(textOf(await vault.get(`${run}/b`))).toBe('b');
      expect(await vault.names(run)).toEqual([`${run}/b`]);
      await vault.put(`${run}/a`, bytes('again'));
      expect(textOf(await vault.get(`${run}/a`))).toBe('again');
    });

    it('lists names by how they begin, sorted, whatever the prefix is made of', async () => {
      for (const name of ['b%x', 'a', 'b_y', 'b', 'B', 'bay', 'b.*'])
        await vault.put(run + name, bytes(name));
      const names = async (prefix: string) =>
        (await vault.names(run + prefix)).map((name) => name.slice(run.length));
      expect(await names('')).toEqual(['B', 'a', 'b', 'b%x', 'b.*', 'b_y', 'bay']);
      expect(await names('b')).toEqual(['b', 'b%x', 'b.*', 'b_y', 'bay']);
      expect(await names('b%')).toEqual(['b%x']);
      expect(await names('b_')).toEqual(['b_y']);
      expect(await names('b.')).toEqual(['b.*']);
      expect(await names('c')).toEqual([]);
    });

    it('shows another client what was put and what was deleted', async () => {
      const other = await under.another();
      await vault.put(run, bytes('shared'));
      expect(textOf(await until(() => other.get(run)))).toBe('shared');
      await other.put(run, bytes('replaced'));
      await until(async () => (textOf(await vault.get(run)) === 'replaced' ? true : undefined));
      await other.delete(run);
      await until(async () => ((await vault.get(run)) ? undefined : true));
    });

    it('refuses another master key in a sentence that names the secret and the setting, not its content', async () => {
      await vault.put(run, bytes('correct horse battery staple'));
      const stranger = await under.another(randomBytes(32));
      const refused = await stranger.get(run).catch((error: unknown) => error);
      expect(refused).toBeInstanceOf(StoreError);
      expect(refused).toMatchObject({ code: 'incompatible' });
      expect(String(refused)).toMatch(new RegExp(`${run} cannot be opened: MASTER_KEY`));
      expect(String(refused)).not.toMatch(/horse/);
      expect(textOf(await vault.get(run))).toBe('correct horse battery staple');
    });

    it('keeps every one of many secrets put at once by two clients', async () => {
      const other = await under.another();
      await Promise.all(
        Array.from({ length: 60 }, (_, n) => (n % 2 ? vault : other).put(`${run}/${n}`, bytes(String(n)))),
      );
      expect(await vault.names(`${run}/`)).toHaveLength(60);
      for (let n = 0; n < 60; n++) expect(textOf(await other.get(`${run}/${n}`))).toBe(String(n));
    });

    it('seals everything anew under the newest key, and opens with either until then', async () => {
      const next = randomBytes(32);
      for (let n = 0; n < 1_100; n += 100) {
        const some = Array.from(
          { length: 100 },
          (_, k) => [`${run}/${n + k}`, bytes(`secret ${n + k}`)] as const,
        );
        await vault.putAllIfAbsent(new Map(some));
      }
      const both = await under.another(next, under.masterKey);
      await both.put(`${run}/5`, bytes('replaced'));
      await both.delete(`${run}/6`);
      expect(textOf(await both.get(`${run}/7`))).toBe('secret 7');
      const { signal } = new AbortController();
      const round = await both.reseal({ signal });
      expect(round.resealed).toBe(round.checked - 1);
      expect(await both.reseal({ signal })).toEqual({ checked: round.checked, resealed: 0 });
      const alone = await under.another(next);
      expect(await alone.names(`${run}/`)).toHaveLength(1_099);
      expect(textOf(await alone.get(`${run}/5`))).toBe('replaced');
      expect(await alone.get(`${run}/6`)).toBeUndefined();
      expect(textOf(await alone.get(`${run}/1099`))).toBe('secret 1099');
      await expect(vault.get(`${run}/7`)).rejects.toMatchObject({ code: 'incompatible' });
    });

    it('never brings a secret back that is replaced or deleted while all are sealed anew', async () => {
      const names = Array.from({ length: 1_200 }, (_, n) => `${run}/${String(n).padStart(4, '0')}`);
      await vault.putAllIfAbsent(new Map(names.map((name) => [name, bytes('old')])));
      const both = await under.another(randomBytes(32), under.masterKey);
      const changing = names.map((name, n) =>
        n % 3 === 0 ? both.delete(name) : n % 3 === 1 ? both.put(name, bytes('new')) : undefined,
      );
      await Promise.all([both.reseal({ signal: new AbortController().signal }), ...changing]);
      const kept = await both.getMany(names);
      names.forEach((name, n) => {
        expect([name, textOf(kept.get(name))]).toEqual([name, [undefined, 'new', 'old'][n % 3]]);
      });
    });
  });
}
