import type { MemberRole } from '../../events/teams.ts';
import { hasRight, type Right } from '../../events/teams-rights.ts';
import type { EventStore } from '../../stores/event-store/port.ts';
import { requirePerson } from '../accounts/person.ts';
import { CommandRefused } from '../../ground/refusals.ts';
import { requireTeam } from './team.ts';

interface RightInTeam {
  readonly user: string;
  readonly team: string;
  readonly right: Right;
}

/** The name of the team, and the role of a person who may do something in it. */
interface Allowed {
  readonly name: string;
  readonly role: MemberRole | undefined;
  /** Nothing can be done in it until it is open again. */
  readonly closed: boolean;
}

/**
 * Whether a person may do something in a team: undefined if not. Decided from the streams, so a role that was just removed
 * no longer counts. Who may not learns nothing of the team, not even whether it exists.
 */
export async function allowedIn(
  store: EventStore,
  { user, team, right }: RightInTeam,
): Promise<Allowed | undefined> {
  try {
    const [person, { members, name, closing }] = await Promise.all([
      requirePerson({ store }, user),
      requireTeam(store, team),
    ]);
    const role = members.get(user);
    if (person.role === 'administrator' || hasRight(role, right))
      return { name, role, closed: closing !== undefined };
  } catch (error) {
    if (!(error instanceof CommandRefused)) throw error;
  }
  return undefined;
}
