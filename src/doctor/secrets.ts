import { counted } from '../ground/counted.ts';
import { StoreError } from '../stores/errors.ts';
import type { Vault } from '../stores/vault/port.ts';
import type { Findings } from './finding.ts';

/** How many secrets are opened at once. */
const atOnce = 500;
const mostNamed = 20;

export interface OpenedSecrets {
  readonly secrets: number;
  readonly unopened: number;
}

/** Opens every secret of the vault. Those that no key opens are named; what is in them is not looked at. */
export async function checkSecrets(
  vault: Vault,
  findings: Findings,
  onSecrets: (done: number, total: number) => void = () => undefined,
): Promise<OpenedSecrets> {
  const names = await vault.names('');
  const unopened: string[] = [];
  for (let at = 0; at < names.length; at += atOnce) {
    const some = names.slice(at, at + atOnce);
    if (!(await opens(() => vault.getMany(some))))
      for (const name of some) if (!(await opens(() => vault.get(name)))) unopened.push(name);
    onSecrets(at + some.length, names.length);
  }
  if (unopened.length > 0) {
    const more = unopened.length > mostNamed ? `, and ${unopened.length - mostNamed} more` : '';
    findings.problem(
      'keys',
      `${unopened.length} of ${counted(names.length, 'secret')} of the vault cannot be opened: ${unopened.slice(0, mostNamed).join(', ')}${more}. What cannot be opened was changed or sealed under another master key: set MASTER_KEY_PREVIOUS to that key, or restore a backup.`,
    );
  }
  return { secrets: names.length, unopened: unopened.length };
}

async function opens(read: () => Promise<unknown>): Promise<boolean> {
  try {
    await read();
    return true;
  } catch (error) {
    if (error instanceof StoreError && error.code === 'incompatible') return false;
    throw error;
  }
}
