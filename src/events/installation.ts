import { z } from 'zod';
import { event, stream, streamName, type EventOf } from './define.ts';

/** The id of an installation, assigned once. */
export const installationId = z.uuid().describe('The installation’s id, which its events’ metadata carries.');

export const installationStream = stream('installation', {
  InstallationNamed: event(
    'The installation whose log this is has an id from now on; a copy of the log is the same installation. The vault has an entry under that id, which proves later that it is the vault of this log.',
    z.strictObject({ installation: installationId }),
  ),
  VaultReplaced: event(
    'The vault was lost, and an operator has accepted a new one: what was sealed in the old one is gone for good.',
    z.strictObject({ installation: installationId }),
  ),
});
export type InstallationEvent = EventOf<typeof installationStream>;

/**
 * The only stream of its kind in a log. When several processes start at once, the first append names the
 * installation.
 */
export const installationStreamName = streamName(installationStream, 'self');
