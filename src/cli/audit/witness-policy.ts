import { parseCosigner } from '../../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { noWitnesses, type WitnessPolicy } from '../../audit/verify/witnesses.ts';
import { majority, readConfig } from '../../config.ts';
import type { CommandLine } from '../command-line.ts';
import { count, UsageError } from '../options.ts';

export interface WitnessOptions {
  readonly witness?: readonly string[];
  readonly quorum?: string;
}

/**
 * The witnesses that the command line names, else those of the settings. An export is verified without settings, unless
 * they name witnesses.
 * @throws UsageError
 */
export function witnessPolicy(
  { environment }: CommandLine,
  { witness, quorum }: WitnessOptions,
): WitnessPolicy {
  const isNamed = ['WITNESSES', 'WITNESS_PEERS'].some((name) => (environment[name] ?? '') !== '');
  const named = isNamed ? readConfig(environment).witnesses : noneNamed;
  const vkeys = witness ?? named.named.map(({ vkey }) => vkey);
  const cosigners = vkeys.map((vkey) => cosignerIn(vkey));
  if (new Set(cosigners.map(({ name }) => name)).size < cosigners.length)
    throw new UsageError('--witness: names a witness twice');
  if (cosigners.length === 0) {
    if (quorum !== undefined)
      throw new UsageError('--quorum: belongs to --witness, or to WITNESSES and WITNESS_PEERS');
    return noWitnesses;
  }
  const usual = witness ? majority(cosigners.length) : named.quorum;
  const needed = quorum === undefined ? usual : count('--quorum', quorum);
  if (needed > cosigners.length)
    throw new UsageError(`--quorum: is ${needed}, and there are ${cosigners.length} witnesses`);
  return { cosigners, quorum: needed };
}

const noneNamed = { named: [], quorum: 0 } as const;

/** @throws UsageError */
function cosignerIn(vkey: string) {
  try {
    return parseCosigner(vkey);
  } catch (error) {
    if (error instanceof ProofError) throw new UsageError(`--witness: ${error.message}`);
    throw error;
  }
}
