import { z } from 'zod';
import { event, slug, stream, type EventOf } from '../define.ts';
import { svcId } from './resource.ts';

/** What two records have in common that makes people take them for one. */
export const likenesses = ['name', 'phone', 'address', 'web'] as const;
export type Likeness = (typeof likenesses)[number];

const merged = z.strictObject({
  team: slug,
  merge: z.uuid().describe('The correlation of all events of the merge.'),
  duplicate: svcId.describe('The record that goes.'),
  survivor: svcId.describe('The record that stays.'),
});

/**
 * What a team decides about duplicates. One stream for a team, so that merges that cross meet in it: one is recorded, the other is
 * refused, and no circle comes to be. The events of the records follow, with the merge as their correlation.
 */
export const mergesStream = stream('merges', {
  MergeBegun: event('Somebody merged a record into another one of the team.', merged),
  MergeUndone: event('The merge was undone.', merged),
  DuplicatesDismissed: event(
    'Somebody said that these records are no duplicates of each other. They are shown as duplicates again when they have more in common than they had.',
    z.strictObject({
      team: slug,
      records: z.array(svcId).min(2).max(100),
      in_common: z.array(z.enum(likenesses)).describe('What they had in common.'),
    }),
  ),
});
export type MergesEvent = EventOf<typeof mergesStream>;
