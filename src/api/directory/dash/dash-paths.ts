import { ofTeam, paths } from '../../pages/paths.ts';

/** The page of one record of a team. */
export const dashRecordPath = (svcId: string): string => `${paths.directory}/${svcId}`;

/** Where the form of a record is. */
export const editPath = (svcId: string): string => `${dashRecordPath(svcId)}/edit`;

/** The queue of reported mistakes. */
export const mistakesOf = (team: string, also: Readonly<Record<string, string>> = {}): string =>
  ofTeam(paths.review, team, { show: 'mistakes', ...also });

/** Where a record is submitted. */
export const newRecordPath = `${paths.directory}/new`;
/** Where the status of a record is changed. */
export const statusPath = (svcId: string): string => `${dashRecordPath(svcId)}/status`;
/** The persons whom a record names. */
export const peoplePath = (svcId: string): string => `${dashRecordPath(svcId)}/people`;
/** All records as a file. */
export const exportPath = `${paths.directory}/export`;
