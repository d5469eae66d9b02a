import { z } from 'zod';
import { event, line, stream, type EventOf } from '../define.ts';
import { userId } from '../oauth/values.ts';

/** One stream for each day (UTC): `refused-sign-ins-2026-11-22`. */
export const refusedSignInStream = stream('refused-sign-ins', {
  SignInsRefused: event(
    'So many wrong passwords were tried that a limit was reached: more are refused for a while. At most once an hour for an account and for a network, and 200 times a day, so that nobody can fill the log.',
    z.strictObject({
      user: userId
        .optional()
        .describe(
          'The person for whose account they were tried. Absent: for any accounts, from one network.',
        ),
      network: line(100).describe(
        'Keyed hash of the network of the newest one: the same network has the same while the master key is the same.',
      ),
      from: z
        .enum(['browser', 'network', 'wider-network', 'everywhere'])
        .describe('Where those came from that reached the limit. `browser`: one that had signed in before.'),
      attempts: z.int().positive().describe('How many reached the limit.'),
      seconds: z.int().positive().describe('Within how many seconds.'),
    }),
  ),
});
export type RefusedSignInEvent = EventOf<typeof refusedSignInStream>;
