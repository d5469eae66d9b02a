import type { MemberRole } from '../../events/teams/team.ts';

/** A role in a sentence: you are … */
export const roleWords: Readonly<Record<MemberRole, string>> = {
  admin: 'an admin',
  reviewer: 'a reviewer',
  member: 'a member',
};
