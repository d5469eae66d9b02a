import { ofTeam, paths } from '../../pages/paths.ts';

/** The page of one record of a team. */
export const dashRecordPath = (svcId: string): string => `${paths.directory}/${svcId}`;

/** Where the form of a record is. */
export const editPath = (svcId: string): string => `${dashRecordPath(svcId)}/edit`;
/** In the address and the form of what is changed from the list of calls, which then leads back to it. */
export const fromCalls = { from: 'calls' } as const;

/** The queue of reported mistakes. */
export const mistakesOf = (team: string, also: Readonly<Record<string, string>> = {}): string =>
  ofTeam(paths.review, team, { show: 'mistakes', ...also });

/** The queue of suggested changes. */
export const suggestionsOf = (team: string, also: Readonly<Record<string, string>> = {}): string =>
  ofTeam(paths.review, team, { show: 'suggestions', ...also });

/** Who keeps the records of their organization, or wants to. */
export const claimsOf = (team: string): string => ofTeam(paths.review, team, { show: 'claims' });

/** Where a record is submitted. */
export const newRecordPath = `${paths.directory}/new`;
/** Where whoever submitted a record changes it and sends it again. */
export const sendAgainPath = (svcId: string): string => `${dashRecordPath(svcId)}/send-again`;
/** What the person has submitted. */
export const ownSubmissionsPath = `${paths.directory}/mine`;
/** Where the status of a record is changed. */
export const statusPath = (svcId: string): string => `${dashRecordPath(svcId)}/status`;
/** Where a record is confirmed. */
export const confirmPath = (svcId: string): string => `${dashRecordPath(svcId)}/confirm`;
/** Where a record takes what somebody else said of a field. */
export const takeWordPath = (svcId: string): string => `${dashRecordPath(svcId)}/take`;
/** The persons whom a record names. */
export const peoplePath = (svcId: string): string => `${dashRecordPath(svcId)}/people`;
/** Groups of records that are probably the same. */
export const duplicatesPath = `${paths.directory}/duplicates`;
/** What people looked for and did not find. */
export const needsPath = `${paths.directory}/needs`;
/** Asking the agencies by mail, and whom to call. */
export const askingPath = `${paths.directory}/asking`;
export const callsPath = `${paths.directory}/calls`;
/** Where a record is merged into another one. */
export const mergePath = (svcId: string): string => `${dashRecordPath(svcId)}/merge`;
/** Where that is undone. */
export const unmergePath = (svcId: string): string => `${dashRecordPath(svcId)}/unmerge`;
/** All records as a file. */
export const exportPath = `${paths.directory}/export`;
/** The organizations of a team. */
export const organizationsPath = `${paths.directory}/organizations`;
/** The page of one of them. */
export const dashOrganizationPath = (orgId: string): string => `${organizationsPath}/${orgId}`;
/** Where the form of an organization is. */
export const editOrganizationPath = (orgId: string): string => `${dashOrganizationPath(orgId)}/edit`;
/** Where an organization is added. */
export const newOrganizationPath = `${organizationsPath}/new`;
/** Where the status of an organization is changed. */
export const organizationStatusPath = (orgId: string): string => `${dashOrganizationPath(orgId)}/status`;
/** What waits, as a table. */
export const waitingTableOf = (team: string): string => ofTeam(paths.review, team, { show: 'table' });
/** The queue of organizations that wait. */
export const waitingOrganizationsOf = (team: string): string =>
  ofTeam(paths.review, team, { show: 'organizations' });
/** Where the records that were ticked in a table lead, and where bulk actions are listed. */
export const bulkActionsPath = `${paths.directory}/bulk`;
/** The page of one bulk action: its question, how far it is, and what it came to. */
export const bulkPath = (id: string): string => `${bulkActionsPath}/${id}`;
/** How far it is: the content of a part of that page. */
export const bulkProgressPath = (id: string): string => `${bulkPath(id)}/progress`;
