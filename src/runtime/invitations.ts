import { expireInvitation } from '../commands/teams/invitation.ts';
import { invitationIn, invitationOf } from '../commands/teams/invitation-keys.ts';
import type { System } from '../container.ts';
import { pause } from '../ground/back-off.ts';
import { NotYetVisible, visible } from '../projections/engine/read-your-writes.ts';
import { paginate } from '../projections/engine/paginate.ts';
import { invitations } from '../projections/teams-invitations.ts';
import { startJob, type Job, type Supervision } from '../ground/job.ts';

/** How often expired invitations are looked for, in milliseconds. Their links stop working at once, by themselves. */
const everyMs = 10 * 60_000;

/** How long a round waits for the read model, in milliseconds. */
const levelWithinMs = 60_000;

type Parts = Pick<System, 'store' | 'documents' | 'vault' | 'personal'>;

/**
 * Starts the job that records which invitations have expired and makes their addresses unreadable. It runs in one
 * process at a time.
 */
export function startInvitationExpiry(system: Parts, supervision: Supervision): Job {
  const unknown = new Set<string>();
  return startJob(supervision, {
    name: 'invitations',
    lease: 'invitations',
    async work(signal, progress) {
      while (!signal.aborted) {
        await tend(system, unknown);
        progress.succeeded();
        await pause(everyMs, signal);
      }
    },
  });
}

/** One round. Does nothing while the read model is behind: it cannot tell then which keys belong to no invitation. */
async function tend(system: Parts, unknown: Set<string>): Promise<void> {
  const { store, documents } = system;
  try {
    await visible(documents, [invitations.collection.name], await store.head(), levelWithinMs);
  } catch (error) {
    if (error instanceof NotYetVisible) return;
    throw error;
  }
  await expireInvitations(system, new Date());
  await eraseLeftoverKeys(system, unknown);
}

/** Ends the invitations whose time is over. */
export async function expireInvitations({ store, documents, personal }: Parts, at: Date): Promise<void> {
  const open = { where: { status: 'open' }, orderBy: ['expires_at', 'invitation'] } as const;
  for await (const each of paginate(documents.collection(invitations.collection), open)) {
    const { team, invitation, expires_at } = each;
    if (Date.parse(expires_at) > at.getTime()) return;
    const actor = { kind: 'system', id: 'invitations' } as const;
    await expireInvitation(
      { store, personal },
      { team, invitation },
      { actor, commandId: crypto.randomUUID(), at },
    );
  }
}

/**
 * Destroys data keys that a stopped process left behind: those of invitations that have ended, and those of none.
 * `unknown`: keys of no invitation at the last call. A new invitation has a key before the read model shows it, so only a
 * key that was among them then is destroyed.
 */
export async function eraseLeftoverKeys(
  { documents, vault, personal }: Parts,
  unknown: Set<string>,
): Promise<void> {
  const before = new Set(unknown);
  unknown.clear();
  const ids = (await vault.names(invitationOf(''))).map(invitationIn);
  const invited = await documents.collection(invitations.collection).getMany(ids);
  for (const id of ids) {
    const status = invited.get(id)?.status;
    if (status === 'open') continue;
    if (status !== undefined) await personal.destroy(invitationOf(id));
    else if (before.has(id)) await personal.discard(invitationOf(id));
    else unknown.add(id);
  }
}
