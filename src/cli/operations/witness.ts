import { Command } from 'commander';
import { z } from 'zod';
import { logsOfVkeys, type Witness } from '../../audit/proof-log/format/add-checkpoint.ts';
import { cosignerVkey } from '../../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { ConfigError } from '../../config.ts';
import { openWitnessStore } from '../../container.ts';
import { answer } from '../../ground/print.ts';
import type { CommandLine } from '../command-line.ts';
import { option, UsageError } from '../options.ts';
import { witnessKey } from './witness-key.ts';
import { startWitness, type RunningWitness } from './witness-endpoint.ts';

interface WitnessOptions {
  readonly folder: string;
  readonly name?: string;
  readonly log?: readonly string[];
  readonly host: string;
  readonly port: string;
  readonly json?: boolean;
}

const portNumber = z
  .string()
  .regex(/^\d{1,5}$/, { message: 'must be a number' })
  .transform(Number)
  .refine((value) => value <= 65_535, { message: 'must be 0 to 65535; 0 takes a free one' });

export function witnessCommand(_line: CommandLine): Command {
  return new Command('witness')
    .description(
      'Be a witness of proof logs, those of other installations: cosign their checkpoints while each continues the one before (C2SP tlog-witness), until stopped. Without --log: show the key only.',
    )
    .requiredOption('--folder <path>', 'where its key and what it has cosigned are, a folder of its own')
    .option('--name <name>', 'the name in its key, at the first start: an address without https://')
    .option(
      '--log <vkey...>',
      'the keys of the logs that it cosigns, as /audit/log/vkey of each shows it; both while one is rotated',
    )
    .option('--host <address>', 'where it listens', '127.0.0.1')
    .option('--port <number>', 'where it listens', '7380')
    .action(async (options: WitnessOptions) => {
      const port = option('--port', portNumber, options.port);
      const logs = logsOf(options.log ?? []);
      const signer = witnessKey(options.folder, options.name);
      const vkey = cosignerVkey(signer);
      if (logs.size === 0) {
        answer(options.json, { vkey, listening: null }, [
          `Key (vkey):  ${vkey}`,
          'It serves nothing: name the logs with --log.',
        ]);
        return;
      }
      const store = await openWitnessStore(options.folder);
      try {
        const witness: Witness = { signer, logs, store, now: () => new Date() };
        const running = await listen(witness, options.host, port);
        const origins = [...logs.keys()];
        if (options.json) console.log(JSON.stringify({ vkey, listening: running.address, logs: origins }));
        else {
          console.log(`Key (vkey):  ${vkey}`);
          console.log(`Cosigns ${origins.join(', ')} at ${running.address}`);
        }
        await untilStopped();
        await running.close();
      } finally {
        await store.close();
      }
    });
}

/** @throws UsageError */
function logsOf(vkeys: readonly string[]): Witness['logs'] {
  try {
    return logsOfVkeys([...new Set(vkeys)]);
  } catch (error) {
    if (error instanceof ProofError) throw new UsageError(`--log: ${error.message}`);
    throw error;
  }
}

async function listen(witness: Witness, host: string, port: number): Promise<RunningWitness> {
  try {
    return await startWitness(witness, { host, port }, (message) => console.error(message));
  } catch (error) {
    const { message } = error as Error;
    throw new ConfigError(
      `The witness cannot listen at ${host}, port ${port}: ${message}. Choose another --port.`,
    );
  }
}

const untilStopped = (): Promise<void> =>
  new Promise((resolve) => {
    for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => resolve());
  });
