import { findByEmail } from '../../commands/accounts/person.ts';
import { requireTeam } from '../../commands/teams/team.ts';
import { userId } from '../../events/oauth/values.ts';
import type { ActionParts } from '../action.ts';

/** The member of a team with this id or email address. Undefined: there is none. @throws CommandRefused not_found (team) */
export async function memberNamed(
  parts: ActionParts,
  team: string,
  whom: string,
): Promise<string | undefined> {
  const user = whom.includes('@') ? (await findByEmail(parts, whom))?.user : userId.safeParse(whom).data;
  if (user === undefined) return undefined;
  const { members } = await requireTeam(parts.store, team);
  return members.has(user) ? user : undefined;
}
