import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { clientId, signInScope, userId } from './values.ts';

const whose = { user: userId, client: clientId };
const epoch = z
  .int()
  .positive()
  .describe(
    'Rises with the first grant after a revocation; codes and tokens of an earlier epoch are invalid.',
  );

const accessEpoch = z
  .int()
  .positive()
  .optional()
  .describe('Of the person’s sites as a whole; a later one ends this consent. Absent: 1.');

/** What a person lets a client see. The newest event is the consent. */
export const consentStream = stream('consent', {
  ConsentGranted: event(
    'The person lets the client have these scopes: all that hold now, earlier ones of the same epoch included.',
    z.strictObject({ ...whose, scopes: z.array(signInScope).min(1), epoch, access_epoch: accessEpoch }),
  ),
  ConsentRevoked: event(
    'The person revoked the consent: every code and token of its epoch is invalid from now on.',
    z.strictObject({ ...whose, epoch }),
  ),
});
export type ConsentEvent = EventOf<typeof consentStream>;

/** The id of the consent of one person to one client. */
export const consentId = (user: string, client: string): string => `${user}.${client}`;
