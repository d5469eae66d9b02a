import type { MemberRole } from './teams.ts';

/**
 * What members of a team may do, by role. An administrator of the installation may do all of it in every team. Keys have
 * scopes in its place (interface 3).
 */
const rolesWith = {
  /** See members and their roles, what was submitted to the directory, and the forms. Each form says who reads its answers. */
  'see the team': ['admin', 'reviewer', 'member'],
  /** Submit records, and changes to them. */
  'submit records': ['admin', 'reviewer', 'member'],
  /** Approve and reject what was submitted, deactivate records, settle reports of mistakes. */
  'review records': ['admin', 'reviewer'],
  /** Replace many records at once. */
  'import records': ['admin'],
  /** Rename the team, see what it uses, close it, and open it again. */
  'change the team': ['admin'],
  /** Invite, remove, and change roles. */
  'change members': ['admin'],
  /** Publish, change and close forms, and choose who reads their answers. */
  'change forms': ['admin'],
  /** See payments, record and reverse them. */
  'record payments': ['admin'],
  /** Keys, sites and webhooks: each lets another program act for the team, or sends it data. */
  'change keys': ['admin'],
  'change sites': ['admin'],
  'change webhooks': ['admin'],
  /** Read who did what in the team. */
  'read the audit log': ['admin'],
} as const satisfies Readonly<Record<string, readonly MemberRole[]>>;

export type Right = keyof typeof rolesWith;

/** Every right, for tables of them. */
export const rights = Object.keys(rolesWith) as readonly Right[];

/** Whether the role has the right. Without a role: whether somebody who is no member has it, so never. */
export const hasRight = (role: MemberRole | undefined, right: Right): boolean =>
  role !== undefined && (rolesWith[right] as readonly MemberRole[]).includes(role);

/** Whether somebody is the one admin of a team. `members`: roles by user id. */
export const onlyAdmin = (members: ReadonlyMap<string, MemberRole>, user: string): boolean =>
  members.get(user) === 'admin' && [...members.values()].filter((role) => role === 'admin').length === 1;
