import { Command } from 'commander';
import { cosignerVkey } from '../../audit/proof-log/format/cosignature.ts';
import { ProofError } from '../../audit/proof-log/errors.ts';
import { logKey } from '../../audit/proof-log/format/log-key.ts';
import { logsOfVkeys } from '../../audit/proof-log/format/add-checkpoint.ts';
import { ensureWitnessKey, forgetWitnessKeys } from '../../audit/proof-log/format/witness-key.ts';
import type { System } from '../../container.ts';
import { counted } from '../../ground/counted.ts';
import { answer } from '../../ground/print.ts';
import { withStores, type CommandLine } from '../command-line.ts';

interface PeerOptions {
  readonly newKey?: boolean;
  readonly json?: boolean;
}

/** A part of `audit log`: what another installation sets, so that the two are witnesses of each other. */
export function peerCommand(line: CommandLine): Command {
  return new Command('peer')
    .description(
      'Show the setting with which another installation and this one witness each other, and which logs this one has cosigned.',
    )
    .option(
      '--new-key',
      'begin a new witness: when an old copy of the stores was put back other than by "restore"',
    )
    .action(({ newKey = false, json }: PeerOptions) =>
      withStores(line, async (system) => {
        const { vault, config } = system;
        const log = await logKey(vault);
        if (!log)
          throw new ProofError('beyond', 'The log has no key yet. The server makes it at its first start.');
        if (newKey) await forgetWitnessKeys(vault);
        const vkey = cosignerVkey(await ensureWitnessKey(system, config.baseUrl));
        const url = `${config.baseUrl ?? 'https://<address of this server>'}/witness`;
        const cosigned = await cosignedBy(system);
        answer(json, { log: log.vkey, witness: vkey, url, cosigned }, [
          ...(newKey ? ['This is a new witness. Who named the one before must replace its vkey.'] : []),
          'The other installation sets:',
          `WITNESS_PEERS="${log.vkey} ${vkey} ${url}"`,
          'Set here what this command shows there, and start both again. Several peers: commas between them.',
          ...cosigned.map(({ origin, size }) =>
            size === null
              ? `Cosigns ${origin}: nothing yet.`
              : `Cosigns ${origin}: up to ${counted(size, 'entry', 'entries')}.`,
          ),
        ]);
      }),
    );
}

/** The logs that the settings name, and how much of each is cosigned. */
async function cosignedBy({ config, witnessStore }: System) {
  const origins = [...logsOfVkeys(config.cosignedLogs).keys()];
  return Promise.all(
    origins.map(async (origin) => ({ origin, size: (await witnessStore.newest(origin))?.size ?? null })),
  );
}
