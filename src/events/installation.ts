import { z } from 'zod';
import { event, stream, streamName, type EventOf } from './define.ts';

/** The id of an installation, assigned once. */
export const installationId = z
  .uuid()
  .describe('The id of the installation. Its events carry it in their metadata.');

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
});
export type InstallationEvent = EventOf<typeof installationStream>;

/**
 * The only stream of its kind in a log. When several processes start at once, the first append names the
 * installation.
 */
export const installationStreamName = streamName(installationStream, 'self');
