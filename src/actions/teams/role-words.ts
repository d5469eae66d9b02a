import type { MemberRole } from '../../events/teams.ts';

/** A role in a sentence: you are … */
export const roleWords: Readonly<Record<MemberRole, string>> = {
  admin: 'an admin',
  reviewer: 'a reviewer',
  member: 'a member',
};
