import { z } from 'zod';
import { event, line, slug, stream, text, type EventOf } from '../../define.ts';
import { uuidOf } from '../../ids.ts';
import { webAddress } from '../contact.ts';
import { importCounts } from '../import.ts';
import { sourceId } from '../source.ts';

/**
 * Why a directory is not followed for now.
 *
 * - rewritten: its proof log does not continue what it had signed
 * - another-log: its proof log ended, and another one goes on
 * - another-key: its checkpoints are signed by a key that the earlier one has not handed over to
 * - cursor: it does not know any more how far it was read
 * - refused: it asks for another API key
 * - silent: it has not answered, or has signed no checkpoint, for long
 * - many-gone: more than a fifth of its records were taken out within a day
 * - team: somebody of the team paused it
 */
export const pauseReasons = [
  'rewritten',
  'another-log',
  'another-key',
  'cursor',
  'refused',
  'silent',
  'many-gone',
  'team',
] as const;
export type PauseReason = (typeof pauseReasons)[number];

/** Whether its past has to be accepted before it is followed again. */
export const needsAcceptance = (why: PauseReason | undefined): boolean =>
  why === 'rewritten' || why === 'another-log' || why === 'another-key' || why === 'cursor';

/** A verifier key of a log: name+hash+key (C2SP signed-note). */
export const verifierKey = text(500).regex(/^[^+\s]+\+[0-9a-f]{8}\+[0-9A-Za-z+/=]+$/, {
  message: 'must be a verifier key, as name+hash+key',
});

const of = { team: slug, source: sourceId };

/** A team’s subscription to the changes of another installation, whose records are a source of the team. */
export const followingStream = stream('following', {
  FollowingBegun: event(
    'A team began to follow the directory of another installation. Its records become records of this source.',
    z.strictObject({
      ...of,
      address: webAddress.describe('The base address of the other installation.'),
      vkey: verifierKey.describe('The verifier key of its proof log, which somebody has confirmed.'),
      approve: z.boolean().describe('New records are public at once. False: they wait for review.'),
      with_key: z.literal(true).optional().describe('An API key of the other installation is in the vault.'),
    }),
  ),
  FollowingKeyReplaced: event(
    'The proof log of the followed directory has another key, to which the earlier one had handed over.',
    z.strictObject({ ...of, vkey: verifierKey }),
  ),
  FollowingPaused: event(
    'The directory is not followed for now. What came from it stays.',
    z.strictObject({ ...of, why: z.enum(pauseReasons), detail: line(600).optional() }),
  ),
  FollowingResumed: event(
    'The directory is followed again.',
    z.strictObject({
      ...of,
      anew: z
        .strictObject({ vkey: verifierKey })
        .optional()
        .describe(
          'Somebody has accepted that its past is another one. Its feed is read from the beginning, under this key.',
        ),
      many_gone_until: z.iso
        .datetime()
        .optional()
        .describe(
          'Somebody has accepted that many records are gone. Until then as many as are gone are taken out.',
        ),
      with_key: z.literal(true).optional().describe('It has another API key, which is in the vault.'),
    }),
  ),
  FollowingEnded: event(
    'The team no longer follows the directory. What came from it stays.',
    z.strictObject(of),
  ),
});
export type FollowingEvent = EventOf<typeof followingStream>;

/**
 * How far a followed directory was read. Each event repeats all that has to be remembered, so the newest one alone is read. Each
 * beginning, and each past that was accepted, has a stream of its own.
 */
export const followedStream = stream('followed', {
  FollowedChangesRead: event(
    'Changes of the followed directory were read and applied, up to the cursor. The events of the records have the import as their correlation.',
    z.strictObject({
      ...of,
      import: z.uuid(),
      cursor: text(1_000).describe('Where its feed goes on.'),
      more: z.literal(true).optional().describe('Further changes were there.'),
      compared: z
        .literal(true)
        .optional()
        .describe(
          'The feed was read to its end since its past was accepted, and what it does not name was taken out.',
        ),
      entries: z.int().min(0).describe('How many changes were read.'),
      ours: z
        .int()
        .min(0)
        .describe('How many of them were records that it has from here, which were left out.'),
      counts: importCounts.describe('Of all of the import so far.'),
      answer_sha256: z
        .string()
        .regex(/^[0-9a-f]{64}$/)
        .describe('Of the answer of the feed, byte by byte.'),
      checkpoint: text(8_000).describe(
        'The signed checkpoint of its proof log that was checked before the changes were read.',
      ),
    }),
  ),
});
export type FollowedEvent = EventOf<typeof followedStream>;

/** The id in the name of the stream. A team follows a source once. */
export const followingStreamId = (team: string, source: string): string => uuidOf('following', team, source);

/** The same of what was read of it. `epoch`: how often it was begun, or its past accepted, before. */
export const followedStreamId = (team: string, source: string, epoch: number): string =>
  uuidOf('followed', team, source, String(epoch));
