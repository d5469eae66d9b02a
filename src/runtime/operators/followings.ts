import { addressReader, ownLogNames } from '../../actions/directory/upkeep/followed-address.ts';
import type { System } from '../../container.ts';
import { pause } from '../../ground/back-off.ts';
import { startJob, type Job, type Supervision } from '../../ground/job.ts';
import { follow, type FollowParts } from '../../imports/followed/follow.ts';
import { FollowingContacts } from '../../imports/followed/following-contacts.ts';
import { activeFollowings } from '../../projections/directory/upkeep/followings.ts';

/** How often it looks which directories are due, in milliseconds. */
const lookEveryMs = 1_000;
/** So many directories are read at a time. */
const atOnce = 4;

/** Starts the job that reads the directories that teams follow. It runs in one process at a time. */
export function startFollowings(system: System, supervision: Supervision): Job {
  const parts: FollowParts = {
    ...system,
    read: addressReader(system.config),
    ownLogs: () => ownLogNames(system),
    settings: system.config.following,
  };
  return startJob(supervision, {
    name: 'following',
    lease: 'following',
    async work(signal, progress) {
      const reading = new Map<string, Promise<void>>();
      const contacts = new FollowingContacts(system.side);
      try {
        while (!signal.aborted) {
          for (const { following, team, source } of await activeFollowings(system.documents)) {
            if (reading.size >= atOnce) break;
            if (reading.has(following)) continue;
            const { due_at } = await contacts.get(following);
            if (Date.parse(due_at) > Date.now()) continue;
            const read = follow(parts, { team, source }, signal)
              .catch((error: unknown) => {
                if (!signal.aborted) supervision.onFault('following', error);
                return pause(lookEveryMs, signal);
              })
              .then(() => void reading.delete(following));
            reading.set(following, read);
          }
          progress.succeeded();
          await pause(lookEveryMs, signal);
        }
      } finally {
        await Promise.allSettled(reading.values());
      }
    },
  });
}
