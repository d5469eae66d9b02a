import { z } from 'zod';
import { counted } from '../../ground/counted.ts';
import type { EndedLog } from '../../stores/side/proof-log-port.ts';
import type { KeysOfLog } from './format/checkpoint.ts';
import { parseVkey } from './format/note.ts';

/** A log that ended, as its readers are told of it: at /audit/log/former, in exports, and by "audit log status". */
export const formerLogForm = z.strictObject({
  log: z.string().describe('Its name.'),
  vkey: z.string().describe('The key that verifies its newest checkpoints.'),
  earlier_vkeys: z.array(z.string()).describe('The keys that signed before it, newest first.'),
  tree_size: z
    .int()
    .nonnegative()
    .describe('The entries of the largest tree that it is known to have signed.'),
  root: z.string().describe('The root of that tree, in base64.'),
  checkpoint: z
    .string()
    .nullable()
    .describe('The signed note of that tree. Null where it is lost, or there is none.'),
  ended_at: z.iso.datetime(),
  reason: z.enum(['restored', 'replaced']),
  successor: z.string().describe('The name of the log that goes on.'),
});
export type FormerLog = z.output<typeof formerLogForm>;

export const formerLog = ({
  origin,
  vkey,
  earlier = [],
  size,
  root,
  checkpoint = '',
  endedAt,
  reason,
  successor,
}: EndedLog): FormerLog => ({
  log: origin,
  vkey,
  earlier_vkeys: [...earlier],
  tree_size: size,
  root,
  checkpoint: checkpoint === '' ? null : checkpoint,
  ended_at: endedAt,
  reason,
  successor,
});

/** All keys of a log that ended. They sign nothing any more, so each counts for every size. */
export const keysOfFormer = ({ origin, vkey, earlier = [] }: EndedLog): KeysOfLog => ({
  name: origin,
  keys: [vkey, ...earlier].map((each) => ({ verifier: parseVkey(each), after: -1, upTo: Infinity })),
});

const reasons: Readonly<Record<EndedLog['reason'], string>> = {
  restored: 'a backup was restored that may lack what it had signed',
  replaced: 'it was lost, or did not fit the events, and the operator began a new one',
};

/** Why a log ended, as the rest of a sentence. */
export const whyEnded = ({ reason }: Pick<EndedLog, 'reason'>): string => reasons[reason];

/** That a log ended, and which one goes on. */
export const inWords = ({ log, tree_size, ended_at, reason, successor }: FormerLog): string =>
  `${log} ended at ${ended_at}, after ${counted(tree_size, 'entry', 'entries')}, because ${whyEnded({ reason })}. ${successor} goes on.`;
