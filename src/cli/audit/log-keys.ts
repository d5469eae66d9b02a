import { ProofError } from '../../audit/proof-log/errors.ts';
import type { KeysOfLog } from '../../audit/proof-log/format/checkpoint.ts';
import { parseVkey } from '../../audit/proof-log/format/note.ts';
import { UsageError } from '../options.ts';

/** Keys that the caller trusts for every checkpoint. @throws UsageError */
export function keysOfVkeys(vkeys: readonly string[]): KeysOfLog {
  try {
    const verifiers = vkeys.map(parseVkey);
    const [name = '', ...others] = new Set(verifiers.map((each) => each.name));
    if (others.length > 0)
      throw new UsageError(`--vkey: names several logs, ${[name, ...others].join(', ')}`);
    return { name, keys: verifiers.map((verifier) => ({ verifier, after: -1, upTo: Infinity })) };
  } catch (error) {
    if (error instanceof ProofError) throw new UsageError(`--vkey: ${error.message}`);
    throw error;
  }
}
