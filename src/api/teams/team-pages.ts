import { allTeamsPage } from './all-teams.ts';
import { closeTeamPage, reopenTeamPage } from './close-page.ts';
import { memberPage, memberRolePage, removeMemberPage } from './member-page.ts';
import { copyLinkPage, invitePage, membersPage, passkeysPage, withdrawPage } from './members-page.ts';
import { ownSettingsPage } from './settings-page.ts';
import { inviteAdminPage, teamScopesPage, teamSettingsPage, teamTimeZonePage } from './team-settings.ts';

/** The pages about the members of a team, and about all teams. */
export const teamPages = [
  membersPage,
  invitePage,
  withdrawPage,
  copyLinkPage,
  passkeysPage,
  ...[ownSettingsPage, closeTeamPage, reopenTeamPage],
  memberPage,
  memberRolePage,
  removeMemberPage,
  ...[allTeamsPage, teamSettingsPage, teamScopesPage, teamTimeZonePage, inviteAdminPage],
];
