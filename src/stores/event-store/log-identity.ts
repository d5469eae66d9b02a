import type { GroupPlace } from './port.ts';
import { progressOf } from './reconciler.ts';
import type { GroupState } from './group-source.ts';

/** The id of the entry that names the log of these groups. */
const logId = 'log';

/** The position of a group's reconciler. Empty before its first checkpoint. */
export async function reconcilerPlaces(state: GroupState, key: string): Promise<readonly GroupPlace[]> {
  const progress = await progressOf(state, key);
  if (!progress) return [];
  const { checkpoint, covers, last_event: last, repaired, repaired_at: repairedAt } = progress;
  return [
    {
      checkpoint: BigInt(checkpoint),
      filter: covers,
      repaired,
      ...(repairedAt === undefined ? {} : { repairedAt }),
      ...(last ? { lastEvent: { position: BigInt(last.position), id: last.id } } : {}),
    },
  ];
}

/** Records which log the groups follow, unless a log is recorded. Returns the recorded log. */
export async function recordLog(state: GroupState, log: string): Promise<string> {
  const noted = (await state.get(logId)) as { readonly log: string } | undefined;
  if (noted) return noted.log;
  await state.put(logId, { log });
  return log;
}
