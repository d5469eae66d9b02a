import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { EmbeddedWitnessStore } from '../../src/stores/side/embedded-witness.ts';
import { temporaryFolder } from '../support/folder.ts';
import { witnessStoreContract } from './witness-store.ts';

witnessStoreContract('embedded', () => {
  const folder = temporaryFolder();
  const clients: EmbeddedWitnessStore[] = [];
  const open = () => {
    const client = new EmbeddedWitnessStore(folder.path);
    clients.push(client);
    return client;
  };
  return Promise.resolve({
    store: open(),
    another: open,
    dispose: async () => {
      for (const client of clients) await client.close();
      folder.remove();
    },
  });
});

it('an installation that is no witness has no file for it', async () => {
  const folder = temporaryFolder();
  const store = new EmbeddedWitnessStore(folder.path);
  expect(existsSync(join(folder.path, 'witness.db'))).toBe(false);
  await store.id();
  expect(existsSync(join(folder.path, 'witness.db'))).toBe(true);
  await store.close();
  folder.remove();
});
