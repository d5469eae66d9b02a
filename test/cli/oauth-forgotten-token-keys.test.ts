import { randomBytes } from 'node:crypto';
import { expect, test } from 'vitest';
import { forgetTokenKeys } from '../../src/runtime/signing-keys.ts';
import { readConfig } from '../../src/config.ts';
import { openSystem } from '../../src/container.ts';
import { temporaryFolder } from '../support/folder.ts';

test('serving deletes token keys that were replaced longer ago than a grant can live, and no other', async () => {
  const folder = temporaryFolder();
  const system = await openSystem(readConfig({ DATA_DIR: folder.path }));
  const { vault, config } = system;
  const second = Math.floor(Date.now() / 1_000) - config.lifetimes.refresh;
  const [replaced, lastBefore, since] = [second - 200, second - 100, second + 100].map((at) =>
    at.toString(16),
  );
  for (const id of [replaced, lastBefore, since]) await vault.put(`token-key/${id ?? ''}`, randomBytes(32));

  expect(await forgetTokenKeys(system)).toEqual([replaced]);
  expect(await vault.names('token-key/')).toEqual([lastBefore, since].map((id) => `token-key/${id ?? ''}`));
  await system.close();
  folder.remove();
});
