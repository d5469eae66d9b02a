import { z } from 'zod';
import { event, stream, streamName, type EventOf } from './define.ts';

/** The id of an installation, assigned once. */
export const installationId = z
  .uuid()
  .describe('The id of the installation. Its events carry it in their metadata.');

/** What names a backup: its manifest says the same. Not where it is: a path may name a person. */
const backup = {
  installation: installationId,
  taken_at: z.iso.datetime().describe('When the backup was taken, as its manifest says.'),
  events: z.int().nonnegative().describe('The number of events in the backup.'),
  digest: z
    .string()
    .regex(/^[0-9a-f]{64}$/)
    .describe('SHA-256 over the events in the backup, as its manifest says.'),
} as const;

const masterKey = z
  .string()
  .regex(/^[0-9a-f]{16}$/)
  .describe('Tells one master key from another. The key cannot be computed from it.');

const logVkey = z.string().regex(/^[^\s+]+\+[0-9a-f]{8}\+[0-9A-Za-z+/]{44}$/);

export const installationStream = stream('installation', {
  InstallationNamed: event(
    'The installation got its id. A copy of the log is the same installation. The vault has an entry with this id, which shows that vault and log belong together.',
    z.strictObject({ installation: installationId }),
  ),
  VaultReplaced: event(
    'The vault was lost, and an operator accepted a new one. Data sealed with keys of the old vault cannot be read any more.',
    z.strictObject({ installation: installationId }),
  ),
  ProofLogReplaced: event(
    'The proof log was lost, or did not continue what was signed, and an operator accepted a new one or what is there. Checkpoints from before are of the lost one.',
    z.strictObject({ installation: installationId }),
  ),
  ProofLogKeyRotated: event(
    'The proof log has a new key, and keeps its name. Checkpoints are signed by the former keys as well for a while; who has one of them finds the new one proved by this event.',
    z.strictObject({
      installation: installationId,
      vkey: logVkey.describe('The new key, its public half, as /audit/log/vkey shows it.'),
      former: z.array(logVkey).min(1).describe('The keys that sign beside it until then.'),
      until: z.iso.datetime().describe('When the former keys stop signing, and are destroyed.'),
    }),
  ),
  ProofLogBegun: event(
    'A new proof log began, over all events that there were, because the former one could not be continued. Checkpoints of the former one are of a log that ended.',
    z.strictObject({
      installation: installationId,
      log: z.string().max(1_000).describe('The name of the new log, by which its checkpoints begin.'),
      reason: z
        .enum(['restored', 'replaced'])
        .describe(
          'A backup was restored to behind what the former log had signed, or may have; or an operator replaced it, because it was lost or did not fit the events.',
        ),
      ended_at: z.iso.datetime().describe('When the former log ended.'),
      former: z
        .strictObject({
          log: z.string().max(1_000).describe('Its name.'),
          size: z
            .int()
            .nonnegative()
            .describe('The entries of the largest tree that it is known to have signed.'),
          root: z.base64().describe('The root of that tree.'),
          checkpoint: z
            .string()
            .max(20_000)
            .optional()
            .describe('The signed note of that tree. Absent where it is lost, or there is none.'),
        })
        .describe('The log that ended.'),
    }),
  ),
  BackupTaken: event('A backup was taken. It has every event before this one.', z.strictObject(backup)),
  BackupRestored: event(
    'A backup was restored. The first start after it recorded this: what had happened after the backup is lost.',
    z.strictObject({
      ...backup,
      restored_at: z.iso.datetime().describe('When the backup was restored.'),
    }),
  ),
  BackupTested: event(
    'A backup was restored into a temporary folder and opened there, to see whether it can be. The folder was removed again.',
    z.strictObject({
      ...backup,
      outcome: z
        .enum(['verified', 'restored', 'failed'])
        .describe(
          '`verified`: every signed event is as it was signed. `restored`: nothing was signed yet. `failed`: the backup is of no use.',
        ),
      seconds: z.int().nonnegative().describe('How long it took.'),
    }),
  ),
  TokenKeyReplaced: event(
    'The key that authenticates codes and tokens is replaced by a new one, as every 90 days. Tokens of the former one stay valid.',
    z.strictObject({
      installation: installationId,
      token_key: z
        .string()
        .regex(/^[0-9a-f]{8}$/)
        .describe('The id of the new key: the second (Unix, in hex) from which it is used.'),
    }),
  ),
  MasterKeyRotated: event(
    'Every secret of the vault is sealed under a new master key. The previous one still opens what was sealed under it.',
    z.strictObject({ installation: installationId, master_key: masterKey }),
  ),
  MasterKeyRotationEnded: event(
    'The rotation of the master key ended: nothing is sealed under the previous key any more.',
    z.strictObject({ installation: installationId, master_key: masterKey }),
  ),
});
export type InstallationEvent = EventOf<typeof installationStream>;

/**
 * The only stream of its kind in a log. When several processes start at once, the first append names the
 * installation.
 */
export const installationStreamName = streamName(installationStream, 'self');
