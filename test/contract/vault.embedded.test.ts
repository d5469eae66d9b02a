import { randomBytes } from 'node:crypto';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { DatabaseSync } from 'node:sqlite';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { keyRing } from '../../src/ground/master-key.ts';
import { EmbeddedVault } from '../../src/stores/vault/embedded.ts';
import { temporaryFolder } from '../support/folder.ts';
import { vaultContract } from './vault.ts';

vaultContract('embedded', () => {
  const folder = temporaryFolder();
  const masterKey = randomBytes(32);
  const clients: EmbeddedVault[] = [];
  const open = (key: Uint8Array = masterKey, previous?: Uint8Array) => {
    const client = new EmbeddedVault(folder.path, previous ? keyRing(key, previous) : key);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    vault: open(),
    another: (key, previous) => Promise.resolve(open(key, previous)),
    masterKey,
    dispose: async () => {
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
});

describe('the files of the embedded vault', () => {
  const masterKey = randomBytes(32);
  let folder: ReturnType<typeof temporaryFolder>;
  let vault: EmbeddedVault;

  beforeEach(() => {
    folder = temporaryFolder();
    vault = new EmbeddedVault(folder.path, masterKey);
  });
  afterEach(async () => {
    await vault.close();
    folder.remove();
  });

  /** Whether these bytes stand anywhere in the folder. */
  const standsInFiles = (wanted: Uint8Array) =>
    readdirSync(folder.path).some((name) =>
      readFileSync(join(folder.path, name)).includes(Buffer.from(wanted)),
    );

  const sealed = (name: string): Uint8Array => {
    const db = new DatabaseSync(join(folder.path, 'vault.db'), { readOnly: true });
    const row = db.prepare('SELECT sealed FROM secrets WHERE name = ?').get(name) as { sealed: Uint8Array };
    db.close();
    return row.sealed;
  };

  it('never hold a secret in clear, neither the database nor its log', async () => {
    const secret = Buffer.from('correct horse battery staple');
    await vault.put('a', secret);
    expect(standsInFiles(sealed('a'))).toBe(true);
    expect(standsInFiles(secret)).toBe(false);
    await vault.put('a', Buffer.from('another'));
    await vault.close();
    expect(standsInFiles(secret)).toBe(false);
    expect(standsInFiles(masterKey)).toBe(false);
  });

  it.each([
    { size: 48, what: 'a small secret' },
    { size: 50_000, what: 'one of many pages' },
  ])('hold no sealed byte of $what after its deletion', async ({ size }) => {
    for (let n = 0; n < 20; n++) await vault.put(`other-${n}`, randomBytes(64));
    await vault.put('doomed', randomBytes(size));
    const ciphertext = sealed('doomed');
    const pieces = Array.from({ length: Math.ceil(ciphertext.length / 1_000) }, (_, n) =>
      ciphertext.subarray(n * 1_000, n * 1_000 + 48),
    ).filter((piece) => piece.length >= 16 && standsInFiles(piece));
    // Some straddle two pages and are not seen even before.
    expect(pieces.length).toBeGreaterThanOrEqual(Math.ceil(size / 2_000));
    await vault.delete('doomed');
    for (const piece of pieces) expect(standsInFiles(piece)).toBe(false);
    expect(await vault.names('other-')).toHaveLength(20);
  });

  it('hold no sealed byte of a secret that was replaced before it was deleted', async () => {
    await vault.put('doomed', randomBytes(48));
    const first = sealed('doomed');
    await vault.put('doomed', randomBytes(48));
    await vault.delete('doomed');
    expect(standsInFiles(first)).toBe(false);
  });

  it('hold no sealed byte after a deletion while another client has the vault open', async () => {
    const other = new EmbeddedVault(folder.path, masterKey);
    await other.put('doomed', randomBytes(48));
    await vault.get('doomed');
    const ciphertext = sealed('doomed');
    await vault.delete('doomed');
    expect(standsInFiles(ciphertext)).toBe(false);
    await other.close();
  });

  it('never seal two secrets alike, and let none pass for another', async () => {
    await vault.put('a', Buffer.from('same'));
    await vault.put('b', Buffer.from('same'));
    expect(Buffer.compare(sealed('a'), sealed('b'))).not.toBe(0);
    const db = new DatabaseSync(join(folder.path, 'vault.db'));
    db.prepare('UPDATE secrets SET sealed = ? WHERE name = ?').run(sealed('a'), 'b');
    db.close();
    await expect(vault.get('b')).rejects.toMatchObject({ code: 'incompatible' });
  });

  it('are refused when bytes were changed or cut off', async () => {
    await vault.put('a', Buffer.from('secret'));
    const good = sealed('a');
    const flipped = Uint8Array.from(good, (byte, n) => (n === good.length - 1 ? byte ^ 1 : byte));
    const db = new DatabaseSync(join(folder.path, 'vault.db'));
    for (const bad of [flipped, good.subarray(0, 30), good.subarray(0, 12), new Uint8Array()]) {
      db.prepare('UPDATE secrets SET sealed = ? WHERE name = ?').run(bad, 'a');
      await expect(vault.get('a')).rejects.toMatchObject({ code: 'incompatible' });
    }
    db.close();
  });
});
