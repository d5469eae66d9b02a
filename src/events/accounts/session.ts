import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { authenticationMethods, seconds, sessionId, userId } from '../oauth/values.ts';

export const sessionStream = stream('session', {
  SessionStarted: event(
    'Somebody signed in; only the SHA-256 of the cookie’s token is kept.',
    z.strictObject({
      session: sessionId,
      user: userId,
      epoch: z.int().positive().describe('Of the person’s sessions; a later epoch ends this one.'),
      auth_time: seconds,
      amr: authenticationMethods.describe('How they proved who they are (RFC 8176).'),
      ends: seconds.describe('However often it is used.'),
      secret_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ title: 'SHA-256 in hex' }),
    }),
  ),
  SessionEnded: event(
    'The session is over.',
    z.strictObject({ session: sessionId, user: userId, reason: z.enum(['signed_out', 'replaced']) }),
  ),
});
export type SessionEvent = EventOf<typeof sessionStream>;
