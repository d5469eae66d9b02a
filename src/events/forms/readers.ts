import type { MemberRole } from '../teams.ts';

/** From the one that may do the least. */
const roles: readonly MemberRole[] = ['member', 'reviewer', 'admin'];

/** Who reads the answers of a new form, until somebody chooses. */
export const readersOfNewForms: MemberRole = 'admin';

/** Whether a member with this role may read the answers of a form. Undefined: somebody who is no member. */
export const mayReadAnswers = (
  role: MemberRole | undefined,
  { readers }: { readonly readers: MemberRole },
): boolean => role !== undefined && roles.indexOf(role) >= roles.indexOf(readers);
