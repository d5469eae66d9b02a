import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { clientId, signInScope, userId } from './values.ts';

const whose = { user: userId, client: clientId };
const epoch = z
  .int()
  .positive()
  .describe(
    'Rises by one with the first consent after a revocation. Codes and tokens with a lower epoch are invalid.',
  );

const accessEpoch = z
  .int()
  .positive()
  .optional()
  .describe('The access epoch of the person. The consent is over when it rises. Absent: 1.');

/** The consent of a person to a client. The newest event is the whole state. */
export const consentStream = stream('consent', {
  ConsentGranted: event(
    'The person consented. The scopes include those granted earlier in the same epoch.',
    z.strictObject({ ...whose, scopes: z.array(signInScope).min(1), epoch, access_epoch: accessEpoch }),
  ),
  ConsentRevoked: event(
    'The person revoked the consent. Every code and token of its epoch is invalid.',
    z.strictObject({ ...whose, epoch }),
  ),
});
export type ConsentEvent = EventOf<typeof consentStream>;

/** The id of the consent of one person to one client. */
export const consentId = (user: string, client: string): string => `${user}.${client}`;
