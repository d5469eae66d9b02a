import { z } from 'zod';
import { event, stream, streamName, type EventOf } from './define.ts';

/** An installation’s id, drawn once. */
export const installationId = z.uuid().describe('The installation’s id, which its events’ metadata carries.');

export const installationStream = stream('installation', {
  InstallationNamed: event(
    'The installation whose log this is has an id from now on; a copy of the log is the same installation.',
    z.strictObject({ installation: installationId }),
  ),
});
export type InstallationEvent = EventOf<typeof installationStream>;

/** The only stream of its kind in a log: of all that start at once, one names the installation. */
export const installationStreamName = streamName(installationStream, 'self');
