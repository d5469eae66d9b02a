import { memberPage, memberRolePage, removeMemberPage } from './member-page.ts';
import { invitePage, membersPage, withdrawPage } from './members-page.ts';

/** The pages about the members of a team. */
export const teamPages = [
  membersPage,
  invitePage,
  withdrawPage,
  memberPage,
  memberRolePage,
  removeMemberPage,
];
