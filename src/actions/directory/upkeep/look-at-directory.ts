import { openedWith } from '../../../imports/followed/check-checkpoint.ts';
import {
  countServices,
  FeedError,
  readChanges,
  readCheckpoint,
  readVkey,
  type Other,
} from '../../../imports/followed/feed.ts';
import type { Config } from '../../../config.ts';
import { CommandRefused } from '../../../ground/refusals.ts';
import type { ProofLog } from '../../../stores/side/proof-log-port.ts';
import type { ActionParts } from '../../action.ts';
import { addressReader, ownLogNames } from './followed-address.ts';

/** What other directories are looked at with. */
export type FollowingParts = ActionParts & {
  readonly config: Config;
  readonly proofLog: Pick<ProofLog, 'ended'>;
};

/** A directory that could be followed, as it shows itself. */
export interface SeenDirectory {
  readonly address: string;
  /** The name of its proof log. */
  readonly name: string;
  readonly vkey: string;
  /** How many public records it has. Undefined: it does not say. */
  readonly records: number | undefined;
}

/**
 * Looks at a directory: that its proof log is signed by the key, or by the one that it publishes, and that its feed can be read.
 * @throws CommandRefused conflict
 */
export async function looked(
  parts: FollowingParts,
  input: { readonly address: string; readonly key?: string | undefined; readonly vkey?: string },
): Promise<SeenDirectory> {
  const other: Other = { address: input.address, key: input.key, read: addressReader(parts.config) };
  try {
    const vkey = input.vkey ?? (await readVkey(other));
    const checkpoint = openedWith(await readCheckpoint(other), vkey);
    if (!checkpoint)
      throw new CommandRefused('conflict', 'The proof log at this address is not signed by this key.');
    if (checkpoint.origin.length > 200)
      throw new CommandRefused('conflict', 'The name of its proof log is longer than 200 characters.');
    if ((await ownLogNames(parts)).has(checkpoint.origin))
      throw new CommandRefused('conflict', 'This is this directory itself.');
    const outcome = await readChanges(other, { cursor: undefined });
    if (outcome.kind === 'stop')
      throw new CommandRefused(
        'conflict',
        input.key === undefined
          ? 'It asks for an API key. Ask the people of that directory for a developer key.'
          : 'It does not accept this API key. It needs a developer key that may read its records.',
      );
    return { address: input.address, name: checkpoint.origin, vkey, records: await countServices(other) };
  } catch (error) {
    if (!(error instanceof FeedError)) throw error;
    throw new CommandRefused(
      'conflict',
      `There is no directory of Commonweal that can be followed: ${error.message}`,
    );
  }
}
