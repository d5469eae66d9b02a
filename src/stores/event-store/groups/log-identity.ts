import type { GroupPlace } from '../port.ts';
import { progressOf } from './reconciler.ts';
import type { GroupNotes } from './source.ts';

/** Names the note of which log it is that all groups of these notes follow. */
const logId = 'log';

/** Where a group's reconciler stands; nothing before its first checkpoint. */
export async function reconcilerPlaces(notes: GroupNotes, key: string): Promise<readonly GroupPlace[]> {
  const progress = await progressOf(notes, key);
  if (!progress) return [];
  const { checkpoint, covers, last_event: last } = progress;
  return [
    {
      checkpoint: BigInt(checkpoint),
      filter: covers,
      ...(last ? { lastEvent: { position: BigInt(last.position), id: last.id } } : {}),
    },
  ];
}

/** Notes which log the groups follow, unless that is noted, under this name or another; answers what is noted. */
export async function noteLog(notes: GroupNotes, log: string, formerly: string | undefined): Promise<string> {
  const noted = (await notes.get(logId)) as { readonly log: string } | undefined;
  if (noted && noted.log !== formerly) return noted.log;
  await notes.put(logId, { log });
  return log;
}
