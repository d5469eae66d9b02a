import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { seconds, userId } from '../oauth/values.ts';

/** Who has an email address: `email-{keyed hash of it}`. The newest event decides. */
export const emailStream = stream('email', {
  EmailClaimed: event(
    'The address is this person’s, for good once they have verified it, else until the claim lapses.',
    z.strictObject({
      user: userId,
      claim: z.uuid().describe('Names this claim; the person’s own stream says so when it lapses.'),
      lapses: seconds,
    }),
  ),
  EmailReleased: event('Nobody has the address.', z.strictObject({ user: userId })),
});
export type EmailEvent = EventOf<typeof emailStream>;
