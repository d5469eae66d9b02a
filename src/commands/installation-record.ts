import { installationStream, type InstallationEvent } from '../events/installation.ts';
import type { CommandContext } from '../events/metadata.ts';
import { defined } from '../ground/defined.ts';
import type { EventStore } from '../stores/event-store/port.ts';
import type { EndedLog } from '../stores/side/proof-log-port.ts';
import { execute, type Decider } from './command-handler.ts';

/** What names a backup. */
export interface BackupFacts {
  /** ISO 8601 UTC. */
  readonly taken_at: string;
  readonly events: number;
  readonly digest: string;
}

/** `key`: the id of the new key. */
type Command =
  | { readonly kind: 'backup-taken'; readonly backup: BackupFacts }
  | {
      readonly kind: 'backup-tested';
      readonly backup: BackupFacts;
      readonly outcome: 'verified' | 'restored' | 'failed';
      readonly seconds: number;
    }
  | { readonly kind: 'backup-restored'; readonly backup: BackupFacts; readonly restoredAt: string }
  | {
      readonly kind: 'proof-log-key-rotated';
      readonly vkey: string;
      readonly former: readonly string[];
      readonly until: string;
    }
  | { readonly kind: 'proof-log-begun'; readonly ended: EndedLog }
  | { readonly kind: 'token-key-replaced'; readonly key: string }
  | { readonly kind: 'master-key-rotated'; readonly key: string }
  | { readonly kind: 'master-key-rotation-ended'; readonly key: string };

/** The newest keys that are recorded. An interrupted rotation is run again, and recorded once. */
interface State {
  readonly tokenKey?: string;
  readonly rotated?: string;
  readonly ended?: string;
}

const decider = (installation: string): Decider<State, Command, InstallationEvent> => ({
  stream: installationStream,
  initial: {},
  evolve(state, event) {
    switch (event.type) {
      case 'MasterKeyRotated':
        return { ...state, rotated: event.data.master_key };
      case 'MasterKeyRotationEnded':
        return { ...state, ended: event.data.master_key };
      case 'TokenKeyReplaced':
        return { ...state, tokenKey: event.data.token_key };
      case 'InstallationNamed':
      case 'VaultReplaced':
      case 'ProofLogReplaced':
      case 'ProofLogKeyRotated':
      case 'ProofLogBegun':
      case 'BackupTaken':
      case 'BackupTested':
      case 'BackupRestored':
        return state;
    }
  },
  decide(command, { rotated, ended, tokenKey }) {
    switch (command.kind) {
      case 'backup-taken':
        return [{ type: 'BackupTaken', data: { installation, ...command.backup } }];
      case 'backup-tested': {
        const { backup, outcome, seconds } = command;
        return [{ type: 'BackupTested', data: { installation, ...backup, outcome, seconds } }];
      }
      case 'backup-restored': {
        const data = { installation, ...command.backup, restored_at: command.restoredAt };
        return [{ type: 'BackupRestored', data }];
      }
      case 'proof-log-key-rotated': {
        const { vkey, former, until } = command;
        return [{ type: 'ProofLogKeyRotated', data: { installation, vkey, former: [...former], until } }];
      }
      case 'proof-log-begun': {
        const { origin, size, root, checkpoint, endedAt, reason, successor } = command.ended;
        const former = { log: origin, size, root, ...defined({ checkpoint }) };
        const data = { installation, log: successor, reason, ended_at: endedAt, former };
        return [{ type: 'ProofLogBegun', data }];
      }
      case 'token-key-replaced':
        if (tokenKey === command.key) return [];
        return [{ type: 'TokenKeyReplaced', data: { installation, token_key: command.key } }];
      case 'master-key-rotated':
        if (rotated === command.key) return [];
        return [{ type: 'MasterKeyRotated', data: { installation, master_key: command.key } }];
      case 'master-key-rotation-ended':
        if (ended === command.key) return [];
        return [{ type: 'MasterKeyRotationEnded', data: { installation, master_key: command.key } }];
    }
  },
});

export interface InstallationParts {
  readonly store: EventStore;
  readonly installation: { ensureId(): Promise<string> };
}

/** Records what was done with the installation as a whole. The same command id is recorded once. */
export async function recordOfInstallation(
  { store, installation }: InstallationParts,
  command: Command,
  context: CommandContext,
): Promise<void> {
  await execute(store, decider(await installation.ensureId()), 'self', command, context);
}
