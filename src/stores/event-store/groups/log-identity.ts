import type { GroupPlace } from '../port.ts';
import { progressOf } from './reconciler.ts';
import type { GroupState } from './source.ts';

/** Names the note of which log it is that all groups of these state follow. */
const logId = 'log';

/** Where a group's reconciler stands; nothing before its first checkpoint. */
export async function reconcilerPlaces(state: GroupState, key: string): Promise<readonly GroupPlace[]> {
  const progress = await progressOf(state, key);
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
export async function recordLog(
  state: GroupState,
  log: string,
  formerly: string | undefined,
): Promise<string> {
  const noted = (await state.get(logId)) as { readonly log: string } | undefined;
  if (noted && noted.log !== formerly) return noted.log;
  await state.put(logId, { log });
  return log;
}
