import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { seconds, userId } from '../oauth/values.ts';

/** Who has an email address: `email-{keyed hash of it}`. The newest event decides. */
export const emailStream = stream('email', {
  EmailClaimed: event(
    'A person claimed the address. The claim lapses unless the person verifies the address in time.',
    z.strictObject({
      user: userId,
      claim: z.uuid().describe('Identifies the claim. EmailClaimLapsed in the person’s stream repeats it.'),
      lapses: seconds.describe('When the claim lapses unless the address is verified.'),
    }),
  ),
  EmailReleased: event('The address was released. Anybody may claim it.', z.strictObject({ user: userId })),
});
export type EmailEvent = EventOf<typeof emailStream>;
