import { z } from 'zod';
import { event, stream, type EventOf } from '../define.ts';
import { authenticationMethods, sealed, seconds, sessionId, userId } from '../oauth/values.ts';

export const sessionStream = stream('session', {
  SessionStarted: event(
    'A person signed in. Only the SHA-256 of the cookie’s token is stored.',
    z.strictObject({
      session: sessionId,
      user: userId,
      epoch: z
        .int()
        .positive()
        .describe('The session epoch of the person. The session is over when the epoch rises.'),
      auth_time: seconds,
      amr: authenticationMethods.describe('How the person authenticated (RFC 8176).'),
      ends: seconds.describe('When the session ends, even if it is still used.'),
      secret_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .meta({ title: 'SHA-256 in hex' }),
      device: sealed.optional().describe('The browser and the system, in a word each.'),
    }),
  ),
  SessionEnded: event(
    'The session ended.',
    z.strictObject({ session: sessionId, user: userId, reason: z.enum(['signed_out', 'replaced']) }),
  ),
});
export type SessionEvent = EventOf<typeof sessionStream>;
