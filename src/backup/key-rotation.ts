import { randomBytes } from 'node:crypto';
import { existsSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { setTimeout as sleep } from 'node:timers/promises';
import type { Node } from '../stores/leases/nodes-port.ts';
import { keyFilesFreshMs, masterKeyFile, previousKeyFile } from '../stores/vault/key-files.ts';
import type { Resealed, Vault } from '../stores/vault/port.ts';
import { BackupRefused } from './manifest.ts';
import { sync } from '../data-folder.ts';

/**
 * Makes a new master key in the data folder and keeps the one before it beside it. Running processes notice both within a
 * second. Called again before `forgetPreviousKey`, it changes nothing, so an interrupted rotation goes on with its key.
 */
export function makeNewKey(directory: string): { readonly made: boolean } {
  const [current, previous] = [masterKeyFile(directory), previousKeyFile(directory)];
  const key = readFileSync(current, 'utf8');
  if (existsSync(previous) && readFileSync(previous, 'utf8') !== key) return { made: false };
  // The old key first, so that there is no moment in which it is in no file.
  replace(previous, key);
  replace(current, randomBytes(32).toString('base64'));
  return { made: true };
}

/** Removes the key before the newest. Nothing that is sealed under it can be opened after that. */
export function forgetPreviousKey(directory: string): void {
  rmSync(previousKeyFile(directory), { force: true });
  sync(directory);
}

function replace(path: string, text: string): void {
  const draft = `${path}.new`;
  writeFileSync(draft, text, { mode: 0o600 });
  sync(draft);
  renameSync(draft, path);
  sync(path.slice(0, path.lastIndexOf('/')) || '.');
}

/**
 * Every running node must open what is sealed under the new key before anything is. `keyId`: the new key's.
 * @throws BackupRefused naming what to do
 */
export function refuseNodesWithoutKey(nodes: readonly Node[], keyId: string): void {
  const without = nodes.filter(({ keys }) => !keys.includes(keyId));
  if (without.length === 0) return;
  throw new BackupRefused(
    `${without.length} of ${nodes.length} running nodes do not have the new master key yet. Start each of them again with both keys, in MASTER_KEY and MASTER_KEY_PREVIOUS. A node that was killed is counted for 30 s.`,
  );
}

/** Longer than any process takes to notice a new key. */
const noticedAfterMs = 2 * keyFilesFreshMs;

/** Seals all secrets under the newest key, until a round finds none under another. */
export async function resealAll(
  vault: Pick<Vault, 'reseal'>,
  { signal, onSecrets }: { readonly signal: AbortSignal; readonly onSecrets?: (checked: number) => void },
): Promise<Resealed> {
  let resealed = 0;
  for (;;) {
    const round = await vault.reseal({ signal, ...(onSecrets ? { onSecrets } : {}) });
    resealed += round.resealed;
    // The last round began when every process had the new key: none seals under the one before it any more.
    if (round.resealed === 0) return { checked: round.checked, resealed };
    await sleep(noticedAfterMs, undefined, { signal });
  }
}
